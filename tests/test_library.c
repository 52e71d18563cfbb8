// SPDX-License-Identifier: MIT
// The library as a program around it sees it: only <ondine/ondine.h>.
#include "library.h"

#include <pthread.h>
#include <stdatomic.h>

// ---- scenes

static void scene_of_structs_is_that_of_text(void **state)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndSceneInfo all = ond_scene_info();
    all.dimension = 2;
    all.frame_rate = 100;
    OndDomainInfo box = ond_domain_info();
    box.max[0] = box.max[1] = 1.0, box.max[2] = 0.0;
    OndFluidInfo water = ond_fluid_info();
    assert_true(water.density == 998.23);
    assert_true(isnan(water.T_solid));
    water.name = "water";
    water.spacing = 0.04;
    water.viscosity = 0.1;
    water.shape = ond_box_shape(0, 0, 0, 0.5, 0.5, 0);
    if (ond_scene_describe(scene, &all, &err) || ond_scene_domain(scene, &box, &err) ||
        ond_scene_add_fluid(scene, &water, &err))
        fail_msg("%s", err.text);
    OndSim *const a = ond_sim_create(scene, NULL, &err), *const b = make(pool, NULL);
    if (!a) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    advance(a, 0.05);
    advance(b, 0.05);
    assert_true(hash_of(a) == hash_of(b));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
}

static void put_fluids(OndScene *scene)
{
    OndFluidInfo water = ond_fluid_info(), wax = ond_fluid_info();
    water.name = "water", water.spacing = 0.05, water.viscosity = 0.1;
    water.tension = 0.07, water.conductivity = 0.6;
    water.shape = ond_box_shape(0, 0, 0, 1, 0.6, 0);
    wax.name = "wax", wax.material = "wax", wax.spacing = 0.05;
    wax.shape = ond_box_shape(1.3, 0, 0, 1.8, 0.5, 0);
    OK(ond_scene_add_fluid(scene, &water, &why));
    OK(ond_scene_add_fluid(scene, &wax, &why));
}

static void put_solids(OndScene *scene)
{
    OndSolidInfo ball = ond_solid_info(), paddle = ond_solid_info();
    assert_true(ball.slip == 1.0 && isnan(ball.density));
    ball.name = "ball", ball.density = 300;
    ball.shape = ond_sphere_shape(0.5, 0.8, 0, 0.12);
    paddle.name = "paddle", paddle.temperature = 10;
    paddle.shape = ond_box_shape(1.05, 0.1, -1, 1.15, 0.7, 1);
    OK(ond_scene_add_solid(scene, &ball, &why));
    OK(ond_scene_add_solid(scene, &paddle, &why));
}

static void put_rest(OndScene *scene)
{
    OndSceneInfo all = ond_scene_info();
    all.dimension = 2, all.frame_rate = 100, all.method = "sph";
    OndDomainInfo box = ond_domain_info();
    box.max[0] = box.max[1] = 2, box.max[2] = 0;
    OndAirInfo air = ond_air_info();
    assert_true(air.temperature == 20 && air.exchange == 10);
    air.exchange = 50;
    OndEmitterInfo tap = ond_emitter_info();
    tap.fluid = "water", tap.radius = 0.1, tap.rate = 0.2;
    tap.center[0] = 0.5, tap.center[1] = 1.5, tap.center[2] = 0;
    OndHeatInfo flame = ond_heat_info();
    flame.power = 1e5;
    flame.shape = ond_sphere_shape(1.5, 0.4, 0, 0.3);
    OK(ond_scene_describe(scene, &all, &why));
    OK(ond_scene_domain(scene, &box, &why));
    OK(ond_scene_air(scene, &air, &why));
    OK(ond_scene_add_emitter(scene, &tap, &why));
    OK(ond_scene_add_heat(scene, &flame, &why));
}

