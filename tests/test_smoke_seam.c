// SPDX-License-Identifier: MIT
// Where a periodic axis closes nothing is to be seen of it: a scene that is shifted by half of the
// axis does the same, half of the axis farther on.
#include "tank.h"

#define N 32

// A puff that is carried along x, and a fan; both end at `end`.
static void open_scene(Tank *t, const char *advection, double end)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 9\nframe_rate: 20\ngravity: [0, 0]\n"
             "domain: {min: [0, 0], max: [1, 1], x: periodic}\n"
             "method: {type: smoke, cell: 0.03125, advection: %s, tolerance: 1e-7}\n"
             "fluid: [{shape: {type: box, min: [%g, 0.3, 0], max: [%g, 0.6, 0]}}]\n"
             "source: [{velocity: [1, 0.2], shape: {type: box, min: [%g, 0.4, 0], max: [%g, 0.7, "
             "0]}}]\n",
             advection, end - 0.25, end, end - 0.125, end);
    tank_open(t, yaml);
}

static double difference(const Tank *a, const float *x, const Tank *b, const float *y)
{
    double most = 0.0;
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            most = fmax(
                most, fabs((double)x[tank_at(a, i, j, 0)] - y[tank_at(b, (i + N / 2) % N, j, 0)]));
    return most;
}

static void test_seam(void **state)
{
    (void)state;
    static const char *const advection[] = {"linear", "maccormack", "cubic"};
    static const double most[] = {1e-5, 2e-4, 0.16}; // cubic looks at four values on its own side
    static const double speed[] = {1e-5, 2e-4, 0.03};
    for (int k = 0; k < 3; ++k) {
        Tank middle, seam;
        open_scene(&middle, advection[k], 0.5);
        open_scene(&seam, advection[k], 1.0);
        tank_run(&middle, 0.4);
        tank_run(&seam, 0.4);
        CHECK_NEAR(tank_most(&middle, middle.v[0]) > 0.5, 1, 0, "the fan blows");
        CHECK_NEAR(difference(&middle, middle.density, &seam, seam.density), 0, most[k],
                   advection[k]);
        for (int a = 0; a < 2; ++a)
            CHECK_NEAR(difference(&middle, middle.v[a], &seam, seam.v[a]), 0, speed[k],
                       advection[k]);
        tank_close(&middle);
        tank_close(&seam);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seam)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
