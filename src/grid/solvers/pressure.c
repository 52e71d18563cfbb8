// SPDX-License-Identifier: MIT
#include "grid/solvers/pressure.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/solvers/solver.h"
#include "physics/stencil.h"

#include <math.h>
#include <string.h>

struct OndPressure {
    OndGrid grid;
    OndSystem *system;
    OndSolver *solver;
    bool open[6];
    float *potential;
    float *b;    // among the solver's arrays
    double *sum; // one a block of rows
    const OndGain *gain;
    int gain_count;
};

OndPressure *ond_pressure_create(const OndGrid *grid, const char *solver, const bool open[6],
                                 float *potential, float *const work[4], OndError *err)
{
    OndPressure *const p = OND_NEW(OndPressure);
    if (p) {
        p->grid = *grid;
        memcpy(p->open, open, sizeof p->open);
        p->potential = potential;
        // one that the solver leaves alone, or, where it takes all, the one that it spends
        p->b =
            ond_solver_work(solver, NULL) < OND_SOLVER_WORK ? work[OND_SOLVER_WORK - 1] : work[0];
        p->sum = OND_NEW_ARRAY(double, 2 * ond_grid_blocks(grid));
    }
    if (!p || !p->sum) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for the pressure of %.3g million cells",
                 (double)ond_grid_cells(grid) * 1e-6);
    } else {
        p->system = ond_system_create(grid, err);
        if (p->system) p->solver = ond_solver_create(solver, p->system, work, err);
        if (p->solver) return p;
    }
    ond_pressure_destroy(p);
    return NULL;
}

void ond_pressure_destroy(OndPressure *p)
{
    if (!p) return;
    ond_solver_destroy(p->solver);
    ond_system_destroy(p->system);
    ond_free(p->sum);
    ond_free(p);
}

void ond_pressure_reset(OndPressure *p)
{
    ond_system_reset(p->system);
    for (int s = 0; s < 2 * ond_grid_axes(&p->grid); ++s)
        if (p->open[s]) ond_system_open(p->system, (OndGridSide)s);
}

void ond_pressure_close(OndPressure *p, int axis, int i, int j, int k, double open)
{
    uint8_t *const face = &p->system->matrix.face[axis][ond_grid_at(&p->grid, i, j, k)];
    const double share = open > 0.0 ? fmin(open, 1.0) : 0.0;
    *face = (uint8_t)lround(share * *face);
}

OndStatus ond_pressure_ready(OndPressure *p, OndError *err)
{
    const OndStatus status = ond_system_assemble(p->system, OND_POISSON, err);
    return status == OND_OK ? ond_solver_prepare(p->solver, err) : status;
}

const uint8_t *ond_pressure_open(const OndPressure *p, int axis)
{
    return p->system->matrix.face[axis];
}

size_t ond_pressure_bytes(const OndPressure *p)
{
    return ond_system_bytes(p->system) + ond_solver_bytes(p->solver);
}

// ---- divergence and gradient

typedef struct Flow {
    OndPressure *p;
    float *const *u;
    OndHeld held;
    const uint8_t *open[3];
    double factor; // of the gradient
    int axis;      // that changes; -1: all
} Flow;

static Flow make_flow(OndPressure *p, float *const u[3], OndHeld held)
{
    Flow f = {p, u, held, {NULL, NULL, NULL}, 1.0, -1};
    for (int a = 0; a < ond_grid_axes(&p->grid); ++a)
        f.open[a] = ond_pressure_open(p, a);
    return f;
}

// What flows through a face, per its area.
static inline float through(const Flow *f, int axis, int i, int j, int k)
{
    const size_t at = ond_grid_at(&f->p->grid, i, j, k);
    const int open = f->open[axis][at];
    const float u = f->u[axis][at];
    if (open == 255 || open == 0) return u; // closed: it stands there
    const float share = (float)open * (1.0f / 255.0f);
    return ond_flux_cut(share, u, f->held.at ? f->held.at(f->held.own, axis, i, j, k) : 0.0f);
}

static float net_outflow(const Flow *f, int i, int j, int k)
{
    float net = ond_divergence(through(f, 0, i, j, k), through(f, 0, i + 1, j, k),
                               through(f, 1, i, j, k), through(f, 1, i, j + 1, k));
    if (f->p->grid.deep) net += through(f, 2, i, j, k + 1) - through(f, 2, i, j, k);
    return net;
}

static bool any_in_part(const uint8_t *open, int count)
{
    unsigned found = 0;
    for (int i = 0; i < count; ++i)
        found |= (uint8_t)(open[i] - 1) < 254;
    return found;
}

// Whether a solid covers a part of some face of a row of cells.
static bool is_cut(const Flow *f, size_t at)
{
    const OndGrid *const g = &f->p->grid;
    bool cut = any_in_part(f->open[0] + at, g->n[0] + 1);
    for (int a = 1; a < ond_grid_axes(g) && !cut; ++a)
        cut = any_in_part(f->open[a] + at, g->n[0]) ||
              any_in_part(f->open[a] + at + ond_grid_stride(g, a), g->n[0]);
    return cut;
}