// A bit of everything, and what can be asked of it.
static void every_struct_is_what_its_text_is(void **state)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    put_rest(scene);
    put_fluids(scene);
    put_solids(scene);
    OndSim *const a = ond_sim_create(scene, NULL, &err), *const b = make(stage, NULL);
    if (!a) fail_msg("%s", err.text);
    advance(a, 0.05);
    advance(b, 0.05);
    assert_true(hash_of(a) == hash_of(b));
    assert_int_equal(ond_sim_fluid_count(a), 2);
    assert_string_equal(ond_sim_fluid_name(a, 1), "wax");
    assert_null(ond_sim_fluid_name(a, 2));
    assert_int_equal(ond_sim_find_fluid(a, "wax"), 1);
    assert_int_equal(ond_sim_find_fluid(a, "mud"), -1);
    assert_int_equal(ond_sim_find_solid(a, "mud"), -1);
    assert_int_equal(ond_sim_emitter_count(a), 1);
    assert_int_equal(ond_sim_cell_count(a), 0);
    assert_false(ond_sim_done(a));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
    OndFluidInfo oil = ond_fluid_info();
    oil.name = "oil", oil.spacing = 0.05, oil.shape = ond_shape_info("capsule");
    for (int k = 0; k < 3; ++k)
        oil.shape.from[k] = k < 2 ? 0.3 : 0.0, oil.shape.to[k] = k == 0 ? 0.7 : oil.shape.from[k];
    oil.shape.radius = 0.1;
    OK(ond_scene_add_fluid(scene, &oil, &why));
    assert_null(ond_sim_create(scene, NULL, &err));
    CHECK_SAYS(err.text, "fluid.2.shape: error: fluid 'oil' overlaps fluid 'water'",
               "in the water");
    OK(ond_scene_set(scene, "fluid.2.shape={type: box, min: [0, 1.7], max: [0.3, 1.9]}", &why));
    OndSolidInfo mesh = ond_solid_info();
    mesh.shape = ond_mesh_shape("there-is-no-such.obj");
    OK(ond_scene_add_solid(scene, &mesh, &why));
    assert_null(ond_sim_create(scene, NULL, &err));
    CHECK_SAYS(err.text, "there-is-no-such.obj", "a file that is not there");
    ond_scene_destroy(scene);
}

static void notes_tell_what_looks_strange(void **state)
{
    OndSim *const sim = make(pool, "solid=[{name: bullet, move: [\"-60*t\", 0, 0],"
                                   "shape: {type: sphere, center: [0.8, 0.8], radius: 0.05}}]");
    CHECK_SAYS(ond_sim_note(sim, 0), "'bullet' moves at up to 60 m/s", "the note");
    assert_null(ond_sim_note(sim, 1));
    OK(ond_sim_step(sim, &why));
    ond_sim_destroy(sim);
    assert_string_equal(ond_version(), "0.1.0");
}

