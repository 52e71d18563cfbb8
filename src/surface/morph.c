// SPDX-License-Identifier: MIT
// In-between frames that follow the particles.
//
// With x0, x1, v0, v1 of a particle in both frames and h the time between them, the cubic through
// both is a straight line and a bow,
//
//     x(t) = x0 + t (x1 - x0) + (t^3 - 2t^2 + t) (h v0 - d) + (t^3 - t^2) (h v1 - d),  d = x1 - x0
//
// Velocities tell the bow of a thrown drop; where a particle has struck something between the
// frames they tell nonsense, so the bow is kept small against the way and never leaves the walls.
//
// Particles of one frame alone shrink or grow, one after the other. Those that an emitter has
// poured meanwhile have the numbers that follow, in the order in which they came, so that a stream
// flows evenly. All others come and go in the order of their places: were all of them small at
// once, they would be liquid of half the density, of which no field can tell where it ends.
#include "surface/morph.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

#define BOW     0.25 // of the way and a spacing: the most that a path may leave the straight line
#define NOTHING 1e-3 // of a particle's volume is too little to keep
#define GROWING 0.1  // of the time between the frames: how long one that is poured takes to grow
#define FEW     8.0  // particles that come or go take all the time there is
#define GRAIN   2048

// One particle of the result: where it is in both frames.
typedef struct Pair {
    uint32_t a, b;     // OND_MORPH_NONE: only in the other
    float begin, last; // when one of a single frame begins to come or go, and for how long
} Pair;

typedef struct Morph {
    const OndFrame *a, *b;
    OndFrame *out;
    double t, span; // span: s between the frames
    Pair *pair;
    int count;
    OndField *size; // of the result, when something shrinks
    double size_at_rest;
} Morph;

// ---- who is there

static double smooth_step(double t)
{
    return t * t * (3.0 - 2.0 * t);
}

// Share of its volume that a particle has.
static double presence(const Morph *m, Pair p)
{
    if (p.a != OND_MORPH_NONE && p.b != OND_MORPH_NONE) return 1.0;
    const double done = smooth_step(fmin(fmax((m->t - p.begin) / p.last, 0.0), 1.0));
    return p.a == OND_MORPH_NONE ? done : 1.0 - done;
}

static const uint32_t *numbers_of(const OndFrame *frame)
{
    const OndField *id = ond_fields_find(&frame->particles, "id");
    return id && id->type == OND_U32 && id->components == 1 ? id->data[0] : NULL;
}

// Whether all that is new was poured: numbers that go on, after particles that both frames share or
// after nothing.
static bool is_poured(const Morph *m, const unsigned char *taken)
{
    const uint32_t *a = numbers_of(m->a), *b = numbers_of(m->b);
    uint32_t largest = 0;
    int shared = 0;
    if (!a || !b) return false;
    if (m->a->particles.count == 0) return true;
    for (int i = 0; i < m->a->particles.count; ++i)
        largest = a[i] > largest ? a[i] : largest;
    for (int j = 0; j < m->b->particles.count; ++j) {
        shared += taken[j];
        if (!taken[j] && b[j] <= largest) return false;
    }
    return shared > 0;
}

// ---- their turn

typedef struct Turn {
    double by; // what they are sorted by
    int pair;
} Turn;

static int compare_turns(const void *a, const void *b)
{
    const Turn *x = a, *y = b;
    if (x->by != y->by) return x->by < y->by ? -1 : 1;
    return x->pair - y->pair;
}

static double place_of(const OndFrame *frame, uint32_t i)
{
    const float x = ((float *)ond_fields_find(&frame->particles, "position")->data[0])[i];
    return isfinite(x) ? x : 0.0;
}

