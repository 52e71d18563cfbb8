// SPDX-License-Identifier: MIT
// Memory that runs out: the host's allocator refuses one block after the other. Every call that needs
// it says so, nothing leaks, and where a call changed nothing the simulation goes on with the same bits.
#include "library.h"

#include <stdatomic.h>

#define HEAD 16 // bytes before a block, for its size

static atomic_llong live;          // blocks
static atomic_llong until_refused; // allocations before one is refused; below 0: none is

static void *alloc_some(void *user, size_t bytes)
{
    (void)user;
    if (atomic_fetch_sub(&until_refused, 1) == 0) return NULL;
    char *const block = malloc(HEAD + bytes);
    atomic_fetch_add(&live, 1);
    memcpy(block, &bytes, sizeof bytes);
    return block + HEAD;
}

// Who still looks at it finds no numbers.
static void release_some(void *user, void *place)
{
    char *const block = (char *)place - HEAD;
    size_t bytes;
    (void)user;
    memcpy(&bytes, block, sizeof bytes);
    memset(place, 0xff, bytes);
    atomic_fetch_sub(&live, 1);
    free(block);
}

static int take_memory(void **state)
{
    const OndAllocator own = {alloc_some, release_some, NULL};
    atomic_store(&until_refused, -1);
    OK(ond_host_memory(&own, &why));
    return 0;
}

static int give_memory_back(void **state)
{
    OK(ond_host_memory(NULL, &why));
    return 0;
}

// Whether the block that was to be refused was asked for.
static bool was_refused(void)
{
    return atomic_exchange(&until_refused, -1) < 0;
}

// A call that failed says why; one that got on without the block did all it should.
static void check_failure(const char *what, int n, const OndError *err)
{
    if (err->status != OND_NO_MEMORY || !err->text[0])
        fail_msg("%s, block %d refused: status %d, '%s'", what, n, err->status, err->text);
}

// ---- making

static void refuse_scene(const char *text)
{
    for (int n = 0;; ++n) {
        OndError err = {0};
        const long long before = atomic_load(&live);
        OndScene *const scene = ond_scene_create();
        atomic_store(&until_refused, n);
        const OndStatus status = ond_scene_text(scene, text, "test.yaml", &err);
        const bool refused = was_refused();
        if (status != OND_OK) check_failure("a scene of text", n, &err);
        ond_scene_destroy(scene);
        assert_int_equal(atomic_load(&live), before);
        if (!refused) return;
    }
}

static void refuse_creation(const char *text)
{
    OndScene *const scene = scene_of(text, NULL);
    const long long before = atomic_load(&live);
    uint64_t whole = 0;
    for (int n = -1;; ++n) { // first with all memory
        OndError err = {0};
        atomic_store(&until_refused, n);
        OndSim *const sim = ond_sim_create(scene, NULL, &err);
        const bool refused = was_refused() && n >= 0;
        if (!sim) check_failure("a simulation", n, &err);
        if (sim && n < 0) whole = hash_of(sim);
        if (sim && hash_of(sim) != whole) fail_msg("block %d refused: other bits", n);
        ond_sim_destroy(sim);
        assert_int_equal(atomic_load(&live), before);
        if (n >= 0 && !refused) break;
    }
    ond_scene_destroy(scene);
}

// ---- scenes that change

static void read_back(const OndScene *scene, char *out, size_t size)
{
    char path[] = "/tmp/test_library_memory_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    OK(ond_scene_write(scene, path, &why));
    FILE *const stream = fopen(path, "rb");
    assert_non_null(stream);
    out[fread(out, 1, size - 1, stream)] = 0;
    fclose(stream);
    remove(path);
}

// The last value of a struct is one that no memory is left for.
static const char *long_word(void)
{
    static char word[100000];
    memset(word, 'x', sizeof word - 1);
    return word;
}

static OndStatus describe_anew(OndScene *scene, OndError *err)
{
    OndSceneInfo info = ond_scene_info();
    info.title = "another", info.method = long_word(), info.frame_rate = 7, info.gravity[1] = -1;
    return ond_scene_describe(scene, &info, err);
}

static OndStatus widen(OndScene *scene, OndError *err)
{
    OndDomainInfo box = ond_domain_info();
    box.max[0] = 9, box.max[1] = 8, box.max[2] = 0, box.z = long_word(), box.slip = 0.5;
    return ond_scene_domain(scene, &box, err);
}

static OndStatus set_title(OndScene *scene, OndError *err)
{
    return ond_scene_set(scene, "title=third", err);
}

