// SPDX-License-Identifier: MIT
// Conjugate gradients, with a preconditioner M close to the inverse of A:
//
//     z = M r,   d = z + (r z / r' z') d,   x += a d,   r -= a A d,   a = r z / d A d
//
// M is nothing (cg), an incomplete Cholesky factor (iccg, cholesky.h) or one V-cycle (mgpcg,
// multigrid.h). r is the residual of the start when this begins.
#include "grid/solvers/cholesky.h"
#include "grid/solvers/multigrid.h"
#include "grid/solvers/solver_method.h"

#include <math.h>
#include <string.h>

// Makes *z = M r, using *z and t as room; returns r z.
typedef double Precondition(void *self, OndSolve *v, float *r, float **z, float *t);

static void gradients(void *self, OndSolve *v, Precondition *precondition)
{
    const OndMatrix *m = &v->system->matrix;
    const OndGridLoops *loops = v->sweep->loops;
    float *r = v->work[0], *d = v->work[1], *q = v->work[2], *t = v->work[3];
    double norm = HUGE_VAL, before = HUGE_VAL;
    memset(d, 0, m->grid.length * sizeof *d);
    while (v->done < v->most && norm > v->wanted) {
        float *z = q;
        ond_pockets_level(&v->system->pockets, r); // of rounding, which M would blow up
        const double now = precondition(self, v, r, &z, t);
        OndGridLoop turn = {.matrix = m, .a = z, .x = d, .step = (float)(now / before)};
        ond_sweep_run(v->sweep, &m->grid, loops->turn, &turn);
        ond_grid_wrap(&m->grid, d);
        OndGridLoop apply = {.matrix = m, .a = d, .x = q};
        const double stiff = ond_sweep_run(v->sweep, &m->grid, loops->apply, &apply);
        if (!(stiff > 0.0) || !(now > 0.0)) break; // r is 0, or nothing but rounding
        OndGridLoop advance = {.matrix = m,
                               .a = d,
                               .b = q,
                               .x = v->x,
                               .y = r,
                               .low = v->low,
                               .step = (float)(now / stiff)};
        norm = sqrt(ond_sweep_run(v->sweep, &m->grid, loops->advance, &advance));
        before = now;
        ++v->done;
    }
}

// Floats of an iteration without its preconditioner: turn 3, apply 3, advance 6; and the weights.
static double own_traffic(const OndSystem *system)
{
    const OndGrid *g = &system->matrix.grid;
    return (4.0 * 12 + ond_grid_axes(g)) * (double)ond_grid_cells(g);
}

// ---- none

static double no_precondition(void *self, OndSolve *v, float *r, float **z, float *t)
{
    const OndMatrix *m = &v->system->matrix;
    OndGridLoop dot = {.matrix = m, .a = r, .b = r};
    *z = r;
    return ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->dot, &dot);
}

static OndStatus solve_plain(void *self, OndSolve *v, OndError *err)
{
    gradients(self, v, no_precondition);
    return OND_OK;
}

static double traffic_plain(const void *self, const OndSystem *system)
{
    return own_traffic(system) + 4.0 * (double)ond_grid_cells(&system->matrix.grid);
}

const OndSolverMethod ond_solver_cg = {
    .name = "cg", .work = 3, .pairs = true, .solve = solve_plain, .traffic = traffic_plain};

// ---- incomplete Cholesky

static void *create_cholesky(const OndSystem *system, OndError *err)
{
    return ond_cholesky_create(&system->matrix.grid, err);
}

static OndStatus prepare_cholesky(void *self, const OndSystem *system, OndGridSweep *sweep,
                                  OndError *err)
{
    ond_cholesky_prepare(self, &system->matrix);
    return OND_OK;
}

static double precondition_cholesky(void *self, OndSolve *v, float *r, float **z, float *t)
{
    const OndMatrix *m = &v->system->matrix;
    ond_cholesky_apply(self, r, *z);
    OndGridLoop dot = {.matrix = m, .a = r, .b = *z};
    return ond_sweep_run(v->sweep, &m->grid, v->sweep->loops->dot, &dot);
}

static OndStatus solve_cholesky(void *self, OndSolve *v, OndError *err)
{
    gradients(self, v, precondition_cholesky);
    return OND_OK;
}

static size_t bytes_cholesky(const void *self)
{
    return ond_cholesky_bytes(self);
}

// There and back: each reads r or q and the factor, writes q or z; and a dot product.
static double traffic_cholesky(const void *self, const OndSystem *system)
{
    const OndGrid *g = &system->matrix.grid;
    return own_traffic(system) + (4.0 * 8 + 2 * ond_grid_axes(g)) * (double)ond_grid_cells(g);
}

static void destroy_cholesky(void *self)
{
    ond_cholesky_destroy(self);
}

const OndSolverMethod ond_solver_iccg = {
    .name = "iccg",
    .work = 3,
    .pairs = true,
    .create = create_cholesky,
    .prepare = prepare_cholesky,
    .solve = solve_cholesky,
    .bytes = bytes_cholesky,
    .traffic = traffic_cholesky,
    .destroy = destroy_cholesky,
};

// ---- multigrid

static void *create_multigrid(const OndSystem *system, OndError *err)
{
    return ond_multigrid_create(&system->matrix.grid, err);
}

static OndStatus prepare_multigrid(void *self, const OndSystem *system, OndGridSweep *sweep,
                                   OndError *err)
{
    ond_multigrid_prepare(self, &system->matrix);
    return OND_OK;
}

static double precondition_multigrid(void *self, OndSolve *v, float *r, float **z, float *t)
{
    return ond_multigrid_cycle(self, v->sweep, r, *z, t);
}

static OndStatus solve_multigrid(void *self, OndSolve *v, OndError *err)
{
    gradients(self, v, precondition_multigrid);
    return OND_OK;
}

static size_t bytes_multigrid(const void *self)
{
    return ((const OndMultigrid *)self)->bytes;
}

static double traffic_multigrid(const void *self, const OndSystem *system)
{
    return own_traffic(system) + ond_multigrid_traffic(self);
}

static void destroy_multigrid(void *self)
{
    ond_multigrid_destroy(self);
}

const OndSolverMethod ond_solver_mgpcg = {
    .name = "mgpcg",
    .work = 4,
    .pairs = true,
    .create = create_multigrid,
    .prepare = prepare_multigrid,
    .solve = solve_multigrid,
    .bytes = bytes_multigrid,
    .traffic = traffic_multigrid,
    .destroy = destroy_multigrid,
};
