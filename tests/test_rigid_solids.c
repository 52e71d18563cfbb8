// SPDX-License-Identifier: MIT
// What is rigid between solids: it goes where it can, bears what lies on it, and where it can go
// nowhere the run ends and says who presses it. No particle is ever in a solid, or out of the
// domain.
#include "sim/emitter.h"
#include "stage.h"

#define ICE(min, max)   "{name: ice, spacing: 0.05, rigidity: 1, density: 900, " SHAPE(min, max) "}"
#define SHAPE(min, max) "shape: {type: box, min: " min ", max: " max "}"
#define BIG             "domain: {min: [-1, -0.5, -1], max: [1, 1, 1]}\n"
#define CUBE            "fluid: [" ICE("[-0.1, 0, -0.1]", "[0.1, 0.2, 0.1]") "]\n"
#define FLOOR           SHAPE("[-1.2, -0.6, -1.2]", "[1.2, 0, 1.2]") "}\n"
#define SOLIDS          "solid:\n  - {name: floor, slip: 1, " FLOOR
#define STICKY          "solid:\n  - {name: floor, " FLOOR

// The least distance of any particle from a face or a wall; below 0: it is in there.
static double least_gap(const Stage *s)
{
    const OndDomainDef *box = &s->scene.domain;
    double least = INFINITY;
    for (int i = 0; i < s->count; ++i) {
        const OndVec at = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
        OndTouch touch[OND_TOUCHES_MAX];
        if (ond_solids_near(ond_sim_solids(s->sim)->solids, at, 0.3, touch) > 0)
            least = fmin(least, touch[0].distance);
        for (int a = 0; a < s->scene.dimension; ++a)
            least = fmin(least, fmin(ond_axis(at, a) - ond_axis(box->min, a),
                                     ond_axis(box->max, a) - ond_axis(at, a)));
    }
    return least;
}

static OndVec middle_of(const Stage *s)
{
    OndVec sum = {0, 0, 0};
    for (int i = 0; i < s->count; ++i)
        sum = ond_add(sum, ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]));
    return ond_scale(sum, 1.0 / s->count);
}

// Steps until then, or until it goes wrong; nothing may be in anything after any step.
static OndStatus go(Stage *s, double until, const char *name, OndError *err)
{
    OndStatus status = OND_OK;
    const int count = s->count;
    while (status == OND_OK && ond_sim_time(s->sim) < until) {
        status = ond_sim_step(s->sim, err);
        stage_look(s);
        const double gap = least_gap(s);
        if (!(gap > 0.0))
            fail_msg("%s: a particle is %g m deep in something at %g s", name, -gap,
                     ond_sim_time(s->sim));
    }
    CHECK_NEAR(s->count, count, 0, name);
    return status;
}

// ---- where there is no way out

static const struct {
    const char *name, *yaml, *presser;
    double touches, gone; // s: when it has no play left, and when it would be two spacings thinner
} presses[] = {
    {"under a press",
     BIG CUBE SOLIDS "  - {name: press, " SHAPE("[-0.3, 0.21, -0.3]",
                                                "[0.3, 0.6, 0.3]") ", move: [0, -0.3*t, 0]}\n",
     "press", 0.033, 0.367},
    {"under a press that sticks",
     BIG CUBE STICKY "  - {name: press, slip: 1, " SHAPE(
         "[-0.3, 0.21, -0.3]", "[0.3, 0.6, 0.3]") ", move: [0, -3*t, 0]}\n",
     "press", 0.0033, 0.0367},
    {"lifted to the ceiling",
     "domain: {min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5]}\n" CUBE
     "solid: [{name: lift, " SHAPE("[-0.3, -0.1, -0.3]", "[0.3, 0, 0.3]") ", move: [0, t, 0]}]\n",
     "lift", 0.3, 0.4},
    {"pushed to the wall",
     BIG CUBE SOLIDS "  - {name: piston, slip: 1, " SHAPE(
         "[-0.9, 0.01, -0.5]", "[-0.2, 0.3, 0.5]") ", move: [2*t, 0, 0]}\n",
     "piston", 0.5, 0.55},
    {"in a vice",
     BIG CUBE SOLIDS "  - {name: left, " SHAPE(
         "[-0.6, 0.02, -0.3]",
         "[-0.11, 0.3, 0.3]") ", move: [0.1*t, 0, 0]}\n"
                              "  - {name: right, " SHAPE("[0.11, 0.02, -0.3]",
                                                         "[0.6, 0.3, 0.3]") ", move: [-t, 0, 0]}\n",
     "right", 0.018, 0.11},
    {"in the plane",
     "dimension: 2\ndomain: {min: [-1, -0.5], max: [1, 1]}\n"
     "fluid: [" ICE("[-0.1, 0]",
                    "[0.1, 0.2]") "]\n"
                                  "solid:\n  - {name: floor, " SHAPE(
                                      "[-1.2, -0.6]",
                                      "[1.2, 0]") "}\n"
                                                  "  - {name: press, " SHAPE(
                                                      "[-0.3, 0.21]",
                                                      "[0.3, 0.6]") ", move: [0, -0.3*t]}\n",
     "press", 0.033, 0.367},
    {"wax under a hot iron",
     "domain: {min: [-0.06, 0, -0.06], max: [0.06, 0.2, 0.06]}\n"
     "fluid: [{name: ice, material: wax, temperature: 20, spacing: 0.01, " SHAPE(
         "[-0.03, 0, -0.03]",
         "[0.03, 0.05, 0.03]") "}]\n"
                               "solid: [{name: iron, temperature: 400, " SHAPE(
                                   "[-0.01, 0.06, -0.05]",
                                   "[0.01, 0.16, 0.05]") ", move: [0, -0.03*t, 0]}]\n",
     "iron", 0.33, 1.0},
};

