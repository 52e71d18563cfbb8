// SPDX-License-Identifier: MIT
// ctest: long
// The same as test_sph_edges for seconds, at other resolutions.
#include "calm.h"

static void test_edges(void **state)
{
    static const double spacings[] = {0.02, 0.0125};
    int fast = 0; // all are looked at before any fails
    for (int k = 0; k < OND_COUNT(spacings); ++k)
        for (int c = 0; c < OND_COUNT(edges); ++c)
            fast += !edges_are_calm(&edges[c], spacings[k], 1.0, 4.0);
    assert_int_equal(fast, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests_name("sph_edges_long", tests, NULL, NULL);
}
