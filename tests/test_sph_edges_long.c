// SPDX-License-Identifier: MIT
// ctest: long
// ctest cases: 10
// The same as test_sph_edges for seconds, at other resolutions.
#include "calm.h"

// One of ten: what stands in the pool, and how fine the water is.
typedef struct Case {
    const Edges *edges;
    double spacing;
} Case;

static void test_edges(void **state)
{
    const Case *c = *state;
    check_edges(c->edges, c->spacing, 1.0, 4.0);
}

int main(int argc, char **argv)
{
    Case cases[2 * OND_COUNT(edges)];
    struct CMUnitTest tests[OND_COUNT(cases)];
    for (int k = 0; k < OND_COUNT(cases); ++k) {
        cases[k] = (Case){&edges[k % OND_COUNT(edges)], k < OND_COUNT(edges) ? 0.02 : 0.0125};
        tests[k] = (struct CMUnitTest)cmocka_unit_test_prestate(test_edges, &cases[k]);
    }
    return run_cases("sph_edges_long", tests, OND_COUNT(cases), argc, argv);
}
