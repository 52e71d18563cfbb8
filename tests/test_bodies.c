// SPDX-License-Identifier: MIT
// ctest: slow
// Bodies without a liquid that matters: free flight, contacts, and the same bits after a stop.
#include "bodies.h"
#include "io/scene_sections.h"
#include "same_bits.h"
#include "solids/bodies/bodies.h"

// ---- free flight

// Falls as all things do, whatever its shape; its own frame is its shape's.
static void test_free_fall(void **state)
{
    static const char *const shapes[] = {
        "type: sphere, center: [1, 2, 3], radius: 0.3",
        "type: box, min: [0.7, 1.8, 2.9], max: [1.3, 2.2, 3.1]",
        "type: difference, parts: [{type: box, min: [0, 1, 2], max: [1, 2, 3]},"
        " {type: sphere, center: [1, 2, 3], radius: 0.5}]",
    };
    for (int c = 0; c < OND_COUNT(shapes); ++c) {
        char yaml[1000];
        snprintf(
            yaml, sizeof yaml,
            "gravity: [0, -10, 0]\nsolid: [{shape: {%s}, mass: 3, velocity: [1, 2, 0.5]}]\n" DRY,
            shapes[c]);
        Stage *s = stage_open(yaml);
        const OndVec from = body(s, 0).pose.at;
        stage_run(s, 1);
        check_vec(ond_sub(body(s, 0).pose.at, from), ond_vec(1, 2 - 5, 0.5), 0.0101, shapes[c]);
        check_vec(body(s, 0).velocity, ond_vec(1, 2 - 10, 0.5), 1e-9, shapes[c]);
        stage_close(s);
    }
}

// A scene of bodies alone: steps are short enough for them all the same.
static void test_alone(void **state)
{
    Stage *s = stage_open("fluid: [{spacing: 0.02}]\nframe_rate: 10\nduration: 2\n"
                          "domain: {min: [-1, 0, -1], max: [1, 2, 1], friction: 0.5}\n"
                          "solid: [{density: 500, velocity: [3, 0, 0], at: [-0.5, 0.6, 0],\n"
                          "  shape: {type: box, min: [0, 0, 0], max: [0.3, 0.2, 0.3]}}]\n");
    CHECK_NEAR(s->count, 0, 0, "particles");
    while (!ond_sim_done(s->sim)) {
        const OndVec before = body(s, 0).pose.at;
        stage_step(s);
        const double way = ond_length(ond_sub(body(s, 0).pose.at, before));
        if (way > 0.03) fail_msg("t = %g s: %g m in a step", ond_sim_time(s->sim), way);
    }
    const OndSolidState now = body(s, 0);
    CHECK_NEAR(ond_pose_out(&now.pose, ond_vec(0.15, 0.1, 0.15)).y, 0.1, 0.006, "height at rest");
    CHECK_NEAR(ond_length(now.velocity), 0, 0.01, "speed at rest");
    stage_close(s);
}

// L of a body of unit density, and its energy.
static OndVec angular_momentum(const OndSolidState *s, const OndInertia *i, double *energy)
{
    const OndVec own = ond_pose_unturn(&s->pose, s->spin), l = ond_inertia_times(i, own);
    *energy = 0.5 * ond_dot(own, l);
    return ond_pose_turn(&s->pose, l);
}

// A box that turns about its middle axis tumbles over, again and again; angular momentum stays, and
// energy nearly.
static void test_tumbling(void **state)
{
    Stage *s = stage_open("gravity: [0, 0, 0]\n"
                          "solid: [{shape: {type: box, min: [-0.5, -0.1, -0.3],\n"
                          "  max: [0.5, 0.1, 0.3]}, density: 1, spin: [0.02, 0.01, 5]}]\n" DRY);
    const OndMass m = ond_mass_box(ond_vec(-0.5, -0.1, -0.3), ond_vec(0.5, 0.1, 0.3), false);
    OndSolidState now = body(s, 0);
    double start, energy, upside = 1;
    const OndVec before = angular_momentum(&now, &m.inertia, &start);
    for (int k = 1; k <= 300; ++k) {
        stage_run(s, 0.02 * k);
        now = body(s, 0);
        upside = fmin(upside, ond_pose_turn(&now.pose, ond_vec(0, 0, 1)).z);
    }
    const OndVec after = angular_momentum(&now, &m.inertia, &energy);
    check_vec(after, before, 1e-9 * ond_length(before), "angular momentum");
    CHECK_NEAR(energy / start, 1, 1e-4, "energy");
    check_vec(now.pose.at, ond_vec(0, 0, 0), 1e-9, "it stays where it is");
    if (upside > -0.9) fail_msg("it did not tumble: %g", upside);
    stage_close(s);
}

