// SPDX-License-Identifier: MIT
// What pushes smoke: buoyancy, gravity itself where nothing holds the fluid up, and vorticity
// confinement.
//
// In a box gravity on a fluid of one density only adds to the pressure, and is left out. Pressure
// is the same on both sides of a periodic axis, so along that it cannot balance a force that is
// not: there all of gravity acts, as the body force that drives a flow through a channel.
// (physics/buoyancy.h has the laws.)
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"
#include "physics/buoyancy.h"

typedef struct Push {
    OndSmoke *s;
    float *u;
    int axis;
    float factor;
    OndSpan span;
    float whole; // 1: the weight of all of the fluid counts, not only what differs
} Push;

static inline float buoyancy(const OndSmoke *s, size_t at)
{
    return ond_buoyancy((float)s->def.weight, s->density[at], (float)s->def.expansion,
                        s->warmth[at]);
}

static void buoyancy_rows(int first, int last, int worker, void *context)
{
    const Push *const p = context;
    const OndSmoke *const s = p->s;
    const size_t step = (size_t)ond_grid_stride(&s->grid, p->axis);
    const uint8_t *const open = ond_pressure_open(s->pressure, p->axis);
    const float factor = p->factor, whole = p->whole;
    float *const u = p->u;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_span_row(&s->grid, &p->span, row);
        for (size_t i = at; i < at + (size_t)p->span.wide; ++i)
            u[i] += open[i]
                        ? ond_buoyancy_push(factor, whole, buoyancy(s, i), buoyancy(s, i - step))
                        : 0.0f;
    }
}

// ---- confinement

// Component a of the velocity in the middle of a cell.
static inline float middle(const OndSmoke *s, int a, size_t at)
{
    return ond_cell_mean(s->v[a][at], s->v[a][at + (size_t)ond_grid_stride(&s->grid, a)]);
}

// The rate at which component a of the velocity changes along axis b.
static inline float slope(const OndSmoke *s, int a, int b, size_t at)
{
    const size_t step = (size_t)ond_grid_stride(&s->grid, b);
    return ond_central_slope(middle(s, a, at - step), middle(s, a, at + step),
                             (float)(0.5 / s->grid.h));
}

static void curl_rows(int first, int last, int worker, void *context)
{
    const OndSmoke *const s = ((const Push *)context)->s;
    const OndGrid *const g = &s->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int j = row % g->n[1], k = row / g->n[1];
        const bool inner = j > 0 && j < g->n[1] - 1 && (!g->deep || (k > 0 && k < g->n[2] - 1));
        const size_t at = ond_grid_row(g, row);
        for (int i = 0; i < g->n[0]; ++i) {
            const size_t me = at + (size_t)i;
            const bool in = inner && i > 0 && i < g->n[0] - 1; // ghosts have no middles
            const float z = in ? ond_curl(slope(s, 1, 0, me), slope(s, 0, 1, me)) : 0.0f;
            const float x = in && g->deep ? ond_curl(slope(s, 2, 1, me), slope(s, 1, 2, me)) : 0.0f;
            const float y = in && g->deep ? ond_curl(slope(s, 0, 2, me), slope(s, 2, 0, me)) : 0.0f;
            s->work[0][me] = x, s->work[1][me] = y, s->work[2][me] = z;
            s->work[3][me] = sqrtf(x * x + y * y + z * z);
        }
    }
}

// Component a of N x omega in a cell.
static float confining(const OndSmoke *s, int a, size_t at)
{
    const OndGrid *const g = &s->grid;
    float n[3] = {0, 0, 0}, square = 0.0f;
    for (int b = 0; b < ond_grid_axes(g); ++b) {
        const size_t step = (size_t)ond_grid_stride(g, b);
        n[b] = s->work[3][at + step] - s->work[3][at - step];
        square += n[b] * n[b];
    }
    if (!(square > 1e-20f)) return 0.0f;
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    return ond_confinement(n[b], n[c], s->work[b][at], s->work[c][at], sqrtf(square));
}

