// SPDX-License-Identifier: MIT
// What smoke carries: density and temperature go the way of the fluid, spread, fade and cool.
//
// Like the viscosity, spreading counts half where a value leaves and half where it arrives, as far
// as that is stable.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"

#include <string.h>

#define LITTLE 1e-3 // of the smoke: while more leaves in a step, the sum is not put right

// ---- the mass

// The open share of a cell that solids may cut: the mean of its faces', where those of the domain's
// sides count as the ones opposite them.
static double share_of(const OndSmoke *s, int i, int row, size_t at)
{
    const OndGrid *const g = &s->grid;
    const int where[3] = {i, row % g->n[1], row / g->n[1]}, axes = ond_grid_axes(g);
    int sum = 0;
    for (int a = 0; a < axes; ++a) {
        const uint8_t *const open = ond_pressure_open(s->pressure, a);
        const int low = open[at], high = open[at + (size_t)ond_grid_stride(g, a)];
        const bool first = !g->periodic[a] && where[a] == 0,
                   last = !g->periodic[a] && where[a] == g->n[a] - 1;
        sum += first && !last ? 2 * high : last && !first ? 2 * low : low + high;
    }
    return sum / (510.0 * axes);
}

static void sum_block(const OndSmoke *s, int block, int first, int last)
{
    const OndGrid *const g = &s->grid;
    double sum = 0.0;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (int i = 0; i < g->n[0]; ++i) {
            const double density = s->density[at + (size_t)i];
            sum += s->ghosts && density > 0.0 ? density * share_of(s, i, row, at + (size_t)i)
                                              : density;
        }
    }
    s->sum[2 * block] = sum;
}

static void sum_blocks(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const OndGrid *const g = &s->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        sum_block(s, b, b * g->block, ond_grid_block_end(g, b));
}

double ond_smoke_mass(OndSmoke *s)
{
    double sum = 0.0;
    ond_parallel_for(ond_grid_blocks(&s->grid), 1, sum_blocks, s);
    for (int b = 0; b < ond_grid_blocks(&s->grid); ++b)
        sum += s->sum[2 * b];
    return sum;
}

// The smoke in so many cells, from one on against the stream.
static double upstream(const OndSmoke *s, size_t cell, ptrdiff_t back, int cells, double way)
{
    double sum = 0.0;
    for (int l = 0; l < cells && l < way; ++l)
        sum += fmin(1.0, way - l) * s->density[(ptrdiff_t)cell + l * back];
    return sum;
}

// What leaves through the lower or upper side of an axis in `dt`, in cells: fluid flows in clear.
static double leaving_side(const OndSmoke *s, int axis, bool upper, double dt)
{
    const OndGrid *const g = &s->grid;
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    const ptrdiff_t stride = (ptrdiff_t)ond_grid_stride(g, axis);
    double sum = 0.0;
    for (int k = 0; k < g->n[c]; ++k)
        for (int j = 0; j < g->n[b]; ++j) {
            int at[3];
            at[axis] = upper ? g->n[axis] - 1 : 0, at[b] = j, at[c] = k;
            const size_t cell = ond_grid_at(g, at[0], at[1], at[2]);
            const size_t face = cell + (upper ? (size_t)stride : 0);
            const double way = (upper ? 1.0 : -1.0) * s->v[axis][face] * dt / g->h;
            sum += upstream(s, cell, upper ? -stride : stride, g->n[axis], way);
        }
    return sum;
}

static double leaving(const OndSmoke *s, double dt)
{
    double sum = 0.0;
    for (int side = 0; side < 2 * ond_grid_axes(&s->grid); ++side) {
        const bool passes = s->open[side] || s->world.side[side].velocity[side / 2] != 0.0f;
        if (passes && !s->grid.periodic[side / 2]) sum += leaving_side(s, side / 2, side % 2, dt);
    }
    return sum;
}

// ---- plain loops over cells

typedef struct Change {
    const OndGrid *grid;
    const float *from;
    float *x;
    float least, factor;
} Change;

static void take_rows(int first, int last, int worker, void *context)
{
    const Change *const c = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(c->grid, row);
        for (size_t i = at; i < at + (size_t)c->grid->n[0]; ++i)
            c->x[i] = c->from[i] > c->least ? c->from[i] : c->least;
    }
}