// Pairs [first, m->count) are all of one frame.
static OndStatus take_turns(const Morph *m, int first, bool poured, OndError *err)
{
    const int count = m->count - first;
    Turn *turn = OND_NEW_ARRAY(Turn, (size_t)count + 1);
    if (!turn) return ond_fail(err, OND_NO_MEMORY, "not enough memory to join %d particles", count);
    for (int k = 0; k < count; ++k) {
        const Pair p = m->pair[first + k];
        turn[k].pair = first + k;
        turn[k].by = poured                  ? numbers_of(m->b)[p.b]
                     : p.a == OND_MORPH_NONE ? place_of(m->b, p.b)
                                             : place_of(m->a, p.a);
    }
    qsort(turn, (size_t)count, sizeof *turn, compare_turns);
    const double last = poured ? GROWING : fmin(fmax(FEW / fmax(count, 1), GROWING), 1.0);
    for (int k = 0; k < count; ++k) {
        Pair *p = &m->pair[turn[k].pair];
        p->last = (float)last;
        p->begin = (float)((1.0 - last) * k / fmax(count - 1, 1));
    }
    ond_free(turn);
    return OND_OK;
}

static void drop_absent(Morph *m)
{
    int kept = 0;
    for (int k = 0; k < m->count; ++k)
        if (presence(m, m->pair[k]) >= NOTHING) m->pair[kept++] = m->pair[k];
    m->count = kept;
}

// Those of both frames, of the first alone, of the second alone.
static OndStatus list_pairs(Morph *m, const uint32_t *partner, unsigned char *taken, OndError *err)
{
    for (int i = 0; i < m->a->particles.count; ++i) {
        if (partner[i] == OND_MORPH_NONE) continue;
        taken[partner[i]] = 1;
        m->pair[m->count++] = (Pair){.a = (uint32_t)i, .b = partner[i]};
    }
    int first = m->count;
    for (int i = 0; i < m->a->particles.count; ++i)
        if (partner[i] == OND_MORPH_NONE)
            m->pair[m->count++] = (Pair){.a = (uint32_t)i, .b = OND_MORPH_NONE};
    OndStatus status = take_turns(m, first, false, err);
    first = m->count;
    for (int j = 0; j < m->b->particles.count; ++j)
        if (!taken[j]) m->pair[m->count++] = (Pair){.a = OND_MORPH_NONE, .b = (uint32_t)j};
    if (status == OND_OK) status = take_turns(m, first, is_poured(m, taken), err);
    if (status == OND_OK) drop_absent(m);
    return status;
}

static OndStatus find_pairs(Morph *m, OndError *err)
{
    const int a = m->a->particles.count, b = m->b->particles.count;
    uint32_t *partner = OND_NEW_ARRAY(uint32_t, (size_t)a + 1);
    unsigned char *taken = OND_NEW_ARRAY(unsigned char, (size_t)b + 1);
    m->pair = OND_NEW_ARRAY(Pair, (size_t)a + (size_t)b + 1);
    OndStatus status = OND_NO_MEMORY;
    if (partner && taken && m->pair)
        status = ond_morph_match(m->a, m->b, partner, err);
    else
        ond_fail(err, status, "not enough memory to join frames of %d and %d particles", a, b);
    if (status == OND_OK) status = list_pairs(m, partner, taken, err);
    ond_free(partner);
    ond_free(taken);
    return status;
}

// ---- what they carry

static float at_of(const OndField *field, int component, uint32_t i)
{
    return ((const float *)field->data[component])[i];
}

static float blend(float x, float y, double t)
{
    const float mixed = (float)((1.0 - t) * x + t * y);
    return isfinite(mixed) ? mixed : t < 0.5 ? x : y;
}

static void fill_field(const Morph *m, const OndField *a, const OndField *b, OndField *to,
                       int first, int last)
{
    for (int c = 0; c < to->components; ++c)
        for (int k = first; k < last; ++k) {
            const Pair p = m->pair[k];
            const bool from_b = p.a == OND_MORPH_NONE || (p.b != OND_MORPH_NONE && m->t >= 0.5);
            if (to->type == OND_U32)
                ((uint32_t *)to->data[c])[k] =
                    from_b ? ((uint32_t *)b->data[c])[p.b] : ((uint32_t *)a->data[c])[p.a];
            else if (p.a == OND_MORPH_NONE || p.b == OND_MORPH_NONE)
                ((float *)to->data[c])[k] = from_b ? at_of(b, c, p.b) : at_of(a, c, p.a);
            else
                ((float *)to->data[c])[k] = blend(at_of(a, c, p.a), at_of(b, c, p.b), m->t);
        }
}

