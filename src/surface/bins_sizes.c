// SPDX-License-Identifier: MIT
// Points of very different sizes: one set of bins for each class of sizes, the large ones first.
//
// A class spans a factor of 4: with narrower ones, sizes that differ a little everywhere would have
// several sets of nearly empty bins to be walked.
#include "surface/bins.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

#define CLASSES 9 // from 4^-4 to 4^4 units

typedef struct Classes {
    const float *const *at;
    const OndBinSizes *sizes;
    uint32_t *order;
    int first[CLASSES + 1]; // place of each in `list`
    uint32_t *list;         // points by class
    float *sorted[3];       // their positions
} Classes;

// 0 has the largest.
static int class_of(const OndBinSizes *sizes, int i)
{
    const long place = lrint(0.5 * log2(sizes->size[i] / sizes->unit)), half = CLASSES / 2;
    return (int)(half - (place < -half ? -half : place > half ? half : place));
}

static double width_of(const OndBinSizes *sizes, int which)
{
    return ldexp(sizes->width, 2 * (CLASSES / 2 - which));
}

static double largest_of(const OndBinSizes *sizes, const uint32_t *list, int count)
{
    float largest = 0.0f;
    for (int k = 0; k < count; ++k) {
        const float size = sizes->size[list ? list[k] : (uint32_t)k];
        largest = size > largest ? size : largest;
    }
    return largest;
}

static void count_classes(Classes *o, int count)
{
    for (int i = 0, same = 0, here = 0; i < count; ++i) { // most are like the one before
        if (i == 0 || o->sizes->size[i] != o->sizes->size[same])
            here = class_of(o->sizes, i), same = i;
        ++o->first[here + 1];
    }
    for (int k = 0; k < CLASSES; ++k)
        o->first[k + 1] += o->first[k];
}

static bool make_list(Classes *o, int count)
{
    int next[CLASSES];
    o->list = OND_NEW_ARRAY(uint32_t, count);
    for (int a = 0; a < 3; ++a)
        o->sorted[a] = OND_NEW_ARRAY(float, count);
    if (!o->list || !o->sorted[0] || !o->sorted[1] || !o->sorted[2]) return false;
    memcpy(next, o->first, sizeof next);
    for (int i = 0; i < count; ++i) {
        const int to = next[class_of(o->sizes, i)]++;
        o->list[to] = (uint32_t)i;
        for (int a = 0; a < 3; ++a)
            o->sorted[a][to] = o->at[a][i];
    }
    return true;
}

static OndStatus sort_class(const Classes *o, int which, OndBins *bins, OndError *err)
{
    const int first = o->first[which], count = o->first[which + 1] - first;
    uint32_t *order = o->order + first;
    const OndStatus status =
        ond_bins_sort(bins, o->sorted[0] + first, o->sorted[1] + first, o->sorted[2] + first, count,
                      width_of(o->sizes, which), order, err);
    if (status != OND_OK) return status;
    bins->largest = largest_of(o->sizes, o->list + first, count);
    for (int bin = 0; bin <= bins->bin_count; ++bin)
        bins->bin_first[bin] += (uint32_t)first;
    for (int k = 0; k < count; ++k)
        order[k] = o->list[(uint32_t)first + order[k]];
    return OND_OK;
}

static OndStatus sort_classes(const Classes *o, OndBins *bins, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < CLASSES && status == OND_OK; ++k) {
        if (o->first[k] == o->first[k + 1]) continue;
        if (bins->bin_count > 0) {
            bins->next = OND_NEW(OndBins);
            if (!bins->next)
                return ond_fail(err, OND_NO_MEMORY, "not enough memory for bins of particles");
            bins = bins->next;
        }
        status = sort_class(o, k, bins, err);
    }
    return status;
}

// The class that all points are of, or -1.
static int only_class(const Classes *o, int count)
{
    for (int k = 0; k < CLASSES; ++k)
        if (o->first[k + 1] - o->first[k] == count) return k;
    return -1;
}

OndStatus ond_bins_sort_sizes(OndBins *bins, const float *const at[3], int count,
                              const OndBinSizes *sizes, uint32_t *order, OndError *err)
{
    Classes o = {.at = at, .sizes = sizes, .order = order};
    ond_bins_free(bins);
    count_classes(&o, count);
    const int only = only_class(&o, count);
    OndStatus status = OND_OK;
    if (only >= 0)
        status = ond_bins_sort(bins, at[0], at[1], at[2], count, width_of(sizes, only), order, err);
    else if (make_list(&o, count))
        status = sort_classes(&o, bins, err);
    else
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to sort %d particles", count);
    if (only >= 0) bins->largest = largest_of(sizes, NULL, count);
    ond_free(o.list);
    for (int a = 0; a < 3; ++a)
        ond_free(o.sorted[a]);
    return status;
}
