// SPDX-License-Identifier: MIT
// Where a liquid starts beside solids.
//
// A lattice that a round or slanted face cuts has gaps in one place and crowds in another. A liquid
// that starts so is not at rest, whatever its pressure: particles run into the gaps, and the pool
// rings. So they are packed first. A pressure that is the same everywhere would push each of them
// to where there is less (sph_even_push.h), and that way it is moved, over and over, until next to
// nothing pushes (as in Colagrossi et al. 2012). A lattice is at rest under it and stays as it is; a
// free surface would spread, so what is near one stays too, and so does all that is solid, held, or
// far from solids.
#include "base/parallel.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_even_push.h"

#include <string.h>

#define ROUNDS  30
#define GAIN    0.1f  // of h^2, that c moves a particle; from 0.2 on it is not stable
#define MOST    0.1f  // spacings, in a round
#define FLUSH   0.05  // spacings
#define NEAREST 0.25f // spacings from a face, at least;
#define CLOSE   0.1f  // where two faces leave less room, nobody is moved nearer than this

// Arrays that mean nothing before the start lend their room. `last` is sorted with the particles:
// who moves is kept there.
typedef struct Pack {
    OndSph *s;
    float *moves, *near, *ring; // 1 or 0
    float *const *c;            // 1/m
} Pack;

static Pack pack_of(OndSph *s)
{
    return (Pack){s, s->last[0], s->marks[0], s->marks[1], s->a};
}

// ---- what pushes

static void push_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    for (int i = first; i < last; ++i) {
        float c[3] = {0};
        if (p->moves[i] > 0.0f) ond_sph_even_push(p->s, i, c);
        for (int a = 0; a < 3; ++a)
            p->c[a][i] = c[a];
    }
}

// ---- who moves

static bool any_marked(const OndSph *s, const float *mark, int i)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i], n = (uint32_t)s->fields.count;
    for (uint32_t e = 0; e < s->lists.length[i]; ++e)
        if (mark[list[e] < n ? list[e] : s->images.source[list[e] - n]] > 0.0f) return true;
    return mark[i] > 0.0f;
}

// Whether a face, an edge or a corner stands anywhere but half a spacing from a layer of the
// lattice. Rows do not tell: their normals lean at edges.
static bool is_cut(const OndSph *s, int i)
{
    OndTouch touch[OND_TOUCHES_MAX];
    const OndVec at = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
    const int count = ond_solids_feel(s->world.solids, at, s->solids->reach, touch);
    for (int k = 0; k < count; ++k)
        for (int a = 0; a < 3; ++a) {
            const double away = touch[k].distance * ond_axis(touch[k].normal, a);
            const double off = fabs(away) / s->world.spacing;
            if (off > FLUSH && fabs(off - floor(off) - 0.5) > FLUSH) return true;
        }
    return false;
}

static void touch_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    for (int i = first; i < last; ++i)
        p->near[i] = (float)(ond_sph_row_of(p->s, i)->count > 0 && is_cut(p->s, i));
}

static void ring_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    for (int i = first; i < last; ++i)
        p->ring[i] = (float)any_marked(p->s, p->near, i);
}

static void next_ring_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    for (int i = first; i < last; ++i)
        p->moves[i] = (float)any_marked(p->s, p->ring, i);
}

static void surface_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    for (int i = first; i < last; ++i)
        p->near[i] = (float)ond_sph_at_surface(
            p->s, i, (float[3]){p->c[0][i], p->c[1][i], p->c[2][i]}, p->s->kernel.h);
}

static bool is_solid(const OndSph *s, int i)
{
    return s->held[i] || s->rigidity[i] > 0.0f;
}

static void stay_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    const OndSph *s = p->s;
    for (int i = first; i < last; ++i)
        if (is_solid(s, i) || any_marked(s, p->near, i)) p->moves[i] = 0.0f;
}

