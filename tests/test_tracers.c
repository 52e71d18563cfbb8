// SPDX-License-Identifier: MIT
// What drifts in a grid: tracers and bodies.
#include "grid/stream.h"
#include "io/scene_sections.h"
#include "same_bits.h"

// A stream along x through a box with a ball in it, and tracers.
#define CHANNEL(type, more)                                                                        \
    "duration: 9\nframe_rate: 10\ngravity: [0, 0, 0]\n"                                            \
    "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: -x, velocity: [1, 0, 0]}, {side: "    \
    "+x, kind: open}]}\n"                                                                          \
    "method: {type: " type ", cell: 0.0625}\n" more

// A whirl that turns as one piece carries tracers round: after a turn they are where they were.
static void test_turn(void **state)
{
    (void)state;
    static const char *const layout[] = {"faces", "middles"};
    for (int middles = 0; middles < 2; ++middles) {
        enum { N = 32 };
        OndGrid g;
        OndFields cells = {0};
        const int n[3] = {N, N, 1};
        assert_int_equal(ond_grid_set(&g, n, 1.0 / N, ond_vec(0, 0, 0), NULL, NULL), OND_OK);
        cells.count = cells.capacity = (int)g.length;
        ond_fields_add(&cells, "velocity", "m/s", OND_F32, 3, middles ? 0 : OND_FIELD_FACES);
        for (int j = -1; j <= N; ++j)
            for (int i = -1; i <= N; ++i) {
                float *const *const v = (float *const *)cells.field[0].data;
                v[0][ond_grid_at(&g, i, j, 0)] = (float)(-((j + 0.5) / N - 0.5));
                v[1][ond_grid_at(&g, i, j, 0)] = (float)((i + 0.5) / N - 0.5);
            }
        const OndStream stream = ond_stream_of(&g, &cells);
        OndVec at = ond_vec(0.5, 0.8, 0);
        for (int k = 0; k < 20; ++k)
            at = ond_stream_carry(&stream, at, 2 * M_PI / 20);
        CHECK_NEAR(at.x, 0.5, 2e-4, layout[middles]);
        CHECK_NEAR(at.y, 0.8, 2e-4, layout[middles]);
        ond_fields_free(&cells);
    }
}

static double from_ball(const Stage *s, int i)
{
    return sqrt(pow(s->x[0][i] - 0.8, 2) + pow(s->x[1][i] - 0.5, 2) + pow(s->x[2][i] - 0.5, 2));
}

// They go along, round the ball and not into it, and leave where it is open.
static void test_channel(void **state)
{
    (void)state;
    // stam's few rounds from rest would take long to get going
    static const char *const yaml[] = {
        CHANNEL("current",
                "solid: [{shape: {type: sphere, center: [0.8, 0.5, 0.5], radius: 0.2}}]\n"
                "tracer: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [2, 1, 1]}}]\n"),
        CHANNEL("stam, iterations: 100",
                "fluid: [{velocity: [1, 0, 0], shape: {type: box, min: [0, 0, 0], max: [2, 1, "
                "1]}}]\n"
                "solid: [{shape: {type: sphere, center: [0.8, 0.5, 0.5], radius: 0.2}}]\n"
                "tracer: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [2, 1, 1]}}]\n")};
    for (int c = 0; c < 2; ++c) {
        Stage *s = stage_open(yaml[c]);
        const int before = s->count;
        CHECK_NEAR(before > 1900 && before < 2000, 1, 0, "all but those in the ball");
        double nearest = 1.0;
        while (ond_sim_time(s->sim) < 1.0) {
            stage_step(s);
            for (int i = 0; i < s->count; ++i)
                nearest = fmin(nearest, from_ball(s, i));
        }
        CHECK_NEAR(nearest >= 0.2, 1, 0, "none in the ball");
        CHECK_NEAR((double)s->count / before, 0.5, 0.1, "half of them have left");
        for (int i = 0; i < s->count; ++i)
            for (int a = 0; a < 3; ++a)
                if (!(s->x[a][i] >= 0 && s->x[a][i] <= (a ? 1 : 2)))
                    fail_msg("one stands at %g of axis %d", s->x[a][i], a);
        stage_close(s);
    }
}

// As many as the rate says, each with a number of its own, and for as long as they live.
static void test_pouring(void **state)
{
    (void)state;
    Stage *s = stage_open(
        CHANNEL("smoke", "tracer:\n"
                         "- {rate: 100, from: 0.2, to: 0.7, life: 0.5, shape: {type: sphere, "
                         "center: [0.3, 0.5, 0.5], radius: 0.1}}\n"
                         "- {count: 7, shape: {type: box, min: [0.1, 0.1, 0.1], max: [0.3, 0.3, "
                         "0.3]}}\n"));
    CHECK_NEAR(s->count, 7, 0, "at the start");
    stage_run(s, 0.2);
    CHECK_NEAR(s->count, 7, 0, "before it pours");
    stage_run(s, 0.6);
    CHECK_NEAR(s->count, 7 + 40, 1, "poured by 0.6 s");
    const uint32_t *const id = ond_fields_find(&s->frame.particles, "id")->data[0];
    for (int i = 1; i < s->count; ++i)
        CHECK_NEAR(id[i] > id[i - 1], 1, 0, "numbers rise");
    stage_run(s, 1.4);
    CHECK_NEAR(s->count, 7, 0, "all that were poured are dead");
    stage_close(s);
}

