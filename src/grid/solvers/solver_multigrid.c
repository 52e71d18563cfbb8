// SPDX-License-Identifier: MIT
// Multigrid by itself: one V-cycle (multigrid.h) an iteration.
//
//     z = M r,   x += a z,   r -= a A z,   a = r z / z A z
//
// A cycle alone would take a = 1. Where a domain is all corners and slits, coarse grids may promise
// too much, and that would not converge; the best length along z always does, and is near 1
// elsewhere.
#include "grid/solvers/multigrid.h"
#include "grid/solvers/solver_method.h"

#include <math.h>

static void *create(const OndSystem *system, OndError *err)
{
    return ond_multigrid_create(&system->matrix.grid, err);
}

static OndStatus prepare(void *self, const OndSystem *system, OndGridSweep *sweep, OndError *err)
{
    ond_multigrid_prepare(self, &system->matrix);
    return OND_OK;
}

static OndStatus solve(void *self, OndSolve *v, OndError *err)
{
    const OndMatrix *m = &v->system->matrix;
    const OndGridLoops *loops = v->sweep->loops;
    float *r = v->work[0], *z = v->work[1], *t = v->work[2];
    double norm = HUGE_VAL;
    while (v->done < v->most && norm > v->wanted) {
        ond_pockets_level(&v->system->pockets, r); // of rounding, which M would blow up
        const double along = ond_multigrid_cycle(self, v->sweep, r, z, t);
        ond_grid_wrap(&m->grid, z);
        OndGridLoop apply = {.matrix = m, .a = z, .x = t};
        const double stiff = ond_sweep_run(v->sweep, &m->grid, loops->apply, &apply);
        if (!(stiff > 0.0) || !(along > 0.0)) break; // r is 0, or nothing but rounding
        const float step = (float)(along / stiff);
        OndGridLoop advance = {
            .matrix = m, .a = z, .b = t, .x = v->x, .y = r, .low = v->low, .step = step};
        norm = sqrt(ond_sweep_run(v->sweep, &m->grid, loops->advance, &advance));
        ++v->done;
    }
    return OND_OK;
}

static size_t bytes(const void *self)
{
    return ((const OndMultigrid *)self)->bytes;
}

static double traffic(const void *self, const OndSystem *system)
{
    const OndGrid *g = &system->matrix.grid;
    const double cell = 4.0 * (3 + 6) + ond_grid_axes(g); // apply, advance
    return ond_multigrid_traffic(self) + cell * (double)ond_grid_cells(g);
}

static void destroy(void *self)
{
    ond_multigrid_destroy(self);
}

const OndSolverMethod ond_solver_multigrid = {
    .name = "multigrid",
    .work = 3,
    .pairs = true,
    .create = create,
    .prepare = prepare,
    .solve = solve,
    .bytes = bytes,
    .traffic = traffic,
    .destroy = destroy,
};
