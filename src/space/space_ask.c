// SPDX-License-Identifier: MIT
// The questions. A structure gives candidates; what is exact, and in order, is made here.
#include "geom/minmax.h"
#include "space/space_state.h"

static void to_arrays(const OndBox *box, double lo[3], double hi[3])
{
    lo[0] = box->min.x, lo[1] = box->min.y, lo[2] = box->min.z;
    hi[0] = box->max.x, hi[1] = box->max.y, hi[2] = box->max.z;
}

// The question in floats, cut down to where objects are; false when that leaves nothing.
static bool make_query(const OndSpace *s, const double lo[3], const double hi[3], OndSpaceQuery *q)
{
    const OndSpaceItems *items = &s->items;
    const int half = items->stride / 2;
    const float margin = 4.0f * items->slack;
    if (items->dimension == 3) q->limits.limit[3] = q->limits.limit[7] = INFINITY;
    if (items->dimension == 3) q->limits.sure[3] = q->limits.sure[7] = INFINITY;
    q->lo[2] = q->hi[2] = 0.0f;
    for (int a = 0; a < items->dimension; ++a) {
        const double low = ond_max(lo[a] - s->origin[a] - s->slack, items->lo[a]);
        const double high = ond_min(hi[a] - s->origin[a] + s->slack, items->hi[a]);
        if (!(low <= high)) return false;
        q->lo[a] = (float)low, q->hi[a] = (float)high;
        q->limits.limit[a] = q->hi[a], q->limits.limit[half + a] = -q->lo[a];
        q->limits.sure[a] = q->limits.limit[a] - margin,
        q->limits.sure[half + a] = q->limits.limit[half + a] - margin;
    }
    q->origin = s->origin;
    return true;
}

static bool touches(const OndSpace *s, int i, const double lo[3], const double hi[3])
{
    double low[3], high[3];
    if (!ond_space_get_box(s, i, low, high)) return false;
    for (int a = 0; a < s->items.dimension; ++a)
        if (!(low[a] <= hi[a] && high[a] >= lo[a])) return false;
    return true;
}

// Drops those that do not touch by the caller's numbers.
static void settle_doubts(const OndSpace *s, const double lo[3], const double hi[3], OndHits *hits)
{
    int n = 0;
    for (int k = 0; k < hits->count; ++k) {
        const uint32_t hit = (uint32_t)hits->item[k];
        const int i = (int)(hit & ~OND_HIT_DOUBT);
        if (!(hit & OND_HIT_DOUBT) || touches(s, i, lo, hi)) hits->item[n++] = i;
    }
    hits->count = n;
}

static OndStatus ask(const OndSpace *s, const double lo[3], const double hi[3], OndSpaceQuery *q,
                     OndHits *hits, OndError *err)
{
    hits->count = 0, hits->doubt = s->apart_count > 0;
    for (int a = 0; a < s->items.dimension; ++a)
        if (!(lo[a] <= hi[a])) return OND_OK; // empty, or not a number
    bool room = ond_hits_reserve(hits, (size_t)s->apart_count);
    if (room && s->items.kept && make_query(s, lo, hi, q))
        room = s->method->touch(s->state, &s->items, q, hits) &&
               ond_hits_reserve(hits, (size_t)s->apart_count);
    if (!room) {
        hits->count = 0;
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the objects near a place");
    }
    for (int k = 0; k < s->apart_count; ++k)
        hits->item[hits->count++] = (int)((uint32_t)s->apart[k] | OND_HIT_DOUBT);
    if (hits->doubt) settle_doubts(s, lo, hi, hits);
    return OND_OK;
}

OndStatus ond_space_touch(const OndSpace *s, const OndBox *box, OndHits *hits, OndError *err)
{
    double lo[3], hi[3];
    OndSpaceQuery query; // the rest is made when something is near
    query.larger = 0.0f, query.trace = NULL;
    to_arrays(box, lo, hi);
    const OndStatus status = ask(s, lo, hi, &query, hits, err);
    ond_hits_sort(hits, s->items.count);
    return status;
}

