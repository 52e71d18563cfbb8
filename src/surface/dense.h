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

/// "LAPACK" or "own": who solves large systems in this build.
const char *ond_dense_library(void);

#endif