static void scenes_change_whole(void **state)
{
    static OndStatus (*const change[])(OndScene *, OndError *) = {describe_anew, widen, set_title};
    static char before[1 << 14], after[1 << 14];
    for (int k = 0; k < 3; ++k) {
        OndScene *const scene = scene_of(stage, NULL);
        read_back(scene, before, sizeof before);
        for (int n = 0;; ++n) {
            OndError err = {0};
            atomic_store(&until_refused, n);
            const OndStatus status = change[k](scene, &err);
            was_refused();
            read_back(scene, after, sizeof after);
            if (status == OND_OK) break;
            check_failure("a change of a scene", n, &err);
            if (strcmp(before, after) != 0) fail_msg("%d, block %d refused: changed", k, n);
        }
        assert_true(strcmp(before, after) != 0);
        ond_scene_destroy(scene);
    }
    assert_int_equal(atomic_load(&live), 0);
}

static void making_fails_whole(void **state)
{
    refuse_scene(pool);
    refuse_creation(stage);
    refuse_creation(smoke);
    refuse_creation(grains);
}

// ---- steps

// More than the simulation made room for, wherever the emitter pours.
static const char crowd[] =
    "dimension: 2\nframe_rate: 100\nduration: 0.01\ngravity: [0, 0]\n"
    "fluid: [{spacing: 0.04, viscosity: 1, shape: {type: box, min: [0, 0], max: [0.2, 0.2]}}]\n"
    "emitter: [{center: [-1, 0], direction: [-1, 0], radius: 0.4, rate: 1.6},\n"
    "  {center: [-1, 2], direction: [-1, 0], radius: 0.4, rate: 1.6}]\n";

static void add_square(OndSim *sim, int side)
{
    float *const x = calloc((size_t)(3 * side * side), sizeof *x);
    for (int i = 0; i < side * side; ++i) {
        x[3 * i] = 0.4f + 0.04f * (float)(i % side);
        x[3 * i + 1] = 0.04f * (float)(i / side);
    }
    const OndNewParticles more = {.count = side * side, .position = x};
    OK(ond_sim_add_particles(sim, &more, &why));
    free(x);
}

static OndSim *make_crowd(void)
{
    OndSim *const sim = make(crowd, NULL);
    add_square(sim,
               31); // room is left for five layers: the third of the second emitter is too much
    return sim;
}

// What a step did not get is poured when there is memory again, and the bits are those of a run that
// had it.
static bool refuse_step(int n, double end, uint64_t bits)
{
    OndError err = {0};
    OndSim *const sim = make_crowd();
    atomic_store(&until_refused, n);
    const OndStatus status = ond_sim_advance(sim, end, NULL, &err);
    const bool refused = was_refused();
    if (status != OND_OK) {
        check_failure("a step", n, &err);
        advance(sim, end - ond_sim_time(sim));
    }
    if (hash_of(sim) != bits) fail_msg("block %d refused: other bits than with it", n);
    ond_sim_destroy(sim);
    return refused;
}

// The host gives up pouring instead; what is there goes on.
static void refuse_pouring(int n, double end)
{
    OndSim *const sim = make_crowd();
    atomic_store(&until_refused, n);
    ond_sim_advance(sim, end, NULL, NULL);
    was_refused();
    OK(ond_sim_open_emitter(sim, 0, false, &why));
    OK(ond_sim_open_emitter(sim, 1, false, &why));
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 2, &why)); // written to every particle
    advance(sim, 0.01);
    if (!isfinite(mean(sim, "velocity", 0) + mean(sim, "position", 0)))
        fail_msg("block %d refused: no numbers any more", n);
    ond_sim_destroy(sim);
}

static void steps_go_on_with_more_memory(void **state)
{
    const double end = 0.08;
    OndSim *const whole = make_crowd();
    advance(whole, end);
    const uint64_t bits = hash_of(whole);
    ond_sim_destroy(whole);
    int n = 0;
    while (refuse_step(n, end, bits))
        refuse_pouring(n++, end);
    assert_true(n > 30); // one for each of the arrays that grew, at least
    assert_int_equal(atomic_load(&live), 0);
}

// ---- changes

static OndStatus add_many(OndSim *sim, OndError *err)
{
    float x[3 * 34 * 34] = {0}, v[3 * 34 * 34] = {9, 0, 0};
    for (int i = 0; i < 34 * 34; ++i) {
        x[3 * i] = 0.4f + 0.05f * (float)(i % 34);
        x[3 * i + 1] = 0.05f * (float)(i / 34);
    }
    const OndNewParticles more = {.count = 34 * 34, .position = x, .velocity = v};
    return ond_sim_add_particles(sim, &more, err);
}

static OndStatus remove_some(OndSim *sim, OndError *err)
{
    const OndRegion ball = ond_ball(0.4, 0.3, 0, 0.2);
    return ond_sim_remove_region(sim, &ball, NULL, err);
}

