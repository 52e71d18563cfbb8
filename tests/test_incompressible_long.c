// SPDX-License-Identifier: MIT
// ctest: long
// A ball of 7 spacings radius and twice the water's density, let go under water that keeps its volume:
// it sinks with (rho_s - rho) / (rho_s + C rho) g, C being 0.495 in this pool.
#include "bodies.h"

static void test_sinking_ball(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "duration: 0.1\nframe_rate: 500\nmethod: {pressure: cg}\n"
        "domain: {min: [-0.3, 0, -0.3], max: [0.3, 1, 0.3]}\n"
        "fluid: [{spacing: 0.0142857143, density: 1000, shape: {type: box, min: [-0.3, 0, -0.3], "
        "max: "
        "[0.3, 0.5, 0.3]}}]\n"
        "solid: [{name: ball, density: 2000, shape: {type: sphere, center: [0.003, 0.35, 0.002], "
        "radius: 0.1}}]\n");
    const double start = body(s, 0).pose.at.y;
    stage_run(s, 0.1);
    const double a = (start - body(s, 0).pose.at.y) / (0.5 * 0.1 * 0.1);
    print_message("a ball of 2000 sets out with %.3f m/s^2, want 3.932 (%+.1f %%)\n", a,
                  100 * (a / 3.932 - 1));
    CHECK_NEAR(a / 3.932, 1, 0.05, "a sinking ball's acceleration, over theory");
    stage_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sinking_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
