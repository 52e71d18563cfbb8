// SPDX-License-Identifier: MIT
// The questions. A structure gives candidates; what is exact, and in order, is made here.
#include "geom/minmax.h"
#include "space/pending.h"
#include "space/space_state.h"

// The question in floats, cut down to where objects are; false when that leaves nothing, or when
// the box is empty, or not of numbers.
#ifdef __SSE2__
// Written out because numbers that are stored one by one cannot soon be read as a vector.
static inline bool make_query(const OndSpace *s, const OndBox *box, OndSpaceQuery *q,
                              OndLimits *limits)
{
    const __m128d origin = _mm_loadu_pd(s->origin), slack = _mm_set1_pd(s->slack);
    const __m128d from = _mm_loadu_pd(&box->min.x), to = _mm_loadu_pd(&box->max.x);
    const __m128d low =
        _mm_max_pd(_mm_sub_pd(_mm_sub_pd(from, origin), slack), _mm_loadu_pd(s->low));
    const __m128d high =
        _mm_min_pd(_mm_add_pd(_mm_sub_pd(to, origin), slack), _mm_loadu_pd(s->high));
    const __m128d sound = _mm_and_pd(_mm_cmple_pd(from, to), _mm_cmple_pd(low, high));
    bool any = _mm_movemask_pd(sound) == 3;
    __m128 l = _mm_cvtpd_ps(low), h = _mm_cvtpd_ps(high); // two numbers and two zeros
    const __m128 sign = _mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f);
    if (s->items.dimension == 2) {
        _mm_storeu_ps(limits->limit, _mm_movelh_ps(h, _mm_xor_ps(l, sign)));
    } else {
        const double z0 = ond_max(box->min.z - s->origin[2] - s->slack, s->low[2]);
        const double z1 = ond_min(box->max.z - s->origin[2] + s->slack, s->high[2]);
        const __m128 open = _mm_setr_ps(0.0f, 0.0f, 0.0f, INFINITY);
        any &= (box->min.z <= box->max.z) & (z0 <= z1);
        l = _mm_movelh_ps(l, _mm_set_ss((float)z0)), h = _mm_movelh_ps(h, _mm_set_ss((float)z1));
        _mm_storeu_ps(limits->limit, _mm_or_ps(h, open));
        _mm_storeu_ps(limits->limit + 4, _mm_or_ps(_mm_xor_ps(l, sign), open));
    }
    _mm_storeu_ps(q->lo, l), _mm_storeu_ps(q->hi, h);
    return any;
}
#else
static inline bool make_query(const OndSpace *s, const OndBox *box, OndSpaceQuery *q,
                              OndLimits *limits)
{
    const int half = s->items.stride / 2;
    bool any = true;
    q->lo[2] = q->hi[2] = q->lo[3] = q->hi[3] = 0.0f;
    for (int a = 0; a < s->items.dimension; ++a) {
        const double lo = ond_axis(box->min, a), hi = ond_axis(box->max, a);
        const double low = ond_max(lo - s->origin[a] - s->slack, s->low[a]);
        const double high = ond_min(hi - s->origin[a] + s->slack, s->high[a]);
        any &= (low <= high) & (lo <= hi);
        q->lo[a] = (float)low, q->hi[a] = (float)high;
        limits->limit[a] = (float)high, limits->limit[half + a] = -(float)low;
    }
    if (half == 4) limits->limit[3] = limits->limit[7] = INFINITY;
    return any;
}
#endif

// Puts a question for a box to the structure. What it finds is tested with that of others.
static inline void put(const OndSpace *s, const OndBox *box, OndSpaceQuery *q, OndPending *p)
{
    OndTouchAsked *asked = ond_pending_open(p);
    if (!s->items.kept || !make_query(s, box, q, &asked->limits)) return;
    q->limits = &asked->limits, q->origin = s->origin;
    if (s->method->find) {
        s->method->find(s->state, &s->items, q, p);
        asked->runs = (uint32_t)p->runs;
        return;
    }
    p->hits->doubt = false;
    p->failed |= !s->method->touch(s->state, &s->items, q, p->hits);
    asked->found = (uint32_t)p->hits->count, asked->doubts = p->hits->doubt;
}

// A box round a ball, so much too large that rounding cannot cut off its surface.
static OndBox round_ball(OndVec at, double r)
{
    const double more = r * (1.0 + 1e-14);
    const OndVec half = {more + fabs(at.x) * 1e-15, more + fabs(at.y) * 1e-15,
                         more + fabs(at.z) * 1e-15};
    return (OndBox){ond_sub(at, half), ond_add(at, half)};
}

// Middle and radius of what is asked about; the radius is not a number for a ball that is not
// there.
static OndVec ball_of(const OndSpace *s, const OndQuestion *q, double *r)
{
    *r = q->r;
    if (q->kind == OND_ASK_NEAR) return q->at;
    const OndSpacePoints *p = &s->points;
    const bool there = ond_space_get_box(s, q->i, (double[3]){0}, (double[3]){0});
    *r = !there ? NAN : p->radius ? (double)p->radius[q->i] : 0.0;
    return ond_vec(p->x[q->i], p->y[q->i], s->items.dimension == 3 ? (double)p->z[q->i] : 0.0);
}

void ond_space_put(const OndSpace *s, const OndQuestion *question, OndPending *p)
{
    OndSpaceQuery query; // the rest is made when something is near
    query.larger = 0.0f, query.trace = NULL;
    if (question->kind == OND_ASK_TOUCH) {
        put(s, question->box, &query, p);
        return;
    }
    double r;
    const OndVec at = ball_of(s, question, &r);
    const OndBox box = round_ball(at, r);
    if (question->kind == OND_ASK_LARGER) query.larger = 2.0f * (float)r * 0.999999f;
    put(s, &box, &query, p);
}