// What flows out of the cells of a row.
static void outflow_row(const Flow *f, int row, float *restrict out)
{
    const OndGrid *const g = &f->p->grid;
    const size_t at = ond_grid_row(g, row);
    if (is_cut(f, at)) {
        for (int i = 0; i < g->n[0]; ++i)
            out[i] = net_outflow(f, i, row % g->n[1], row / g->n[1]);
        return;
    }
    const float *const u = f->u[0] + at, *const v = f->u[1] + at, *const up = v + g->row;
    for (int i = 0; i < g->n[0]; ++i)
        out[i] = ond_divergence(u[i], u[i + 1], v[i], up[i]);
    if (!g->deep) return;
    const float *const w = f->u[2] + at, *const back = w + g->plane;
    for (int i = 0; i < g->n[0]; ++i)
        out[i] += back[i] - w[i];
}

static void divergence_block(const void *context, int block, int first, int last)
{
    const Flow *const f = context;
    const OndGrid *const g = &f->p->grid;
    const float factor = (float)(1.0 / g->h);
    double sum = 0.0;
    int cells = 0;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        const float *const diagonal = f->p->system->matrix.diagonal + at;
        float *const b = f->p->b + at;
        outflow_row(f, row, b);
        for (int i = 0; i < g->n[0]; ++i) {
            b[i] = diagonal[i] > 0.0f ? -factor * b[i] : 0.0f;
            sum += fabs((double)b[i]);
            cells += diagonal[i] > 0.0f;
        }
    }
    f->p->sum[2 * block] = sum;
    f->p->sum[2 * block + 1] = cells;
}

static void divergence_blocks(int first, int last, int worker, void *context)
{
    const OndGrid *const g = &((const Flow *)context)->p->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        divergence_block(context, b, b * g->block, ond_grid_block_end(g, b));
}

static double find_divergence(Flow *f)
{
    OndPressure *const p = f->p;
    double sum = 0.0, cells = 0.0;
    ond_parallel_for(ond_grid_blocks(&p->grid), 1, divergence_blocks, f);
    for (int k = 0; k < ond_grid_blocks(&p->grid); ++k)
        sum += p->sum[2 * k], cells += p->sum[2 * k + 1];
    return cells > 0.0 ? sum / cells : 0.0;
}

static void add_gains(OndPressure *p)
{
    for (int k = 0; k < p->gain_count; ++k)
        if (p->system->matrix.diagonal[p->gain[k].at] > 0.0f)
            p->b[p->gain[k].at] += p->gain[k].rate;
}

// The right side anew: the solver has used its place.
static void again(void *flow)
{
    find_divergence(flow);
    add_gains(((Flow *)flow)->p);
}

// Over all faces, those of the last sides included: one row more than there are of cells.
static void gradient_rows(int first, int last, int worker, void *context)
{
    const Flow *const f = context;
    const OndGrid *const g = &f->p->grid;
    const float factor = (float)(f->factor / g->h);
    const float *const x = f->p->potential;
    const int high = g->n[1] + 1;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int j = row % high, k = row / high;
        const size_t at = ond_grid_at(g, 0, j, k);
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            if ((j == g->n[1] && a != 1) || (k == g->n[2] && a != 2)) continue;
            if (f->axis >= 0 && a != f->axis) continue;
            const size_t step = (size_t)ond_grid_stride(g, a);
            for (size_t i = at; i < at + (size_t)(g->n[0] + (a == 0)); ++i)
                if (f->open[a][i])
                    f->u[a][i] = ond_gradient_off(f->u[a][i], factor, x[i - step], x[i]);
        }
    }
}

static void subtract_gradient(Flow *f)
{
    const OndGrid *const g = &f->p->grid;
    ond_parallel_for((g->n[1] + 1) * (g->n[2] + g->deep), g->block, gradient_rows, f);
}

void ond_pressure_push(OndPressure *p, int axis, float *const u[3], double factor)
{
    Flow f = make_flow(p, u, (OndHeld){NULL, NULL});
    f.factor = factor;
    f.axis = axis;
    subtract_gradient(&f);
}

void ond_pressure_gains(OndPressure *p, const OndGain *gain, int count)
{
    p->gain = gain;
    p->gain_count = count;
}

const float *ond_pressure_fluid(const OndPressure *p)
{
    return p->system->matrix.diagonal;
}

OndStatus ond_pressure_project(OndPressure *p, float *const u[3], OndHeld held, double tolerance,
                               int iterations, OndProjected *out, OndError *err)
{
    const OndGrid *const g = &p->grid;
    Flow f = make_flow(p, u, held);
    OndSolveLimits limits = ond_solve_default_limits();
    OndSolution solution = {.converged = true};
    const double mean = find_divergence(&f);
    if (!isfinite(mean))
        return ond_fail(err, OND_UNSTABLE, "a velocity is not a number, or is infinite");
    limits.tolerance = tolerance;
    limits.iterations = iterations;
    limits.again = again, limits.own = &f;
    OndStatus status = OND_OK;
    add_gains(p);
    if (mean > 0.0 || p->gain_count > 0)
        status = ond_solver_solve(p->solver, p->b, p->potential, &limits, &solution, err);
    else
        memset(p->potential, 0, g->length * sizeof(float));
    if (status != OND_OK) return status;
    *out = (OndProjected){solution.iterations, solution.converged, solution.residual};
    ond_grid_wrap(g, p->potential);
    subtract_gradient(&f);
    return OND_OK;
}