// Steps are half a second long, and still they come one after the other, not in clumps.
static void test_line(void **state)
{
    (void)state;
    Stage *s = stage_open("duration: 9\nframe_rate: 2\ngravity: [0, 0, 0]\n"
                          "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: -x, velocity: "
                          "[1, 0, 0]}, {side: +x, kind: open}]}\n"
                          "method: {type: current, cell: 0.125}\n"
                          "tracer: [{rate: 40, shape: {type: sphere, center: [0.1, 0.5, 0.5], "
                          "radius: 0.01}}]\n");
    stage_run(s, 1.5);
    CHECK_NEAR(s->count, 60, 0, "all that were due");
    const float *const age = ond_fields_find(&s->frame.particles, "age")->data[0];
    for (int i = 0; i < s->count; ++i) {
        CHECK_NEAR(s->x[0][i], 0.1 + 1.5 - (i + 1) / 40.0, 0.012, "on its way since it was due");
        CHECK_NEAR(age[i], 1.5 - (i + 1) / 40.0, 1e-5, "age");
    }
    stage_close(s);
}

// A body that drifts takes the place of tracers, too.
static void test_in_body(void **state)
{
    (void)state;
    Stage *s = stage_open(
        CHANNEL("current", "solid: [{density: 1000, shape: {type: box, min: [0.5, 0.2, 0.2], max: "
                           "[1, 0.8, 0.8]}}]\n"
                           "tracer: [{count: 400, shape: {type: box, min: [0.4, 0.1, 0.1], max: "
                           "[1.1, 0.9, 0.9]}}]\n"));
    CHECK_NEAR(s->count, 400, 0, "all found a place");
    for (int i = 0; i < s->count; ++i)
        if (fabs(s->x[0][i] - 0.75) < 0.25 && fabs(s->x[1][i] - 0.5) < 0.3 &&
            fabs(s->x[2][i] - 0.5) < 0.3)
            fail_msg("tracer %d starts in the body", i);
    stage_close(s);
}

// Fast bodies do not get through a thin plate, however long the steps of the grid might be.
static void test_thin_plate(void **state)
{
    (void)state;
    Stage *s =
        stage_open("duration: 9\nframe_rate: 2\ngravity: [0, 0, 0]\n"
                   "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: +x, kind: "
                   "open}]}\n"
                   "method: {type: current, cell: 0.125}\n"
                   "solid:\n"
                   "- {name: ball, density: 8000, velocity: [3, 0, 0], shape: {type: sphere, "
                   "center: [0.3, 0.5, 0.5], radius: 0.06}}\n"
                   "- {shape: {type: box, min: [0.9, 0.02, 0.02], max: [0.93, 0.98, "
                   "0.98]}}\n"
                   "tracer: [{count: 1, shape: {type: box, min: [0, 0, 0], max: [0.5, 1, "
                   "1]}}]\n");
    stage_run(s, 1);
    const OndSolidState *const ball = ond_solids_state(ond_sim_solids(s->sim)->solids, 0);
    CHECK_NEAR(0.3 + ball->pose.at.x < 0.9, 1, 0, "it stays before it"); // `at` starts at 0
    CHECK_NEAR(ball->velocity.x < 0.5, 1, 0, "the plate has stopped it");
    stage_close(s);
}

