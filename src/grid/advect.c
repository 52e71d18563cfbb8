// SPDX-License-Identifier: MIT
#include "grid/advect.h"

#include "base/parallel.h"

#include <math.h>

OndSpan ond_span(const OndGrid *g, int axis)
{
    const OndSpan s = {g->n[0] + (axis == 0), 0, g->n[1] + (axis == 1)};
    const int layers = g->n[2] + (axis == 2 && g->deep);
    return (OndSpan){s.wide, s.high * layers, s.high};
}

// ---- values between cells

// Kept inside, or put back in round a periodic side.
static inline float keep(const OndGrid *g, int axis, float x)
{
    const float n = (float)g->n[axis];
    if (g->periodic[axis]) x -= n * floorf(x / n);
    return x > 0.0f ? (x < n ? x : n) : 0.0f; // NaN: 0
}

// From a place to an index and the share of the next; -1 is the ghost.
static inline int split(float x, float *share)
{
    const int low = (int)(x + 1.0f) - 1;
    *share = x - (float)low;
    return low;
}

typedef struct Spot {
    size_t at; // the lower corner of the 4 or 8
    float share[3];
} Spot;

static inline Spot find_spot(const OndGrid *g, int axis, const float x[3])
{
    Spot s;
    const int i = split(x[0] - (axis == 0 ? 0.0f : 0.5f), &s.share[0]);
    const int j = split(x[1] - (axis == 1 ? 0.0f : 0.5f), &s.share[1]);
    const int k = g->deep ? split(x[2] - (axis == 2 ? 0.0f : 0.5f), &s.share[2]) : 0;
    s.at = ond_grid_at(g, i, j, k);
    return s;
}

static inline float mix(float a, float b, float share)
{
    return a + share * (b - a);
}

static inline float flat_linear(const float *d, size_t row, const float share[2])
{
    return mix(mix(d[0], d[1], share[0]), mix(d[row], d[row + 1], share[0]), share[1]);
}

// A face at the last side has no next along its axis, but then its share is 0: padding is read.
static inline float linear(const OndGrid *g, const float *data, const Spot *s)
{
    const float *const d = data + s->at;
    const float low = flat_linear(d, (size_t)g->row, s->share);
    if (!g->deep || s->share[2] == 0.0f) return low;
    return mix(low, flat_linear(d + g->plane, (size_t)g->row, s->share), s->share[2]);
}

static inline void widen(const float *d, size_t row, float *low, float *high)
{
    const float a = fminf(d[0], d[1]), b = fminf(d[row], d[row + 1]);
    const float c = fmaxf(d[0], d[1]), e = fmaxf(d[row], d[row + 1]);
    *low = fminf(*low, fminf(a, b));
    *high = fmaxf(*high, fmaxf(c, e));
}

static inline float clamp_to_spot(const OndGrid *g, const float *data, const Spot *s, float value)
{
    float low = INFINITY, high = -INFINITY;
    widen(data + s->at, (size_t)g->row, &low, &high);
    if (g->deep && s->share[2] != 0.0f) widen(data + s->at + g->plane, (size_t)g->row, &low, &high);
    return fminf(fmaxf(value, low), high);
}

// ---- cubic

// Four points from `first` on, and their weights; the field has values from `low` to `high`.
static inline int cubic_weights(float x, int low, int high, float w[4])
{
    int first = (int)floorf(x) - 1;
    if (first > high - 3) first = high - 3;
    if (first < low) first = low;
    const float t = x - (float)(first + 1);
    w[0] = -t * (t - 1.0f) * (t - 2.0f) / 6.0f;
    w[1] = (t + 1.0f) * (t - 1.0f) * (t - 2.0f) * 0.5f;
    w[2] = -(t + 1.0f) * t * (t - 2.0f) * 0.5f;
    w[3] = (t + 1.0f) * t * (t - 1.0f) / 6.0f;
    return first;
}

static float cubic(const OndGrid *g, int axis, const float *data, const float x[3])
{
    float w[3][4] = {{0}, {0}, {1, 0, 0, 0}};
    int first[3] = {0, 0, 0};
    for (int a = 0; a < ond_grid_axes(g); ++a)
        first[a] = cubic_weights(x[a] - (axis == a ? 0.0f : 0.5f), -1, g->n[a], w[a]);
    float sum = 0.0f;
    for (int k = 0; k < (g->deep ? 4 : 1); ++k)
        for (int j = 0; j < 4; ++j) {
            const float *const d = data + ond_grid_at(g, first[0], first[1] + j, first[2] + k);
            const float line = w[0][0] * d[0] + w[0][1] * d[1] + w[0][2] * d[2] + w[0][3] * d[3];
            sum += w[2][k] * w[1][j] * line;
        }
    return sum;
}

// ---- the way back

void ond_flow_at(const OndFlow *f, const float at[3], float out[3])
{
    out[2] = 0.0f;
    for (int a = 0; a < ond_grid_axes(f->grid); ++a) {
        if (f->scheme == OND_ADVECT_CUBIC) {
            out[a] = cubic(f->grid, a, f->v[a], at);
            continue;
        }
        const Spot s = find_spot(f->grid, a, at);
        out[a] = linear(f->grid, f->v[a], &s);
    }
}

