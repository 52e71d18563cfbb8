// SPDX-License-Identifier: MIT
// ctest: slow
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

// Falls from s = 0 to 1 with either solver, by the same.
static void sweep(const Column *c)
{
    double last[2] = {2, 2};
    int rises = 0, apart = 0;
    for (int k = 0; k < DIALS; ++k) {
        const double s = 0.1 * k, now[2] = {slump(c, "global", s), slump(c, "thesis", s)};
        const bool solid = k == DIALS - 1, falls = solid || (now[0] < last[0] && now[1] < last[1]),
                   agrees = solid || fabs(now[0] - now[1]) <= 0.1 * now[1];
        print_message("%-26s s = %.1f: slump %.4f global, %.4f thesis%s%s\n", c->name, s, now[0],
                      now[1], falls ? "" : " RISES", agrees ? "" : " APART");
        rises += !falls, apart += !agrees;
        memcpy(last, now, sizeof last);
    }
    CHECK_NEAR(rises, 0, 0, "slumps that do not fall with rigidity");
    CHECK_NEAR(apart, 0, 0, "rigidities at which the solvers disagree");
    CHECK_NEAR(last[0], 0, 1e-4, "slump of a solid, global");
    CHECK_NEAR(last[1], 0, 1e-4, "slump of a solid, thesis");
}

static void test_falls_and_agrees(void **state)
{
    (void)state;
    static const Column columns[] = {
        {"2D", "", "mirror", 2, 0.5},
        {"3D", "", "mirror", 3, 0.4},
        {"2D, mirrors, preset thesis", ", preset: thesis", "mirror", 2, 0.5},
        {"2D, bare walls", "", "project", 2, 0.5},
        {"2D, preset thesis", ", preset: thesis", "project", 2, 0.5},
        {"3D, preset thesis", ", preset: thesis", "project", 3, 0.4},
    };
    for (int c = 0; c < OND_COUNT(columns); ++c)
        sweep(&columns[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls_and_agrees),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("slump", tests, NULL, NULL);
}
