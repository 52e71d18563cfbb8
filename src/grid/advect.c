// SPDX-License-Identifier: MIT
#include "grid/advect.h"

#include "base/parallel.h"
#include "grid/departures.h"
#include "physics/advection.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NAME(number, name) name,
const char *const ond_advection_names[] = {OND_ADVECTIONS(NAME) NULL};
const char *const ond_trace_names[] = {OND_TRACES(NAME) NULL};

OndSpan ond_span(const OndGrid *g, int axis)
{
    const OndSpan s = {g->n[0] + (axis == 0), 0, g->n[1] + (axis == 1)};
    const int layers = g->n[2] + (axis == 2 && g->deep);
    return (OndSpan){s.wide, s.high * layers, s.high};
}

// ---- the way back: departure points

typedef struct TraceWay {
    const OndFlow *flow;
    const OndDepartureLoops *loops;
    int axis;  // of the field whose values stand where the way starts,
    size_t at; // and the first of those values
    OndDepartures start, now;
    OndDepartureValues v[3], next[3], third[3];
} TraceWay;

static void look(TraceWay *w, int scheme, OndDepartureValues out[3])
{
    const OndFlow *const f = w->flow;
    for (int a = 0; a < ond_grid_axes(f->grid); ++a) {
        if (scheme == OND_ADVECT_CUBIC)
            w->loops->cubic(&w->now, a, f->v[a], out[a]);
        else
            w->loops->linear(&w->now, a, f->v[a], out[a]);
    }
}

// At the start nothing has to be searched.
static void look_round(TraceWay *w, OndDepartureValues out[3])
{
    const OndGrid *const g = w->flow->grid;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const ptrdiff_t on = a == w->axis ? 0 : ond_grid_stride(g, a);
        const ptrdiff_t back = a == w->axis || w->axis < 0 ? 0 : ond_grid_stride(g, w->axis);
        w->loops->mean(w->flow->v[a] + w->at, on, back, w->start.count, out[a]);
    }
}

// From the start.
static void go(TraceWay *w, OndDepartureValues v[3], float cells)
{
    for (int a = 0; a < ond_grid_axes(w->flow->grid); ++a)
        w->loops->move(&w->now, a, w->start.at[a], v[a], cells);
}

// to = share to + rest from
static void blend(const TraceWay *w, OndDepartureValues to[3], float share,
                  OndDepartureValues from[3], float rest)
{
    for (int a = 0; a < ond_grid_axes(w->flow->grid); ++a)
        for (int i = 0; i < w->start.count; ++i)
            to[a][i] = share * to[a][i] + rest * from[a][i];
}

// The first look, w->v, is done.
static void go_stages(TraceWay *w, float cells)
{
    const int scheme = w->flow->scheme;
    go(w, w->v, 0.5f * cells);
    look(w, scheme, w->next);
    if (w->flow->trace != OND_TRACE_RK3) {
        go(w, w->next, cells);
        return;
    }
    go(w, w->next, 0.75f * cells);
    look(w, scheme, w->third);
    blend(w, w->v, 2.0f / 9.0f, w->next, 3.0f / 9.0f);
    blend(w, w->v, 1.0f, w->third, 4.0f / 9.0f);
    go(w, w->v, cells);
}

// To the y with y + dt w(y) = x: each look at w gives a better y. The third is taken where the
// first two point to.
static void go_back(TraceWay *w, float cells)
{
    go(w, w->v, -cells);
    look(w, OND_ADVECT_LINEAR, w->next);
    w->loops->aim(w->start.count, w->v, (const OndDepartureValues *)w->next, w->flow->grid->deep);
    go(w, w->v, -cells);
    look(w, w->flow->scheme, w->v);
    go(w, w->v, -cells);
}

// On for `dt`, or back where it is below 0.
static void travel(TraceWay *w, double dt)
{
    const float cells = (float)(dt / w->flow->grid->h);
    const bool taylor = w->flow->trace == OND_TRACE_TAYLOR;
    w->now = w->start;
    if (w->flow->scheme == OND_ADVECT_CUBIC && !taylor)
        look(w, OND_ADVECT_CUBIC, w->v);
    else
        look_round(w, w->v);
    if (!taylor)
        go_stages(w, cells);
    else if (dt < 0.0)
        go_back(w, -cells);
    else
        go(w, w->v, cells);
}

// ---- fields

typedef struct AdvectPass {
    const OndFlow *flow;
    const OndDepartureLoops *loops;
    OndSpan span;
    int axis, count;
    const OndCarried *field;
    bool limit;
} AdvectPass;

// The places of a piece of a row.
static void set_out(const AdvectPass *p, TraceWay *w, int row, int first)
{
    OndDepartures *const t = &w->start;
    w->at = ond_span_row(p->flow->grid, &p->span, row) + (size_t)first;
    const float shift[3] = {p->axis == 0 ? 0.0f : 0.5f, p->axis == 1 ? 0.0f : 0.5f,
                            p->axis == 2 ? 0.0f : 0.5f};
    const float j = (float)(row % p->span.high), k = (float)(row / p->span.high);
    t->count = p->span.wide - first < OND_DEPARTURES ? p->span.wide - first : OND_DEPARTURES;
    for (int i = 0; i < t->count; ++i) {
        t->at[0][i] = (float)(first + i) + shift[0];
        t->at[1][i] = j + shift[1];
        t->at[2][i] = k + shift[2];
    }
}

