// SPDX-License-Identifier: MIT
// A pressure that is needed no longer is let go: two blobs that meet without weight do not part with
// more energy than they had.
#include "stage.h"

static double kinetic(const Stage *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a)
            sum += 0.5 * s->v[a][i] * s->v[a][i];
    return sum;
}

static double most_energy(const char *solver, double step)
{
    char yaml[1024];
    snprintf(yaml, sizeof yaml,
             "dimension: 2\nduration: 100\nframe_rate: 10\ngravity: [0, 0, 0]\n"
             "method: {type: sph, pressure: %s, artificial: 0, largest_step: %g}\nfluid:\n"
             "  - {spacing: 0.05, velocity: [1, 0, 0],\n"
             "     shape: {type: box, min: [-0.6, 0, 0], max: [-0.1, 0.5, 0]}}\n"
             "  - {spacing: 0.05, velocity: [-1, 0, 0],\n"
             "     shape: {type: box, min: [0, 0.1, 0], max: [0.5, 0.6, 0]}}\n",
             solver, step);
    Stage *s = stage_open(yaml);
    const double start = kinetic(s);
    double most = 1.0;
    while (ond_sim_time(s->sim) < 0.6) {
        stage_step(s);
        most = fmax(most, kinetic(s) / start);
    }
    print_message("%s, steps of %g s: %d particles, most energy %.3f of the start's, %.3f left\n",
                  solver, step, s->count, most, kinetic(s) / start);
    stage_close(s);
    return most;
}

static void parting(void **state)
{
    static const char *const solvers[] = {"cg", "pcisph", "iisph", "dfsph"};
    for (int k = 0; k < OND_COUNT(solvers); ++k)
        for (int n = 0; n < 2; ++n)
            CHECK_NEAR(most_energy(solvers[k], n ? 0.003 : 0.01), 1, 0.02,
                       "energy over that of the start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
