// SPDX-License-Identifier: MIT
// The layout of grids: every place once, ghosts round all, sizes that cannot be.
#include "base/memory.h"
#include "check.h"
#include "grid/layout.h"

static const int sizes[][3] = {{1, 1, 1}, {7, 5, 1}, {8, 8, 8},  {128, 3, 2},
                               {1, 9, 4}, {5, 1, 6}, {13, 2, 1}, {4, 4, 1}};

static void test_places(void **state)
{
    for (int s = 0; s < OND_COUNT(sizes); ++s) {
        OndGrid g;
        const int *n = sizes[s];
        assert_int_equal(ond_grid_set(&g, n, 0.1, ond_vec(0, 0, 0), NULL, NULL), OND_OK);
        assert_int_equal(g.deep, n[2] > 1);
        uint8_t *seen = ond_grid_bytes(&g);
        for (int k = g.deep ? -1 : 0; k <= (g.deep ? n[2] : 0); ++k)
            for (int j = -1; j <= n[1]; ++j)
                for (int i = -1; i <= n[0]; ++i) {
                    const size_t at = ond_grid_at(&g, i, j, k);
                    assert_true(at < g.length);
                    if (seen[at]++) fail_msg("(%d, %d, %d) shares its place", i, j, k);
                }
        for (int r = 0; r < g.rows; ++r) {
            const size_t at = ond_grid_row(&g, r);
            assert_int_equal(at % OND_GRID_LANES, 0);
            assert_int_equal(at, ond_grid_at(&g, 0, r % n[1], r / n[1]));
        }
        ond_free(seen);
    }
}

static float value(int i, int j, int k)
{
    return (float)(1 + i + 100 * j + 10000 * k);
}

static void test_wrap(void **state)
{
    OndGrid g;
    const int n[3] = {6, 4, 8};
    assert_int_equal(ond_grid_set(&g, n, 1.0, ond_vec(0, 0, 0), (bool[]){true, false, true}, NULL),
                     OND_OK);
    float *x = ond_grid_floats(&g);
    for (size_t at = 0; at < g.length; ++at)
        x[at] = -1.0f;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                x[ond_grid_at(&g, i, j, k)] = value(i, j, k);
    ond_grid_wrap(&g, x);
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j) {
            CHECK_NEAR(x[ond_grid_at(&g, -1, j, k)], value(5, j, k), 0, "left of the first");
            CHECK_NEAR(x[ond_grid_at(&g, 6, j, k)], value(0, j, k), 0, "right of the last");
        }
    CHECK_NEAR(x[ond_grid_at(&g, 3, 2, -1)], value(3, 2, 7), 0, "below");
    CHECK_NEAR(x[ond_grid_at(&g, 3, 2, 8)], value(3, 2, 0), 0, "above");
    CHECK_NEAR(x[ond_grid_at(&g, 3, -1, 2)], -1, 0, "an axis that is not periodic");
    ond_grid_clear_ghosts(&g, x);
    for (int k = -1; k <= n[2]; ++k)
        for (int j = -1; j <= n[1]; ++j)
            for (int i = -1; i <= n[0]; ++i) {
                const bool cell = i >= 0 && i < 6 && j >= 0 && j < 4 && k >= 0 && k < 8;
                CHECK_NEAR(x[ond_grid_at(&g, i, j, k)], cell ? value(i, j, k) : 0.0f, 0, "cleared");
            }
    ond_free(x);
}

static void test_wrong_sizes(void **state)
{
    static const struct {
        int n[3];
        double h;
        bool periodic;
        const char *says;
    } cases[] = {
        {{0, 4, 4}, 1, false, "0 x 4 x 4 cells"},
        {{4, -3, 4}, 1, false, "each must be from 1 to 65536"},
        {{4, 4, 100000}, 1, false, "each must be from 1 to 65536"},
        {{4, 4, 4}, 0, false, "0 m wide"},
        {{4, 4, 4}, NAN, false, "nan m wide"},
        {{5, 4, 4}, 1, true, "5 cells along x, which is periodic: make it an even number"},
        {{65536, 65536, 65536}, 1, false, "more than can be numbered"},
        {{4, 4, 4}, 1, true, NULL},
        {{1, 4, 1}, 1, true, NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndGrid g;
        OndError err = {0};
        const bool periodic[3] = {cases[c].periodic, cases[c].periodic, cases[c].periodic};
        const OndStatus status =
            ond_grid_set(&g, cases[c].n, cases[c].h, ond_vec(0, 0, 0), periodic, &err);
        assert_int_equal(status == OND_OK, cases[c].says == NULL);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, "a grid that cannot be");
    }
}

static void test_halves(void **state)
{
    OndGrid g, half;
    const int want[][3] = {{3, 5, 2}, {2, 3, 1}, {1, 2, 1}, {1, 1, 1}};
    ond_grid_set(&g, (int[]){5, 9, 4}, 1.0, ond_vec(0, 0, 0), NULL, NULL);
    for (int l = 0; l < 4; ++l) {
        assert_true(ond_grid_halve(&g, &half));
        for (int a = 0; a < 3; ++a)
            assert_int_equal(half.n[a], want[l][a]);
        assert_true(half.deep && half.h == 2.0 * g.h);
        g = half;
    }
    assert_false(ond_grid_halve(&g, &half));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_wrap),
                                       cmocka_unit_test(test_wrong_sizes),
                                       cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
