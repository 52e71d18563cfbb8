// SPDX-License-Identifier: MIT
// Hyperviscosity for what maccormack carries.
//
// Third-order upwind schemes, `cubic` among them, take off |c| / 12 d4 u (physics/advection.h says
// why). Here a half of it is enough. Its error is of third order, less than that of the scheme. Beside
// sides and solids, where there are no five values in a row, none is done along that row.
#include "base/parallel.h"
#include "grid/departures.h"
#include "grid/smoke/smoke_state.h"

#define SHARE   (0.5f / 12.0f)
#define COURANT 0.5f // no more counts: all three axes together then stay stable for any step

typedef struct Damp {
    OndSmoke *s;
    const OndDepartureLoops *loops;
    OndSpan span;
    int axis;  // of the component
    int along; // which the differences are
    float cells;
} Damp;

// Where the neighbours of a value are along an axis; false where a side is in the way.
static bool find_five(const Damp *d, int at, ptrdiff_t off[5])
{
    const OndGrid *const g = &d->s->grid;
    const int n = g->n[d->along], last = d->along == d->axis ? n : n - 1;
    const ptrdiff_t step = ond_grid_stride(g, d->along);
    for (int k = -2; k <= 2; ++k) {
        const int there = g->periodic[d->along] ? (at + k + 2 * n) % n : at + k;
        if (there < 0 || there > last) return false;
        off[k + 2] = (there - at) * step;
    }
    return true;
}

// `count` values from one on, whose neighbours lie as those of number `at` do.
static void damp_piece(const Damp *d, size_t from, int at, int count)
{
    const OndGrid *const g = &d->s->grid;
    const bool own = d->along == d->axis;
    OndDampRow r = {.u = d->s->work[d->axis] + from,
                    .open = ond_pressure_open(d->s->pressure, d->axis) + from,
                    .w = d->s->work[d->along] + from,
                    .on = own ? 0 : ond_grid_stride(g, d->along),
                    .back = own ? 0 : ond_grid_stride(g, d->axis),
                    .cells = d->cells,
                    .most = COURANT,
                    .share = SHARE,
                    .out = d->s->v[d->axis] + from};
    if (find_five(d, at, r.off)) d->loops->damp(&r, count);
}

// Along x itself the values at the ends have neighbours of their own, or none.
static void damp_along_row(const Damp *d, size_t begin)
{
    const int wide = d->span.wide;
    for (int i = 0; i < wide;) {
        const int count = i == 2 && wide > 4 ? wide - 4 : 1;
        damp_piece(d, begin + (size_t)i, i, count);
        i += count;
    }
}

static void damp_rows(int first, int last, int worker, void *context)
{
    const Damp *const d = context;
    (void)worker;
    for (int row = first; row < last; ++row) {
        const int where[3] = {0, row % d->span.high, row / d->span.high};
        const size_t begin = ond_span_row(&d->s->grid, &d->span, row);
        if (d->along == 0)
            damp_along_row(d, begin);
        else
            damp_piece(d, begin, where[d->along], d->span.wide);
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
            Damp d = {s, ond_departure_loops(),  ond_span(&s->grid, a), a,
                      b, (float)(dt / s->grid.h)};
            ond_parallel_for(d.span.rows, s->grid.block, damp_rows, &d);
        }
}
