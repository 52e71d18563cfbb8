// SPDX-License-Identifier: MIT
// ctest: slow
// Round bodies without friction: nothing that a liquid does to them can turn them, however coarse
// it is.
#include "stage.h"

#define WATER(tension, max)                                                                        \
    "fluid: [{spacing: 0.0001, viscosity: 0.001, tension: " tension ", shape: {type: box,\n"       \
    "  min: [0, 0, 0], max: " max "}}]\n"
#define BALL(at, more)                                                                             \
    "solid: [{name: ball, density: 1000, slip: 1, shape: {type: sphere, center: " at ",\n"         \
    "  radius: 0.0002}" more "}]\n"
#define FULL "gravity: [0, 0, 0]\ndomain: {min: [0, 0, 0], max: [0.001, 0.001, 0.001]}\n"
#define DROP                                                                                       \
    "gravity: [0, 0, 0]\n"                                                                         \
    "domain: {min: [-0.0004, -0.0004, -0.0004], max: [0.0014, 0.0014, 0.0014]}\n"

static const struct {
    const char *name, *yaml;
} cases[] = {
    {"in still water",
     FULL WATER("0.07", "[0.001, 0.001, 0.001]") BALL("[0.00051, 0.00048, 0.00053]", "")},
    {"without tension",
     FULL WATER("0", "[0.001, 0.001, 0.001]") BALL("[0.00051, 0.00048, 0.00053]", "")},
    {"in a drop",
     DROP WATER("0.07", "[0.0009, 0.0009, 0.0009]") BALL("[0.00045, 0.00048, 0.0004]", "")},
    {"shot through a drop", DROP WATER("0.07", "[0.0009, 0.0009, 0.0009]")
                                BALL("[-0.0001, 0.0005, 0.0004]", ", velocity: [0.5, 0, 0]")},
    {"in the plane",
     "dimension: 2\ngravity: [0, 0]\ndomain: {min: [0, 0], max: [0.002, 0.002]}\n"
     "fluid: [{spacing: 0.0001, viscosity: 0.001, tension: 0.07, shape: {type: box,\n"
     "  min: [0, 0], max: [0.002, 0.002]}}]\n"
     "solid: [{name: disc, density: 1000, slip: 1, shape: {type: sphere, center: [0.00101, "
     "0.00098],"
     "\n  radius: 0.0002}}]\n"},
};

static void test_nothing_turns_them(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Stage *s = stage_open(cases[c].yaml);
        double spin = 0;
        for (int k = 0; k < 120; ++k) {
            stage_step(s);
            const OndSolidState *ball = ond_solids_state(ond_sim_solids(s->sim)->solids, 0);
            spin = fmax(spin, ond_length(ball->spin));
        }
        print_message("%s: %d particles, %.4f ms, spin %.2g rad/s\n", cases[c].name, s->count,
                      1e3 * ond_sim_time(s->sim), spin);
        CHECK_NEAR(spin, 0.0, 0.02, cases[c].name); // 4e-6 m/s at its surface
        stage_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_turns_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
