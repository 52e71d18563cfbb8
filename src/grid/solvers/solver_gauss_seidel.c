// SPDX-License-Identifier: MIT
// Gauss-Seidel: every cell from the newest values of its neighbours.
//
// Cells are coloured like a chequerboard. A red cell has black neighbours only, so all red ones can
// be done at once, on any number of threads, and then all black ones with what the red have become.
#include "grid/solvers/relaxation.h"

#include <math.h>

#define LOOKS 8 // in each doubling of the iterations done

static void pass(OndSolve *v, int colour, double omega)
{
    const OndMatrix *m = &v->system->matrix;
    float *packed = v->work[1];
    OndGridLoop loop = {.matrix = m,
                        .b = v->b,
                        .x = packed,
                        .scale = (float)v->system->scale,
                        .step = (float)omega,
                        .colour = colour};
    ond_sweep_wrap_packed(&m->grid, packed);
    ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->relax, &loop);
}

void ond_relax(OndSolve *v, double omega)
{
    const OndGrid *g = &v->system->matrix.grid;
    double norm = HUGE_VAL;
    int look = 1;
    v->step = omega;
    ond_sweep_pack(g, v->x, v->work[1]);
    while (v->done < v->most && norm > v->wanted) {
        pass(v, 0, omega);
        pass(v, 1, omega);
        ++v->done;
        if (v->done < look && v->done < v->most) continue;
        look = v->done + 1 + v->done / LOOKS;
        ond_sweep_unpack(g, v->work[1], v->x);
        norm = ond_solve_residual(v, 0);
        if (!isfinite(norm)) break;
    }
}

// Each colour reads all of b, diagonal and weights by cache lines, half of x twice and writes a
// half.
double ond_relax_traffic(const OndSystem *system)
{
    const OndGrid *g = &system->matrix.grid;
    return 2.0 * (4.0 * (1 + 1 + 1.5) + ond_grid_axes(g)) * (double)ond_grid_cells(g);
}

static OndStatus solve(void *self, OndSolve *v, OndError *err)
{
    ond_relax(v, 1.0);
    return OND_OK;
}

static double traffic(const void *self, const OndSystem *system)
{
    return ond_relax_traffic(system);
}

const OndSolverMethod ond_solver_gauss_seidel = {
    .name = "gauss-seidel", .work = 2, .solve = solve, .traffic = traffic};
