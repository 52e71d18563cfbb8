// SPDX-License-Identifier: MIT
// Values of a grid at many places: each loop reads the neighbours of its place by their number.
#include "grid/departures.h"
#include "grid/loops/loops.h"
#include "physics/advection.h"
#include "physics/interpolation.h"

#include <math.h>

#define DEPARTURE_LOOP(name) OND_GRID_JOIN(ond_departure_loop_##name, OND_ISA)

// ---- where a place is among the values of an array

typedef struct DepartureLine {
    float shift; // of the first value from the side
    int last;    // lower one of the last two values
} DepartureLine;

OND_GRID_INLINE DepartureLine line_of(const OndGrid *g, int axis, int along)
{
    const DepartureLine line = {axis == along ? 0.0f : 0.5f, g->n[along] - 1};
    return line;
}

// The value below a place, -1 for a ghost, and how far the place is on the way to the next.
OND_GRID_INLINE int below(DepartureLine line, float at, float *share)
{
    return ond_interpolation_below(at - line.shift, line.last, share);
}

// ---- between 4 or 8

OND_GRID_INLINE void linear(const OndDepartures *t, int axis, const float *restrict d,
                            float *restrict out, const bool deep)
{
    const OndGrid *const g = t->grid;
    const DepartureLine a = line_of(g, axis, 0), b = line_of(g, axis, 1), c = line_of(g, axis, 2);
    const int row = (int)g->row, plane = (int)g->plane, lead = (int)g->lead;
#pragma omp simd
    for (int i = 0; i < t->count; ++i) {
        float x, y, z = 0.0f;
        int at = lead + below(a, t->at[0][i], &x) + row * below(b, t->at[1][i], &y);
        if (deep) at += plane * below(c, t->at[2][i], &z);
        const float low = ond_interpolate4(d, at, row, x, y);
        out[i] = deep ? ond_interpolate(low, ond_interpolate4(d, at + plane, row, x, y), z) : low;
    }
}

void DEPARTURE_LOOP(linear)(const OndDepartures *t, int axis, const float *data, float *out);
void DEPARTURE_LOOP(linear)(const OndDepartures *t, int axis, const float *data, float *out)
{
    if (t->grid->deep)
        linear(t, axis, data, out, true);
    else
        linear(t, axis, data, out, false);
}

void DEPARTURE_LOOP(mean)(const float *d, ptrdiff_t on, ptrdiff_t back, int count, float *out);
void DEPARTURE_LOOP(mean)(const float *d, ptrdiff_t on, ptrdiff_t back, int count, float *out)
{
    const float *const a = d, *const b = d + on, *const c = d - back, *const e = d - back + on;
#pragma omp simd
    for (int i = 0; i < count; ++i)
        out[i] = 0.25f * ((a[i] + b[i]) + (c[i] + e[i]));
}

OND_GRID_INLINE void spots(const OndDepartures *t, int axis, int32_t *restrict out, const bool deep)
{
    const OndGrid *const g = t->grid;
    const DepartureLine a = line_of(g, axis, 0), b = line_of(g, axis, 1), c = line_of(g, axis, 2);
    const int row = (int)g->row, plane = (int)g->plane, lead = (int)g->lead;
#pragma omp simd
    for (int i = 0; i < t->count; ++i) {
        float share;
        int at = lead + below(a, t->at[0][i], &share) + row * below(b, t->at[1][i], &share);
        if (deep) at += plane * below(c, t->at[2][i], &share);
        out[i] = at;
    }
}

void DEPARTURE_LOOP(spots)(const OndDepartures *t, int axis, int32_t *out);
void DEPARTURE_LOOP(spots)(const OndDepartures *t, int axis, int32_t *out)
{
    if (t->grid->deep)
        spots(t, axis, out, true);
    else
        spots(t, axis, out, false);
}

// ---- not beyond them

OND_GRID_INLINE float least4(const float *d, int at, int row)
{
    return ond_least(ond_least(d[at], d[at + 1]), ond_least(d[at + row], d[at + row + 1]));
}

OND_GRID_INLINE float most4(const float *d, int at, int row)
{
    return ond_most(ond_most(d[at], d[at + 1]), ond_most(d[at + row], d[at + row + 1]));
}

OND_GRID_INLINE void clamp(const OndGrid *g, int count, const float *restrict d,
                           const int32_t *restrict at, float *restrict values, const bool deep)
{
    const int row = (int)g->row, plane = (int)g->plane;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        float low = least4(d, at[i], row), high = most4(d, at[i], row);
        if (deep) {
            low = ond_least(low, least4(d, at[i] + plane, row));
            high = ond_most(high, most4(d, at[i] + plane, row));
        }
        values[i] = ond_limit(values[i], low, high);
    }
}

void DEPARTURE_LOOP(clamp)(const OndGrid *g, int count, const float *data, const int32_t *at,
                           float *v);
void DEPARTURE_LOOP(clamp)(const OndGrid *g, int count, const float *data, const int32_t *at,
                           float *v)
{
    if (g->deep)
        clamp(g, count, data, at, v, true);
    else
        clamp(g, count, data, at, v, false);
}

// ---- through 16 or 64

OND_GRID_INLINE OndCubicWeights cubic_of(DepartureLine line, float at)
{
    return ond_cubic_weights(at - line.shift, line.last);
}

OND_GRID_INLINE void cubic_flat(const OndDepartures *t, int axis, const float *restrict d,
                                float *restrict out)
{
    const OndGrid *const g = t->grid;
    const DepartureLine a = line_of(g, axis, 0), b = line_of(g, axis, 1);
    const int row = (int)g->row, lead = (int)g->lead;
#pragma omp simd
    for (int i = 0; i < t->count; ++i) {
        const OndCubicWeights x = cubic_of(a, t->at[0][i]), y = cubic_of(b, t->at[1][i]);
        out[i] = ond_cubic16(d, lead + x.first + row * y.first, row, x, y);
    }
}

