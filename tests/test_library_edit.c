// SPDX-License-Identifier: MIT
// Changes while a simulation runs, and what checkpoints keep of them.
#include "library.h"

static void particles_come_and_go(void **state)
{
    OndSim *const sim = make(pool, NULL);
    const int start = ond_sim_particle_count(sim);
    float x[4 * 3];
    for (int i = 0; i < 4; ++i)
        x[3 * i] = 0.7f + 0.04f * (float)i, x[3 * i + 1] = 0.9f, x[3 * i + 2] = 0.0f;
    OndNewParticles more = {.count = 4, .position = x};
    OK(ond_sim_add_particles(sim, &more, &why));
    assert_int_equal(ond_sim_particle_count(sim), start + 4);
    advance(sim, 0.03);
    const OndRegion right = ond_box(0.65, 0, 0, 1, 1, 0);
    int removed = 0;
    OK(ond_sim_remove_region(sim, &right, &removed, &why));
    assert_int_equal(removed, 4);
    const float pressure = ((const float *)field(sim, "pressure").data[0])[6];
    const int some[] = {5, 3, 5, 0};
    OK(ond_sim_remove_particles(sim, some, 4, &why));
    assert_int_equal(ond_sim_particle_count(sim), start - 3);
    assert_true(((const float *)field(sim, "pressure").data[0])[3] == pressure); // it moved up
    advance(sim, 0.02);
    OndError err = {0};
    x[4] = 2.0f;
    assert_int_equal(ond_sim_add_particles(sim, &more, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "new particle 1 at [0.74, 2, 0] is outside of the domain", "outside");
    more.fluid = 3;
    assert_int_equal(ond_sim_add_particles(sim, &more, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "there is no fluid 3", "no fluid");
    assert_int_equal(ond_sim_remove_particles(sim, &start, 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_particle_count(sim), start - 3);
    const OndRegion all = ond_everywhere();
    OK(ond_sim_remove_region(sim, &all, NULL, &why));
    advance(sim, 0.02); // nothing falls
    ond_sim_destroy(sim);
}

// A drop in the air falls by g t^2 / 2, up if gravity points there; a push is its speed.
static void gravity_and_pushes_move(void **state)
{
    OndSim *const sim = make(pool, "fluid.0.shape={type: sphere, center: [0.5, 0.5], radius: 0.2}");
    OK(ond_sim_set_gravity(sim, vec3(0, 4, 0), &why));
    advance(sim, 0.1);
    CHECK_NEAR(mean(sim, "velocity", 1), 0.4, 0.002, "speed after 0.1 s");
    OndStepReport last;
    ond_sim_last_step(sim, &last);
    assert_true(last.step > 1 && last.dt > 0 && last.dt <= 0.01);
    CHECK_NEAR(last.max_speed, 0.4, 0.05, "the fastest");
    const OndRegion all = ond_everywhere();
    OK(ond_sim_push_region(sim, &all, vec3(-0.3, -0.4, 0), &why));
    CHECK_NEAR(mean(sim, "velocity", 0), -0.3, 1e-6, "pushed");
    CHECK_NEAR(mean(sim, "velocity", 1), 0.0, 0.002, "pushed back");
    OndError err = {0};
    assert_int_equal(ond_sim_set_gravity(sim, vec3(0, NAN, 0), &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// Gravity along a periodic channel: after the change it flows as if it had always been so.
static void viscosity_changes_the_flow(void **state)
{
    static const char channel[] = "dimension: 2\nframe_rate: 10\ngravity: [0.1, 0]\n"
                                  "domain: {min: [0, 0], max: [0.4, 0.4], x: periodic, slip: 0}\n"
                                  "fluid: [{spacing: 0.04, viscosity: 40, shape: {type: box, min: "
                                  "[0, 0], max: [0.4, 0.4]}}]\n";
    OndSim *const sim = make(channel, NULL), *const other = make(channel, "fluid.0.viscosity=80");
    advance(sim, 2.0);
    advance(other, 2.0);
    assert_true(mean(sim, "velocity", 0) > 1.5 * mean(other, "velocity", 0));
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 80, &why));
    advance(sim, 2.0);
    CHECK_NEAR(mean(sim, "velocity", 0) / mean(other, "velocity", 0), 1, 0.03, "mean speed");
    ond_sim_destroy(other);
    OndError err = {0};
    assert_int_equal(ond_sim_set_fluid(sim, 0, "tension", 0.07, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "surface tension", "no tension was built in");
    assert_int_equal(ond_sim_set_fluid(sim, 0, "colour", 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_set_fluid(sim, 2, "viscosity", 1, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_set_fluid(sim, 0, "viscosity", -1, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

static void emitters_close_and_open(void **state)
{
    for (int grid = 0; grid < 2; ++grid) {
        OndSim *const sim = make(grid ? smoke : stage, NULL);
        OndEmitterView e;
        advance(sim, 0.1);
        OK(ond_sim_open_emitter(sim, 0, false, &why));
        assert_true(ond_sim_emitter_view(sim, 0, &e) && !e.open);
        OndFieldView f;
        double had[2] = {ond_sim_particle_count(sim), 0};
        for (int k = 0; k < 2; ++k) {
            advance(sim, 0.1);
            if (k == 1) OK(ond_sim_open_emitter(sim, 0, true, &why));
            if (k == 1) advance(sim, 0.05);
            had[1] = ond_sim_particle_count(sim);
            if (grid) {
                assert_true(ond_sim_find_field(sim, OND_CELLS, "density", &f));
                had[1] = 0;
                for (int i = 0; i < f.count; ++i)
                    had[1] += ((const float *)f.data[0])[i];
                if (k == 0) had[0] = had[1];
            }
            if (k == 0) CHECK_NEAR(had[1], had[0], 0, "nothing comes while closed");
        }
        // what was due meanwhile is lost: 0.05 s of 0.2 m^2/s are 4 particles of 0.05^2 m^2
        if (grid)
            assert_true(had[1] > had[0]);
        else
            CHECK_NEAR(had[1] - had[0], 4, 4, "what came after opening");
        assert_true(had[1] > had[0]);
        ond_sim_destroy(sim);
    }
}

static void solids_are_pushed_and_moved(void **state)
{
    OndSim *const sim = make(stage, "gravity=[0,0]");
    const int ball = ond_sim_find_solid(sim, "ball"), paddle = ond_sim_find_solid(sim, "paddle");
    OndSolidView s;
    assert_true(ond_sim_solid(sim, ball, &s) && s.body);
    CHECK_NEAR(s.mass, 300 * M_PI * 0.12 * 0.12, 0.2, "mass of the ball");
    CHECK_NEAR(s.center[1], 0.8, 1e-9, "centre of the ball");
    OK(ond_sim_push_solid(sim, ball, vec3(0, 0.2 * s.mass, 0), NULL, &why));
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.velocity[1], 0.2, 1e-9, "speed of the ball");
    assert_true(ond_sim_solid(sim, paddle, &s) && !s.body);
    CHECK_NEAR(s.placement.turn[0], 1, 1e-12, "not turned");
    CHECK_NEAR(fabs(s.placement.at[0]) + fabs(s.placement.at[1]), 0, 1e-12, "where it was written");
    const OndPlacement to = {{0.02, 0.04, 0}, {1, 0, 0, 0}};
    OK(ond_sim_move_solid(sim, paddle, &to, 0.1, &why));
    advance(sim, 0.05);
    assert_true(ond_sim_solid(sim, paddle, &s));
    CHECK_NEAR(s.placement.at[1], 0.02, 1e-9, "half the way");
    CHECK_NEAR(s.velocity[1], 0.4, 1e-9, "on the way");
    advance(sim, 0.1);
    assert_true(ond_sim_solid(sim, paddle, &s));
    CHECK_NEAR(s.placement.at[0], 0.02, 1e-12, "there");
    CHECK_NEAR(s.velocity[1], 0, 0, "at rest");
    OndError err = {0};
    assert_int_equal(ond_sim_push_solid(sim, paddle, vec3(1, 0, 0), NULL, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "moves as told", "what is no body");
    assert_int_equal(ond_sim_move_solid(sim, ball, &to, 1, &err), OND_BAD_VALUE);
    OndPlacement up = {{0.9, 0.7, 0}, {1, 0, 0, 0}};
    OK(ond_sim_place_body(sim, ball, &up, vec3(0.3, 0, 0), NULL, &why));
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.center[0], 1.4, 1e-9, "placed");
    CHECK_NEAR(s.velocity[0], 0.3, 1e-9, "with its speed");
    up.at[0] = 0, up.at[1] = -0.5;
    assert_int_equal(ond_sim_place_body(sim, ball, &up, NULL, NULL, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "make room", "into the water");
    up.at[1] = 7;
    assert_int_equal(ond_sim_place_body(sim, ball, &up, NULL, NULL, &err), OND_BAD_VALUE);
    assert_int_equal(ond_sim_place_body(sim, paddle, &up, NULL, NULL, &err), OND_BAD_VALUE);
    assert_true(ond_sim_solid(sim, ball, &s));
    CHECK_NEAR(s.velocity[0], 0.3, 1e-9, "as it was");
    assert_int_equal(ond_sim_move_solid(sim, 7, &to, 1, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

static void heat_moves_with_its_source(void **state)
{
    OndSim *const sim = make(stage, "gravity=[0,0]");
    OK(ond_sim_move_heat(sim, 0, vec3(-1, -0.2, 0), &why)); // into the water
    OK(ond_sim_set_air(sim, "exchange", 0, &why));
    OK(ond_sim_set_solid_temperature(sim, 1, 20, &why));
    advance(sim, 0.05);
    const OndFieldView x = field(sim, "position"), t = field(sim, "temperature"),
                       m = field(sim, "material");
    double water = 0, wax = -1e9;
    for (int i = 0; i < t.count; ++i) {
        const float at[2] = {((const float *)x.data[0])[i], ((const float *)x.data[1])[i]};
        const float warm = ((const float *)t.data[0])[i];
        if (hypotf(at[0] - 0.5f, at[1] - 0.2f) < 0.25f) water = fmax(water, warm);
        if (((const uint32_t *)m.data[0])[i] == 1) wax = fmax(wax, warm);
    }
    assert_true(water > 20.0 + 1e-4);
    const OndRegion left = ond_ball(1.55, 0.25, 0, 0.1);
    const double before = mean(sim, "temperature", 0);
    OK(ond_sim_heat_region(sim, &left, 30, &why));
    assert_true(mean(sim, "temperature", 0) > before);
    ond_sim_destroy(sim);
}

static double warmest_height(const OndSim *sim)
{
    OndFieldView t;
    OndGridView g;
    assert_true(ond_sim_find_field(sim, OND_CELLS, "temperature", &t) && ond_sim_grid(sim, &g));
    const float *const warm = t.data[0];
    int best = 0;
    for (int j = 0; j < g.cells[1]; ++j) // up the middle
        if (warm[(ptrdiff_t)g.first + 5 * g.step[0] + j * g.step[1]] >
            warm[(ptrdiff_t)g.first + 5 * g.step[0] + best * g.step[1]])
            best = j;
    return g.origin[1] + (best + 0.5) * g.cell;
}

static const char flame[] = "dimension: 2\nframe_rate: 20\ngravity: [0, 0]\n"
                            "method: {type: smoke, cell: 0.1}\n"
                            "domain: {min: [0, 0], max: [1, 2]}\n"
                            "fluid: [{name: smoke, temperature: 20}]\n"
                            "heat: [{transfer: 1e4, temperature: 90,\n"
                            "  shape: {type: sphere, center: [0.5, 0.5], radius: 0.2}}]\n";

// A grid finds the cells of a heat source once: it looks again when one was moved.
static void heat_moves_in_a_grid(void **state)
{
    OndError err = {0};
    OndSim *const sim = make(flame, NULL);
    OK(ond_sim_move_heat(sim, 0, vec3(0, 1, 0), &why));
    assert_int_equal(ond_sim_move_heat(sim, 0, vec3(0, 5, 0), &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "has no cell of the grid", "out of the domain");
    OndSim *const resumed = resume_copy(sim, flame, NULL);
    advance(sim, 0.1);
    advance(resumed, 0.1);
    assert_true(hash_of(sim) == hash_of(resumed));
    CHECK_NEAR(warmest_height(sim), 1.5, 0.2, "height of the warmest cell");
    ond_sim_destroy(resumed);
    ond_sim_destroy(sim);
}

static void heat_is_turned_off(void **state)
{
    OndError err = {0};
    OndSim *const sim = make(flame, NULL);
    const uint64_t start = hash_of(sim);
    assert_int_equal(ond_sim_set_heat(sim, 0, "power", 0, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "set `transfer` to 0", "what warms by transfer");
    assert_true(hash_of(sim) == start);
    OK(ond_sim_set_heat(sim, 0, "transfer", 0, &why));
    advance(sim, 0.1);
    OndFieldView t;
    assert_true(ond_sim_find_field(sim, OND_CELLS, "temperature", &t));
    for (int i = 0; i < t.count; ++i)
        assert_true(((const float *)t.data[0])[i] <= 20.0f); // ghosts of corners are 0
    ond_sim_destroy(sim);
}

// What a method does not compute by is refused, not taken and forgotten.
static void unheard_changes_are_refused(void **state)
{
    static const struct {
        const char *name, *text, *says;
        bool air;
    } cases[] = {{"grains", grains, "`dem` cannot be told of another value of a fluid", false},
                 {"smoke", smoke, "`smoke` cannot be told of another value of a fluid", false},
                 {"air of smoke", smoke, "`smoke` cannot be told of another air", true}};
    for (int k = 0; k < 3; ++k) {
        OndError err = {0};
        OndSim *const sim = make(cases[k].text, cases[k].air ? "air.temperature=30" : NULL);
        const OndStatus status = cases[k].air ? ond_sim_set_air(sim, "temperature", 50, &err)
                                              : ond_sim_set_fluid(sim, 0, "viscosity", 3, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, cases[k].name);
        CHECK_SAYS(err.text, cases[k].says, cases[k].name);
        ond_sim_destroy(sim);
    }
    OndSim *const sim = make(grains, NULL);
    const OndRegion all = ond_everywhere();
    const uint64_t before = hash_of(sim);
    OndError err = {0};
    assert_int_equal(ond_sim_heat_region(sim, &all, 10, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "`dem` computes nothing by temperatures", "warm grains");
    assert_true(hash_of(sim) == before);
    ond_sim_destroy(sim);
}

static void regions_are_regions(void **state)
{
    static const struct {
        const char *name;
        OndRegion region;
    } cases[] = {{"no place", {.center = {NAN, 0, 0}, .radius = 1}},
                 {"no radius", {.radius = NAN}},
                 {"below 0", {.radius = -1}},
                 {"no corner", {.min = {0, NAN, 0}, .max = {1, 1, 1}}},
                 {"without end", {.max = {INFINITY, 1, 1}}}};
    OndSim *const sim = make(pool, NULL);
    const uint64_t before = hash_of(sim);
    for (int k = 0; k < (int)(sizeof cases / sizeof cases[0]); ++k) {
        const OndRegion *const r = &cases[k].region;
        OndError err = {0};
        CHECK_NEAR(ond_sim_remove_region(sim, r, NULL, NULL), OND_BAD_VALUE, 0, cases[k].name);
        CHECK_NEAR(ond_sim_heat_region(sim, r, 9, NULL), OND_BAD_VALUE, 0, cases[k].name);
        CHECK_NEAR(ond_sim_push_region(sim, r, vec3(1, 0, 0), &err), OND_BAD_VALUE, 0,
                   cases[k].name);
        CHECK_SAYS(err.text, "a region needs finite numbers", cases[k].name);
    }
    assert_int_equal(ond_sim_remove_particles(sim, NULL, 3, NULL), OND_BAD_VALUE);
    assert_int_equal(ond_sim_remove_particles(sim, (const int[]){0}, -1, NULL), OND_BAD_VALUE);
    assert_true(hash_of(sim) == before);
    ond_sim_destroy(sim);
}

static void melting_keeps_its_order(void **state)
{
    OndError err = {0};
    OndSim *const sim = make(stage, NULL);
    assert_int_equal(ond_sim_set_fluid(sim, 1, "T_solid", 500, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "change `T_liquid` first", "solid above liquid");
    assert_int_equal(ond_sim_set_fluid(sim, 1, "T_liquid", -20, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "change `T_solid` first", "liquid below solid");
    OK(ond_sim_set_fluid(sim, 1, "T_liquid", 510, &why));
    OK(ond_sim_set_fluid(sim, 1, "T_solid", 500, &why));
    ond_sim_destroy(sim);
}

// The liquid's speed of sound is chosen for the fastest face, which turning moves, too.
static void turning_raises_the_speed_of_sound(void **state)
{
    double dt[2];
    for (int k = 0; k < 2; ++k) {
        OndSim *const sim = make(stage, NULL);
        const OndPlacement up = {{0.5, 0.4, 0}, {1, 0, 0, 0}};
        OndStepReport last;
        OK(ond_sim_place_body(sim, 0, &up, NULL, vec3(0, 0, k ? 500 : 0), &why));
        OK(ond_sim_place_body(sim, 0, &up, NULL, NULL, &why)); // sound stays as fast
        advance(sim, 0.002);
        ond_sim_last_step(sim, &last);
        dt[k] = last.dt;
        ond_sim_destroy(sim);
    }
    if (!(dt[1] < 0.5 * dt[0])) fail_msg("steps of %g s at rest, %g s turning", dt[0], dt[1]);
}

// Every solid of a crowd: none is too many for the list of changes.
static void many_solids_are_led(void **state)
{
    static char text[8192];
    int n = snprintf(text, sizeof text, "%ssolid:\n", pool);
    for (int k = 0; k < 40; ++k)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {shape: {type: sphere, center: [%g, 0.9], radius: 0.008}}\n",
                      0.02 + 0.024 * k);
    OndSim *const sim = make(text, NULL);
    const OndPlacement to = {{0, 0.01, 0}, {1, 0, 0, 0}};
    for (int k = 0; k < 40; ++k)
        OK(ond_sim_move_solid(sim, k, &to, 0.02, &why));
    OndSim *const resumed = resume_copy(sim, text, NULL);
    advance(resumed, 0.02);
    for (int k = 0; k < 40; ++k) {
        OndSolidView s;
        assert_true(ond_sim_solid(resumed, k, &s));
        CHECK_NEAR(s.placement.at[1], 0.01, 1e-12, "led");
    }
    ond_sim_destroy(resumed);
    ond_sim_destroy(sim);
}

// Saved and resumed after all kinds of changes: the same bits as without.
static void changes_outlive_a_checkpoint(void **state)
{
    char path[] = "/tmp/test_library_XXXXXX";
    assert_true(mkdtemp(path) != NULL);
    char file[64];
    snprintf(file, sizeof file, "%s/c.h5", path);
    OndError err = {0};
    OndScene *const scene = scene_of(stage, NULL);
    OndSim *const sim = make(stage, NULL);
    advance(sim, 0.02);
    change_everything(sim);
    OK(ond_sim_save(sim, file, &why));
    OndSim *resumed = ond_sim_resume(scene, file, NULL, &err);
    if (!resumed) fail_msg("%s", err.text);
    assert_true(hash_of(sim) == hash_of(resumed));
    advance(sim, 0.0234);
    advance(resumed, 0.0234);
    if (hash_of(sim) != hash_of(resumed)) fail_msg("other bits after a resume");
    OK(ond_sim_open_emitter(resumed, 0, true, &why)); // what was changed can be changed again
    advance(resumed, 0.02);
    ond_sim_destroy(resumed);
    OK(ond_scene_set(scene, "gravity=[0,-1]", &why));
    assert_null(ond_sim_resume(scene, file, NULL, &err));
    CHECK_SAYS(err.text, "another scene", "another scene");
    ond_sim_destroy(sim);
    ond_scene_destroy(scene);
    remove(file);
    rmdir(path);
}

static void change_grains(OndSim *sim)
{
    const OndRegion ball = ond_ball(0.5, 0.2, 0, 0.12);
    const float x[3] = {0.1f, 0.9f, 0}, v[3] = {1, 0, 0};
    const OndNewParticles one = {.count = 1, .position = x, .velocity = v};
    OK(ond_sim_remove_region(sim, &ball, NULL, &why));
    OK(ond_sim_add_particles(sim, &one, &why));
    OK(ond_sim_set_gravity(sim, vec3(6, -20, 0), &why));
    const OndRegion left = ond_box(0, 0, 0, 0.4, 1, 0);
    OK(ond_sim_push_region(sim, &left, vec3(0, 2, 0), &why));
}

static void change_smoke(OndSim *sim)
{
    const OndRegion ball = ond_ball(0.5, 0.5, 0, 0.3);
    OK(ond_sim_push_region(sim, &ball, vec3(0.5, 0, 0), &why));
    OK(ond_sim_heat_region(sim, &ball, 20, &why));
    OK(ond_sim_set_gravity(sim, vec3(1, -9, 0), &why));
    OK(ond_sim_open_emitter(sim, 0, false, &why));
    const OndPlacement to = {{0.1, -0.2, 0}, {1, 0, 0, 0}};
    OK(ond_sim_move_solid(sim, 0, &to, 0.06, &why));
}

static void change_stam(OndSim *sim)
{
    OndError err = {0};
    const OndRegion all = ond_everywhere();
    OK(ond_sim_push_region(sim, &all, vec3(0.1, 0.2, 0), &why));
    OK(ond_sim_open_emitter(sim, 0, false, &why));
    assert_int_equal(ond_sim_set_gravity(sim, vec3(0, 0, 0), &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "`stam` cannot be told", "gravity of a method without");
}

// Other methods too: saved after changes and resumed, the same bits.
static void other_methods_outlive_a_checkpoint(void **state)
{
    static const struct {
        const char *name, *text, *set;
        void (*change)(OndSim *sim);
    } cases[] = {{"dem", grains, NULL, change_grains},
                 {"smoke", smoke, NULL, change_smoke},
                 {"stam", ink, NULL, change_stam}};
    for (int k = 0; k < 3; ++k) {
        OndSim *const sim = make(cases[k].text, cases[k].set);
        advance(sim, 0.0321);
        const uint64_t start = hash_of(sim);
        cases[k].change(sim);
        assert_true(hash_of(sim) != start);
        OndSim *const resumed = resume_copy(sim, cases[k].text, cases[k].set);
        advance(sim, 0.0777);
        advance(resumed, 0.0777);
        if (hash_of(sim) != hash_of(resumed)) fail_msg("%s: other bits", cases[k].name);
        ond_sim_destroy(sim);
        ond_sim_destroy(resumed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_come_and_go),
        cmocka_unit_test(gravity_and_pushes_move),
        cmocka_unit_test(heat_moves_in_a_grid),
        cmocka_unit_test(heat_is_turned_off),
        cmocka_unit_test(unheard_changes_are_refused),
        cmocka_unit_test(regions_are_regions),
        cmocka_unit_test(many_solids_are_led),
        cmocka_unit_test(turning_raises_the_speed_of_sound),
        cmocka_unit_test(melting_keeps_its_order),
        cmocka_unit_test(viscosity_changes_the_flow),
        cmocka_unit_test(emitters_close_and_open),
        cmocka_unit_test(solids_are_pushed_and_moved),
        cmocka_unit_test(heat_moves_with_its_source),
        cmocka_unit_test(changes_outlive_a_checkpoint),
        cmocka_unit_test(other_methods_outlive_a_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