// ---- contacts

// Comes to rest on the floor, at its own height, and stays there.
static void test_rests_on_the_floor(void **state)
{
    static const struct {
        const char *shape;
        double rest; // height of its own origin
    } cases[] = {
        {"type: sphere, center: [0, 0, 0], radius: 0.2", 0.2},
        {"type: box, min: [-0.2, -0.1, -0.3], max: [0.2, 0.1, 0.3]", 0.1},
        {"type: cylinder, from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 0.2", 0.2},
        {"type: capsule, from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.1", 0.1},
        {"type: union, parts: [{type: box, min: [-0.2, -0.1, -0.3], max: [0.2, 0.1, 0.3]},"
         " {type: sphere, center: [0, 0.1, 0], radius: 0.1}]",
         0.1},
    };
    static const char *const floors[] = {
        "domain: {min: [-2, 0, -2], max: [50, 9, 2], friction: 0.5}\nsolid:\n",
        "solid:\n  - {name: floor, friction: 0.5, shape: {type: plane}}\n",
        "solid:\n  - {name: floor, friction: 0.5, shape: {type: box, min: [-2, -1, -2], max: [2, "
        "0, 2]}}\n",
        "solid:\n  - {name: tub, use: container, friction: 0.5,"
        " shape: {type: box, min: [-2, 0, -2], max: [60, 5, 2]}}\n",
    };
    for (int f = 0; f < OND_COUNT(floors); ++f)
        for (int c = 0; c < OND_COUNT(cases); ++c) {
            char yaml[1500], what[300];
            snprintf(what, sizeof what, "%.60s on floor %d", cases[c].shape, f);
            snprintf(yaml, sizeof yaml,
                     "%s  - {name: body, shape: {%s}, pivot: [0, 0, 0], at: [0, 0.5, 0],"
                     " density: 500}\n" DRY,
                     floors[f], cases[c].shape);
            Stage *s = stage_open(yaml);
            const int which = ond_sim_solids(s->sim)->count - 1;
            stage_run(s, 1.5);
            const OndVec early = body(s, which).pose.at;
            stage_run(s, 2);
            const OndSolidState now = body(s, which);
            print_message("%s: %.5f m, %.1e m/s\n", what, now.pose.at.y - cases[c].rest,
                          ond_length(now.velocity));
            CHECK_NEAR(now.pose.at.y, cases[c].rest, 0.006, what);
            check_vec(now.pose.at, early, 1e-3, what);
            CHECK_NEAR(ond_length(now.velocity), 0, 0.01, what);
            stage_close(s);
        }
}

// Boxes on boxes: three stand, and stay where they were put.
static void test_stack(void **state)
{
    Stage *s = stage_open(
        "solid:\n"
        "  - {shape: {type: box, min: [-0.2, 0.01, -0.2], max: [0.2, 0.21, 0.2]}, density: 800, "
        "friction: 0.5}\n"
        "  - {shape: {type: box, min: [-0.15, 0.23, -0.1], max: [0.15, 0.43, 0.2]}, density: 800}\n"
        "  - {shape: {type: sphere, center: [0, 0.65, 0.05], radius: 0.2}, density: 300}\n"
        "domain: {min: [-2, 0, -2], max: [50, 9, 2], friction: 0.5}\n" DRY);
    const OndVec center[3] = {{0, 0.11, 0}, {0, 0.33, 0.05}, {0, 0.65, 0.05}};
    stage_run(s, 2);
    for (int k = 0; k < 3; ++k) {
        const OndSolidState now = body(s, k);
        const OndVec at = ond_pose_out(&now.pose, center[k]);
        print_message("%d: %.4f %.4f %.4f, %.1e m/s\n", k, at.x, at.y, at.z,
                      ond_length(now.velocity));
        CHECK_NEAR(at.y, center[k].y - (k == 0 ? 0.01 : k == 1 ? 0.03 : 0.05), 0.003, "height");
        check_vec(at, center[k], 0.06, "place");
        CHECK_NEAR(ond_length(now.velocity), 0, 0.02, "at rest");
    }
    stage_close(s);
}

