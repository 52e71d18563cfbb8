// SPDX-License-Identifier: MIT
// Linear solvers on grids, behind one interface.
//
//     jacobi                    every cell from its old neighbours
//     gauss-seidel              from its newest ones, red cells first, then black
//     sor                       the same, each step lengthened; by how much is found
//     multigrid                 V-cycles over ever coarser grids
//     cg                        conjugate gradients
//     iccg                      with an incomplete Cholesky factor, in slabs
//     mgpcg                     with one V-cycle: the default
//
// None stores a matrix (matrix.h). All give the same bits for any number of threads.
//
//     OndSolver *solver = ond_solver_create("mgpcg", system, NULL, &err);
//     ...
//     ond_system_assemble(system, OND_POISSON, &err);     whenever the domain has changed:
//     ond_solver_prepare(solver, &err);                   the solver looks at it again
//     ond_solver_solve(solver, b, x, &limits, &solution, &err);
//
// x holds the start (zeros, or the last step's solution), and the values that are given. Solving
// allocates nothing.
#ifndef OND_GRID_SOLVER_H
#define OND_GRID_SOLVER_H

#include "grid/solvers/system.h"

#define OND_SOLVER_WORK 4 // arrays that a solver needs at most

typedef struct OndSolveLimits {
    double tolerance; ///< |b - A x| / |b| to stop at. Default 1e-4
    int iterations;   ///< at most. Default 1000
    double floor; ///< what single values of b may be off by rounding; below it nothing is solved
                  ///< further, and closed pockets may have as much net inflow. Default 0
    double net_inflow; ///< into a closed pocket, as a share of the sum of |b|, that is taken for
                       ///< rounding and left out. Default 1e-4
    float *low;        ///< NULL, or an array that takes what x loses by rounding: x + low is then
        ///< the solution (cg, iccg, mgpcg and multigrid). A smooth solution on a fine
        ///< grid needs it: floats alone end at OndSolution.limit
    void (*again)(void *own); ///< NULL, or makes b anew: then b may lie in the first of the arrays
                              ///< that were lent to mgpcg, which spends it
    void *own;
} OndSolveLimits;

OndSolveLimits ond_solve_default_limits(void);

typedef struct OndSolution {
    int iterations;
    bool converged;  ///< false: the cap came first. Look at it.
    double residual; ///< |b - A x| / |b| of what is handed over, found anew at the end
    double limit; ///< what a float x cannot get below: 2^-24 |D x| / |b|. A residual within a few
                  ///< times of it counts as converged
    double step;  ///< of a relaxation: omega; 0 where there is none
} OndSolution;

typedef struct OndSolver OndSolver;

/// A solver by name for systems on this system's grid. `work` lends it arrays of the grid, which
/// are free again between solves (ond_solver_work says how many); NULL: it makes its own.
OndSolver *ond_solver_create(const char *name, const OndSystem *system, float *const *work,
                             OndError *err);
void ond_solver_destroy(OndSolver *solver);

/// Looks at the assembled system; call it again when that has changed.
OndStatus ond_solver_prepare(OndSolver *solver, OndError *err);

/// Fails when b or x is not finite, and when a closed pocket has a net inflow. Not to converge is
/// no failure; `out` tells.
OndStatus ond_solver_solve(OndSolver *solver, const float *b, float *x,
                           const OndSolveLimits *limits, OndSolution *out, OndError *err);

/// Of what the solver owns, lent arrays not counted.
size_t ond_solver_bytes(const OndSolver *solver);
/// Bytes that an iteration reads and writes at least, if no cache keeps anything between sweeps.
double ond_solver_traffic(const OndSolver *solver);

/// Names of the solvers; NULL ends the list.
const char *const *ond_solver_names(void);
/// Work arrays that a solver needs; -1, with an error, when there is none of that name.
int ond_solver_work(const char *name, OndError *err);

#endif
