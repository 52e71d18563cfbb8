// SPDX-License-Identifier: MIT
// What all structures share: the way in (boxes in double become floats about a common origin) and
// the way out (doubtful hits are tested exactly, all are sorted).
//
// The origin is the middle of the crowd, so that a scene a thousand kilometres away keeps its
// digits. A few objects that are very far or very large would spoil that for all others, and the
// cells too: they stand apart, and every question tests them one by one.
#include "space/space_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>

#define OBJECTS_MAX (sizeof(size_t) > 4 ? 1 << 28 : 1 << 22) // so that no product overflows
#define SAMPLES     63
#define APART_MAX   64 // objects near the crowd that may stand apart
#define APART_GAP   6  // powers of two between them and the crowd
#define GRAIN       8192
#define CLASSES_MAX 20 // powers of two between the scene and its smallest cells
// exponents of doubles, for those that are finite
#define EXPONENT_LEAST (-1074)
#define EXPONENT_MOST  1025
#define LEFT_OUT       INT16_MAX

static const OndSpaceMethod *const methods[OND_SPACE_KINDS] = {
    [OND_SPACE_UNIFORM_GRID] = &ond_space_uniform_grid,
    [OND_SPACE_UNIFORM_HASH] = &ond_space_uniform_hash,
    [OND_SPACE_MULTILEVEL_HASH] = &ond_space_multilevel_hash,
    [OND_SPACE_TOPDOWN_HASH] = &ond_space_topdown_hash,
    [OND_SPACE_HIERARCHICAL_GRID] = &ond_space_hierarchical_grid,
    [OND_SPACE_KD_TREE] = &ond_space_kd_tree,
};

const char *ond_space_name(OndSpaceKind kind)
{
    return (unsigned)kind < OND_SPACE_KINDS ? methods[kind]->name : "?";
}

OndSpace *ond_space_create(OndSpaceKind kind, int dimension, OndError *err)
{
    if ((unsigned)kind >= OND_SPACE_KINDS || (dimension != 2 && dimension != 3)) {
        ond_fail(err, OND_BAD_VALUE,
                 "no space of kind %d in %d dimensions; they are 0 to %d, 2 or 3", (int)kind,
                 dimension, OND_SPACE_KINDS - 1);
        return NULL;
    }
    OndSpace *space = OND_NEW(OndSpace);
    if (space) space->state = ond_alloc(methods[kind]->size);
    if (!space || !space->state) {
        ond_free(space);
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a space");
        return NULL;
    }
    space->method = methods[kind];
    space->items.dimension = dimension;
    space->items.stride = dimension == 2 ? 4 : 8;
    return space;
}

void ond_space_destroy(OndSpace *space)
{
    if (!space) return;
    space->method->clear(space->state);
    ond_free(space->state);
    ond_free(space->sides);
    ond_free(space->apart);
    ond_free(space);
}

// ---- the way in