static void fill_fields(int first, int last, int worker, void *context)
{
    const Morph *m = context;
    OndFields *set = &m->out->particles;
    for (int f = 0; f < set->field_count; ++f) {
        OndField *to = &set->field[f];
        const OndField *a = ond_fields_find(&m->a->particles, to->name);
        const OndField *b = ond_fields_find(&m->b->particles, to->name);
        if (a && b) fill_field(m, a, b, to, first, last);
    }
    for (int k = first; m->size && k < last; ++k) {
        float *size = (float *)m->size->data[0] + k;
        if (m->size_at_rest > 0.0) *size = (float)m->size_at_rest;
        const double share = presence(m, m->pair[k]); // of its volume, in 2D of its area
        *size *= (float)(m->a->dimension == 2 ? sqrt(share) : cbrt(share));
    }
}

// ---- where they are

static double velocity_of(const OndFrame *frame, int axis, uint32_t i, double otherwise)
{
    const OndField *v = ond_fields_find(&frame->particles, "velocity");
    if (!v || v->type != OND_F32 || v->components != 3) return otherwise;
    const double speed = at_of(v, axis, i);
    return isfinite(speed) ? speed : otherwise;
}

static double inside_walls(const Morph *m, int axis, double x, double x0, double x1)
{
    const double low = ond_axis(m->a->domain.min, axis), high = ond_axis(m->a->domain.max, axis);
    if (!(low < high) || !(x0 >= low && x0 <= high && x1 >= low && x1 <= high)) return x;
    return fmin(fmax(x, low), high);
}

// What the cubic adds to the straight line along one axis.
static double bow_along(const Morph *m, int axis, Pair p, double way)
{
    const double t = m->t;
    if (!(m->span > 0.0)) return 0.0;
    const double v0 = velocity_of(m->a, axis, p.a, way / m->span);
    const double v1 = velocity_of(m->b, axis, p.b, way / m->span);
    return (t * t * t - 2.0 * t * t + t) * (m->span * v0 - way) +
           (t * t * t - t * t) * (m->span * v1 - way);
}

static void move_pair(const Morph *m, Pair p, const OndField *a, const OndField *b, double at[3])
{
    double bow[3], length = 0.0, way = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double d = (double)at_of(b, c, p.b) - at_of(a, c, p.a);
        bow[c] = bow_along(m, c, p, d);
        length += bow[c] * bow[c], way += d * d;
    }
    const double most = BOW * (sqrt(way) + m->out->spacing);
    const double keep = length > most * most ? most / sqrt(length) : 1.0;
    for (int c = 0; c < 3; ++c) {
        const double x0 = at_of(a, c, p.a), x1 = at_of(b, c, p.b);
        const double x = (1.0 - m->t) * x0 + m->t * x1 + keep * bow[c];
        at[c] = inside_walls(m, c, isfinite(x) ? x : m->t < 0.5 ? x0 : x1, x0, x1);
    }
}

static void move_alone(const Morph *m, Pair p, const OndField *a, const OndField *b, double at[3])
{
    for (int c = 0; c < 3; ++c)
        at[c] = p.b == OND_MORPH_NONE
                    ? at_of(a, c, p.a) + m->t * m->span * velocity_of(m->a, c, p.a, 0.0)
                    : at_of(b, c, p.b) - (1.0 - m->t) * m->span * velocity_of(m->b, c, p.b, 0.0);
}

static void fill_positions(int first, int last, int worker, void *context)
{
    const Morph *m = context;
    const OndField *a = ond_fields_find(&m->a->particles, "position");
    const OndField *b = ond_fields_find(&m->b->particles, "position");
    OndField *to = ond_fields_find(&m->out->particles, "position");
    for (int k = first; k < last; ++k) {
        const Pair p = m->pair[k];
        double at[3];
        if (p.a == OND_MORPH_NONE || p.b == OND_MORPH_NONE)
            move_alone(m, p, a, b, at);
        else
            move_pair(m, p, a, b, at);
        for (int c = 0; c < 3; ++c)
            ((float *)to->data[c])[k] = (float)at[c];
    }
}

