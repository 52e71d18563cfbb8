// SPDX-License-Identifier: MIT
// ctest: slow
// Gravity along a periodic channel drives the flow, and there alone.
#include "tank.h"

#define CELLS 25 // across

static void open_channel(Tank *t, const char *gravity, const char *more)
{
    char yaml[768];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 1\nframe_rate: 400\ngravity: %s\n"
             "domain: {min: [0, 0], max: [0.24, 1], slip: 0, x: periodic}\n"
             "method: {type: smoke, cell: 0.04, viscosity: 1}\n%s",
             gravity, more);
    tank_open(t, yaml);
}

// Starts from rest; with L = 1 m, nu = 1 m^2/s and g = 8 m/s^2 the fastest is g L^2 / 8 nu = 1 m/s
// in the end. The values are the series of the start-up of a plane Poiseuille flow.
static void test_poiseuille(void **state)
{
    (void)state;
    static const double when[] = {0.0225, 0.1, 0.5}, middle[] = {0.17862, 0.61535, 0.99258};
    Tank t;
    open_channel(&t, "[8, 0]", "");
    for (int k = 0; k < 3; ++k) {
        tank_run(&t, when[k]);
        const double u = t.v[0][tank_at(&t, 3, CELLS / 2, 0)];
        print_message("nu t / L^2 = %g: %.5f, %.5f wanted\n", when[k], u, middle[k]);
        CHECK_NEAR(u, middle[k], 0.003, "in the middle");
    }
    for (int j = 0; j < CELLS; ++j) {
        const double y = (j + 0.5) / CELLS, u = t.v[0][tank_at(&t, 3, j, 0)];
        CHECK_NEAR(u, middle[2] * 4.0 * y * (1.0 - y), 0.005, "the profile");
    }
    CHECK_NEAR(tank_most(&t, t.v[1]), 0, 1e-5, "nothing crosses");
    tank_close(&t);
}

// Between walls, and where a solid shuts the channel, it is all pressure.
static void test_held(void **state)
{
    (void)state;
    static const struct {
        const char *gravity, *more;
    } cases[] = {
        {"[0, -8]", ""},
        {"[8, 0]", "solid: [{shape: {type: box, min: [0.08, -1, -1], max: [0.12, 2, 1]}}]\n"}};
    for (int c = 0; c < 2; ++c) {
        Tank t;
        open_channel(&t, cases[c].gravity, cases[c].more);
        tank_run(&t, 0.05);
        for (int a = 0; a < 2; ++a)
            CHECK_NEAR(tank_most(&t, t.v[a]), 0, 1e-3, cases[c].gravity);
        tank_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_poiseuille),
                                       cmocka_unit_test(test_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