static void choose(OndSph *s)
{
    static OndRangeFn *const passes[] = {touch_range, ring_range,    next_ring_range,
                                         push_range,  surface_range, stay_range};
    Pack p = pack_of(s);
    for (int k = 0; k < OND_COUNT(passes); ++k)
        ond_parallel_for(s->fields.count, OND_GRAIN, passes[k], &p);
}

// ---- moving

// Some at a free surface stand too near to a face: those that stay otherwise go as far, too.
static bool is_too_near(const OndSph *s, int i)
{
    return s->solids->nearest[i] < NEAREST * (float)s->world.spacing && !is_solid(s, i);
}

// Off one face and into another, where they leave little room between them.
static bool meets_face(const OndRow *row, float spacing, const float d[3])
{
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *t = &row->touch[k];
        const float after = t->distance + ond_dot3(t->normal, d);
        if (after < fminf(t->distance, CLOSE * spacing)) return true;
    }
    return false;
}

static void keep_off(const OndRow *row, float spacing, float d[3])
{
    for (int k = 0; k < row->count; ++k) {
        const OndRowTouch *t = &row->touch[k];
        const float across = ond_dot3(t->normal, d);
        const float least = fminf(NEAREST * spacing - t->distance, MOST * spacing);
        for (int a = 0; a < 3 && across < least; ++a)
            d[a] += (least - across) * t->normal[a];
    }
    if (meets_face(row, spacing, d)) d[0] = d[1] = d[2] = 0.0f;
}

static void move(const OndSph *s, int i, float d[3])
{
    const float spacing = (float)s->world.spacing, size = sqrtf(ond_dot3(d, d));
    const float part = size > MOST * spacing ? MOST * spacing / size : 1.0f;
    for (int a = 0; a < 3; ++a)
        d[a] *= part;
    keep_off(ond_sph_row_of(s, i), spacing, d);
    for (int a = 0; a < s->world.dimension; ++a) {
        float low = s->wall_at[2 * a], high = s->wall_at[2 * a + 1];
        if (s->world.side[2 * a].kind == OND_SIDE_PERIODIC) {
            low = (float)ond_axis(s->world.box.min, a);
            high = nextafterf((float)ond_axis(s->world.box.max, a), low);
        }
        s->x[a][i] = fminf(fmaxf(s->x[a][i] + d[a], low), high);
    }
}

static void move_range(int first, int last, int worker, void *context)
{
    const Pack *p = context;
    const float gain = GAIN * p->s->kernel.h2;
    for (int i = first; i < last; ++i) {
        if (!(p->moves[i] > 0.0f) && !is_too_near(p->s, i)) continue;
        move(p->s, i, (float[3]){gain * p->c[0][i], gain * p->c[1][i], gain * p->c[2][i]});
    }
}

static bool is_packed(const Pack *p)
{
    float most = 0.0f;
    for (int i = 0; i < p->s->fields.count; ++i) {
        const float c[3] = {p->c[0][i], p->c[1][i], p->c[2][i]};
        if (p->moves[i] > 0.0f) most = fmaxf(most, ond_dot3(c, c));
        if (is_too_near(p->s, i)) return false;
    }
    return sqrtf(most) * p->s->kernel.h < OND_EVEN;
}

OndStatus ond_sph_pack(OndSph *s, OndError *err)
{
    const int n = s->fields.count;
    OndStatus status = OND_OK;
    if (!s->solids || s->solids->used_count == 0) return OND_OK;
    if (s->has_rigidity) ond_rigid_refresh(s);
    choose(s);
    for (int round = 0; round < ROUNDS && status == OND_OK; ++round) {
        Pack p = pack_of(s);
        ond_parallel_for(n, OND_GRAIN, push_range, &p);
        if (is_packed(&p)) break;
        ond_parallel_for(n, OND_GRAIN, move_range, &p);
        status = ond_sph_find_neighbours(s, err);
    }
    memset(s->last[0], 0, (size_t)n * sizeof(float));
    for (int a = 0; a < 3; ++a)
        memset(s->a[a], 0, (size_t)n * sizeof(float));
    return status;
}