// ---- the frame

static bool same_kind(const OndField *a, const OndField *b)
{
    return b && a->type == b->type && a->components == b->components;
}

static bool something_shrinks(const Morph *m)
{
    for (int k = 0; k < m->count; ++k)
        if (presence(m, m->pair[k]) < 1.0) return true;
    return false;
}

// Sizes are there already, or are needed because some particles shrink.
static bool describe_sizes(Morph *m)
{
    OndFields *set = &m->out->particles;
    m->size = ond_fields_find(set, "spacing");
    if (!m->size) m->size = ond_fields_find(set, "radius");
    if (!m->size && m->out->spacing > 0.0 && something_shrinks(m)) {
        m->size_at_rest = m->out->spacing;
        if (ond_fields_add(set, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME) < 0) return false;
        m->size = ond_fields_find(set, "spacing");
    }
    if (m->size && m->size->type != OND_F32) m->size = NULL;
    return true;
}

// The fields that both frames have.
static OndStatus describe(Morph *m, OndError *err)
{
    OndFields *set = &m->out->particles;
    const OndFields *from = &m->a->particles;
    bool room = ond_fields_reserve(set, m->count + 1, NULL) == OND_OK;
    for (int f = 0; f < from->field_count && room; ++f) {
        const OndField *field = &from->field[f];
        if (!same_kind(field, ond_fields_find(&m->b->particles, field->name))) continue;
        const char *name = ond_fields_keep_text(set, field->name);
        const char *unit = ond_fields_keep_text(set, field->unit);
        room = name && unit &&
               ond_fields_add(set, name, unit, field->type, field->components, field->flags) >= 0;
    }
    if (room && describe_sizes(m)) return OND_OK;
    if (set->field_count == OND_FIELDS_MAX)
        return ond_fail(err, OND_BAD_VALUE,
                        "frames %d and %d have %d fields in common, and particles that come and go "
                        "between them need one more; drop a field",
                        m->a->index, m->b->index, OND_FIELDS_MAX);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a frame of %d particles", m->count);
}

static OndStatus check(const OndFrame *a, const OndFrame *b, double t, OndError *err)
{
    if (!(t >= 0.0 && t <= 1.0))
        return ond_fail(err, OND_BAD_VALUE, "an in-between frame at %g; accepted: 0 to 1", t);
    if (a->dimension != b->dimension)
        return ond_fail(err, OND_BAD_VALUE,
                        "frames %d and %d can not be joined: one is %dD, one %dD", a->index,
                        b->index, a->dimension, b->dimension);
    const OndFrame *const both[] = {a, b};
    for (int k = 0; k < 2; ++k) {
        const OndField *x = ond_fields_find(&both[k]->particles, "position");
        if (!x || x->type != OND_F32 || x->components != 3)
            return ond_fail(err, OND_BAD_VALUE, "frame %d has no positions (x y z)",
                            both[k]->index);
    }
    return OND_OK;
}

OndStatus ond_morph_between(const OndFrame *a, const OndFrame *b, double t, OndFrame *out,
                            OndError *err)
{
    ond_frame_free(out);
    OndStatus status = check(a, b, t, err);
    if (status != OND_OK) return status;
    *out = (OndFrame){.index = a->index,
                      .time = (1.0 - t) * a->time + t * b->time,
                      .dimension = a->dimension,
                      .spacing = a->spacing > 0.0 ? a->spacing : b->spacing,
                      .domain = a->domain,
                      .owned = true};
    Morph m = {.a = a, .b = b, .out = out, .t = t, .span = b->time - a->time};
    status = find_pairs(&m, err);
    if (status == OND_OK) status = describe(&m, err);
    if (status == OND_OK) {
        out->particles.count = m.count;
        ond_parallel_for(m.count, GRAIN, fill_fields, &m);
        ond_parallel_for(m.count, GRAIN, fill_positions, &m);
    }
    ond_free(m.pair);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}
