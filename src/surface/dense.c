// SPDX-License-Identifier: MIT
#include "surface/dense.h"

#include <math.h>

#ifdef OND_HAVE_LAPACK
#include <lapacke.h>
#endif

// A pivot that fell by this factor is noise: the matrix has lost a row.
#define LEAST_PIVOT 1e-13

// Four dot products that share one row: each number of `row` is read once for four.
static void dot_four(const double *row, const double *other, int stride, int count, double out[4])
{
    const double *b0 = other, *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
    double even[4] = {0}, odd[4] = {0};
    for (int k = 0; k + 2 <= count; k += 2) {
        even[0] += row[k] * b0[k], odd[0] += row[k + 1] * b0[k + 1];
        even[1] += row[k] * b1[k], odd[1] += row[k + 1] * b1[k + 1];
        even[2] += row[k] * b2[k], odd[2] += row[k + 1] * b2[k + 1];
        even[3] += row[k] * b3[k], odd[3] += row[k + 1] * b3[k + 1];
    }
    for (int n = 0; n < 4; ++n) // `count` is a multiple of four
        out[n] = even[n] + odd[n];
}

// Entries [first, last) of row i below the diagonal, which need those before them.
static void finish_entries(double *a, int stride, int i, int first, int last)
{
    double *row = a + (long)i * stride;
    for (int j = first; j < last; ++j) {
        const double *other = a + (long)j * stride;
        row[j] = (row[j] - ond_dense_dot(row + first, other + first, j - first)) / other[j];
    }
}

static bool factor(int rows, double *a, int stride)
{
    for (int i = 0; i < rows; ++i) {
        double *row = a + (long)i * stride, part[4];
        int j = 0;
        for (; j + 4 <= i; j += 4) {
            dot_four(row, a + (long)j * stride, stride, j, part);
            for (int k = 0; k < 4; ++k)
                row[j + k] -= part[k];
            finish_entries(a, stride, i, j, j + 4);
        }
        for (; j < i; ++j) {
            const double *other = a + (long)j * stride;
            row[j] = (row[j] - ond_dense_dot(row, other, j)) / other[j];
        }
        const double before = row[i], pivot = before - ond_dense_dot(row, row, i);
        if (!(pivot > LEAST_PIVOT * before)) return false; // NaN fails too
        row[i] = sqrt(pivot);
    }
    return true;
}

static void substitute(int rows, const double *a, int stride, double *b)
{
    for (int i = 0; i < rows; ++i) {
        const double *row = a + (long)i * stride;
        b[i] = (b[i] - ond_dense_dot(row, b, i)) / row[i];
    }
    for (int i = rows - 1; i >= 0; --i) {
        const double *row = a + (long)i * stride;
        b[i] /= row[i];
        const double x = b[i];
        for (int j = 0; j < i; ++j)
            b[j] -= row[j] * x;
    }
}

bool ond_dense_solve_own(int rows, double *a, int stride, double *b)
{
    if (!factor(rows, a, stride)) return false;
    substitute(rows, a, stride, b);
    return true;
}

#ifdef OND_HAVE_LAPACK

// What a pivot was before is the square of its whole row of L.
static bool pivots_hold(int rows, const double *a, int stride)
{
    for (int i = 0; i < rows; ++i) {
        const double *row = a + (long)i * stride, pivot = row[i] * row[i];
        if (!(pivot > LEAST_PIVOT * (pivot + ond_dense_dot(row, row, i)))) return false;
    }
    return true;
}

// Rows of a lower triangle are columns of an upper one.
static bool solve_large(int rows, double *a, int stride, double *b)
{
    return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', rows, 1, a, stride, b, rows) == 0 &&
           pivots_hold(rows, a, stride);
}

#else

static bool solve_large(int rows, double *a, int stride, double *b)
{
    return ond_dense_solve_own(rows, a, stride, b);
}

#endif

bool ond_dense_solve(int rows, double *a, int stride, double *b)
{
    if (rows >= OND_DENSE_LARGE) return solve_large(rows, a, stride, b);
    return ond_dense_solve_own(rows, a, stride, b);
}