// Nor does what is at rest and so light that the stream takes it along at once.
static void test_light_ball(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "duration: 1\nframe_rate: 5\ngravity: [0, 0, 0]\n"
        "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: -x, velocity: [3, 0, 0]}, "
        "{side: +x, kind: open}]}\n"
        "method: {type: current, cell: 0.125, courant: 5}\n"
        "fluid: [{name: w, velocity: [3, 0, 0], shape: {type: box, min: [0, 0, 0], max: [2, 1, "
        "1]}}]\n"
        "solid:\n"
        "- {name: ball, density: 50, shape: {type: sphere, center: [0.6, 0.5, 0.5], radius: "
        "0.03}}\n"
        "- {shape: {type: box, min: [0.93, 0.02, 0.02], max: [0.94, 0.98, 0.98]}}\n"
        "tracer: [{count: 1, shape: {type: box, min: [0, 0, 0], max: [0.5, 1, 1]}}]\n");
    stage_run(s, 0.4);
    const OndSolidState *const ball = ond_solids_state(ond_sim_solids(s->sim)->solids, 0);
    CHECK_NEAR(0.6 + ball->pose.at.x < 0.93, 1, 0, "it stays before the plate");
    CHECK_NEAR(ball->pose.at.x > 0.1, 1, 0, "the stream has taken it along");
    stage_close(s);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *body, *domain, *says;
    } cases[] = {
        {"density: 900, slip: 0", "", "'slip' means nothing"},
        {"density: 900, temperature: 40", "", "'temperature' means nothing"},
        {"density: 900", ", x: periodic", "do not go round a periodic side"},
    };
    for (int c = 0; c < 3; ++c) {
        char yaml[1024];
        OndTree tree = {0};
        OndSceneDef scene;
        OndError err = {0};
        snprintf(yaml, sizeof yaml,
                 "duration: 1\ndomain: {min: [0, 0, 0], max: [2, 1, 1]%s}\n"
                 "method: {type: current, cell: 0.125}\n"
                 "solid: [{%s, shape: {type: sphere, center: [1, 0.5, 0.5], radius: 0.2}}]\n",
                 cases[c].domain, cases[c].body);
        OndStatus status = ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, &err);
        if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
        CHECK_NEAR(status != OND_OK, 1, 0, cases[c].body);
        CHECK_SAYS(err.text, cases[c].says, cases[c].body);
        ond_scene_free(&scene);
    }
}

static void test_same_bits(void **state)
{
    (void)state;
    static const Play play = {
        "tracers and a body", 12,
        CHANNEL("current",
                "solid:\n"
                "- {shape: {type: sphere, center: [0.8, 0.5, 0.5], radius: 0.2}}\n"
                "- {density: 1000, shape: {type: box, min: [0.2, 0.3, 0.4], max: [0.4, 0.5, "
                "0.5]}}\n"
                "tracer: [{rate: 3000, life: 0.6, shape: {type: box, min: [0.1, 0.1, 0.1], max: "
                "[0.5, 0.9, 0.9]}}]\n")};
    check_threads(&play);
    ond_threads_set(0);
    Stage *whole = stage_open(play.yaml), *parts = stage_open(play.yaml);
    steps(whole, play.steps);
    steps(parts, play.steps / 2);
    OndCheckpoint c;
    OndError err = {0};
    ond_sim_checkpoint(parts->sim, &c);
    OndSim *const resumed = ond_sim_remake(&parts->scene, NULL, &c, &err);
    if (!resumed) fail_msg("%s", err.text);
    ond_sim_destroy(parts->sim);
    parts->sim = resumed;
    steps(parts, play.steps - play.steps / 2);
    CHECK_NEAR(parts->count, whole->count, 0, "as many when resumed");
    CHECK_NEAR(hash_of(parts) == hash_of(whole), 1, 0, "the same bits when resumed");
    stage_close(parts);
    stage_close(whole);
}

// In one place where it floats, as light as the fluid: it goes with the flow. A heavy one sinks,
// at the speed where drag and weight are the same.
static void test_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double density, gravity, sinks, along;
    } cases[] = {
        {"as the fluid", 1000, -9.81, 0, 0.833}, // 1 - 1 / (1 + t / 8 r)
        {"heavy", 1500, -9.81, 1.1437, 0.97},    // v^2 = (m - f) g / (1/2 rho C A)
        {"heavy, without weight", 1500, 0, 0, 0.789},
    };
    for (int c = 0; c < 3; ++c) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 "duration: 9\nframe_rate: 10\ngravity: [0, %g, 0]\n"
                 "domain: {min: [0, 0, 0], max: [4, 4, 1], sides: [{side: -x, velocity: [1, 0, "
                 "0]}, {side: +x, kind: open}]}\n"
                 "method: {type: current, cell: 0.125, density: 1000}\n"
                 "fluid: [{name: water, velocity: [1, 0, 0], shape: {type: box, min: [0, 0, 0], "
                 "max: [4, 4, 1]}}]\n"
                 "solid: [{name: ball, density: %g, shape: {type: sphere, center: [0.5, 2.5, 0.5], "
                 "radius: 0.05}}]\n"
                 "tracer: [{count: 1, shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}]\n",
                 cases[c].gravity, cases[c].density);
        Stage *s = stage_open(yaml);
        stage_run(s, 2);
        const OndSolidState *const ball = ond_solids_state(ond_sim_solids(s->sim)->solids, 0);
        CHECK_NEAR(-ball->velocity.y, cases[c].sinks, 0.01, cases[c].name);
        CHECK_NEAR(ball->velocity.x, cases[c].along, 0.02, cases[c].name);
        CHECK_NEAR(ond_length(ball->spin), 0, 0.02, cases[c].name);
        stage_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turn),       cmocka_unit_test(test_channel),
        cmocka_unit_test(test_pouring),    cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_bodies),     cmocka_unit_test(test_line),
        cmocka_unit_test(test_in_body),    cmocka_unit_test(test_thin_plate),
        cmocka_unit_test(test_light_ball), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
