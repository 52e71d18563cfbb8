// SPDX-License-Identifier: MIT
// What a solver must be able to do: a table of functions, one file for each. solver.c checks the
// right side and the result; a method only iterates.
#ifndef OND_GRID_SOLVER_METHOD_H
#define OND_GRID_SOLVER_METHOD_H

#include "grid/solvers/solver.h"
#include "grid/solvers/sweep.h"

/// A system under solution.
typedef struct OndSolve {
    const OndSystem *system;
    OndGridSweep *sweep;
    float *const *work; ///< arrays with ghosts of 0
    const float *b;
    float *x;
    float *low;    ///< NULL, or what x lacks
    double wanted; ///< norm of the residual to stop at, in the matrix's unit
    int most;      ///< iterations that are left
    int done;      ///< out: iterations
    double step;   ///< out
} OndSolve;

typedef struct OndSolverMethod {
    const char *name;
    int work;   ///< arrays
    bool pairs; ///< it keeps what x loses by rounding
    /// What the method keeps for a grid; may be NULL in the table when it keeps nothing.
    void *(*create)(const OndSystem *system, OndError *err);
    OndStatus (*prepare)(void *self, const OndSystem *system, OndGridSweep *sweep, OndError *err);
    /// Iterates until the residual is small enough as far as the method knows, or at the cap.
    OndStatus (*solve)(void *self, OndSolve *solve, OndError *err);
    size_t (*bytes)(const void *self);
    double (*traffic)(const void *self, const OndSystem *system); ///< bytes of an iteration
    void (*destroy)(void *self);
} OndSolverMethod;

extern const OndSolverMethod ond_solver_jacobi, ond_solver_gauss_seidel, ond_solver_sor,
    ond_solver_multigrid, ond_solver_cg, ond_solver_iccg, ond_solver_mgpcg;

/// work[at] = scale b - A (x + low), without the mean of closed pockets. Returns its norm.
double ond_solve_residual(OndSolve *solve, int at);

#endif
