// SPDX-License-Identifier: MIT
// A column slumps less the more rigid it is, and by the same with both solvers.
#include "base/parallel.h"
#include "solids.h"

#define DIALS 11

typedef struct Column {
    const char *name, *method, *walls;
    int dimension;
    double time;
} Column;

// How far the centre has sunk towards the lowest particle, as a share of its height.
static double slump(const Column *c, const char *solver, double rigidity)
{
    const double depth = c->dimension == 3 ? 0.32 : 0;
    Stage *s = stage_openf("dimension: %d\nmethod: {type: sph%s, rigidity: {solver: %s}}\n"
                           "domain: {min: [-1, 0, %g], max: [1.4, 2, %g], slip: 0, walls: %s}\n"
                           "fluid: [{spacing: 0.04, rigidity: %g, shape: {type: box,\n"
                           "  min: [0, 0, 0], max: [0.32, 0.8, %g]}}]\n",
                           c->dimension, c->method, solver, depth > 0 ? -1 : 0.0,
                           depth > 0 ? 1.4 : 0.0, c->walls, rigidity, depth);
    const Motion was = motion_of(s, 0);
    stage_run(s, c->time);
    const Motion is = motion_of(s, 0);
    check_sane(s, 10, c->name);
    stage_close(s);
    return (was.center[1] - was.low[1] - is.center[1] + is.low[1]) / was.center[1];
}

// Falls from s = 0 to 1 with one solver; what the other gives beside it, where there is one.
static void sweep(const Column *c, const char *solver, const char *other)
{
    double last = 2;
    int rises = 0, apart = 0;
    for (int k = 0; k < DIALS; ++k) {
        const double s = 0.1 * k, one = slump(c, solver, s), two = other ? slump(c, other, s) : one;
        const bool falls = one < last || (k == DIALS - 1 && one <= last),
                   agrees = k == DIALS - 1 || fabs(one - two) <= 0.1 * two;
        print_message("%-18s s = %.1f: slump %.4f %s, %.4f %s%s%s\n", c->name, s, one, solver, two,
                      other ? other : "alone", falls ? "" : " RISES", agrees ? "" : " APART");
        rises += !falls, apart += !agrees;
        last = one;
    }
    CHECK_NEAR(rises, 0, 0, "slumps that do not fall with rigidity");
    CHECK_NEAR(apart, 0, 0, "rigidities at which the solvers disagree");
    CHECK_NEAR(last, 0, 1e-4, "slump of a solid");
}

static void test_falls_with_rigidity(void **state)
{
    (void)state;
    static const Column columns[] = {
        {"2D, mirror walls", "", "mirror", 2, 0.5},
        {"3D, mirror walls", "", "mirror", 3, 0.4},
    };
    for (int c = 0; c < OND_COUNT(columns); ++c)
        sweep(&columns[c], "global", NULL);
    sweep(&columns[0], "thesis", NULL);
}

static void test_solvers_agree(void **state)
{
    (void)state;
    static const Column columns[] = {
        {"2D", "", "project", 2, 0.5},
        {"2D, preset thesis", ", preset: thesis", "project", 2, 0.5},
        {"3D, preset thesis", ", preset: thesis", "project", 3, 0.4},
    };
    for (int c = 0; c < OND_COUNT(columns); ++c)
        sweep(&columns[c], "global", "thesis");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls_with_rigidity),
        cmocka_unit_test(test_solvers_agree),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("slump", tests, NULL, NULL);
}