static void test_no_way_out(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(presses); ++c) {
        Stage *s = stage_open(presses[c].yaml);
        OndError err = {0};
        char says[64];
        snprintf(says, sizeof says, "solid '%s' leaves 'ice' no room", presses[c].presser);
        const OndStatus status = go(s, 2.0, presses[c].name, &err);
        const double time = ond_sim_time(s->sim);
        print_message("%s: %.4f s, %s\n", presses[c].name, time, err.text);
        assert_int_equal(status, OND_UNSTABLE);
        CHECK_SAYS(err.text, says, presses[c].name);
        if (!(time > presses[c].touches && time < presses[c].gone))
            fail_msg("%s: ends at %g s, not between %g and %g s", presses[c].name, time,
                     presses[c].touches, presses[c].gone);
        stage_close(s);
    }
}

// ---- where there is one

static const struct {
    const char *name, *yaml;
    double until;
    OndVec low, high; // where its middle is then
} ways[] = {
    {"aside from under a ball",
     BIG CUBE SOLIDS "  - {name: ball, slip: 1, shape: {type: sphere, center: [0.16, 0.45, 0],\n"
                     "     radius: 0.2}, move: [0, -0.3*t, 0]}\n",
     1.0,
     {-0.7, 0.09, -0.1},
     {-0.2, 0.11, 0.1}},
    {"before a plate",
     BIG CUBE SOLIDS "  - {name: plate, slip: 1, " SHAPE(
         "[-0.9, 0.01, -0.5]", "[-0.2, 0.3, 0.5]") ", move: [0.5*t, 0, 0]}\n",
     1.0,
     {0.395, 0.099, -0.01},
     {0.405, 0.101, 0.01}},
    {"up a wedge, and down behind it",
     BIG CUBE SOLIDS "  - {name: wedge, slip: 1, shape: {type: cylinder, from: [-0.3, 0, -0.5],\n"
                     "     to: [-0.3, 0, 0.5], radius: 0.1}, move: [\"2*t\", 0, 0]}\n",
     0.7,
     {-0.8, 0.06, -0.5},
     {0.95, 0.6, 0.5}},
    {"shot at a thin pane",
     "gravity: [0, 0, 0]\n"
     "domain: {min: [-1, -1, -1], max: [1, 1, 1]}\n"
     "fluid: [{name: ice, spacing: 0.05, rigidity: 1, velocity: [50, 3, 0], spin: [3, 5, "
     "7], " SHAPE("[-0.9, 0, -0.1]", "[-0.7, 0.2, 0.1]") "}]\n"
                                                         "solid: [{name: pane, slip: 1, " SHAPE(
                                                             "[0, -1.2, -1.2]",
                                                             "[0.002, 1.2, 1.2]") "}]\n",
     0.05,
     {-0.15, 0.1, -0.1},
     {-0.09, 0.4, 0.1}},
    {"struck by a thin blade",
     "gravity: [0, 0, 0]\n" BIG CUBE "solid: [{name: blade, slip: 1, " SHAPE(
         "[-0.302, -0.4, -0.5]", "[-0.3, 0.9, 0.5]") ", move: [20*t, 0, 0]}]\n",
     0.04,
     {0.59, 0.05, -0.05},
     {0.65, 0.15, 0.05}},
};