typedef void Piece(const AdvectPass *p, TraceWay *w);

// Calls `piece` for all pieces of some rows, each with its places at the start.
static void each_piece(const AdvectPass *p, int first, int last, Piece *piece)
{
    TraceWay w;
    w.flow = p->flow, w.loops = p->loops, w.axis = p->axis;
    w.start.grid = p->flow->grid;
    for (int row = first; row < last; ++row)
        for (int i = 0; i < p->span.wide; i += OND_DEPARTURES) {
            set_out(p, &w, row, i);
            piece(p, &w);
        }
}

static void linear_piece(const AdvectPass *p, TraceWay *w)
{
    travel(w, -p->flow->dt);
    for (int k = 0; k < p->count; ++k)
        w->loops->linear(&w->now, p->axis, p->field[k].from, p->field[k].to + w->at);
}

static void cubic_piece(const AdvectPass *p, TraceWay *w)
{
    int32_t spots[OND_DEPARTURES];
    travel(w, -p->flow->dt);
    if (p->limit) w->loops->spots(&w->now, p->axis, spots);
    for (int k = 0; k < p->count; ++k) {
        const OndCarried *const f = &p->field[k];
        w->loops->cubic(&w->now, p->axis, f->from, f->to + w->at);
        if (p->limit) w->loops->clamp(p->flow->grid, w->now.count, f->from, spots, f->to + w->at);
    }
}

// The first half of maccormack. What came from where is needed again in the second: until then the
// numbers of those elements lie in `to`.
static void leave_piece(const AdvectPass *p, TraceWay *w)
{
    int32_t spots[OND_DEPARTURES];
    travel(w, -p->flow->dt);
    w->loops->spots(&w->now, p->axis, spots);
    for (int k = 0; k < p->count; ++k) {
        const OndCarried *const f = &p->field[k];
        w->loops->linear(&w->now, p->axis, f->from, f->scratch + w->at);
        memcpy(f->to + w->at, spots, (size_t)w->now.count * sizeof *spots);
    }
}

// ---- what maccormack's correction trusts

// The values below and above a place along an axis; the domain's sides are not among them.
static void find_two(const OndGrid *g, int axis, int along, float at, int two[2])
{
    const int n = g->n[along], first = axis == along ? 1 : 0;
    const int low = (int)floorf(at - (axis == along ? 0.0f : 0.5f));
    for (int k = 0; k < 2; ++k) {
        const int there = low + k < n - 1 ? low + k : n - 1;
        two[k] = g->periodic[along] ? (low + k + n) % n : there > first ? there : first;
    }
}

// Whether one of the faces round a place lies in a solid.
static bool beside_solid(const OndDepartures *t, int axis, const uint8_t *open, int i)
{
    int two[3][2];
    for (int a = 0; a < 3; ++a)
        find_two(t->grid, axis, a, t->at[a][i], two[a]);
    bool covered = false;
    for (int c = 0; c < 8; ++c)
        covered |= !open[ond_grid_at(t->grid, two[0][c & 1], two[1][c >> 1 & 1], two[2][c >> 2])];
    return covered;
}

// Most faces are far from all that is shut, be it a solid, a side or a ghost.
static bool beside_shut(const OndGrid *g, const uint8_t *open)
{
    const ptrdiff_t row = g->row, plane = g->deep ? g->plane : 0;
    return !open[0] | !open[1] | !open[row] | !open[row + 1] | !open[plane] | !open[plane + 1] |
           !open[plane + row] | !open[plane + row + 1];
}

static void distrust_solids(const TraceWay *w, const uint8_t *open, float *trust)
{
    int32_t spots[OND_DEPARTURES];
    w->loops->spots(&w->now, w->axis, spots);
    for (int i = 0; i < w->now.count; ++i)
        if (beside_shut(w->flow->grid, open + spots[i]) && beside_solid(&w->now, w->axis, open, i))
            trust[i] = 0.0f;
}

#define FOLDED 1.0f // cells; with 2 such a whirl is a tenth too fast, with 0.5 it is the same

static void distrust_folds(TraceWay *w, float *trust)
{
    const float cells = (float)(w->flow->dt / w->flow->grid->h);
    OndDepartureValues far = {0.0f};
    look(w, OND_ADVECT_LINEAR, w->next);
    for (int a = 0; a < ond_grid_axes(w->flow->grid); ++a)
        for (int i = 0; i < w->now.count; ++i) {
            const float off = cells * (w->next[a][i] - w->v[a][i]);
            far[i] += off * off;
        }
    for (int i = 0; i < w->now.count; ++i)
        trust[i] = ond_maccormack_trust(trust[i], far[i], FOLDED);
}