static OndStatus push_some(OndSim *sim, OndError *err)
{
    const OndRegion ball = ond_ball(0.4, 0.3, 0, 0.2);
    return ond_sim_push_region(sim, &ball, vec3(0, 20, 0), err);
}

static OndStatus move_paddle(OndSim *sim, OndError *err)
{
    const OndPlacement to = {{0.05, 0.1, 0}, {cos(0.1), 0, 0, sin(0.1)}};
    return ond_sim_move_solid(sim, 1, &to, 0.05, err);
}

static OndStatus place_ball(OndSim *sim, OndError *err)
{
    const OndPlacement to = {{0.5, 0.4, 0}, {1, 0, 0, 0}};
    return ond_sim_place_body(sim, 0, &to, vec3(20, 0, 0), NULL, err);
}

static OndStatus push_ball(OndSim *sim, OndError *err)
{
    return ond_sim_push_solid(sim, 0, vec3(900, 0, 0), NULL, err);
}

static OndStatus turn_gravity(OndSim *sim, OndError *err)
{
    return ond_sim_set_gravity(sim, vec3(3, -20, 0), err);
}

static OndStatus warm_paddle(OndSim *sim, OndError *err)
{
    return ond_sim_set_solid_temperature(sim, 1, 60, err);
}

static OndStatus move_flame(OndSim *sim, OndError *err)
{
    return ond_sim_move_heat(sim, 0, vec3(0.1, 0.1, 0), err);
}

static OndStatus move_grid_solid(OndSim *sim, OndError *err)
{
    const OndPlacement to = {{0.1, -0.2, 0}, {1, 0, 0, 0}};
    return ond_sim_move_solid(sim, 0, &to, 0.06, err);
}

static const char flame[] = "dimension: 2\nframe_rate: 20\ngravity: [0, -1]\n"
                            "method: {type: smoke, cell: 0.1}\n"
                            "domain: {min: [0, 0], max: [1, 2]}\n"
                            "fluid: [{name: smoke, temperature: 20}]\n"
                            "heat: [{transfer: 1e4, temperature: 90,\n"
                            "  shape: {type: sphere, center: [0.5, 0.5], radius: 0.2}}]\n";

static void failed_changes_change_nothing(void **state)
{
    static const struct {
        const char *name, *text;
        OndStatus (*change)(OndSim *sim, OndError *err);
    } cases[] = {{"add", crowd, add_many},
                 {"remove", stage, remove_some},
                 {"push", stage, push_some},
                 {"move a solid", stage, move_paddle},
                 {"place", stage, place_ball},
                 {"push a body", stage, push_ball},
                 {"gravity", stage, turn_gravity},
                 {"warm", stage, warm_paddle},
                 {"move heat", stage, move_flame},
                 {"move a solid in a grid", smoke, move_grid_solid},
                 {"push a grid", smoke, push_some},
                 {"gravity of a grid", smoke, turn_gravity},
                 {"move heat in a grid", flame, move_flame}};
    for (int k = 0; k < (int)(sizeof cases / sizeof cases[0]); ++k) {
        OndSim *const sim = make(cases[k].text, NULL), *const twin = make(cases[k].text, NULL);
        advance(sim, 0.004);
        advance(twin, 0.004);
        bool refused = true;
        for (int n = 0; refused; ++n) {
            OndError err = {0};
            const uint64_t before = hash_of(sim);
            atomic_store(&until_refused, n);
            const OndStatus status = cases[k].change(sim, &err);
            refused = was_refused();
            if (status == OND_OK) break;
            check_failure(cases[k].name, n, &err);
            if (hash_of(sim) != before) fail_msg("%s: changed, and failed", cases[k].name);
            OK(ond_sim_set_gravity(sim, vec3(0.1 + 0.01 * n, -9, 0), &why)); // told, and listed
            OK(ond_sim_set_gravity(twin, vec3(0.1 + 0.01 * n, -9, 0), &why));
            advance(sim, 0.001);
            advance(twin, 0.001);
        }
        OK(cases[k].change(twin, &why));
        advance(sim, 0.008);
        advance(twin, 0.008);
        if (hash_of(sim) != hash_of(twin)) fail_msg("%s: other bits after failures", cases[k].name);
        ond_sim_destroy(sim);
        ond_sim_destroy(twin);
    }
    assert_int_equal(atomic_load(&live), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_fails_whole),
        cmocka_unit_test(scenes_change_whole),
        cmocka_unit_test(steps_go_on_with_more_memory),
        cmocka_unit_test(failed_changes_change_nothing),
    };
    return cmocka_run_group_tests(tests, take_memory, give_memory_back);
}
