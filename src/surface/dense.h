// SPDX-License-Identifier: MIT
// Dense linear systems: the door to LAPACK, with a small solver of our own beside it.
//
// The systems of variational surfaces become symmetric positive definite once their polynomial part
// is taken out (variational_fit.c), so one factorisation serves all: Cholesky, A = L L^T. Systems
// of tens of rows, of which there are thousands, are solved here: calling a library would cost more
// than it saves, and the bits depend on nothing. Large ones go to LAPACK where the build has it
// (ONDINE_LAPACK); without it they are solved here too, several times slower.
#ifndef OND_SURFACE_DENSE_H
#define OND_SURFACE_DENSE_H

#include <stdbool.h>

/// Systems of at least so many rows go to LAPACK.
#define OND_DENSE_LARGE 256

/// Solves A x = b. `a` holds rows of `stride` numbers of which the first i + 1 of row i are read;
/// it is overwritten by L, `b` by x. False when A is not positive definite to working precision;
/// `a` and `b` are then spoilt.
bool ond_dense_solve(int rows, double *a, int stride, double *b);

/// The same by our own code whatever the size: the reference.
bool ond_dense_solve_own(int rows, double *a, int stride, double *b);

// Sums in four parts, written out: compilers turn them into vectors as they stand.
static inline double ond_dense_dot(const double *a, const double *b, int count)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < count; ++k)
        s0 += a[k] * b[k];
    return (s0 + s2) + (s1 + s3);
}

#endif
