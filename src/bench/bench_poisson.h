// SPDX-License-Identifier: MIT
// What `ondine bench poisson` measures, apart from how it is printed.
#ifndef OND_APP_BENCH_POISSON_H
#define OND_APP_BENCH_POISSON_H

#include "grid/solvers/solver.h"

/// A projection: warm air rises through stirred air, in a box that is closed and empty, or open
/// above with a sphere in it.
typedef struct OndPoissonCase {
    OndGrid grid;
    bool sphere;
    OndSystem *system;
    float *b, *x, *low;
} OndPoissonCase;

typedef struct OndPoissonRow {
    char name[24]; ///< of the case: 128^3-sphere
    const char *solver;
    double tolerance;
    OndSolution solution;
    double ms;           ///< of a solve, on the wall clock
    double core_ms;      ///< of all cores together: right even when others use them too
    double prepare_ms;   ///< what a changed domain costs: coarse grids, factors
    double bytes;        ///< an iteration moves at least
    double bytes_a_cell; ///< the solver keeps, work arrays included
    bool cut;            ///< the budget of time came before the tolerance
} OndPoissonRow;

/// n x n (x n) cells.
OndStatus ond_bench_poisson_open(OndPoissonCase *c, int n, bool deep, bool sphere, OndError *err);
void ond_bench_poisson_close(OndPoissonCase *c);

/// One solver on one case, to each tolerance of `tolerance` in turn, with a budget of time for
/// each.
OndStatus ond_bench_poisson(OndPoissonCase *c, const char *solver, const double tolerance[2],
                            double budget_ms, OndPoissonRow row[2], OndError *err);

#endif