OND_GRID_INLINE void cubic_deep(const OndDepartures *t, int axis, const float *restrict d,
                                float *restrict out)
{
    const OndGrid *const g = t->grid;
    const DepartureLine a = line_of(g, axis, 0), b = line_of(g, axis, 1), c = line_of(g, axis, 2);
    const int row = (int)g->row, plane = (int)g->plane, lead = (int)g->lead;
#pragma omp simd
    for (int i = 0; i < t->count; ++i) {
        const OndCubicWeights x = cubic_of(a, t->at[0][i]), y = cubic_of(b, t->at[1][i]),
                              z = cubic_of(c, t->at[2][i]);
        const int at = lead + x.first + row * y.first + plane * z.first;
        out[i] = z.a * ond_cubic16(d, at, row, x, y) + z.b * ond_cubic16(d, at + plane, row, x, y) +
                 z.c * ond_cubic16(d, at + 2 * plane, row, x, y) +
                 z.d * ond_cubic16(d, at + 3 * plane, row, x, y);
    }
}

void DEPARTURE_LOOP(cubic)(const OndDepartures *t, int axis, const float *data, float *out);
void DEPARTURE_LOOP(cubic)(const OndDepartures *t, int axis, const float *data, float *out)
{
    if (t->grid->deep)
        cubic_deep(t, axis, data, out);
    else
        cubic_flat(t, axis, data, out);
}

// ---- going along

OND_GRID_INLINE void aim(int count, OndDepartureValues v[3], const OndDepartureValues next[3],
                         const bool deep)
{
    float *restrict u = v[0], *restrict w = v[1], *restrict q = v[2];
    const float *restrict a = next[0], *restrict b = next[1], *restrict c = next[2];
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const float x = 2.0f * u[i] - a[i], y = 2.0f * w[i] - b[i],
                    z = deep ? 2.0f * q[i] - c[i] : 0.0f;
        const float third = deep ? (q[i] - c[i]) * z : 0.0f;
        const float along = (u[i] - a[i]) * x + (w[i] - b[i]) * y + third;
        const float share = ond_advection_share(along, x * x + y * y + z * z);
        u[i] = ond_interpolate(a[i], u[i], share);
        w[i] = ond_interpolate(b[i], w[i], share);
        if (deep) q[i] = ond_interpolate(c[i], q[i], share);
    }
}

void DEPARTURE_LOOP(aim)(int count, OndDepartureValues v[3], const OndDepartureValues next[3],
                         bool deep);
void DEPARTURE_LOOP(aim)(int count, OndDepartureValues v[3], const OndDepartureValues next[3],
                         bool deep)
{
    if (deep)
        aim(count, v, next, true);
    else
        aim(count, v, next, false);
}

void DEPARTURE_LOOP(move)(OndDepartures *t, int axis, const float *from, const float *v,
                          float cells);
void DEPARTURE_LOOP(move)(OndDepartures *t, int axis, const float *from, const float *v,
                          float cells)
{
    const float n = (float)t->grid->n[axis], inverse = 1.0f / n;
    float *const at = t->at[axis];
    if (!t->grid->periodic[axis]) {
#pragma omp simd
        for (int i = 0; i < t->count; ++i)
            at[i] = ond_advection_inside(from[i] + cells * v[i], n);
        return;
    }
#pragma omp simd
    for (int i = 0; i < t->count; ++i)
        at[i] = ond_advection_round(from[i] + cells * v[i], n, inverse);
}

// ---- waves of two cells

void DEPARTURE_LOOP(damp)(const OndDampRow *r, int count);
void DEPARTURE_LOOP(damp)(const OndDampRow *r, int count)
{
    const float *const a = r->u + r->off[0], *const b = r->u + r->off[1], *const c = r->u,
                       *const d = r->u + r->off[3], *const e = r->u + r->off[4];
    const uint8_t *const fa = r->open + r->off[0], *const fb = r->open + r->off[1],
                         *const fc = r->open, *const fd = r->open + r->off[3],
                         *const fe = r->open + r->off[4];
    const float *const w = r->w, *const wo = w + r->on, *const wb = w - r->back,
                       *const wbo = wb + r->on;
    const float cells = r->cells, limit = r->most, share = r->share;
    float *restrict out = r->out;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const int all = (fa[i] != 0) & (fb[i] != 0) & (fc[i] != 0) & (fd[i] != 0) & (fe[i] != 0);
        const float flow = 0.25f * ((w[i] + wo[i]) + (wb[i] + wbo[i]));
        const float fourth = ond_fourth_difference(a[i], b[i], c[i], d[i], e[i]);
        out[i] -= ond_hyperviscosity(share, cells * flow, limit, all ? fourth : 0.0f);
    }
}

// ---- side by side

extern const OndDepartureLoops OND_GRID_JOIN(ond_departure_loops, OND_ISA);
const OndDepartureLoops OND_GRID_JOIN(ond_departure_loops, OND_ISA) = {
    .linear = DEPARTURE_LOOP(linear),
    .cubic = DEPARTURE_LOOP(cubic),
    .mean = DEPARTURE_LOOP(mean),
    .spots = DEPARTURE_LOOP(spots),
    .clamp = DEPARTURE_LOOP(clamp),
    .aim = DEPARTURE_LOOP(aim),
    .move = DEPARTURE_LOOP(move),
    .damp = DEPARTURE_LOOP(damp),
};
