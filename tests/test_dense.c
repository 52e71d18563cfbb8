// SPDX-License-Identifier: MIT
// Dense systems: solved, by LAPACK and by our own code alike, or refused.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "surface/dense.h"

#include <math.h>
#include <stdlib.h>

static double *definite(int rows)
{
    double *a = calloc((size_t)rows * (size_t)rows, sizeof *a);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= i; ++j)
            a[i * rows + j] = exp(-0.1 * (i - j) * (i - j)) + (i == j ? 0.5 : 0.0);
    return a;
}

static void test_dense(void **state)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 17, 64, 255, 300};
    for (int s = 0; s < OND_COUNT(sizes); ++s) {
        const int n = sizes[s];
        double *a = definite(n), *keep = definite(n), *own = definite(n);
        double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
        for (int i = 0; i < n; ++i)
            x[i] = y[i] = 2.0 * ond_random((uint64_t)i, (uint64_t)n) - 1.0;
        assert_true(ond_dense_solve(n, a, n, x));
        assert_true(ond_dense_solve_own(n, own, n, y));
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int j = 0; j < n; ++j)
                sum += (j <= i ? keep[i * n + j] : keep[j * n + i]) * x[j];
            CHECK_NEAR(sum, 2.0 * ond_random((uint64_t)i, (uint64_t)n) - 1.0, 1e-12, "A x = b");
            CHECK_NEAR(x[i], y[i], 1e-12, "LAPACK and our own agree");
        }
        free(a), free(keep), free(own), free(x), free(y);
    }
}

static void test_dense_refuses(void **state)
{
    static const struct {
        const char *what;
        double a[4];
    } cases[] = {
        {"singular", {1, 0, 1, 1}},
        {"indefinite", {1, 0, 2, 1}},
        {"negative", {-1, 0, 0, 1}},
        {"not a number", {NAN, 0, 0, 1}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        double a[4], b[2] = {1, 1};
        memcpy(a, cases[c].a, sizeof a);
        if (ond_dense_solve(2, a, 2, b)) fail_msg("%s: solved", cases[c].what);
    }
}

// Two rows that differ by rounding alone, or by a little more, in small and large systems: LAPACK
// would solve some of these, into noise.
static void test_dense_loses_a_row(void **state)
{
    static const struct {
        int rows;
        double apart; // what the second of the two has more on the diagonal
        bool solved;
    } cases[] = {{40, 1e-15, false},  {40, 1e-14, false},  {40, 1e-9, true},
                 {300, 1e-15, false}, {300, 1e-14, false}, {300, 1e-9, true}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const int n = cases[c].rows, twin = n - 1, of = n / 2;
        double *a = definite(n), *b = calloc((size_t)n, sizeof *b);
        for (int j = 0; j <= of; ++j)
            a[twin * n + j] = a[of * n + j];
        for (int j = of + 1; j < twin; ++j)
            a[twin * n + j] = a[j * n + of];
        a[twin * n + twin] = a[of * n + of] + cases[c].apart;
        b[0] = 1.0;
        if (ond_dense_solve(n, a, n, b) != cases[c].solved)
            fail_msg("%d rows, %g apart: %s", n, cases[c].apart,
                     cases[c].solved ? "refused" : "solved");
        free(a), free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_dense_refuses),
        cmocka_unit_test(test_dense_loses_a_row),
    };
    return cmocka_run_group_tests_name("dense", tests, NULL, NULL);
}
