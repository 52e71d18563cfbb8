// SPDX-License-Identifier: MIT
// Bodies without a liquid that matters: free flight, contacts, and the same bits after a stop.
#include "same_bits.h"
#include "sim/bodies.h"
#include "sim/sim_solids.h"

// A drop far away: a scene needs one.
#define SPECK                                                                                      \
    "fluid: [{spacing: 0.05, shape: {type: box, min: [40, 0, 0], max: [40.06, 0.06, 0.06]}}]\n"    \
    "method: {type: dem, largest_step: 0.002}\nframe_rate: 50\nduration: 20\n"

static OndSolidState body(const Stage *s, int which)
{
    return *ond_solids_state(ond_sim_solids(s->sim)->solids, which);
}

static void check_vec(OndVec got, OndVec want, double within, const char *what)
{
    CHECK_NEAR(got.x, want.x, within, what);
    CHECK_NEAR(got.y, want.y, within, what);
    CHECK_NEAR(got.z, want.z, within, what);
}

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
        snprintf(yaml, sizeof yaml,
                 "gravity: [0, -10, 0]\nsolid: [{shape: {%s}, mass: 3, velocity: [1, 2, 0.5]}]\n" SPECK,
                 shapes[c]);
        Stage *s = stage_open(yaml);
        const OndVec from = body(s, 0).pose.at;
        stage_run(s, 1);
        check_vec(ond_sub(body(s, 0).pose.at, from), ond_vec(1, 2 - 5, 0.5), 0.0101, shapes[c]);
        check_vec(body(s, 0).velocity, ond_vec(1, 2 - 10, 0.5), 1e-9, shapes[c]);
        stage_close(s);
    }
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
                          "  max: [0.5, 0.1, 0.3]}, density: 1, spin: [0.02, 0.01, 5]}]\n" SPECK);
    const OndMass m =
        ond_mass_box(ond_vec(-0.5, -0.1, -0.3), ond_vec(0.5, 0.1, 0.3), false);
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
    (void)upside;
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
        "solid:\n  - {name: floor, friction: 0.5, shape: {type: box, min: [-2, -1, -2], max: [2, 0, 2]}}\n",
        "solid:\n  - {name: tub, use: container, friction: 0.5,"
        " shape: {type: box, min: [-2, 0, -2], max: [60, 5, 2]}}\n",
    };
    for (int f = 0; f < OND_COUNT(floors); ++f)
        for (int c = 0; c < OND_COUNT(cases); ++c) {
            char yaml[1500], what[300];
            snprintf(what, sizeof what, "%.60s on floor %d", cases[c].shape, f);
            snprintf(yaml, sizeof yaml,
                     "%s  - {name: body, shape: {%s}, pivot: [0, 0, 0], at: [0, 0.5, 0],"
                     " density: 500}\n" SPECK,
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_tumbling),
        cmocka_unit_test(test_rests_on_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