// ---- of what was found, what is right

static bool touches(const OndSpace *s, int i, const OndBox *box)
{
    double low[3], high[3];
    if (!ond_space_get_box(s, i, low, high)) return false;
    for (int a = 0; a < s->items.dimension; ++a) {
        const double lo = ond_axis(box->min, a), hi = ond_axis(box->max, a);
        if (!(lo <= hi && low[a] <= hi && high[a] >= lo)) return false;
    }
    return true;
}

// Drops those that do not touch by the caller's numbers.
static void settle_doubts(const OndSpace *s, const OndBox *box, OndHits *hits)
{
    int n = 0;
    for (int k = 0; k < hits->count; ++k) {
        const uint32_t hit = (uint32_t)hits->item[k];
        const int i = (int)(hit & ~OND_HIT_DOUBT);
        if (!(hit & OND_HIT_DOUBT) || touches(s, i, box)) hits->item[n++] = i;
    }
    hits->count = n;
}

static inline double distance2(const OndSpace *s, OndVec at, int i)
{
    const OndSpacePoints *p = &s->points;
    const double dx = (double)p->x[i] - at.x, dy = (double)p->y[i] - at.y;
    const double dz = s->items.dimension == 3 ? (double)p->z[i] - at.z : 0.0;
    return dx * dx + dy * dy + dz * dz;
}

// Of candidates, points at a distance of at most r.
static void keep_near(const OndSpace *s, OndVec at, double r, OndHits *hits)
{
    int n = 0;
    for (int k = 0; k < hits->count; ++k)
        if (distance2(s, at, hits->item[k]) <= r * r) hits->item[n++] = hits->item[k];
    hits->count = n;
}

// Of candidates, balls that ball i touches and that are larger.
static void keep_larger(const OndSpace *s, OndVec at, int i, OndHits *hits)
{
    const float *radius = s->points.radius;
    const float own = radius ? radius[i] : 0.0f;
    int n = 0;
    for (int k = 0; k < hits->count; ++k) {
        const int j = hits->item[k];
        const float other = radius ? radius[j] : 0.0f;
        const double sum = (double)own + (double)other;
        if (other < own || (other == own && j <= i)) continue;
        if (distance2(s, at, j) <= sum * sum) hits->item[n++] = j;
    }
    hits->count = n;
}

void ond_space_settle(const OndSpace *s, const OndQuestion *question, bool doubt, OndHits *hits)
{
    if (question->kind == OND_ASK_TOUCH) {
        if (doubt) settle_doubts(s, question->box, hits);
        return;
    }
    double r;
    const OndVec at = ball_of(s, question, &r);
    const OndBox box = round_ball(at, r);
    if (doubt) settle_doubts(s, &box, hits);
    if (question->kind == OND_ASK_NEAR)
        keep_near(s, at, r, hits);
    else
        keep_larger(s, at, question->i, hits);
}

// ---- one question

static bool add_apart(const OndSpace *s, OndHits *hits)
{
    if (!ond_hits_reserve(hits, (size_t)s->apart_count)) return false;
    for (int k = 0; k < s->apart_count; ++k)
        hits->item[hits->count++] = (int)((uint32_t)s->apart[k] | OND_HIT_DOUBT);
    return true;
}

OndStatus ond_space_ask(const OndSpace *s, const OndQuestion *question, OndHits *hits,
                        OndError *err)
{
    OndPending p;
    ond_pending_begin(&p, hits);
    ond_space_put(s, question, &p);
    ond_pending_flush(&p);
    if (p.failed || (s->apart_count && !add_apart(s, hits))) {
        hits->count = 0;
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the objects near a place");
    }
    ond_space_settle(s, question, p.asked[0].doubts || s->apart_count, hits);
    ond_hits_sort(hits, s->items.count);
    return OND_OK;
}

OndStatus ond_space_touch(const OndSpace *s, const OndBox *box, OndHits *hits, OndError *err)
{
    const OndQuestion question = {.kind = OND_ASK_TOUCH, .box = box};
    return ond_space_ask(s, &question, hits, err);
}

static OndStatus needs_points(const OndSpace *s, OndHits *hits, OndError *err)
{
    hits->count = 0;
    if (!s->box) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "this space holds boxes; distances are between points");
}

OndStatus ond_space_near(const OndSpace *s, OndVec at, double r, OndHits *hits, OndError *err)
{
    const OndStatus status = needs_points(s, hits, err);
    const OndQuestion question = {.kind = OND_ASK_NEAR, .at = at, .r = r};
    return status == OND_OK ? ond_space_ask(s, &question, hits, err) : status;
}

OndStatus ond_space_larger(const OndSpace *s, int i, OndHits *hits, OndError *err)
{
    const OndStatus status = needs_points(s, hits, err);
    if (status != OND_OK) return status;
    if (i < 0 || i >= s->items.count)
        return ond_fail(err, OND_BAD_VALUE, "ball %d of %d", i, s->items.count);
    const OndQuestion question = {.kind = OND_ASK_LARGER, .i = i};
    return ond_space_ask(s, &question, hits, err);
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
    OndSpaceQuery query = {.trace = trace, .watcher = context};
    OndHits hits = {0};
    OndPending p;
    ond_pending_begin(&p, &hits);
    put(s, box, &query, &p);
    ond_hits_free(&hits);
    if (!p.failed) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the objects near a place");
}
