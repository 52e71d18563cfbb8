// SPDX-License-Identifier: MIT
// Successive over-relaxation: Gauss-Seidel whose steps are lengthened by omega.
//
// The best omega belongs to the slowest wave [Young 1954]: with the spectral radius rho = 1 - l of
// Jacobi's iteration,
//
//     omega = 2 / (1 + sqrt(1 - rho^2)),      l the smallest eigenvalue of A / D
//
// Nobody is asked for it. The slowest wave is smooth, so a coarse grid shows it well: there the
// power method finds its eigenvalue in a moment, and a grid that is twice as fine has a quarter of
// it.
//
// [Young 1954] Iterative methods for solving partial difference equations of elliptic type.
#include "base/memory.h"
#include "base/random.h"
#include "grid/solvers/multigrid.h"
#include "grid/solvers/relaxation.h"

#include <math.h>

#define COARSE_CELLS 512
#define POWERS       800 // on so few cells a millisecond or two

typedef struct Sor {
    OndMultigrid *grids;
    double omega;
} Sor;

static void destroy(void *self)
{
    Sor *s = self;
    if (s) ond_multigrid_destroy(s->grids);
    ond_free(s);
}

static void *create(const OndSystem *system, OndError *err)
{
    Sor *s = OND_NEW(Sor);
    if (s && (s->grids = ond_multigrid_create(&system->matrix.grid, err))) return s;
    if (!s) ond_fail(err, OND_NO_MEMORY, "not enough memory for a linear solver");
    destroy(s);
    return NULL;
}

// ---- the slowest wave

typedef struct Wave {
    const OndMatrix *m;
    OndGridSweep *sweep;
    OndPockets pockets;
    float *x, *zero, *other;
} Wave;

static double sweep_of(const Wave *w, OndGridLoopFn *body, const float *a, const float *b, float *x)
{
    OndGridLoop loop = {.matrix = w->m, .a = a, .b = b, .x = x, .step = 0.5f};
    ond_grid_wrap(&w->m->grid, w->x);
    return ond_sweep_run(w->sweep, &w->m->grid, body, &loop);
}

// x A x / x x after many steps x -= A x / 2 D, which leave the slowest wave.
static double slowest(Wave *w)
{
    const OndGridLoops *loops = w->sweep->loops;
    for (int k = 0; k < POWERS; ++k) {
        sweep_of(w, loops->smooth, w->x, w->zero, w->other);
        float *swap = w->x;
        w->x = w->other, w->other = swap;
        ond_pockets_level(&w->pockets, w->x);
    }
    const double size = sweep_of(w, loops->dot, w->x, w->x, NULL);
    return sweep_of(w, loops->apply, w->x, NULL, w->other) / size;
}

static void fill(const OndGrid *g, const OndMatrix *m, float *x)
{
    for (int r = 0; r < g->rows; ++r)
        for (int i = 0; i < g->n[0]; ++i) {
            const size_t at = ond_grid_row(g, r) + (size_t)i;
            x[at] = m->diagonal[at] > 0.0f ? ond_random((uint64_t)at, 1) : 0.0f;
        }
}

// The wave is looked for in arrays of its own: the finest level has none.
static OndStatus find_eigenvalue(const OndMatrix *m, OndGridSweep *sweep, bool closed, double *out,
                                 OndError *err)
{
    const OndGrid *g = &m->grid;
    Wave w = {.m = m, .sweep = sweep};
    w.x = ond_grid_floats(g), w.zero = ond_grid_floats(g), w.other = ond_grid_floats(g);
    OndStatus status = OND_OK;
    if (!w.x || !w.zero || !w.other)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to find how to over-relax");
    if (status == OND_OK && closed) status = ond_pockets_find(&w.pockets, m, err);
    if (status == OND_OK) {
        fill(g, m, w.x);
        ond_pockets_level(&w.pockets, w.x);
        *out = slowest(&w);
    }
    ond_pockets_free(&w.pockets);
    ond_free(w.x);
    ond_free(w.zero);
    ond_free(w.other);
    return status;
}

// ---- the method

static OndStatus prepare(void *self, const OndSystem *system, OndGridSweep *sweep, OndError *err)
{
    Sor *s = self;
    const OndMatrix *m = &system->matrix;
    int level = 0;
    ond_multigrid_prepare(s->grids, m);
    while (ond_grid_cells(&s->grids->level[level].matrix.grid) > COARSE_CELLS &&
           level + 1 < s->grids->levels)
        ++level;
    double value = 0.0;
    const OndStatus status = find_eigenvalue(&s->grids->level[level].matrix, sweep,
                                             system->pockets.count > 0, &value, err);
    if (status != OND_OK) return status;
    OndGridLoop square = {.matrix = m, .a = m->diagonal, .b = m->diagonal};
    const double squares = ond_sweep_run(sweep, &m->grid, sweep->loops->dot, &square);
    const double diagonal = sqrt(squares / (double)system->unknowns);
    const double rho = 1.0 - ldexp(value, -2 * level) / diagonal;
    s->omega = rho > 0.0 && rho < 1.0 ? 2.0 / (1.0 + sqrt(1.0 - rho * rho)) : 1.0;
    return OND_OK;
}

static OndStatus solve(void *self, OndSolve *v, OndError *err)
{
    ond_relax(v, ((const Sor *)self)->omega);
    return OND_OK;
}

static size_t bytes(const void *self)
{
    return sizeof(Sor) + ((const Sor *)self)->grids->bytes;
}

static double traffic(const void *self, const OndSystem *system)
{
    return ond_relax_traffic(system);
}

const OndSolverMethod ond_solver_sor = {
    .name = "sor",
    .work = 2,
    .create = create,
    .prepare = prepare,
    .solve = solve,
    .bytes = bytes,
    .traffic = traffic,
    .destroy = destroy,
};