bool ond_space_get_box(const OndSpace *s, int i, double lo[3], double hi[3])
{
    if (s->box) {
        const OndBox *b = &s->box[i];
        lo[0] = b->min.x, lo[1] = b->min.y, lo[2] = b->min.z;
        hi[0] = b->max.x, hi[1] = b->max.y, hi[2] = b->max.z;
    } else {
        const OndSpacePoints *p = &s->points;
        const double r = p->radius ? (double)p->radius[i] : 0.0;
        const double at[3] = {p->x[i], p->y[i], s->items.dimension == 3 ? (double)p->z[i] : 0.0};
        for (int a = 0; a < 3; ++a)
            lo[a] = at[a] - r, hi[a] = at[a] + r;
        if (!isfinite(at[0] + at[1] + at[2] + r)) return false;
    }
    for (int a = 0; a < s->items.dimension; ++a)
        if (!(lo[a] <= hi[a])) return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The middle of a few dozen objects: half of them would have to be strays to lead it astray.
static void find_origin(OndSpace *s)
{
    double sample[3][SAMPLES];
    int n = 0;
    const int stride = s->items.count / SAMPLES + 1;
    for (int i = 0; i < s->items.count && n < SAMPLES; i += stride) {
        double lo[3], hi[3];
        if (!ond_space_get_box(s, i, lo, hi)) continue;
        bool finite = true;
        for (int a = 0; a < s->items.dimension; ++a)
            finite &= isfinite(lo[a]) && isfinite(hi[a]);
        if (!finite) continue;
        for (int a = 0; a < 3; ++a)
            sample[a][n] = 0.5 * lo[a] + 0.5 * hi[a];
        ++n;
    }
    for (int a = 0; a < 3; ++a) {
        s->origin[a] = 0.0;
        if (n == 0 || a >= s->items.dimension) continue;
        qsort(sample[a], (size_t)n, sizeof(double), compare);
        s->origin[a] = sample[a][n / 2];
    }
}

typedef struct Prepare {
    OndSpace *space;
    int16_t *far; // power of two within which each object lies
    int cut;      // those beyond stand apart
} Prepare;

static void find_far(int first, int last, int worker, void *context)
{
    const Prepare *p = context;
    const OndSpace *s = p->space;
    for (int i = first; i < last; ++i) {
        double lo[3], hi[3], most = 0.0;
        p->far[i] = LEFT_OUT;
        if (!ond_space_get_box(s, i, lo, hi)) continue;
        for (int a = 0; a < s->items.dimension; ++a) {
            most = fmax(most, fabs(lo[a] - s->origin[a]));
            most = fmax(most, fabs(hi[a] - s->origin[a]));
        }
        int exponent = EXPONENT_LEAST;
        if (most > 0.0) frexp(most, &exponent);
        p->far[i] = (int16_t)(isfinite(most) ? exponent : EXPONENT_MOST);
    }
}

// Beyond which power of two objects stand apart: few, and far beyond all others.
static int find_cut(const int16_t *far, int count)
{
    static const int span = EXPONENT_MOST - EXPONENT_LEAST + 1;
    int *tally = OND_NEW_ARRAY(int, span);
    if (!tally) return EXPONENT_MOST;
    for (int i = 0; i < count; ++i)
        if (far[i] != LEFT_OUT) ++tally[far[i] - EXPONENT_LEAST];
    // floats must hold what stays, and its square
    int cut = 60, apart = 0, above = EXPONENT_MOST + 1;
    for (int e = EXPONENT_MOST; e >= EXPONENT_LEAST && apart <= APART_MAX; --e) {
        if (!tally[e - EXPONENT_LEAST]) continue;
        if (above - e >= APART_GAP && e < cut && apart > 0) cut = e;
        apart += tally[e - EXPONENT_LEAST];
        above = e;
    }
    ond_free(tally);
    return cut;
}

static void make_sides(int first, int last, int worker, void *context)
{
    const Prepare *p = context;
    OndSpace *s = p->space;
    const int stride = s->items.stride, half = stride / 2;
    for (int i = first; i < last; ++i) {
        float *side = s->sides + (size_t)i * (size_t)stride;
        double lo[3], hi[3];
        memset(side, 0, (size_t)stride * sizeof *side);
        if (p->far[i] > p->cut || !ond_space_get_box(s, i, lo, hi)) {
            for (int a = 0; a < s->items.dimension; ++a)
                side[a] = side[half + a] = INFINITY;
            continue;
        }
        for (int a = 0; a < s->items.dimension; ++a) {
            side[a] = (float)(lo[a] - s->origin[a] - s->slack);
            side[half + a] = -(float)(hi[a] - s->origin[a] + s->slack);
        }
    }
}

// How far floats and the subtraction of the origin may be off.
static double slack_of(const OndSpace *s, int exponent)
{
    double most = 0.0;
    for (int a = 0; a < s->items.dimension; ++a)
        most = fmax(most, fabs(s->origin[a]));
    const double extent = exponent > EXPONENT_LEAST ? ldexp(1.0, exponent) : 0.0;
    return extent * 0x1p-22 + (most + extent) * 0x1p-50 + 1e-37;
}

static void find_bounds(OndSpace *s)
{
    OndSpaceItems *items = &s->items;
    double sum = 0.0;
    float least = INFINITY, most = 0.0f;
    items->kept = 0;
    for (int a = 0; a < 3; ++a)
        items->lo[a] = items->dimension > a ? INFINITY : 0.0f, items->hi[a] = -items->lo[a];
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        ++items->kept;
        for (int a = 0; a < items->dimension; ++a) {
            const float lo = ond_sides_lo(side, a), hi = ond_sides_hi(items, side, a);
            items->lo[a] = lo < items->lo[a] ? lo : items->lo[a];
            items->hi[a] = hi > items->hi[a] ? hi : items->hi[a];
        }
        const float size = ond_sides_size(items, side);
        sum += size;
        least = size > 0.0f && size < least ? size : least;
        most = size > most ? size : most;
    }
    for (int a = 0; a < 3; ++a)
        s->low[a] = items->lo[a], s->high[a] = items->hi[a];
    items->extent = 0.0f;
    for (int a = 0; a < items->dimension && items->kept; ++a)
        items->extent = fmaxf(items->extent, items->hi[a] - items->lo[a]);
    items->mean = items->kept ? (float)(sum / items->kept) : 0.0f;
    s->size_least = least, s->size_most = most;
}