static void test_ways_out(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(ways); ++c) {
        Stage *s = stage_open(ways[c].yaml);
        OndError err = {0};
        if (go(s, ways[c].until, ways[c].name, &err) != OND_OK)
            fail_msg("%s: %g s: %s", ways[c].name, ond_sim_time(s->sim), err.text);
        const OndVec at = middle_of(s), low = ways[c].low, high = ways[c].high;
        print_message("%s: (%.4f, %.4f, %.4f)\n", ways[c].name, at.x, at.y, at.z);
        for (int a = 0; a < 3; ++a)
            if (!(ond_axis(at, a) >= ond_axis(low, a) && ond_axis(at, a) <= ond_axis(high, a)))
                fail_msg("%s: at %g, %g, %g", ways[c].name, at.x, at.y, at.z);
        stage_close(s);
    }
}

// ---- what lies on it

static double height_of(const Stage *s, int solid)
{
    return ond_solids_state(ond_sim_solids(s->sim)->solids, solid)->pose.at.y;
}

// A body that falls 2 cm onto ice rests on it, whether it is light or heavy, and the floor bears
// both.
static void test_weights(void **state)
{
    (void)state;
    const double densities[] = {20, 900, 20000};
    for (int c = 0; c < OND_COUNT(densities); ++c) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 "%s  - {name: weight, density: %g, " SHAPE("[-0.1, 0.22, -0.1]",
                                                            "[0.1, 0.42, 0.1]") "}\n",
                 BIG CUBE STICKY, densities[c]);
        Stage *s = stage_open(yaml);
        OndError err = {0};
        const double start = height_of(s, 1);
        if (go(s, 0.4, "weight", &err) != OND_OK) fail_msg("%g kg/m^3: %s", densities[c], err.text);
        const double pressed = -ond_solids_loads(ond_sim_solids(s->sim)->solids)[0].force.y;
        const double weight = 9.81 * 0.008 * (900 + densities[c]);
        print_message("%g kg/m^3 on ice: %.5f m down, the floor bears %.5g N of %.5g\n",
                      densities[c], start - height_of(s, 1), pressed, weight);
        CHECK_NEAR(start - height_of(s, 1), 0.02, 0.001, "the weight stands on the ice");
        CHECK_NEAR(middle_of(s).y, 0.1, 0.001, "the ice on the floor");
        CHECK_NEAR(pressed / weight, 1.0, 0.01, "what the floor bears");
        stage_close(s);
    }
}

// Ice that slides into a body of its own mass gives it half of what it has.
static void test_push(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "gravity: [0, 0, 0]\n" BIG
        "fluid: [{name: ice, spacing: 0.05, rigidity: 1, density: 900, velocity: [1, 0, 0], " SHAPE(
            "[-0.4, 0, -0.1]",
            "[-0.2, 0.2, 0.1]") "}]\n"
                                "solid: [{name: block, density: 900, slip: 1, " SHAPE(
                                    "[0, 0, -0.1]", "[0.2, 0.2, 0.1]") "}]\n");
    OndError err = {0};
    if (go(s, 0.5, "push", &err) != OND_OK) fail_msg("%s", err.text);
    const OndSolidState *block = ond_solids_state(ond_sim_solids(s->sim)->solids, 0);
    CHECK_NEAR(block->velocity.x, 0.5, 0.02, "the block");
    CHECK_NEAR(s->v[0][0], 0.5, 0.02, "the ice");
    CHECK_NEAR(block->velocity.x + s->v[0][0], 1.0, 1e-4, "both");
    stage_close(s);
}

// An emitter of what is rigid makes a rod; where the rod stands on a ball and leaves no room, the
// emitter closes instead of squeezing it.
static void test_emitter(void **state)
{
    Stage *s = stage_open(
        "duration: 2\nframe_rate: 25\ndomain: {min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5]}\n"
        "fluid: [{name: wax, spacing: 0.02, rigidity: 1}]\n"
        "emitter: [{fluid: wax, shape: disc, center: [0.02, 0.7, 0], radius: 0.06,\n"
        "  direction: [0, -1, 0], rate: 0.01}]\n"
        "solid: [{shape: {type: sphere, center: [0, 0.3, 0], radius: 0.15}}]\n");
    OndError err = {0};
    OndStatus status = OND_OK;
    while (status == OND_OK && ond_sim_time(s->sim) < 0.8)
        status = ond_sim_step(s->sim, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    const OndEmitter *const e = ond_sim_emitter(s->sim, 0);
    assert_true(e->shut_first > 0.2 && e->shut_s > 0.1);
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_way_out), cmocka_unit_test(test_ways_out),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_push),
        cmocka_unit_test(test_emitter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
