// SPDX-License-Identifier: MIT
// Hyperviscosity for what maccormack carries.
//
// With short steps maccormack is Lax and Wendroff's scheme and hardly damps waves of two cells:
// what the flow folds to that size (aliasing) gathers there until it feeds the flow [Phillips
// 1959]. Third-order upwind schemes, `cubic` among them, have the cure built in: along each axis
//
//     u -= |c| / 12 d4 u,   c = v dt / h,   d4 u = u(-2) - 4 u(-1) + 6 u - 4 u(1) + u(2)
//
// Here a half of it is enough. Its error is of third order, less than that of the scheme. Beside
// sides and solids, where there are no five values in a row, none is done along that row.
//
// [Phillips 1959] An example of non-linear computational instability, in The Atmosphere and the Sea
// in Motion.
#include "base/parallel.h"
#include "grid/smoke_state.h"

#define SHARE   (0.5f / 12.0f)
#define COURANT 0.5f // no more counts: all three axes together then stay stable for any step

typedef struct Damp {
    OndSmoke *s;
    OndSpan span;
    int axis;  // of the component
    int along; // which the differences are
    float cells;
} Damp;

typedef struct Five {
    ptrdiff_t off[5];
} Five;

// Where the neighbours of a value are along an axis; false where a side is in the way.
static bool find_five(const Damp *d, int at, Five *out)
{
    const OndGrid *const g = &d->s->grid;
    const int n = g->n[d->along], last = d->along == d->axis ? n : n - 1;
    const ptrdiff_t step = ond_grid_stride(g, d->along);
    for (int k = -2; k <= 2; ++k) {
        const int there = g->periodic[d->along] ? (at + k + 2 * n) % n : at + k;
        if (there < 0 || there > last) return false;
        out->off[k + 2] = (there - at) * step;
    }
    return true;
}

// The flow along the differences, where the value stands.
static inline float flow_at(const Damp *d, size_t at)
{
    const OndGrid *const g = &d->s->grid;
    const float *const w = d->s->work[d->along] + at;
    if (d->along == d->axis) return *w;
    const ptrdiff_t on = ond_grid_stride(g, d->along), back = -ond_grid_stride(g, d->axis);
    return 0.25f * ((w[0] + w[on]) + (w[back] + w[back + on]));
}

static inline void damp_one(const Damp *d, const uint8_t *open, size_t at, const Five *five)
{
    const ptrdiff_t *const o = five->off;
    const uint8_t *const f = open + at;
    const float *const u = d->s->work[d->axis] + at;
    const bool all = f[o[0]] && f[o[1]] && f[o[2]] && f[o[3]] && f[o[4]];
    const float c = fminf(d->cells * fabsf(flow_at(d, at)), COURANT);
    const float fourth = (u[o[0]] + u[o[4]]) - 4.0f * (u[o[1]] + u[o[3]]) + 6.0f * u[o[2]];
    d->s->v[d->axis][at] -= all ? SHARE * c * fourth : 0.0f;
}

static void damp_range(const Damp *d, const uint8_t *open, size_t first, size_t last,
                       const Five *five)
{
    for (size_t at = first; at < last; ++at)
        damp_one(d, open, at, five);
}

// Along x itself the values at the ends have neighbours of their own, or none.
static void damp_along_row(const Damp *d, const uint8_t *open, size_t begin)
{
    const int wide = d->span.wide;
    Five five;
    for (int i = 0; i < wide; ++i) {
        const int last = i == 2 && wide > 4 ? wide - 2 : i + 1;
        if (find_five(d, i, &five))
            damp_range(d, open, begin + (size_t)i, begin + (size_t)last, &five);
        i = last - 1;
    }
}

static void damp_rows(int first, int last, int worker, void *context)
{
    const Damp *const d = context;
    const uint8_t *const open = ond_pressure_open(d->s->pressure, d->axis);
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int where[3] = {0, row % d->span.high, row / d->span.high};
        const size_t begin = ond_span_row(&d->s->grid, &d->span, row);
        Five five;
        if (d->along == 0)
            damp_along_row(d, open, begin);
        else if (find_five(d, where[d->along], &five))
            damp_range(d, open, begin, begin + (size_t)d->span.wide, &five);
    }
}

void ond_smoke_damp(OndSmoke *s, double dt)
{
    const int axes = ond_grid_axes(&s->grid);
    if (s->def.advection != OND_ADVECT_MACCORMACK) return;
    for (int a = 0; a < axes; ++a)
        ond_smoke_edges(s, a, s->work[a]);
    for (int a = 0; a < axes; ++a)
        for (int b = 0; b < axes; ++b) {
            Damp d = {s, ond_span(&s->grid, a), a, b, (float)(dt / s->grid.h)};
            ond_parallel_for(d.span.rows, s->grid.block, damp_rows, &d);
        }
}
