// SPDX-License-Identifier: MIT
// ctest: long
// ctest cases: 4
// Finer drops than in test_tension.c: errors stay within the same bounds, and fall.
#include "drops.h"

static void test_jump(void **state)
{
    const double r8 = drop_jump(3, 8), r12 = drop_jump(3, 12), r16 = drop_jump(3, 16);
    CHECK_NEAR(r8, 0, 0.05, "pressure jump, 3D, R/8");
    CHECK_NEAR(r12, 0, fabs(r8), "pressure jump, 3D, R/12: nearer than R/8");
    CHECK_NEAR(r16, 0, fabs(r12), "pressure jump, 3D, R/16: nearer than R/12");
}

static void test_period(void **state)
{
    CHECK_NEAR(drop_period(3, 12, 0.08), 0, 0.04, "period, 3D, R/12");
}

static void test_fine_period(void **state)
{
    CHECK_NEAR(drop_period(3, 16, 0.08), 0, 0.04, "period, 3D, R/16");
}

static void test_flat(void **state)
{
    const double r12 = drop_jump(2, 12), r25 = drop_jump(2, 25), r50 = drop_jump(2, 50);
    CHECK_NEAR(r25, 0, fabs(r12), "pressure jump, 2D, R/25: nearer than R/12");
    // nearer than R/12 and R/25 it is not: half a percent is left
    CHECK_NEAR(r50, 0, 0.008, "pressure jump, 2D, R/50");
    CHECK_NEAR(drop_period(2, 50, 0.08), 0, 0.04, "period, 2D, R/50");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jump), cmocka_unit_test(test_period),
                                       cmocka_unit_test(test_fine_period),
                                       cmocka_unit_test(test_flat)};
    return run_cases("fine drops", tests, OND_COUNT(tests), argc, argv);
}