static void confine_rows(int first, int last, int worker, void *context)
{
    const Push *const p = context;
    const OndSmoke *const s = p->s;
    const OndGrid *const g = &s->grid;
    const uint8_t *const open = ond_pressure_open(s->pressure, p->axis);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int where[3] = {0, row % g->n[1], row / g->n[1]};
        if (p->axis > 0 && where[p->axis] == 0) continue; // the side has its own velocity
        const size_t at = ond_grid_row(g, row), step = (size_t)ond_grid_stride(g, p->axis);
        for (size_t i = at + (p->axis == 0); i < at + (size_t)g->n[0]; ++i)
            if (open[i])
                s->v[p->axis][i] +=
                    p->factor * 0.5f * (confining(s, p->axis, i) + confining(s, p->axis, i - step));
    }
}

static void confine(OndSmoke *s, double dt)
{
    const OndGrid *const g = &s->grid;
    Push p = {.s = s, .factor = (float)(s->def.confinement * g->h * dt)};
    for (int a = 0; a < ond_grid_axes(g); ++a)
        ond_smoke_edges(s, a, s->v[a]);
    ond_parallel_for(g->rows, g->block, curl_rows, &p);
    for (int a = 0; a < 4; ++a)
        ond_grid_clear_ghosts(g, s->work[a]);
    for (p.axis = 0; p.axis < ond_grid_axes(g); ++p.axis)
        ond_parallel_for(g->rows, g->block, confine_rows, &p);
}

void ond_smoke_rise(OndSmoke *s, int axis, float *u, double dt)
{
    if (s->world.gravity[axis] == 0.0f) return;
    ond_smoke_edges(s, OND_SMOKE_DENSITY, s->density);
    ond_smoke_edges(s, OND_SMOKE_WARMTH, s->warmth);
    const float whole = s->grid.periodic[axis] ? 1.0f : 0.0f;
    Push p = {s, u, axis, (float)(dt * s->world.gravity[axis]), ond_span(&s->grid, axis), whole};
    ond_parallel_for(p.span.rows, s->grid.block, buoyancy_rows, &p);
}

void ond_smoke_forces(OndSmoke *s, double dt)
{
    for (int a = 0; a < ond_grid_axes(&s->grid); ++a) {
        ond_smoke_rise(s, a, s->v[a], 0.5 * dt);
        ond_smoke_draw_in(s, a, s->v[a], 0.5 * dt);
    }
    if (s->def.confinement > 0.0) confine(s, dt);
}

static void push_block(const void *context, int block, int first, int last)
{
    const OndSmoke *const s = context;
    const OndGrid *const g = &s->grid;
    float most = 0.0f;
    for (int row = first; row < last; ++row) {
        const size_t at = ond_grid_row(g, row);
        for (size_t i = at; i < at + (size_t)g->n[0]; ++i) {
            const float push = fabsf(buoyancy(s, i));
            most = push > most ? push : most;
        }
    }
    s->sum[2 * block] = most;
}

static void push_blocks(int first, int last, int worker, void *context)
{
    const OndGrid *const g = &((const OndSmoke *)context)->grid;
    (void)worker;
    for (int b = first; b < last; ++b)
        push_block(context, b, b * g->block, ond_grid_block_end(g, b));
}

double ond_smoke_push(const OndSmoke *s)
{
    const OndGrid *const g = &s->grid;
    const float *const w = s->world.gravity;
    double most = 0.0;
    ond_parallel_for(ond_grid_blocks(g), 1, push_blocks, (void *)s);
    for (int b = 0; b < ond_grid_blocks(g); ++b)
        most = fmax(most, s->sum[2 * b]);
    double falls = 0.0;
    for (int a = 0; a < ond_grid_axes(g); ++a)
        if (g->periodic[a]) falls += (double)w[a] * w[a];
    return sqrt(falls) +
           most * sqrt((double)w[0] * w[0] + (double)w[1] * w[1] + (double)w[2] * w[2]);
}