static void mistakes_name_their_place(void **state)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    assert_int_equal(ond_scene_text(scene, "fluid: [{spacing: ]\n", "broken.yaml", &err),
                     OND_BAD_VALUE);
    CHECK_SAYS(err.text, "broken.yaml:1:", "text that is no YAML");
    OK(ond_scene_text(scene, pool, "pool.yaml", &why));
    OK(ond_scene_set(scene, "fluid.0.spacing=-1", &why));
    OndFluidInfo wrong = ond_fluid_info();
    wrong.spacing = 0.04;
    wrong.density = -3;
    wrong.shape = ond_sphere_shape(0.7, 0.7, 0, -0.1);
    OK(ond_scene_add_fluid(scene, &wrong, &why));
    err = (OndError){0};
    assert_int_equal(ond_scene_validate(scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "set fluid.0.spacing=-1: error", "a value that was set");
    CHECK_SAYS(err.text, "fluid.1.density: error", "a value of a struct");
    CHECK_SAYS(err.text, "fluid.1.shape.radius: error", "a value of a shape");
    assert_null(ond_sim_create(scene, NULL, NULL)); // nobody wants to know why
    err = (OndError){0};
    assert_int_equal(ond_scene_set(scene, "fluid.0.spacing", &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "write a path and a value", "a set without a value");
    OK(ond_scene_set(scene, "fluid.0.spacing=0.04", &why)); // the scene is as it was
    ond_scene_destroy(scene);
    ond_scene_destroy(NULL);
}

// Whatever it held: what an earlier call left, or what happened to lie there.
static void failures_are_written_anew(void **state)
{
    OndScene *const scene = scene_of(pool, NULL);
    for (int k = 0; k < 2; ++k) {
        OndError err;
        memset(&err, 0xff, sizeof err);
        if (k == 0) assert_int_equal(ond_scene_set(scene, "nothing", &err), OND_BAD_VALUE);
        OK(ond_scene_set(scene, "fluid.0.density=-1", &why));
        assert_int_equal(ond_scene_validate(scene, &err), OND_BAD_VALUE);
        assert_int_equal(err.told, 1);
        assert_int_equal(err.untold, 0);
        assert_null(strstr(err.text, "write a path"));
        CHECK_SAYS(err.text, "density=-1: error", "the failure of now");
        assert_null(ond_sim_create(scene, NULL, &err));
        assert_int_equal(err.told, 1);
    }
    ond_scene_destroy(scene);
}

static void scenes_are_estimated_and_written(void **state)
{
    char path[] = "/tmp/test_library_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    OndScene *const scene = scene_of(stage, "fluid.0.spacing=0.04");
    OndEstimate much;
    assert_int_equal(ond_scene_estimate(scene, &much, NULL), OND_BAD_VALUE); // two spacings
    OK(ond_scene_set(scene, "fluid.1.spacing=0.04", &why));
    OK(ond_scene_estimate(scene, &much, &why));
    OndError err = {0};
    OndSim *const sim = ond_sim_create(scene, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    CHECK_NEAR(much.particles / ond_sim_particle_count(sim), 1, 0.1, "particles at the start");
    assert_true(much.poured > 100 && much.cells == 0 && much.bytes > 1e5);
    assert_true(ond_sim_bytes(sim) > 1e5);
    const OndSimOptions small = {.memory = 1000};
    assert_null(ond_sim_create(scene, &small, &err));
    CHECK_SAYS(err.text, "it may take 0.0 GiB", "too little memory");
    OK(ond_scene_write(scene, path, &why));
    OK(ond_scene_file(scene, path, &why));
    OndSim *const again = ond_sim_create(scene, NULL, &err);
    if (!again) fail_msg("%s", err.text);
    assert_true(hash_of(sim) == hash_of(again));
    ond_sim_destroy(sim);
    ond_sim_destroy(again);
    ond_scene_destroy(scene);
    remove(path);
}

// ---- time

static void advancing_ends_where_it_should(void **state)
{
    OndSim *const sim = make(pool, NULL);
    const double odd[] = {0.0123, 0.0, 1e-5, 0.00271828, 0.031, 0.01};
    double time = 0;
    int frames = 0;
    for (int k = 0; k < (int)(sizeof odd / sizeof odd[0]); ++k) {
        OndAdvance got;
        OK(ond_sim_advance(sim, odd[k], &got, &why));
        time += odd[k];
        frames += got.frames;
        CHECK_NEAR(ond_sim_time(sim), time, 1e-12, "time");
        CHECK_NEAR(got.time, ond_sim_time(sim), 0, "reported time");
        assert_true(odd[k] == 0.0 ? got.steps == 0 : got.steps > 0);
    }
    assert_int_equal(frames, (int)(time * 100));
    OndAdvance got;
    OK(ond_sim_next_frame(sim, &got, &why));
    CHECK_NEAR(ond_sim_time(sim), 0.06, 0, "the next frame's time");
    assert_true(ond_sim_at_frame(sim));
    for (int k = 0; k < 10;
         ++k) // a tenth of a frame, ten times: the frame is met, and no tiny step
        OK(ond_sim_advance(sim, 0.001, &got, &why));
    assert_true(ond_sim_at_frame(sim));
    assert_int_equal(ond_sim_frame_index(sim), 7);
    OndError err = {0};
    assert_int_equal(ond_sim_advance(sim, -1, NULL, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_advance(sim, NAN, NULL, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// Frame by frame it is what `ondine run` does.
static void frames_are_the_same_by_any_way(void **state)
{
    OndSim *const a = make(pool, NULL), *const b = make(pool, NULL);
    OK(ond_sim_next_frame(a, NULL, &why));
    advance(b, 0.01);
    assert_true(hash_of(a) == hash_of(b));
    ond_sim_destroy(a);
    ond_sim_destroy(b);
}

// ---- several at once

static void *run_alone(void *hash)
{
    OndSim *sim = make(stage, NULL);
    advance(sim, 0.02);
    change_everything(sim);
    OndSim *const copy = resume_copy(sim, stage, NULL); // others write and read, too
    ond_sim_destroy(sim);
    sim = copy;
    advance(sim, 0.02);
    *(uint64_t *)hash = hash_of(sim);
    ond_sim_destroy(sim);
    return NULL;
}

static void *run_smoke(void *hash)
{
    OndSim *const sim = make(smoke, NULL);
    const OndRegion ball = ond_ball(0.5, 0.5, 0, 0.3);
    advance(sim, 0.1);
    OK(ond_sim_push_region(sim, &ball, vec3(0.5, 0, 0), &why));
    OK(ond_sim_heat_region(sim, &ball, 20, &why));
    OK(ond_sim_set_gravity(sim, vec3(1, -9, 0), &why));
    advance(sim, 0.1);
    *(uint64_t *)hash = hash_of(sim);
    ond_sim_destroy(sim);
    return NULL;
}

static void two_threads_give_the_same_bits(void **state)
{
    uint64_t alone[2], both[4];
    pthread_t thread[4];
    run_alone(&alone[0]);
    run_smoke(&alone[1]);
    for (int k = 0; k < 4; ++k)
        assert_int_equal(pthread_create(&thread[k], NULL, k % 2 ? run_smoke : run_alone, &both[k]),
                         0);
    for (int k = 0; k < 4; ++k)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < 4; ++k)
        if (both[k] != alone[k % 2]) fail_msg("simulation %d has other bits than alone", k);
}

static void *go_on(void *sim)
{
    advance(sim, 0.04);
    return NULL;
}

// Made in one thread and advanced in others, one after the other, as task systems do.
static void threads_may_change_between_steps(void **state)
{
    OndSim *const sim = make(stage, NULL), *const other = make(stage, NULL);
    pthread_t thread;
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(pthread_create(&thread, NULL, go_on, sim), 0);
        pthread_join(thread, NULL);
        advance(other, 0.04);
    }
    assert_true(hash_of(sim) == hash_of(other));
    ond_sim_destroy(sim);
    ond_sim_destroy(other);
}

// ---- the host's own

typedef struct Lot {
    OndTask *task;
    void *data;
    int index;
} Lot;

static void *run_lot(void *lot)
{
    const Lot *const l = lot;
    l->task(l->index, l->data);
    return NULL;
}

static atomic_int lots;

// A thread for every task, last task first: the crudest that keeps the contract.
static void run_tasks(void *user, int count, OndTask *task, void *data)
{
    pthread_t thread[8];
    Lot lot[8];
    assert_true(user == &lots && count <= 3);
    for (int k = count - 1; k >= 0; --k) {
        lot[k] = (Lot){task, data, k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_lot, &lot[k]), 0);
    }
    for (int k = 0; k < count; ++k)
        pthread_join(thread[k], NULL);
    atomic_fetch_add(&lots, count);
}

static void own_tasks_give_the_same_bits(void **state)
{
    OndTaskSystem tasks = {.workers = 3, .run = run_tasks, .user = &lots};
    uint64_t ours[2], theirs[2];
    run_alone(&ours[0]);
    run_smoke(&ours[1]);
    OK(ond_host_tasks(&tasks, &why));
    assert_int_equal(ond_threads(), 3);
    run_alone(&theirs[0]);
    run_smoke(&theirs[1]);
    OK(ond_host_tasks(NULL, &why));
    assert_true(atomic_load(&lots) > 0);
    assert_true(ours[0] == theirs[0] && ours[1] == theirs[1]);
    tasks.workers = 0;
    assert_int_equal(ond_host_tasks(&tasks, NULL), OND_BAD_VALUE);
}

static atomic_llong taken, given;

static void *count_alloc(void *user, size_t bytes)
{
    (void)user;
    char *const block = malloc(bytes + 16);
    if (block) atomic_fetch_add(&taken, 1);
    return block ? block + 16 : NULL; // not at all on a cache line
}

static void count_release(void *user, void *block)
{
    (void)user;
    atomic_fetch_add(&given, 1);
    free((char *)block - 16);
}

static void own_memory_is_given_back(void **state)
{
    const OndAllocator own = {count_alloc, count_release, NULL};
    uint64_t ours, theirs;
    run_alone(&ours);
    OK(ond_host_memory(&own, &why));
    run_alone(&theirs);
    OndSim *const sim = make(pool, NULL);
    OndSurfaceMesh *const mesh = ond_sim_surface(sim, NULL);
    assert_non_null(mesh);
    ond_surface_mesh_destroy(mesh);
    ond_sim_destroy(sim);
    OK(ond_host_memory(NULL, &why));
    assert_true(ours == theirs);
    assert_true(atomic_load(&taken) > 100);
    assert_int_equal(atomic_load(&taken), atomic_load(&given));
}

// ---- what is seen

// The first five seconds of a pool in the air, and the force that its floor plate feels: its weight.
static void solids_feel_the_weight(void **state)
{
    static const char text[] =
        "dimension: 2\nframe_rate: 20\ndomain: {min: [0, 0], max: [0.4, 1]}\n"
        "fluid: [{spacing: 0.04, viscosity: 20, shape: {type: box, min: [0, 0.2], max: [0.4, "
        "0.6]}}]\n"
        "solid: [{name: floor, shape: {type: box, min: [-0.2, 0, -1], max: [0.6, 0.2, 1]}}]\n";
    OndSim *const sim = make(text, NULL);
    OndSolidView s;
    double sum = 0;
    for (int k = 0; k < 20; ++k) {
        advance(sim, 0.02);
        assert_true(ond_sim_solid(sim, 0, &s));
        sum += s.force[1] / 20;
    }
    CHECK_NEAR(sum / (-998.23 * 9.81 * 0.4 * 0.4), 1, 0.1, "force over weight");
    ond_sim_destroy(sim);
}

static void grids_are_seen_without_copying(void **state)
{
    OndSim *const sim = make(smoke, NULL);
    OndGridView g;
    OndFieldView d;
    advance(sim, 0.3);
    assert_true(ond_sim_grid(sim, &g));
    assert_int_equal(g.cells[0], 10);
    assert_int_equal(g.cells[1], 20);
    assert_true(ond_sim_find_field(sim, OND_CELLS, "density", &d));
    double sum = 0;
    for (int j = 0; j < g.cells[1]; ++j)
        for (int i = 0; i < g.cells[0]; ++i)
            sum += ((const float *)d.data[0])[g.first + (size_t)(i * g.step[0] + j * g.step[1])];
    CHECK_NEAR(sum * g.cell * g.cell, 0.1 * 0.3, 0.002, "smoke that came in");
    assert_true(ond_sim_find_field(sim, OND_CELLS, "velocity", &d) && d.faces && d.components == 3);
    assert_false(ond_sim_find_field(sim, OND_CELLS, "nothing", &d));
    assert_false(ond_sim_field(sim, OND_PARTICLES, 99, &d));
    OndError err = {0};
    const OndNewParticles none = {0};
    assert_int_equal(ond_sim_add_particles(sim, &none, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "computes on a grid", "particles in a grid");
    ond_sim_destroy(sim);
}

// A struct changes what it says and leaves the other keys of a text.
static void structs_keep_keys_of_the_text(void **state)
{
    static const char text[] =
        "method: {type: smoke, cell: 0.05}\ndimension: 2\n"
        "domain: {min: [0, 0], max: [1, 1], x: periodic}\nair: {temperature: 7}\n";
    OndError err = {0};
    char got[4096] = "", path[] = "/tmp/test_structs_XXXXXX";
    OndScene *const scene = scene_of(text, NULL);
    OndSceneInfo info = ond_scene_info();
    info.method = "smoke";
    OndDomainInfo domain = ond_domain_info();
    domain.max[0] = 2, domain.max[1] = 2;
    OndAirInfo air = ond_air_info();
    air.exchange = 9;
    OK(ond_scene_describe(scene, &info, &why));
    OK(ond_scene_domain(scene, &domain, &why));
    OK(ond_scene_air(scene, &air, &why));
    close(mkstemp(path));
    if (ond_scene_write(scene, path, &err) != OND_OK) fail_msg("%s", err.text);
    FILE *const f = fopen(path, "r");
    assert_true(f && fread(got, 1, sizeof got - 1, f) > 0);
    fclose(f);
    remove(path);
    CHECK_SAYS(got, "0.05", "cell of the method");
    CHECK_SAYS(got, "periodic", "side of the domain");
    CHECK_SAYS(got, "temperature: 7", "temperature of the air");
    CHECK_SAYS(got, "exchange: 9", "what the struct says");
    ond_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_keep_keys_of_the_text),
        cmocka_unit_test(scene_of_structs_is_that_of_text),
        cmocka_unit_test(every_struct_is_what_its_text_is),
        cmocka_unit_test(notes_tell_what_looks_strange),
        cmocka_unit_test(mistakes_name_their_place),
        cmocka_unit_test(failures_are_written_anew),
        cmocka_unit_test(scenes_are_estimated_and_written),
        cmocka_unit_test(advancing_ends_where_it_should),
        cmocka_unit_test(frames_are_the_same_by_any_way),
        cmocka_unit_test(solids_feel_the_weight),
        cmocka_unit_test(two_threads_give_the_same_bits),
        cmocka_unit_test(threads_may_change_between_steps),
        cmocka_unit_test(own_tasks_give_the_same_bits),
        cmocka_unit_test(own_memory_is_given_back),
        cmocka_unit_test(grids_are_seen_without_copying),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
