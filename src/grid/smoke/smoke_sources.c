// SPDX-License-Identifier: MIT
#include "grid/smoke/smoke_sources.h"

#include "base/memory.h"
#include "grid/smoke/smoke_state.h"
#include "physics/buoyancy.h"

#include <string.h>

// A cell, and how much of it lies in a shape.
typedef struct Spot {
    size_t at;
    float share;
} Spot;

typedef struct Spots {
    Spot *spot;
    int count;
    OndBox box; // where the shape was
} Spots;

struct OndSmokeSources {
    Spots *flow, *heat; // one a source
    int flow_count, heat_count;
    OndGain *gain; // of all that flow
    int gain_room;
};

// ---- which cells

typedef struct Shape {
    const void *shape;
    bool (*inside)(const void *shape, OndVec at);
    OndBox box;
} Shape;

// How many of the points of a small lattice in a cell lie inside.
static float share_of(const OndGrid *g, const Shape *s, int i, int j, int k)
{
    const int side = g->deep ? 3 : 4, layers = g->deep ? side : 1;
    int inside = 0;
    for (int p = 0; p < side * side * layers; ++p) {
        const double x = i + (p % side + 0.5) / side, y = j + (p / side % side + 0.5) / side,
                     z = g->deep ? k + (p / (side * side) + 0.5) / side : 0.5;
        const OndVec at = ond_add(g->origin, ond_scale(ond_vec(x, y, z), g->h));
        inside += s->inside(s->shape, g->deep ? at : ond_vec(at.x, at.y, 0.0));
    }
    return (float)inside / (float)(side * side * layers);
}

static int walk(const OndGrid *g, const Shape *s, Spot *out)
{
    int low[3], high[3], count = 0;
    ond_grid_range(g, s->box, low, high);
    for (int k = low[2]; k < high[2]; ++k)
        for (int j = low[1]; j < high[1]; ++j)
            for (int i = low[0]; i < high[0]; ++i) {
                const float share = share_of(g, s, i, j, k);
                if (share == 0.0f) continue;
                if (out) out[count] = (Spot){ond_grid_at(g, i, j, k), share};
                ++count;
            }
    return count;
}

static OndStatus find_spots(const OndGrid *g, const Shape *s, const char *what, Spots *out,
                            OndError *err)
{
    out->count = walk(g, s, NULL);
    if (out->count == 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "a %s has no cell of the grid: its shape lies outside the domain, or is "
                        "too thin for cells of %g m",
                        what, g->h);
    out->spot = OND_NEW_ARRAY(Spot, out->count);
    if (!out->spot) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a %s", what);
    walk(g, s, out->spot);
    out->box = s->box;
    return OND_OK;
}

// ---- life

void ond_smoke_sources_free(OndSmokeSources *q)
{
    if (!q) return;
    for (int k = 0; q->flow && k < q->flow_count; ++k)
        ond_free(q->flow[k].spot);
    for (int k = 0; q->heat && k < q->heat_count; ++k)
        ond_free(q->heat[k].spot);
    ond_free(q->flow);
    ond_free(q->heat);
    ond_free(q->gain);
    ond_free(q);
}

static OndStatus make(const OndSmoke *s, OndSmokeSources *q, OndError *err)
{
    const OndWorld *const w = &s->world;
    OndStatus status = OND_OK;
    for (int k = 0; k < w->source_count && status == OND_OK; ++k) {
        const Shape shape = {w->source[k].shape, w->source[k].inside, w->source[k].box};
        status = find_spots(&s->grid, &shape, "source", &q->flow[k], err);
        if (w->source[k].flow != 0.0) q->gain_room += q->flow[k].count;
    }
    for (int k = 0; k < w->heat_count && status == OND_OK; ++k) {
        const Shape shape = {w->heat[k].shape, w->heat[k].inside, w->heat[k].box};
        status = find_spots(&s->grid, &shape, "source of heat", &q->heat[k], err);
    }
    if (status != OND_OK) return status;
    q->gain = OND_NEW_ARRAY(OndGain, q->gain_room + 1);
    return q->gain ? OND_OK : ond_fail(err, OND_NO_MEMORY, "not enough memory for the sources");
}