// A box round a ball, so much too large that rounding cannot cut off its surface.
static void round_ball(const double at[3], double r, double lo[3], double hi[3])
{
    for (int a = 0; a < 3; ++a) {
        const double more = r * (1.0 + 1e-14) + fabs(at[a]) * 1e-15;
        lo[a] = at[a] - more, hi[a] = at[a] + more;
    }
}

static double distance2(const OndSpace *s, const double at[3], int i)
{
    const OndSpacePoints *p = &s->points;
    const double dx = (double)p->x[i] - at[0], dy = (double)p->y[i] - at[1];
    const double dz = s->items.dimension == 3 ? (double)p->z[i] - at[2] : 0.0;
    return dx * dx + dy * dy + dz * dz;
}

static OndStatus needs_points(const OndSpace *s, OndHits *hits, OndError *err)
{
    hits->count = 0;
    if (!s->box) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "this space holds boxes; distances are between points");
}

OndStatus ond_space_near(const OndSpace *s, OndVec at, double r, OndHits *hits, OndError *err)
{
    OndStatus status = needs_points(s, hits, err);
    if (status != OND_OK || !(r >= 0.0)) return status;
    const double centre[3] = {at.x, at.y, at.z};
    double lo[3], hi[3];
    OndSpaceQuery query;
    query.larger = 0.0f, query.trace = NULL;
    round_ball(centre, r, lo, hi);
    status = ask(s, lo, hi, &query, hits, err);
    int n = 0;
    for (int k = 0; k < hits->count; ++k)
        if (distance2(s, centre, hits->item[k]) <= r * r) hits->item[n++] = hits->item[k];
    hits->count = n;
    ond_hits_sort(hits, s->items.count);
    return status;
}

OndStatus ond_space_larger(const OndSpace *s, int i, OndHits *hits, OndError *err)
{
    OndStatus status = needs_points(s, hits, err);
    if (status != OND_OK) return status;
    if (i < 0 || i >= s->items.count)
        return ond_fail(err, OND_BAD_VALUE, "ball %d of %d", i, s->items.count);
    const OndSpacePoints *p = &s->points;
    const float radius = p->radius ? p->radius[i] : 0.0f;
    const double centre[3] = {p->x[i], p->y[i], s->items.dimension == 3 ? (double)p->z[i] : 0.0};
    double lo[3], hi[3];
    OndSpaceQuery query = {.larger = 2.0f * radius * 0.999999f};
    if (!ond_space_get_box(s, i, lo, hi)) return OND_OK;
    round_ball(centre, radius, lo, hi);
    status = ask(s, lo, hi, &query, hits, err);
    int n = 0;
    for (int k = 0; k < hits->count; ++k) {
        const int j = hits->item[k];
        const float other = p->radius ? p->radius[j] : 0.0f;
        const double sum = (double)radius + (double)other;
        if (other < radius || (other == radius && j <= i)) continue;
        if (distance2(s, centre, j) <= sum * sum) hits->item[n++] = j;
    }
    hits->count = n;
    ond_hits_sort(hits, s->items.count);
    return status;
}

// ---- watching

void ond_space_show_cell(const OndSpaceQuery *q, const OndSpaceItems *items, const int at[3],
                         float size, bool empty)
{
    if (!q->trace) return;
    double lo[3] = {0}, hi[3] = {0};
    for (int a = 0; a < items->dimension; ++a) {
        lo[a] = q->origin[a] + (double)at[a] * (double)size;
        hi[a] = q->origin[a] + ((double)at[a] + 1.0) * (double)size;
    }
    const OndBox cell = {{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
    q->trace(cell, empty, q->watcher);
}

OndStatus ond_space_trace(const OndSpace *s, const OndBox *box, OndSpaceTraceFn *trace,
                          void *context, OndError *err)
{
    double lo[3], hi[3];
    OndSpaceQuery query = {.trace = trace, .watcher = context};
    OndHits hits = {0};
    to_arrays(box, lo, hi);
    const OndStatus status = ask(s, lo, hi, &query, &hits, err);
    ond_hits_free(&hits);
    return status;
}