// Classes of size: from that of the smallest object, or of what is asked about points, up to that
// of the largest.
static void find_classes(OndSpace *s)
{
    OndSpaceItems *items = &s->items;
    const int kept = items->kept > 0 ? items->kept : 1;
    float point = items->reach; // cells for objects without a size
    if (!(point > 0.0f))
        point = items->extent / (float)pow(kept, 1.0 / items->dimension);
    else
        point *= 0.5f; // cells of at most the radius
    if (!(point > 0.0f)) point = 1.0f;
    float least = s->size_most > 0.0f ? s->size_least : point;
    least = items->reach > 0.0f ? fmaxf(least, point) : least;
    const int floor_class =
        items->extent > 0.0f ? ond_class_above(items->extent) - CLASSES_MAX : -100;
    items->least = ond_class_above(least);
    if (items->least < floor_class) items->least = floor_class;
    if (items->least < -100) items->least = -100;
    items->most = s->size_most > 0.0f ? ond_class_above(s->size_most) : items->least;
    if (items->most < items->least) items->most = items->least;
}

static OndStatus set_apart(OndSpace *s, const int16_t *far, int cut, OndError *err)
{
    int count = 0;
    for (int i = 0; i < s->items.count; ++i)
        count += far[i] != LEFT_OUT && far[i] > cut;
    s->apart_count = 0;
    if (count > s->apart_room) {
        ond_free(s->apart);
        s->apart_room = count;
        s->apart = OND_NEW_ARRAY(int, count);
        if (!s->apart) s->apart_room = 0;
        if (!s->apart) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d boxes", count);
    }
    for (int i = 0; i < s->items.count && count; ++i)
        if (far[i] != LEFT_OUT && far[i] > cut) s->apart[s->apart_count++] = i;
    return OND_OK;
}

static OndStatus make_room(OndSpace *s, OndError *err)
{
    const size_t want = (size_t)s->items.count * (size_t)s->items.stride;
    if (s->sides && want <= s->sides_room) return OND_OK;
    ond_free(s->sides);
    s->sides_room = want + want / 8 + 64;
    s->sides = OND_NEW_ARRAY(float, s->sides_room);
    if (s->sides) return OND_OK;
    s->sides_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a space of %d objects",
                    s->items.count);
}

// Everything that a structure is told about its objects.
static OndStatus prepare(OndSpace *s, OndError *err)
{
    find_origin(s);
    Prepare p = {.space = s, .far = OND_NEW_ARRAY(int16_t, s->items.count + 1)};
    OndStatus status = make_room(s, err);
    if (!p.far)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d boxes", s->items.count);
    if (status == OND_OK) {
        ond_parallel_for(s->items.count, GRAIN, find_far, &p);
        p.cut = find_cut(p.far, s->items.count);
        int most = EXPONENT_LEAST;
        for (int i = 0; i < s->items.count; ++i)
            most = p.far[i] <= p.cut && p.far[i] > most ? p.far[i] : most;
        s->slack = slack_of(s, most);
        s->items.slack = (float)s->slack;
        s->items.sides = s->sides;
        ond_parallel_for(s->items.count, GRAIN, make_sides, &p);
        status = set_apart(s, p.far, p.cut, err);
        find_bounds(s);
        find_classes(s);
    }
    ond_free(p.far);
    return status;
}

static OndStatus refresh(OndSpace *s, OndError *err)
{
    OndStatus status = OND_OK;
    if (s->items.count < 0 || s->items.count > OBJECTS_MAX)
        status = ond_fail(err, OND_BAD_VALUE, "a space cannot hold %d objects; at most %d",
                          s->items.count, OBJECTS_MAX);
    if (status == OND_OK) status = prepare(s, err);
    if (status == OND_OK) status = s->method->build(s->state, &s->items, err);
    if (status != OND_OK) { // an empty space, rather than one half built
        s->items.count = s->items.kept = s->apart_count = 0;
        return status;
    }
    if (!s->method->keeps_sides) {
        ond_free(s->sides);
        s->sides = NULL, s->sides_room = 0, s->items.sides = NULL;
    }
    return OND_OK;
}

OndStatus ond_space_set_boxes(OndSpace *s, const OndBox *box, int count, OndError *err)
{
    static const OndBox none; // stands for "boxes" where there are none
    s->box = count > 0 ? box : &none;
    s->points = (OndSpacePoints){0};
    s->items.count = count;
    s->items.reach = 0.0f;
    return refresh(s, err);
}

OndStatus ond_space_set_points(OndSpace *s, const OndSpacePoints *points, OndError *err)
{
    s->box = NULL;
    s->points = *points;
    s->items.count = points->count;
    s->items.reach = points->reach > 0.0 && points->reach < 1e30 ? (float)points->reach : 0.0f;
    return refresh(s, err);
}

size_t ond_space_bytes(const OndSpace *s)
{
    return sizeof *s + s->method->size + s->sides_room * sizeof(float) +
           (size_t)s->apart_room * sizeof(int) + s->method->bytes(s->state);
}
