// SPDX-License-Identifier: MIT
#include "grid/smoke/solid_ghosts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "grid/smoke/solid_ghosts_state.h"
#include "grid/stream.h"
#include "physics/stencil.h"

#define GRAIN 512

void ond_solid_ghosts_free(OndSolidGhosts *ghosts)
{
    if (!ghosts) return;
    ond_free(ghosts->face);
    ond_free(ghosts->cell);
    ond_free(ghosts->shore);
    ond_free(ghosts->row);
    ond_free(ghosts);
}

size_t ond_solid_ghosts_bytes(const OndSolidGhosts *ghosts)
{
    if (!ghosts) return 0;
    return (size_t)ghosts->faces * sizeof(OndGhostFace) +
           (size_t)ghosts->cells * sizeof(OndGhostCell) +
           (size_t)ghosts->shores * sizeof(OndGhostShore);
}

// ---- solids as they are

// After cooling and sources, which know nothing of solids.
static void warm(OndSmoke *s)
{
    for (int k = 0; s->ghosts && s->ghosts->heats && k < s->ghosts->cells; ++k) {
        const OndGhostCell *const c = &s->ghosts->cell[k];
        if (c->heats) s->warmth[c->at] = c->warmth;
    }
}

void ond_solid_ghosts_stick(OndSmoke *s)
{
    warm(s);
    for (int k = 0; s->ghosts && k < s->ghosts->faces; ++k) {
        const OndGhostFace *const f = &s->ghosts->face[k];
        if (f->closed) s->v[f->axis][f->at] = f->held[f->axis];
    }
}

static void slide_range(int first, int last, int worker, void *context)
{
    OndSmoke *const s = context;
    const OndStream stream = {&s->grid, {s->v[0], s->v[1], s->v[2]}, true};
    (void)worker;
    for (int k = first; k < last; ++k) {
        OndGhostFace *const f = &s->ghosts->face[k];
        const OndVec n = ond_vec(f->normal[0], f->normal[1], f->normal[2]),
                     held = ond_vec(f->held[0], f->held[1], f->held[2]);
        const OndVec u = ond_stream_at(&stream, ond_vec(f->look[0], f->look[1], f->look[2]));
        const OndVec along = ond_sub(u, ond_scale(n, ond_dot(ond_sub(u, held), n)));
        f->value =
            (float)(f->slip * ond_axis(along, f->axis) + (1.0 - f->slip) * ond_axis(held, f->axis));
    }
}

void ond_solid_ghosts_slide(OndSmoke *s)
{
    if (!s->ghosts) return;
    ond_parallel_for(s->ghosts->faces, GRAIN, slide_range, s);
    for (int k = 0; k < s->ghosts->faces; ++k)
        s->v[s->ghosts->face[k].axis][s->ghosts->face[k].at] = s->ghosts->face[k].value;
}

// ---- what is carried

static float mean_of_fluid(const OndGrid *g, const float *fluid, const float *x, size_t at)
{
    const int deep = g->deep;
    float sum = 0.0f, count = 0.0f;
    for (int k = -deep; k <= deep; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                const size_t there = at + (size_t)(i + j * g->row + k * g->plane);
                if (!(fluid[there] > 0.0f)) continue;
                sum += x[there];
                count += 1.0f;
            }
    return count > 0.0f ? sum / count : 0.0f;
}

// Reads fluid cells alone and writes covered ones.
static void fill_range(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    (void)worker;
    for (int k = first; k < last; ++k) {
        const OndGhostCell *const c = &s->ghosts->cell[k];
        s->density[c->at] = mean_of_fluid(&s->grid, fluid, s->density, c->at);
        s->warmth[c->at] = c->heats ? c->warmth : mean_of_fluid(&s->grid, fluid, s->warmth, c->at);
    }
}

void ond_solid_ghosts_fill(OndSmoke *s)
{
    if (s->ghosts) ond_parallel_for(s->ghosts->cells, GRAIN, fill_range, s);
}

static void clear_rows(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = context;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(&s->grid, row);
        for (size_t i = at; i < at + (size_t)s->grid.n[0]; ++i)
            s->density[i] = fluid[i] > 0.0f ? s->density[i] : 0.0f;
    }
}

void ond_solid_ghosts_clear(OndSmoke *s)
{
    if (s->ghosts) ond_parallel_for(s->grid.rows, s->grid.block, clear_rows, s);
}

// ---- heat through surfaces

typedef struct WarmthSpread {
    const OndGrid *grid;
    const OndGhostShore *shore;
    const float *before;
    float *x;
    float a;
    int colour;
} WarmthSpread;

// The sum of what is round a cell, with the share each has, and those shares.
static float sum_round(const OndGrid *g, const OndGhostShore *shore, const float *x, float *shares)
{
    float sum = shore->near_heat;
    *shares = shore->near;
    for (int side = 0; side < 2 * ond_grid_axes(g); ++side) {
        const ptrdiff_t step = ond_grid_stride(g, side / 2);
        if (shore->behind >> side & 1) continue;
        sum += x[side % 2 ? step : -step];
        *shares += 1.0f;
    }
    return sum;
}

static void relax_range(int first, int last, int worker, void *context)
{
    const WarmthSpread *const p = context;
    (void)worker;
    for (int k = first; k < last; ++k) {
        const OndGhostShore *const shore = &p->shore[k];
        float shares;
        if (shore->colour != p->colour) continue;
        const float sum = sum_round(p->grid, shore, p->x + shore->at, &shares);
        p->x[shore->at] =
            ond_diffusion_relax(p->before[shore->at], p->a, sum, 1.0f + p->a * shares);
    }
}

void ond_solid_ghosts_relax(const OndSmoke *s, float *x, const float *before, float a, int colour)
{
    if (!s->ghosts || s->ghosts->shores == 0) return;
    WarmthSpread p = {&s->grid, s->ghosts->shore, before, x, a, colour};
    ond_parallel_for(s->ghosts->shores, GRAIN, relax_range, &p);
}

// Where the surface is too near for all of it, less is done, so that no value gets beyond its
// neighbours and the surface.
static void spread_range(int first, int last, int worker, void *context)
{
    const WarmthSpread *const p = context;
    (void)worker;
    for (int k = first; k < last; ++k) {
        const OndGhostShore *const shore = &p->shore[k];
        float shares;
        const float *const v = p->before + shore->at;
        const float sum = sum_round(p->grid, shore, v, &shares);
        const float a = p->a * shares < 1.0f ? p->a : 1.0f / shares;
        p->x[shore->at] = *v + ond_diffusion_gain(a, sum, shares, *v);
    }
}

void ond_solid_ghosts_spread(const OndSmoke *s, float *x, const float *before, float a)
{
    if (!s->ghosts || s->ghosts->shores == 0) return;
    WarmthSpread p = {&s->grid, s->ghosts->shore, before, x, a, 0};
    ond_parallel_for(s->ghosts->shores, GRAIN, spread_range, &p);
}