// On a slope a box slides or stays, as the friction says; a ball gives back what it should.
static void test_friction_and_bounce(void **state)
{
    static const struct {
        const char *friction;
        double after; // m/s along the slope after a second
    } cases[] = {{"friction: 0", 3}, {"friction: 0.1", 3 - 0.9}, {"friction: 0.5", 0}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1000];
        snprintf(
            yaml, sizeof yaml,
            "gravity: [3, -9, 0]\ndomain: {min: [-2, 0, -2], max: [50, 9, 2], %s}\n"
            "solid: [{shape: {type: box, min: [0, 0, 0], max: [0.4, 0.1, 0.4]}, mass: 5}]\n" DRY,
            cases[c].friction);
        Stage *s = stage_open(yaml);
        stage_run(s, 1);
        CHECK_NEAR(body(s, 0).velocity.x, cases[c].after, 0.06, cases[c].friction);
        stage_close(s);
    }
    Stage *s =
        stage_open("gravity: [0, 0, 0]\ndomain: {min: [-2, 0, -2], max: [50, 9, 2]}\n"
                   "solid: [{shape: {type: sphere, center: [0, 0.5, 0], radius: 0.2}, mass: 5,\n"
                   "  velocity: [0, -2, 0], restitution: 0.6}]\n" DRY);
    stage_run(s, 1);
    CHECK_NEAR(body(s, 0).velocity.y, 1.2, 1e-3, "bounce");
    stage_close(s);
}

// Two that meet exchange momentum and nothing else.
static void test_collision(void **state)
{
    Stage *s = stage_open(
        "gravity: [0, 0, 0]\nsolid:\n"
        "  - {shape: {type: sphere, center: [0, 0, 0], radius: 0.2}, mass: 2, velocity: [1, 0, 0], "
        "restitution: 0.5}\n"
        "  - {shape: {type: box, min: [0.5, -0.3, -0.2], max: [0.8, 0.2, 0.2]}, mass: 6}\n" DRY);
    stage_run(s, 1);
    const OndBox box = {{0.5, -0.3, -0.2}, {0.8, 0.2, 0.2}};
    const OndVec center = ond_scale(ond_add(box.min, box.max), 0.5);
    const OndSolidState a = body(s, 0), b = body(s, 1);
    const OndVec vb = ond_add(b.velocity, ond_cross(b.spin, ond_pose_turn(&b.pose, center)));
    CHECK_NEAR(2 * a.velocity.x + 6 * vb.x, 2, 1e-9, "momentum");
    CHECK_NEAR(2 * a.velocity.y + 6 * vb.y, 0, 1e-9, "momentum");
    if (!(vb.x > 0.1) || !(fabs(b.spin.z) > 0.01)) fail_msg("it was not hit off its centre");
    stage_close(s);
}

// ---- at the start

