// SPDX-License-Identifier: MIT
// Jacobi: every cell from the old values of its neighbours, all at once.
//
//     x_i += omega (b_i - (A x)_i) / D_i
//
// omega is 1, plain Jacobi. Only where a part of the domain is closed it is a little less: a
// chequerboard, + on red cells and - on black ones, would otherwise change its sign for ever and
// never get smaller.
#include "grid/solvers/solver_method.h"

#include <math.h>

// A chequerboard has eigenvalue 2: it then shrinks by 1 - 2 x 0.95, a tenth a round.
#define CLOSED 0.95

static OndStatus solve(void *self, OndSolve *v, OndError *err)
{
    const OndMatrix *m = &v->system->matrix;
    double norm = HUGE_VAL;
    v->step = v->system->pockets.count ? CLOSED : 1.0;
    while (v->done < v->most && norm > v->wanted) {
        OndGridLoop loop = {.matrix = m, .b = v->work[0], .x = v->x, .step = (float)v->step};
        ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->correct, &loop);
        norm = ond_solve_residual(v, 0);
        ++v->done;
        if (!isfinite(norm)) break;
    }
    return OND_OK;
}

static double traffic(const void *self, const OndSystem *system)
{
    const OndGrid *g = &system->matrix.grid;
    return (4.0 * (4 + 4) + ond_grid_axes(g)) * (double)ond_grid_cells(g);
}

const OndSolverMethod ond_solver_jacobi = {
    .name = "jacobi", .work = 1, .solve = solve, .traffic = traffic};
