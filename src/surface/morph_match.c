// SPDX-License-Identifier: MIT
// Which particle of the next frame is which.
//
// Frames of our own carry an `id`. Without one, the places where velocities take both halfway are
// compared: x + v dt/2 from the first, x - v dt/2 from the second, and two particles belong
// together when each is the other's nearest.
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/morph.h"

#include <stdlib.h>
#include <string.h>

#define NEAR  0.75 // spacings that halfway places may differ
#define GRAIN 1024

// ---- by id

typedef struct NamedParticle {
    uint32_t id, index;
} NamedParticle;

static int compare_named(const void *a, const void *b)
{
    const NamedParticle *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static NamedParticle *sort_by_id(const OndField *id, int count)
{
    NamedParticle *list = OND_NEW_ARRAY(NamedParticle, count + 1);
    if (!list) return NULL;
    for (int i = 0; i < count; ++i)
        list[i] = (NamedParticle){((const uint32_t *)id->data[0])[i], (uint32_t)i};
    qsort(list, (size_t)count, sizeof *list, compare_named);
    return list;
}

// Equal ids, if there are any, pair up in order.
static void pair_up(const NamedParticle *a, int a_count, const NamedParticle *b, int b_count,
                    uint32_t *partner)
{
    for (int i = 0, j = 0; i < a_count && j < b_count;) {
        if (a[i].id == b[j].id)
            partner[a[i++].index] = b[j++].index;
        else if (a[i].id < b[j].id)
            ++i;
        else
            ++j;
    }
}

static const OndField *find_ids(const OndFrame *frame)
{
    const OndField *id = ond_fields_find(&frame->particles, "id");
    return id && id->type == OND_U32 && id->components == 1 ? id : NULL;
}

static OndStatus match_ids(const OndFrame *a, const OndFrame *b, uint32_t *partner, OndError *err)
{
    NamedParticle *first = sort_by_id(find_ids(a), a->particles.count);
    NamedParticle *second = sort_by_id(find_ids(b), b->particles.count);
    const bool room = first && second;
    if (room) pair_up(first, a->particles.count, second, b->particles.count, partner);
    ond_free(first);
    ond_free(second);
    if (room) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to match %d particles",
                    a->particles.count);
}

// ---- by place

typedef struct ParticlePlaces {
    int count;
    float *at[3];
    uint32_t *order, *nearest; // nearest of the other frame, by index
    OndBins bins;
} ParticlePlaces;

typedef struct Matching {
    ParticlePlaces *from, *to;
    double reach;
} Matching;

static void free_places(ParticlePlaces *p)
{
    for (int a = 0; a < 3; ++a)
        ond_free(p->at[a]);
    ond_free(p->order);
    ond_free(p->nearest);
    ond_bins_free(&p->bins);
}

// Places after `ahead` s. Those that are not finite go where nobody is near.
static OndStatus find_places(ParticlePlaces *p, const OndFrame *frame, double ahead, double reach,
                             OndError *err)
{
    const OndField *x = ond_fields_find(&frame->particles, "position");
    const OndField *v = ond_fields_find(&frame->particles, "velocity");
    const int count = p->count = frame->particles.count;
    const double far = OND_POINTS_FAR * reach;
    for (int a = 0; a < 3; ++a)
        p->at[a] = OND_NEW_ARRAY(float, count + 1);
    p->order = OND_NEW_ARRAY(uint32_t, count + 1);
    p->nearest = OND_NEW_ARRAY(uint32_t, count + 1);
    if (!p->at[0] || !p->at[1] || !p->at[2] || !p->order || !p->nearest)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to match %d particles", count);
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < 3; ++a) {
            const double speed = v && v->components == 3 ? ((const float *)v->data[a])[i] : 0.0;
            const double at = ((const float *)x->data[a])[i] + speed * ahead;
            p->at[a][i] = (float)(fabs(at) <= far ? at : far); // NaN too
        }
    if (count == 0) return OND_OK;
    return ond_bins_sort(&p->bins, p->at[0], p->at[1], p->at[2], count, reach, p->order, err);
}

static uint32_t nearest_of(const Matching *m, int i)
{
    const ParticlePlaces *f = m->from, *t = m->to;
    const double at[3] = {f->at[0][i], f->at[1][i], f->at[2][i]};
    double min[3], max[3], best = m->reach * m->reach;
    uint32_t who = OND_MORPH_NONE;
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - m->reach, max[a] = at[a] + m->reach;
    OndBinWalk near = ond_near(&t->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t k = run.first; k < run.last; ++k) {
            const uint32_t j = t->order[k];
            double d2 = 0.0;
            for (int a = 0; a < 3; ++a)
                d2 += (t->at[a][j] - at[a]) * (t->at[a][j] - at[a]);
            if (d2 < best || (d2 == best && j < who)) best = d2, who = j;
        }
    return who;
}

static void find_nearest(int first, int last, int worker, void *context)
{
    const Matching *m = context;
    for (int i = first; i < last; ++i)
        m->from->nearest[i] = nearest_of(m, i);
}

static OndStatus match_places(const OndFrame *a, const OndFrame *b, uint32_t *partner,
                              OndError *err)
{
    const double spacing = a->spacing > 0.0 ? a->spacing : b->spacing;
    if (!(spacing > 0.0 && isfinite(spacing)))
        return ond_fail(err, OND_BAD_VALUE,
                        "frames %d and %d can not be joined: their particles have no `id`, and "
                        "their spacing is not known",
                        a->index, b->index);
    const double reach = NEAR * spacing, half = 0.5 * (b->time - a->time);
    ParticlePlaces first = {0}, second = {0};
    OndStatus status = find_places(&first, a, half, reach, err);
    if (status == OND_OK) status = find_places(&second, b, -half, reach, err);
    if (status == OND_OK && first.count > 0 && second.count > 0) {
        ond_parallel_for(first.count, GRAIN, find_nearest, &(Matching){&first, &second, reach});
        ond_parallel_for(second.count, GRAIN, find_nearest, &(Matching){&second, &first, reach});
        for (int i = 0; i < first.count; ++i) {
            const uint32_t j = first.nearest[i];
            if (j != OND_MORPH_NONE && second.nearest[j] == (uint32_t)i) partner[i] = j;
        }
    }
    free_places(&first);
    free_places(&second);
    return status;
}

OndStatus ond_morph_match(const OndFrame *a, const OndFrame *b, uint32_t *partner, OndError *err)
{
    for (int i = 0; i < a->particles.count; ++i)
        partner[i] = OND_MORPH_NONE;
    if (find_ids(a) && find_ids(b)) return match_ids(a, b, partner, err);
    return match_places(a, b, partner, err);
}
