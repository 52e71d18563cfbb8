// SPDX-License-Identifier: MIT
#include "grid/stream.h"

#define PIECES_MAX 64 // of a way

OndStream ond_stream_of(const OndGrid *grid, const OndFields *cells)
{
    const OndField *const f = ond_fields_find(cells, "velocity");
    return (OndStream){
        grid, {f->data[0], f->data[1], f->data[2]}, (f->flags & OND_FIELD_FACES) != 0};
}

// From a place in cells to the value below it and the share of the next one. Periodic axes go
// round; others end at their sides, where the ghost is the next.
static int split(const OndGrid *g, int axis, double x, double shift, double *share)
{
    const double n = g->n[axis];
    if (g->periodic[axis]) x -= n * floor(x / n);
    x = x > 0.0 ? (x < n ? x : n) : 0.0; // NaN: 0
    const double low = floor(x - shift);
    *share = x - shift - low;
    return (int)low;
}

static double component(const OndStream *s, int axis, const double x[3])
{
    const OndGrid *const g = s->grid;
    double share[3] = {0, 0, 0}, sum = 0.0;
    int low[3] = {0, 0, 0};
    for (int a = 0; a < ond_grid_axes(g); ++a)
        low[a] = split(g, a, x[a], s->faces && a == axis ? 0.0 : 0.5, &share[a]);
    for (int c = 0; c < (g->deep ? 8 : 4); ++c) {
        const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
        const double weight = (i ? share[0] : 1.0 - share[0]) * (j ? share[1] : 1.0 - share[1]) *
                              (k ? share[2] : 1.0 - share[2]);
        if (weight > 0.0)
            sum += weight * s->v[axis][ond_grid_at(g, low[0] + i, low[1] + j, low[2] + k)];
    }
    return sum;
}

OndVec ond_stream_at(const OndStream *s, OndVec at)
{
    const OndGrid *const g = s->grid;
    const OndVec from = ond_scale(ond_sub(at, g->origin), 1.0 / g->h);
    const double x[3] = {from.x, from.y, from.z};
    return ond_vec(component(s, 0, x), component(s, 1, x), g->deep ? component(s, 2, x) : 0.0);
}

static OndVec go(OndVec from, OndVec velocity, double dt)
{
    return ond_add(from, ond_scale(velocity, dt));
}

static OndVec carry_piece(const OndStream *s, OndVec from, OndVec a, double dt)
{
    const OndVec b = ond_stream_at(s, go(from, a, 0.5 * dt));
    const OndVec c = ond_stream_at(s, go(from, b, 0.75 * dt));
    return go(go(go(from, a, 2.0 / 9.0 * dt), b, 3.0 / 9.0 * dt), c, 4.0 / 9.0 * dt);
}

OndVec ond_stream_carry(const OndStream *s, OndVec at, double dt)
{
    double left = dt;
    for (int k = 1; k <= PIECES_MAX && left > 0.0; ++k) {
        const OndVec v = ond_stream_at(s, at);
        const double speed = ond_length(v), most = speed > 0.0 ? s->grid->h / speed : left;
        const double piece = k == PIECES_MAX || most >= left ? left : most;
        at = carry_piece(s, at, v, piece);
        left -= piece;
    }
    return at;
}