static inline void go(const OndGrid *g, const float from[3], const float v[3], float cells,
                      float to[3])
{
    to[2] = from[2];
    for (int a = 0; a < ond_grid_axes(g); ++a)
        to[a] = keep(g, a, from[a] + cells * v[a]);
}

void ond_flow_trace(const OndFlow *f, double dt, float at[3])
{
    const OndGrid *const g = f->grid;
    const float cells = (float)(dt / g->h);
    float a[3], b[3], c[3], half[3];
    ond_flow_at(f, at, a);
    go(g, at, a, 0.5f * cells, half);
    ond_flow_at(f, half, b);
    if (f->stages < 3) {
        go(g, at, b, cells, at);
        return;
    }
    go(g, at, b, 0.75f * cells, half);
    ond_flow_at(f, half, c);
    for (int k = 0; k < 3; ++k)
        a[k] = (2.0f * a[k] + 3.0f * b[k] + 4.0f * c[k]) / 9.0f;
    go(g, at, a, cells, at);
}

// ---- fields

typedef struct Pass {
    const OndFlow *flow;
    OndSpan span;
    int axis;
    const float *from, *start; // what is read; what there was before the step (maccormack)
    float *to;
    bool limit;
} Pass;

static inline void place(const Pass *p, int row, int i, float at[3])
{
    at[0] = (float)i + (p->axis == 0 ? 0.0f : 0.5f);
    at[1] = (float)(row % p->span.high) + (p->axis == 1 ? 0.0f : 0.5f);
    at[2] = (float)(row / p->span.high) + (p->axis == 2 ? 0.0f : 0.5f);
}

static void linear_rows(int first, int last, int worker, void *context)
{
    const Pass *const p = context;
    const OndGrid *const g = p->flow->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        float *const to = p->to + ond_span_row(g, &p->span, row);
        for (int i = 0; i < p->span.wide; ++i) {
            float at[3];
            place(p, row, i, at);
            ond_flow_trace(p->flow, -p->flow->dt, at);
            const Spot s = find_spot(g, p->axis, at);
            to[i] = linear(g, p->from, &s);
        }
    }
}

// `from` is the field carried linearly, `start` the one before: the result goes over `to`.
static void correct_rows(int first, int last, int worker, void *context)
{
    const Pass *const p = context;
    const OndGrid *const g = p->flow->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const size_t begin = ond_span_row(g, &p->span, row);
        for (int i = 0; i < p->span.wide; ++i) {
            const size_t me = begin + (size_t)i;
            float on[3], back[3];
            place(p, row, i, on);
            place(p, row, i, back);
            ond_flow_trace(p->flow, p->flow->dt, on);
            ond_flow_trace(p->flow, -p->flow->dt, back);
            const Spot there = find_spot(g, p->axis, on), from = find_spot(g, p->axis, back);
            const float missed = p->start[me] - linear(g, p->from, &there);
            p->to[me] = clamp_to_spot(g, p->start, &from, p->from[me] + 0.5f * missed);
        }
    }
}

static void cubic_rows(int first, int last, int worker, void *context)
{
    const Pass *const p = context;
    const OndGrid *const g = p->flow->grid;
    (void)worker;
    for (int row = first; row < last; ++row) {
        float *const to = p->to + ond_span_row(g, &p->span, row);
        for (int i = 0; i < p->span.wide; ++i) {
            float at[3];
            place(p, row, i, at);
            ond_flow_trace(p->flow, -p->flow->dt, at);
            const Spot s = find_spot(g, p->axis, at);
            const float value = cubic(g, p->axis, p->from, at);
            to[i] = p->limit ? clamp_to_spot(g, p->from, &s, value) : value;
        }
    }
}

// The ghosts of what was carried half way are those of the field before: near enough for a
// correction.
static void copy_ghosts(const OndGrid *g, int axis, const float *from, float *to)
{
    const OndSpan s = ond_span(g, axis);
    size_t done = 0;
    for (int row = 0; row < s.rows; ++row) {
        const size_t at = ond_span_row(g, &s, row);
        for (size_t i = done; i < at; ++i)
            to[i] = from[i];
        done = at + (size_t)s.wide;
    }
    for (size_t i = done; i < g->length; ++i)
        to[i] = from[i];
}

void ond_advect(const OndFlow *flow, int axis, const float *from, float *to, float *scratch,
                bool limit)
{
    const OndGrid *const g = flow->grid;
    Pass p = {flow, ond_span(g, axis), axis, from, from, to, limit};
    if (flow->scheme == OND_ADVECT_CUBIC) {
        ond_parallel_for(p.span.rows, g->block, cubic_rows, &p);
        return;
    }
    if (flow->scheme == OND_ADVECT_LINEAR) {
        ond_parallel_for(p.span.rows, g->block, linear_rows, &p);
        return;
    }
    p.to = scratch;
    ond_parallel_for(p.span.rows, g->block, linear_rows, &p);
    copy_ghosts(g, axis, from, scratch);
    p.from = scratch, p.to = to;
    ond_parallel_for(p.span.rows, g->block, correct_rows, &p);
}
