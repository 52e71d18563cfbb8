// SPDX-License-Identifier: MIT
// What a step is made of: diffuse, project, advect; stam.c has their order.
#include "grid/stam/stam_state.h"

#include "base/parallel.h"
#include "physics/interpolation.h"
#include "physics/stencil.h"

#include <string.h>

// ---- the solver

static float neighbours(const OndGrid *g, const float *x, size_t at)
{
    const float flat =
        ond_stencil_sum(x[at - 1], x[at + 1], x[at - (size_t)g->row], x[at + (size_t)g->row]);
    return g->deep ? flat + x[at - (size_t)g->plane] + x[at + (size_t)g->plane] : flat;
}

typedef struct JacobiRound {
    const OndGrid *grid;
    const float *x, *b;
    float *to;
    float a, c;
} JacobiRound;

static void relax_rows(int first, int last, int worker, void *context)
{
    const JacobiRound *const r = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(r->grid, row);
        for (size_t i = at; i < at + (size_t)r->grid->n[0]; ++i)
            r->to[i] = ond_diffusion_relax(r->b[i], r->a, neighbours(r->grid, r->x, i), r->c);
    }
}

// x = (b + a sum of neighbours' x) / c, in rounds; `x` brings the first guess.
static void relax(OndStam *s, int what, float *x, const float *b, float a, float c)
{
    const OndGrid *const g = &s->grid;
    const bool jacobi = s->def.solver == OND_STAM_JACOBI;
    JacobiRound round = {g, x, b, jacobi ? s->spare : x, a, c};
    ond_stam_edges(s, what, x);
    for (int k = 0; k < s->def.iterations; ++k) {
        if (jacobi) {
            ond_parallel_for(g->rows, g->block, relax_rows, &round);
            memcpy(x, s->spare, g->length * sizeof *x);
        } else {
            relax_rows(0, g->rows, 0, &round); // in place: what is new is used at once
        }
        ond_stam_edges(s, what, x);
    }
}

// ---- diffuse

void ond_stam_diffuse(OndStam *s, int what, float *x, float *before, double rate, double dt)
{
    const double a = rate * dt / (s->grid.h * s->grid.h);
    if (rate == 0.0) return;
    memcpy(before, x, s->grid.length * sizeof *x);
    relax(s, what, x, before, (float)a, (float)(1.0 + 2.0 * ond_grid_axes(&s->grid) * a));
}

// ---- project

typedef struct Projection {
    const OndStam *s;
    float *p, *b;
    int axis;
} Projection;

// b = -h^2 div
static void divergence_rows(int first, int last, int worker, void *context)
{
    const Projection *const q = context;
    const OndGrid *const g = &q->s->grid;
    const float half = 0.5f * (float)g->h;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (size_t i = at; i < at + (size_t)g->n[0]; ++i) {
            float sum = 0.0f;
            for (int a = 0; a < ond_grid_axes(g); ++a) {
                const size_t step = (size_t)ond_grid_stride(g, a);
                sum += q->s->v[a][i + step] - q->s->v[a][i - step];
            }
            q->b[i] = -half * sum;
            q->p[i] = 0.0f;
        }
    }
}

static void subtract_rows(int first, int last, int worker, void *context)
{
    const Projection *const q = context;
    const OndGrid *const g = &q->s->grid;
    const float factor = (float)(0.5 / g->h);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (int a = 0; a < ond_grid_axes(g); ++a) {
            const size_t step = (size_t)ond_grid_stride(g, a);
            for (size_t i = at; i < at + (size_t)g->n[0]; ++i)
                q->s->v[a][i] =
                    ond_gradient_off(q->s->v[a][i], factor, q->p[i - step], q->p[i + step]);
        }
    }
}

void ond_stam_project(OndStam *s)
{
    const OndGrid *const g = &s->grid;
    Projection q = {s, s->before[0], s->before[1], 0};
    ond_parallel_for(g->rows, g->block, divergence_rows, &q);
    relax(s, OND_STAM_PRESSURE, q.p, q.b, 1.0f, 2.0f * (float)ond_grid_axes(g));
    ond_parallel_for(g->rows, g->block, subtract_rows, &q);
    for (int a = 0; a < ond_grid_axes(g); ++a)
        ond_stam_edges(s, a, s->v[a]);
}

// ---- advect

typedef struct StamCarry {
    const OndGrid *grid;
    const float *from;
    float *to;
    float *const *v;
    float cells; // a velocity of 1 goes so many cells in a step
} StamCarry;

// Where it comes from along an axis, in cells; kept half a cell round the outermost middles.
static int split(const OndGrid *g, int axis, float at, float *share)
{
    const float n = (float)g->n[axis];
    if (g->periodic[axis]) at -= n * floorf((at + 0.5f) / n);
    if (!(at >= -0.5f)) at = -0.5f;
    if (at > n - 0.5f) at = n - 0.5f;
    const float low = floorf(at);
    *share = at - low;
    return (int)low;
}

static void advect_rows(int first, int last, int worker, void *context)
{
    const StamCarry *const c = context;
    const OndGrid *const g = c->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int j = row % g->n[1], k = row / g->n[1];
        const size_t at = ond_grid_row(g, row);
        for (int i = 0; i < g->n[0]; ++i) {
            float sx, sy, sz = 0.0f;
            const size_t me = at + (size_t)i;
            const int x = split(g, 0, (float)i - c->cells * c->v[0][me], &sx);
            const int y = split(g, 1, (float)j - c->cells * c->v[1][me], &sy);
            const int z = g->deep ? split(g, 2, (float)k - c->cells * c->v[2][me], &sz) : 0;
            const float *const corner = c->from + ond_grid_at(g, x, y, z);
            const float low = ond_interpolate4(corner, 0, (int)g->row, sx, sy);
            c->to[me] = low;
            if (!g->deep) continue;
            const float high = ond_interpolate4(corner + g->plane, 0, (int)g->row, sx, sy);
            c->to[me] = ond_interpolate(low, high, sz);
        }
    }
}

void ond_stam_advect(const OndStam *s, int what, float *to, const float *from, float *const v[3],
                     double dt)
{
    StamCarry c = {&s->grid, from, to, v, (float)(dt / s->grid.h)};
    ond_parallel_for(s->grid.rows, s->grid.block, advect_rows, &c);
    ond_stam_edges(s, what, to);
}
