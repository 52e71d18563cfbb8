// SPDX-License-Identifier: MIT
// The list of constraints, and one for those that nearly coincide.
//
// "Constraints too close may give undefined results" [Pouchol 4.3]: where two of different values
// nearly touch, the function between them is steep and swings. In the order of the list each takes
// in those that follow it and lie closer than a part of a spacing, and moves to their middle. Those
// of different times stay apart: what is inside now may well be outside then.
#include "base/memory.h"
#include "surface/fields/variational.h"

#include <limits.h>
#include <string.h>

#define CLOSE 0.3 // spacings

OndStatus ond_constraints_add(OndConstraints *all, const OndConstraint *one, OndError *err)
{
    if (all->count == all->capacity) {
        if (all->capacity > INT_MAX / 2)
            return ond_fail(err, OND_NO_MEMORY,
                            "%d constraints of a variational surface are too "
                            "many; use another field",
                            all->count);
        const int room = all->capacity ? 2 * all->capacity : 64;
        OndConstraint *list = OND_NEW_ARRAY(OndConstraint, room);
        if (!list)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d constraints", room);
        if (all->count) memcpy(list, all->list, (size_t)all->count * sizeof *list);
        ond_free(all->list);
        all->list = list, all->capacity = room;
    }
    all->list[all->count++] = *one;
    return OND_OK;
}

void ond_constraints_free(OndConstraints *all)
{
    ond_free(all->list);
    memset(all, 0, sizeof *all);
}

// ---- merging

typedef struct Merge {
    OndConstraint *list;
    OndBins bins;
    float *x[3], *size;
    uint32_t *order;     // constraints by bin
    unsigned char *gone; // taken in by an earlier one
} Merge;

static bool close_to(const OndConstraint *a, const OndConstraint *b)
{
    const double least = CLOSE * fmin(a->size, b->size);
    double d2 = 0.0;
    if (a->at[3] != b->at[3]) return false;
    for (int k = 0; k < 3; ++k)
        d2 += (a->at[k] - b->at[k]) * (a->at[k] - b->at[k]);
    return d2 < least * least;
}

static void take_in(OndConstraint *sum, const OndConstraint *one)
{
    for (int a = 0; a < 3; ++a)
        sum->at[a] += one->at[a];
    sum->value += one->value;
    sum->slack = fmax(sum->slack, one->slack);
    sum->size = fmax(sum->size, one->size);
}

static void merge_one(Merge *m, int i)
{
    const OndConstraint own = m->list[i];
    OndConstraint sum = own;
    int count = 1;
    OndBinWalk near = ond_near_sizes(&m->bins, own.at, own.at, CLOSE);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t k = run.first; k < run.last; ++k) {
            const uint32_t j = m->order[k];
            if ((int)j <= i || m->gone[j] || !close_to(&own, &m->list[j])) continue;
            take_in(&sum, &m->list[j]);
            m->gone[j] = 1;
            ++count;
        }
    for (int a = 0; a < 3; ++a)
        sum.at[a] /= count;
    sum.value /= count;
    m->list[i] = sum;
}

static double largest_size(const OndConstraints *all)
{
    double largest = 0.0;
    for (int i = 0; i < all->count; ++i)
        largest = fmax(largest, all->list[i].size);
    return largest;
}

static OndStatus merge_all(Merge *m, OndConstraints *all, OndError *err)
{
    for (int i = 0; i < all->count; ++i) {
        m->size[i] = (float)all->list[i].size;
        for (int a = 0; a < 3; ++a)
            m->x[a][i] = (float)all->list[i].at[a];
    }
    const double unit = largest_size(all);
    const OndBinSizes sizes = {m->size, unit, 2.0 * CLOSE * unit};
    const float *const at[3] = {m->x[0], m->x[1], m->x[2]};
    const OndStatus status = ond_bins_sort_sizes(&m->bins, at, all->count, &sizes, m->order, err);
    if (status != OND_OK) return status;
    int kept = 0;
    for (int i = 0; i < all->count; ++i)
        if (!m->gone[i]) merge_one(m, i);
    for (int i = 0; i < all->count; ++i)
        if (!m->gone[i]) all->list[kept++] = all->list[i];
    all->count = kept;
    return OND_OK;
}

OndStatus ond_constraints_merge(OndConstraints *all, OndError *err)
{
    if (all->count < 2) return OND_OK;
    Merge m = {.list = all->list, .order = OND_NEW_ARRAY(uint32_t, all->count)};
    m.gone = OND_NEW_ARRAY(unsigned char, all->count);
    m.size = OND_NEW_ARRAY(float, all->count);
    for (int a = 0; a < 3; ++a)
        m.x[a] = OND_NEW_ARRAY(float, all->count);
    OndStatus status = OND_NO_MEMORY;
    if (m.order && m.gone && m.size && m.x[0] && m.x[1] && m.x[2])
        status = merge_all(&m, all, err);
    else
        ond_fail(err, status, "not enough memory for %d constraints", all->count);
    ond_bins_free(&m.bins);
    ond_free(m.order);
    ond_free(m.gone);
    ond_free(m.size);
    for (int a = 0; a < 3; ++a)
        ond_free(m.x[a]);
    return status;
}