OndStatus ond_smoke_sources_make(const OndSmoke *s, OndSmokeSources **out, OndError *err)
{
    const int flows = s->world.source_count, heats = s->world.heat_count;
    *out = NULL;
    if (flows + heats == 0) return OND_OK;
    OndSmokeSources *const q = OND_NEW(OndSmokeSources);
    if (q) {
        *q = (OndSmokeSources){.flow = OND_NEW_ARRAY(Spots, flows + 1),
                               .heat = OND_NEW_ARRAY(Spots, heats + 1),
                               .flow_count = flows,
                               .heat_count = heats};
    }
    OndStatus status = OND_OK;
    if (!q || !q->flow || !q->heat)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for the sources");
    if (status == OND_OK) status = make(s, q, err);
    if (status == OND_OK)
        *out = q;
    else
        ond_smoke_sources_free(q);
    return status;
}

OndStatus ond_smoke_sources_move(OndSmoke *s, OndError *err)
{
    for (int k = 0; s->sources && k < s->sources->heat_count; ++k) {
        const OndHeatSource *const heat = &s->world.heat[k];
        const Shape shape = {heat->shape, heat->inside, heat->box};
        Spots *const old = &s->sources->heat[k], fresh = {0};
        if (memcmp(&old->box, &heat->box, sizeof heat->box) == 0) continue;
        const OndStatus status = find_spots(&s->grid, &shape, "source of heat", &fresh, err);
        if (status != OND_OK) return status;
        ond_free(old->spot);
        *old = fresh;
    }
    return OND_OK;
}

// ---- the flow

// Solids may stand in a source: only what is fluid counts.
static double count_fluid(const OndSmoke *s, const Spots *p)
{
    const float *const fluid = ond_pressure_fluid(s->pressure);
    double cells = 0.0;
    for (int k = 0; k < p->count; ++k)
        if (fluid[p->spot[k].at] > 0.0f) cells += p->spot[k].share;
    return cells;
}

static double cell_volume(const OndGrid *g)
{
    return pow(g->h, ond_grid_axes(g));
}

static bool is_on(const OndSmoke *s, double from, double to)
{
    const double now = s->time + OND_SOON;
    return now >= from && now < to;
}

static double rate_of(const OndSmoke *s, int which)
{
    const OndFlowSource *const from = &s->world.source[which];
    if (from->flow == 0.0 || !is_on(s, from->from, from->to)) return 0.0;
    const double cells = count_fluid(s, &s->sources->flow[which]);
    return cells > 0.0 ? from->flow / (cells * cell_volume(&s->grid)) : 0.0;
}

static void find_gains(OndSmoke *s, OndSmokeSources *q)
{
    int count = 0;
    for (int k = 0; k < q->flow_count; ++k) {
        const Spots *const p = &q->flow[k];
        const double rate = rate_of(s, k);
        for (int i = 0; i < p->count && rate != 0.0; ++i)
            q->gain[count++] = (OndGain){p->spot[i].at, (float)(rate * p->spot[i].share)};
    }
    ond_pressure_gains(s->pressure, q->gain, count);
}

// Whether a cell is the last along an axis that goes round: its upper face is the first one.
static bool before_seam(const OndGrid *g, int axis, size_t at)
{
    const size_t off = at - g->lead, plane = (size_t)g->plane, row = (size_t)g->row;
    const size_t place[3] = {off % row, off % plane / row, off / plane};
    return g->periodic[axis] && place[axis] == (size_t)g->n[axis] - 1;
}

// Each of a cell's faces, by the cell's share.
static void blow(OndSmoke *s, const OndFlowSource *from, const Spots *p)
{
    const OndGrid *const g = &s->grid;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const uint8_t *const open = ond_pressure_open(s->pressure, a);
        const float wanted = (1.0f + from->effort) * from->velocity[a];
        for (int k = 0; k < p->count; ++k)
            for (int end = 0; end < 2; ++end) {
                const size_t step = (size_t)ond_grid_stride(g, a), from_at = p->spot[k].at;
                const bool round = end && before_seam(g, a, from_at);
                const size_t at =
                    round ? from_at - step * (size_t)(g->n[a] - 1) : from_at + (size_t)end * step;
                if (open[at]) s->v[a][at] = ond_source_mix(s->v[a][at], wanted, p->spot[k].share);
            }
    }
}

