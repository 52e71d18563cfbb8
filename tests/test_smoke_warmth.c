// SPDX-License-Identifier: MIT
// ctest: slow
// Heat flows by differences: where the thermometer has its zero changes nothing.
#include "tank.h"

// Heat through the left wall, or the right one, over what would go through fluid at rest. The walls
// differ by 1 K.
static double nusselt(const Tank *t, double middle, bool right)
{
    const int n = t->grid->n[0];
    double sum = 0.0;
    for (int j = 0; j < n; ++j) {
        const double cell = t->temperature[tank_at(t, right ? n - 1 : 0, j, 0)];
        sum += right ? cell - (middle - 0.5) : middle + 0.5 - cell;
    }
    return 2.0 * sum;
}

// A square of air between a warm and a cold wall, Ra 1e5, in degrees about `middle`.
static void convect(double middle, double out[2])
{
    char yaml[768];
    Tank t;
    const double nu = sqrt(0.71 / 1e5), kappa = nu / 0.71;
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 400\nframe_rate: 2\ngravity: [0, -1]\n"
             "air: {temperature: %g}\n"
             "domain: {min: [0, 0], max: [1, 1], slip: 0, sides: [{side: -x, temperature: %g}, "
             "{side: +x, temperature: %g}]}\n"
             "method: {type: smoke, cell: 0.03125, viscosity: %.9g, heat_diffusion: %.9g, "
             "expansion: 1, advection: cubic, tolerance: 1e-5}\n",
             middle, middle + 0.5, middle - 0.5, nu, kappa);
    tank_open(&t, yaml);
    tank_run(&t, 80);
    out[0] = nusselt(&t, middle, false), out[1] = nusselt(&t, middle, true);
    tank_close(&t);
}

static void test_zero_of_the_scale(void **state)
{
    (void)state;
    double cool[2], hot[2];
    convect(0.0, cool);
    convect(200.0, hot);
    print_message("Nu %.5f %.5f about 0 C, %.5f %.5f about 200 C\n", cool[0], cool[1], hot[0],
                  hot[1]);
    for (int wall = 0; wall < 2; ++wall)
        CHECK_NEAR(hot[wall] / cool[wall], 1, 5e-4, wall ? "at the cold wall" : "at the warm wall");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_zero_of_the_scale)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