static void scale_rows(int first, int last, int worker, void *context)
{
    const Change *const c = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        float *const x = c->x + ond_grid_row(c->grid, row);
        for (int i = 0; i < c->grid->n[0]; ++i)
            x[i] *= c->factor;
    }
}

static void scale(OndSmoke *s, float *x, double factor)
{
    Change c = {&s->grid, NULL, x, 0.0f, (float)factor};
    if (factor != 1.0) ond_parallel_for(s->grid.rows, s->grid.block, scale_rows, &c);
}

// ---- on the way

typedef struct Cargo {
    int what;
    float *x;
    double rate; // m^2/s
    float least;
} Cargo;

static void carry_all(OndSmoke *s, const Cargo *cargo, int count, double dt)
{
    const OndFlow way = ond_smoke_way(s, dt);
    OndCarried fields[2];
    for (int k = 0; k < count; ++k) {
        const Cargo *const c = &cargo[k];
        ond_smoke_edges(s, c->what, c->x);
        ond_smoke_spread(s, c->what, c->x, s->work[0],
                         ond_smoke_early(s, c->what, c->rate, dt) * dt * c->rate);
        fields[k] = (OndCarried){c->x, s->work[2 * k], s->work[2 * k + 1]};
    }
    ond_advect(&way, -1, fields, count, true);
    for (int k = 0; k < count; ++k) {
        const Cargo *const c = &cargo[k];
        Change take = {&s->grid, fields[k].to, c->x, c->least, 1.0f};
        ond_parallel_for(s->grid.rows, s->grid.block, take_rows, &take);
        ond_smoke_edges(s, c->what, c->x);
    }
    for (int k = 0; k < count; ++k)
        ond_smoke_diffuse(
            s, cargo[k].what, cargo[k].x, s->work[0],
            (1.0 - ond_smoke_early(s, cargo[k].what, cargo[k].rate, dt)) * cargo[k].rate, dt);
}

typedef struct Clear {
    OndSmoke *s;
    const float *x;
} Clear;

static bool is_clear_row(const float *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (x[i] != 0.0f) return false;
    return true;
}

static void look_for_other(int first, int last, int worker, void *context)
{
    const Clear *const e = context;
    const OndGrid *const g = &e->s->grid;
    (void)worker;
    for (int b = first; b < last; ++b) {
        bool clear = true;
        for (int row = b * g->block; row < ond_grid_block_end(g, b) && clear; ++row)
            clear = is_clear_row(e->x + ond_grid_row(g, row), g->n[0]);
        e->s->sum[2 * b] = !clear;
    }
}

// Of what is nowhere, nor outside, there will be none.
static bool is_clear(OndSmoke *s, const float *x)
{
    Clear e = {s, x};
    const int blocks = ond_grid_blocks(&s->grid);
    ond_parallel_for(blocks, 1, look_for_other, &e);
    for (int b = 0; b < blocks; ++b)
        if (s->sum[2 * b] != 0.0) return false;
    return true;
}

static int load(OndSmoke *s, Cargo cargo[2])
{
    int count = 0;
    if (s->warms || !is_clear(s, s->warmth))
        cargo[count++] = (Cargo){OND_SMOKE_WARMTH, s->warmth, s->def.heat, -INFINITY};
    if (!is_clear(s, s->density))
        cargo[count++] = (Cargo){OND_SMOKE_DENSITY, s->density, s->def.diffusion, 0.0f};
    return count;
}

void ond_smoke_carry(OndSmoke *s, double dt)
{
    Cargo cargo[2];
    const int count = load(s, cargo);
    if (count == 0) return;
    const double mass = s->keeps ? ond_smoke_mass(s) : 0.0, lost = s->keeps ? leaving(s, dt) : 0.0;
    const bool keeps = s->keeps && lost <= LITTLE * mass;
    ond_solid_ghosts_fill(s);
    carry_all(s, cargo, count, dt);
    ond_solid_ghosts_clear(s);
    const double before = mass + s->displaced - lost, after = keeps ? ond_smoke_mass(s) : 0.0;
    if (after > 0.0 && before > 0.0) scale(s, s->density, before / after);
    scale(s, s->density, exp(-s->def.fading * dt));
    scale(s, s->warmth, exp(-s->def.cooling * dt));
}
