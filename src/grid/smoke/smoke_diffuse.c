// SPDX-License-Identifier: MIT
// Implicit diffusion of a field of the staggered grid:
//
//     x - a (sum of the neighbours - 2 d x) = x before,   a = rate dt / h^2
//
// by red-black Gauss-Seidel: half of the values from the other half, then the other way round. With
// a small the rounds converge at once, and their number follows from a alone, so that no sum has to
// be looked at. Ghosts are set anew in each round.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "physics/stencil.h"

#include <string.h>

#define LEFT      1e-6 // of the error, after all rounds: ten roundings of a float
#define ROUND_MAX 400

// The most of 2 d a that is done beforehand. Up to 1 no value gets beyond its neighbours; a
// velocity may for the moment, for the implicit part brings it back.
#define EARLY_CELLS 1.0
#define EARLY_FACES 4.0

typedef struct DiffuseRound {
    const OndGrid *grid;
    OndSpan span;
    const uint8_t *open; // NULL: all values may change, but for those in solids
    const float *fluid;  // NULL: there are no solids
    const float *before;
    float *x;
    float a, factor;
    int colour;
} DiffuseRound;

// How far the neighbours above are: none beyond the last face of an axis, which then is its own, as
// if the flow went on unchanged.
typedef struct Reach {
    size_t up, back, last; // along y, z; the last face along x
} Reach;

static Reach reach_of(const DiffuseRound *r, int line, size_t at)
{
    const OndGrid *const g = r->grid;
    return (Reach){line % r->span.high == g->n[1] ? 0 : (size_t)g->row,
                   line / r->span.high == g->n[2] ? 0 : (size_t)g->plane, at + (size_t)g->n[0]};
}

static float sum_round(const OndGrid *g, const float *x, const Reach *reach, bool last)
{
    float sum = ond_stencil_sum(x[-1], x[last ? 0 : 1], *(x - g->row), x[reach->up]);
    if (g->deep) sum += *(x - g->plane) + x[reach->back];
    return sum;
}

// Closed faces, and cells in solids, are what they are.
static bool is_held(const DiffuseRound *r, size_t at)
{
    return (r->open && !r->open[at]) || (r->fluid && !(r->fluid[at] > 0.0f));
}

static void relax_rows(int first, int last, int worker, void *context)
{
    const DiffuseRound *const r = context;
    const OndGrid *const g = r->grid;
    (void)worker;
    for (int line = first; line < last; ++line) {
        const size_t at = ond_span_row(g, &r->span, line);
        const Reach reach = reach_of(r, line, at);
        const int shift = (line % r->span.high + line / r->span.high + r->colour) & 1;
        for (size_t i = at + (size_t)shift; i < at + (size_t)r->span.wide; i += 2) {
            if (is_held(r, i)) continue;
            const float sum = sum_round(g, r->x + i, &reach, i == reach.last);
            r->x[i] = ond_diffusion_relax_by(r->before[i], r->a, sum, r->factor);
        }
    }
}

// What is there goes to `scratch`, and from there spreads by `a`.
static DiffuseRound begin_round(const OndSmoke *s, int what, float *x, float *scratch, double a)
{
    const OndGrid *const g = &s->grid;
    const int axis = what < 3 ? what : -1;
    memcpy(scratch, x, g->length * sizeof *x);
    return (DiffuseRound){.grid = g,
                          .span = ond_span(g, axis),
                          .open = axis >= 0 ? ond_pressure_open(s->pressure, axis) : NULL,
                          .fluid = axis < 0 && s->ghosts ? ond_pressure_fluid(s->pressure) : NULL,
                          .before = scratch,
                          .x = x,
                          .a = (float)a};
}

static int count_rounds(double a, int axes)
{
    const double jacobi = 2.0 * axes * a / (1.0 + 2.0 * axes * a);
    const double rounds = log(LEFT) / (2.0 * log(fmin(fmax(jacobi, 1e-9), 1.0 - 1e-12)));
    return (int)fmin(fmax(ceil(rounds), 2.0), ROUND_MAX);
}

void ond_smoke_diffuse(const OndSmoke *s, int what, float *x, float *scratch, double rate,
                       double dt)
{
    const OndGrid *const g = &s->grid;
    const double a = rate * dt / (g->h * g->h);
    const int axes = ond_grid_axes(g);
    if (!(a > 0.0)) return;
    DiffuseRound r = begin_round(s, what, x, scratch, a);
    r.factor = (float)(1.0 / (1.0 + 2.0 * axes * a));
    for (int k = 0; k < count_rounds(a, axes); ++k)
        for (r.colour = 0; r.colour < 2; ++r.colour) {
            ond_smoke_edges(s, what, x);
            ond_parallel_for(r.span.rows, g->block, relax_rows, &r);
            if (what == OND_SMOKE_WARMTH) ond_solid_ghosts_relax(s, x, scratch, r.a, r.colour);
        }
    ond_smoke_edges(s, what, x);
}

// ---- explicit, on departure

double ond_smoke_early(const OndSmoke *s, int what, double rate, double dt)
{
    const double most = what < 3 ? EARLY_FACES : EARLY_CELLS;
    const double all = 2.0 * ond_grid_axes(&s->grid) * rate * dt / (s->grid.h * s->grid.h);
    return all > 0.0 ? fmin(0.5, most / all) : 0.0;
}

static void spread_rows(int first, int last, int worker, void *context)
{
    const DiffuseRound *const r = context;
    const OndGrid *const g = r->grid;
    const float all = 2.0f * (float)ond_grid_axes(g);
    (void)worker;
    for (int line = first; line < last; ++line) {
        const size_t at = ond_span_row(g, &r->span, line);
        const Reach reach = reach_of(r, line, at);
        for (size_t i = at; i < at + (size_t)r->span.wide; ++i) {
            if (is_held(r, i)) continue;
            const float *const v = r->before + i;
            r->x[i] += ond_diffusion_gain(r->a, sum_round(g, v, &reach, i == reach.last), all, *v);
        }
    }
}

void ond_smoke_spread(const OndSmoke *s, int what, float *x, float *scratch, double way)
{
    const OndGrid *const g = &s->grid;
    if (!(way > 0.0)) return;
    DiffuseRound r = begin_round(s, what, x, scratch, way / (g->h * g->h));
    ond_parallel_for(r.span.rows, g->block, spread_rows, &r);
    if (what == OND_SMOKE_WARMTH) ond_solid_ghosts_spread(s, x, scratch, r.a);
}