// Beyond the last value before a side lie ghosts, and what was carried has none of its own: what
// came back from there tells nothing, and nothing is put right. A wall to which the fluid sticks
// would even pull up the flow beside it. The same holds for faces in a solid: what the flow along
// its surface (solid_ghosts.h) has carried about inside would feed a whirl beside it.
static void find_trust(const AdvectPass *p, TraceWay *w, float *trust)
{
    const OndGrid *const g = w->flow->grid;
    for (int i = 0; i < w->now.count; ++i)
        trust[i] = 0.5f;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        // a component across a side has a value on it, where what would go farther was stopped
        const float n = (float)g->n[a], least = a == p->axis ? FLT_MIN : 0.5f,
                    most = a == p->axis ? nextafterf(n, 0.0f) : n - 0.5f;
        const float *const at = w->now.at[a];
        for (int i = 0; i < w->now.count && !g->periodic[a]; ++i)
            trust[i] = at[i] >= least && at[i] <= most ? trust[i] : 0.0f;
    }
    if (p->axis >= 0 && p->flow->open[p->axis]) distrust_solids(w, p->flow->open[p->axis], trust);
    if (p->flow->trace == OND_TRACE_TAYLOR) distrust_folds(w, trust);
}

// ---- there and back

static void return_piece(const AdvectPass *p, TraceWay *w)
{
    int32_t spots[OND_DEPARTURES];
    OndDepartureValues back, trust;
    travel(w, p->flow->dt);
    find_trust(p, w, trust);
    for (int k = 0; k < p->count; ++k) {
        const OndCarried *const f = &p->field[k];
        memcpy(spots, f->to + w->at, (size_t)w->now.count * sizeof *spots);
        w->loops->linear(&w->now, p->axis, f->scratch, back);
        for (size_t i = 0; i < (size_t)w->now.count; ++i)
            f->to[w->at + i] =
                ond_maccormack(f->scratch[w->at + i], trust[i], f->from[w->at + i], back[i]);
        w->loops->clamp(p->flow->grid, w->now.count, f->from, spots, f->to + w->at);
    }
}

static void linear_rows(int first, int last, int worker, void *context)
{
    (void)worker;
    each_piece(context, first, last, linear_piece);
}

static void cubic_rows(int first, int last, int worker, void *context)
{
    (void)worker;
    each_piece(context, first, last, cubic_piece);
}

static void leave_rows(int first, int last, int worker, void *context)
{
    (void)worker;
    each_piece(context, first, last, leave_piece);
}

static void return_rows(int first, int last, int worker, void *context)
{
    (void)worker;
    each_piece(context, first, last, return_piece);
}

// Ghosts of periodic axes, those at edges and corners, too.
static void wrap_ghosts(const OndGrid *g, int axis, int own, float *array)
{
    const ptrdiff_t step = ond_grid_stride(g, axis), n = g->n[axis];
    int low[3], high[3];
    for (int a = 0; a < 3; ++a) { // with the ghosts of axes before this one
        const bool more = a < axis || (a == own && (a < 2 || g->deep));
        low[a] = a < axis ? -1 : 0, high[a] = g->n[a] + more;
    }
    low[axis] = 0, high[axis] = 1;
    for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
            for (int i = low[0]; i < high[0]; ++i) {
                float *const first = array + ond_grid_at(g, i, j, k);
                first[-step] = first[step * (n - 1)];
                first[step * n] = first[0];
            }
}

// The ghosts of what was carried half way are those of the field before: near enough for a
// correction. Round a periodic axis it is known.
static void copy_ghosts(const OndGrid *g, int axis, const float *from, float *to)
{
    const OndSpan s = ond_span(g, axis);
    size_t done = 0;
    for (int row = 0; row < s.rows; ++row) {
        const size_t at = ond_span_row(g, &s, row);
        memcpy(to + done, from + done, (at - done) * sizeof *to);
        done = at + (size_t)s.wide;
    }
    memcpy(to + done, from + done, (g->length - done) * sizeof *to);
    for (int a = 0; a < ond_grid_axes(g); ++a)
        if (g->periodic[a]) wrap_ghosts(g, a, axis, to);
}

void ond_advect(const OndFlow *flow, int axis, const OndCarried *fields, int count, bool limit)
{
    const OndGrid *const g = flow->grid;
    AdvectPass p = {flow, ond_departure_loops(), ond_span(g, axis), axis, count, fields, limit};
    if (flow->scheme == OND_ADVECT_CUBIC) {
        ond_parallel_for(p.span.rows, g->block, cubic_rows, &p);
        return;
    }
    if (flow->scheme == OND_ADVECT_LINEAR) {
        ond_parallel_for(p.span.rows, g->block, linear_rows, &p);
        return;
    }
    ond_parallel_for(p.span.rows, g->block, leave_rows, &p);
    for (int k = 0; k < count; ++k)
        copy_ghosts(g, axis, fields[k].from, fields[k].scratch);
    ond_parallel_for(p.span.rows, g->block, return_rows, &p);
}
