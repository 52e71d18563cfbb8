// SPDX-License-Identifier: MIT
// ctest: slow
// Surface tension against Laplace's pressure and Rayleigh's period. Nothing in it was chosen by
// these drops; finer ones are in test_tension_long.c.
#include "drops.h"

#define JUMP   0.05 // what is allowed of the pressure jump,
#define PERIOD 0.04 // and of the period

static void test_jump(void **state)
{
    const double coarse = drop_jump(2, 12), fine = drop_jump(2, 25), ball = drop_jump(3, 8);
    CHECK_NEAR(coarse, 0, JUMP, "pressure jump, 2D, R/12");
    CHECK_NEAR(ball, 0, JUMP, "pressure jump, 3D, R/8");
    CHECK_NEAR(fine, 0, fabs(coarse), "pressure jump, 2D, R/25: nearer than R/12");
}

static void test_period(void **state)
{
    CHECK_NEAR(drop_period(2, 25, 0.08), 0, PERIOD, "period, 2D, R/25");
    CHECK_NEAR(drop_period(3, 8, 0.08), 0, PERIOD, "period, 3D, R/8");
}

static void test_amplitude(void **state)
{
    const double low = drop_period(2, 12, 0.05), high = drop_period(2, 12, 0.15);
    CHECK_NEAR(low, 0, PERIOD, "period, 2D, R/12");
    CHECK_NEAR(high, low, 0.03, "period of a drop that swings three times as far");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jump), cmocka_unit_test(test_period),
                                       cmocka_unit_test(test_amplitude)};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("tension", tests, NULL, NULL);
}
