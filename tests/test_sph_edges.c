// SPDX-License-Identifier: MIT
// ctest: slow
// Liquid at rest stays at rest round the edges of boxes: what it feels there changes little when it
// moves little.
#include "calm.h"

static void test_edges(void **state)
{
    for (int c = 0; c < OND_COUNT(edges); ++c)
        check_edges(&edges[c], 0.025, 0.5, 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests_name("sph_edges", tests, NULL, NULL);
}