// What a scene with those solids says of itself; NULL: it is taken.
static void check_start(const char *solids, const char *says, const char *notes)
{
    char yaml[1500];
    snprintf(yaml, sizeof yaml,
             "fluid: [{spacing: 0.05}]\nduration: 1\n"
             "domain: {min: [0, 0, 0], max: [2, 2, 2]}\nsolid:\n%s",
             solids);
    OndSceneDef scene;
    OndTree tree = {0};
    OndError err = {0};
    OndStatus status = ond_yaml_parse("test.yaml", yaml, strlen(yaml), &tree, &err);
    if (status == OND_OK) status = ond_scene_read(&tree, &scene, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    OndSim *const sim = ond_sim_make(&scene, NULL, &err);
    if (says && sim) fail_msg("it was taken, but should say: %s", says);
    if (!says && !sim) fail_msg("%s", err.text);
    if (says) CHECK_SAYS(err.text, says, solids);
    if (says) CHECK_SAYS(err.text, "test.yaml:", solids);
    const char *const note = sim ? ond_sim_note(sim, 0) : NULL;
    if (notes && !note) fail_msg("no note: %s", notes);
    if (notes) CHECK_SAYS(note, notes, solids);
    if (sim && !notes && note) fail_msg("a note for nothing: %s", note);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

#define BOX(name, low, high) "  - {name: " name ", shape: {type: box, min: " low ", max: " high "}"
#define CUP                                                                                        \
    "  - {name: cup, shape: {type: difference, parts: [{type: box, min: [0.4, 0, 0.4],"            \
    " max: [1.2, 0.6, 1.2]}, {type: box, min: [0.5, 0.1, 0.5], max: [1.1, 0.7, 1.1]}]}}\n"

static void test_overlap_at_the_start(void **state)
{
    static const struct {
        const char *solids, *says, *note;
    } cases[] = {
        {BOX("a", "[0.5, 0, 0.5]", "[0.9, 0.4, 0.9]") "}\n" BOX("b", "[0.6, 0.28, 0.6]",
                                                                "[1, 0.7, 1]") ", density: 500}\n",
         "body 'b' starts 0.12 m inside 'a'; move one of them", NULL},
        {BOX("a", "[0.5, 0, 0.5]", "[0.9, 0.4, 0.9]") ", mass: 1}\n" BOX(
             "b", "[0.7, 0.1, 0.6]", "[1.1, 0.5, 1]") ", mass: 1}\n",
         "body 'b' starts 0.2 m inside 'a'", NULL},
        {BOX("a", "[0.5, 0, 0.5]", "[0.9, 0.4, 0.9]") ", mass: 1}\n" BOX(
             "b", "[0.5, 0.38, 0.5]", "[0.9, 0.8, 0.9]") ", mass: 1}\n",
         NULL, "body 'b' starts 0.02 m inside 'a': they are pushed apart"},
        {BOX("a", "[0.5, 0, 0.5]", "[0.9, 0.4, 0.9]") ", mass: 1}\n" BOX(
             "b", "[0.5, 0.4, 0.5]", "[0.9, 0.8, 0.9]") ", mass: 1}\n",
         NULL, NULL},
        {CUP
         "  - {name: b, mass: 1, shape: {type: sphere, center: [0.8, 0.3, 0.8], radius: 0.1}}\n",
         NULL, NULL},
        {CUP
         "  - {name: b, mass: 1, shape: {type: sphere, center: [0.6, 0.3, 0.8], radius: 0.2}}\n",
         "inside 'cup'", NULL},
        {CUP BOX("b", "[0.3, 0, 0.3]", "[1.3, 0.7, 1.3]") ", mass: 1}\n", "inside 'cup'", NULL},
        {"  - {name: tub, use: container, shape: {type: box, min: [0, 0, 0], max: [1, 1, "
         "1]}}\n" BOX("b", "[0.8, 0, 0]", "[1.2, 0.4, 0.4]") ", mass: 1}\n",
         "m outside the container 'tub'", NULL},
        {BOX("b", "[1.9, 0, 0]", "[2.2, 0.4, 0.4]") ", mass: 1}\n",
         "body 'b' reaches from 1.9 to 2.2 m in x, and the domain from 0 to 2 m; move it in", NULL},
        {BOX("b", "[-0.1, 0, 0]", "[2.2, 0.4, 0.4]") ", mass: 1}\n", "it does not fit", NULL},
        {BOX("b", "[0, -0.01, 0]", "[0.3, 0.4, 0.4]") ", mass: 1}\n", NULL,
         "starts 0.01 m outside the domain's wall in y"},
        {"  - {name: s, mass: 1, scatter: {count: 30, smallest: 0.1, largest: 0.3, min: [0.4, 0.4,"
         " 0.4], max: [0.8, 0.8, 0.8]}}\n",
         NULL, "pairs of scattered balls overlap"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        check_start(cases[c].solids, cases[c].says, cases[c].note);
}

// A small overlap is undone slowly, and nobody flies away by it.
static void test_pushed_apart(void **state)
{
    Stage *s = stage_open(
        "gravity: [0, 0, 0]\nfluid: [{spacing: 0.05}]\nduration: 1\nframe_rate: 50\nsolid:\n"
        "  - {name: a, mass: 1, shape: {type: box, min: [0, 0, 0], max: [0.4, 0.4, 0.4]}}\n"
        "  - {name: b, mass: 1, shape: {type: box, min: [0, 0.36, 0], max: [0.4, 0.8, 0.4]}}\n");
    while (!ond_sim_done(s->sim)) {
        const double before = body(s, 1).pose.at.y, time = ond_sim_time(s->sim);
        stage_step(s);
        const double speed = (body(s, 1).pose.at.y - before) / (ond_sim_time(s->sim) - time);
        if (!(speed < 0.5001)) fail_msg("t = %g s: pushed at %g m/s", time, speed);
        CHECK_NEAR(ond_length(body(s, 1).velocity), 0, 1e-5, "it does not keep that speed");
    }
    const double apart = body(s, 1).pose.at.y - body(s, 0).pose.at.y;
    CHECK_NEAR(apart, 0.04, 0.003, "apart");
    stage_close(s);
}

// What cannot be kept has an answer all the same: a press that closes on a crate leaves it between,
// and it stays slow.
static void test_pressed(void **state)
{
    Stage *s = stage_open(
        "fluid: [{spacing: 0.05}]\nduration: 1\nframe_rate: 50\n"
        "domain: {min: [-2, 0, -2], max: [2, 4, 2]}\nsolid:\n"
        "  - {name: press, move: [0, '-t', 0], shape: {type: box, min: [-1, 0.6, -1], max: [1, 2,"
        " 1]}}\n"
        "  - {name: crate, density: 500, shape: {type: box, min: [-0.2, 0, -0.2], max: [0.2, 0.4,"
        " 0.2]}}\n"
        "  - {name: pip, density: 50, shape: {type: union, parts: [{type: sphere, center: [0.6, "
        "0.1,"
        " 0.6], radius: 0.1}, {type: sphere, center: [0.65, 0.1, 0.6], radius: 0.08}]}}\n");
    while (!ond_sim_done(s->sim)) {
        stage_step(s);
        for (int k = 1; k < 3; ++k) {
            const OndSolidState now = body(s, k);
            const double speed = ond_length(now.velocity);
            if (!(speed < 8)) fail_msg("t = %g s: %g m/s", ond_sim_time(s->sim), speed);
        }
    }
    stage_close(s);
}

// ---- as a simulation

static const Play plays[] = {
    {"a heap of bodies", 150,
     "solid:\n  - {name: rock, density: 2000, friction: 0.4, scatter: {count: 25, smallest: 0.1, "
     "largest: 0.3,\n"
     "     min: [-0.4, 0.2, -0.4], max: [0.4, 1.5, 0.4]}}\n"
     "  - {name: brick, density: 900, spin: [1, 2, 3], shape: {type: box, min: [-0.2, 2, -0.1], "
     "max: [0.2, 2.2, 0.1]}}\n"
     "  - {name: tub, use: container, shape: {type: cylinder, from: [0, 0, 0], to: [0, 5, 0], "
     "radius: 42}}\n"
     "method: {type: dem, largest_step: 0.002}\nframe_rate: 50\nduration: 20\n"
     "fluid: [{spacing: 0.05, shape: {type: box, min: [0.5, 0.1, 0], max: [0.8, 0.3, 0.3]}}]\n"},
    {"in water", 60,
     "domain: {min: [0, 0, 0], max: [0.5, 1, 0.4]}\n"
     "solid:\n  - {density: 600, spin: [0, 0, 2], shape: {type: box, min: [0.1, 0.2, 0.1], max: "
     "[0.3, 0.35, 0.3]}}\n"
     "  - {density: 300, shape: {type: sphere, center: [0.4, 0.5, 0.2], radius: 0.08}}\n"
     "fluid: [{spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.3, 0.4]}}]\n"},
    {"flat", 100,
     "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\n"
     "solid:\n  - {density: 600, spin: [0, 0, 2], shape: {type: box, min: [0.1, 0.2], max: [0.3, "
     "0.35]}}\n"
     "  - {density: 300, shape: {type: sphere, center: [0.2, 0.5], radius: 0.08}}\n"
     "fluid: [{spacing: 0.02, shape: {type: box, min: [0, 0], max: [1, 0.3]}}]\n"},
};

static void test_same_bits(void **state)
{
    for (int p = 0; p < OND_COUNT(plays); ++p) {
        check_threads(&plays[p]);
        ond_threads_set(0);
        check_resume(&plays[p]);
    }
}

// A checkpoint that knows of other bodies is refused.
static void test_damaged_checkpoint(void **state)
{
    Stage *s = stage_open(plays[1].yaml);
    OndError err = {0};
    OndCheckpoint c = keep(s->sim);
    c.body_values -= 13;
    assert_null(ond_sim_remake(&s->scene, NULL, &c, &err));
    CHECK_SAYS(err.text, "values of bodies", "fewer");
    c.body_values += 13;
    c.body[3] = NAN;
    assert_null(ond_sim_remake(&s->scene, NULL, &c, &err));
    CHECK_SAYS(err.text, "stands nowhere", "not a number");
    ond_checkpoint_free(&c);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),    cmocka_unit_test(test_alone),
        cmocka_unit_test(test_tumbling),     cmocka_unit_test(test_rests_on_the_floor),
        cmocka_unit_test(test_stack),        cmocka_unit_test(test_friction_and_bounce),
        cmocka_unit_test(test_collision),    cmocka_unit_test(test_overlap_at_the_start),
        cmocka_unit_test(test_pushed_apart), cmocka_unit_test(test_pressed),
        cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_damaged_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