void ond_smoke_sources_drive(OndSmoke *s)
{
    OndSmokeSources *const q = s->sources;
    if (!q) return;
    for (int k = 0; k < q->flow_count; ++k) {
        const OndFlowSource *const from = &s->world.source[k];
        if (from->drives && is_on(s, from->from, from->to)) blow(s, from, &q->flow[k]);
    }
    find_gains(s, q);
}

double ond_smoke_sources_speed(const OndSmoke *s)
{
    double most = 0.0;
    for (int k = 0; k < s->world.source_count; ++k) {
        const OndFlowSource *const from = &s->world.source[k];
        const float *const v = from->velocity;
        const double asked = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
        if (from->drives && is_on(s, from->from, from->to))
            most = fmax(most, (1.0 + from->effort) * asked);
    }
    return most;
}

// ---- what is carried

static void feed_flow(OndSmoke *s, const OndFlowSource *from, const Spots *p, double rate,
                      double dt)
{
    const float warm = from->warms ? ond_smoke_warm(s, from->temperature) : 0.0f;
    const float *const fluid = ond_pressure_fluid(s->pressure);
    for (int k = 0; k < p->count; ++k) {
        const size_t at = p->spot[k].at;
        if (!(fluid[at] > 0.0f)) continue; // within a solid
        const float share = p->spot[k].share, g = (float)(rate * dt) * share;
        if (g > 0.0f) {
            const float fresh = ond_source_fresh(g);
            s->density[at] = ond_source_mix(s->density[at], from->density, fresh);
            s->warmth[at] = ond_source_mix(s->warmth[at], warm, fresh);
        }
        if (from->rate < 0.0f) s->density[at] *= expf(from->rate * (float)dt * share);
        if (!(from->rate > 0.0f)) continue;
        const float more = from->rate * (float)dt * share;
        const float mixed = fminf(from->density > 0.0f ? more / from->density : 1.0f, 1.0f);
        if (s->density[at] < from->density)
            s->density[at] = fminf(s->density[at] + more, from->density);
        if (from->warms) s->warmth[at] = ond_source_mix(s->warmth[at], warm, mixed);
    }
}

static void feed_heat(OndSmoke *s, const OndHeatSource *from, const Spots *p, double dt)
{
    const double capacity = s->def.density * s->def.capacity;
    const double volume = count_fluid(s, p) * cell_volume(&s->grid);
    const float *const fluid = ond_pressure_fluid(s->pressure);
    if (!(volume > 0.0)) return;
    for (int k = 0; k < p->count; ++k) {
        const size_t at = p->spot[k].at;
        const double share = p->spot[k].share;
        if (!(fluid[at] > 0.0f)) continue;
        if (from->transfer > 0.0f)
            s->warmth[at] =
                ond_source_mix(s->warmth[at], ond_smoke_warm(s, from->temperature),
                               (float)(1.0 - exp(-from->transfer * dt * share / capacity)));
        else
            s->warmth[at] += (float)(from->power * dt * share / (volume * capacity));
    }
}

void ond_smoke_sources_feed(OndSmoke *s, double dt)
{
    OndSmokeSources *const q = s->sources;
    if (!q) return;
    for (int k = 0; k < q->flow_count; ++k) {
        const OndFlowSource *const from = &s->world.source[k];
        if (is_on(s, from->from, from->to)) feed_flow(s, from, &q->flow[k], rate_of(s, k), dt);
    }
    for (int k = 0; k < q->heat_count; ++k)
        if (is_on(s, s->world.heat[k].from, s->world.heat[k].to))
            feed_heat(s, &s->world.heat[k], &q->heat[k], dt);
}
