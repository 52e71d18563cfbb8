// SPDX-License-Identifier: MIT
// Zhu and Bridson's field with what each particle knows of its own distance to the surface in
// place of a radius [Adams, Pauly, Keiser, Guibas 2007]:
//
//     f(p) = d(p) - |p - centre(p)|,    d(p) = sum_i k_i d_i / sum_i k_i
//
// Over a plane both terms grow alike with depth, so that it comes out flat however the particles
// are weighed, and particles of different sizes do not show. d_i is half a size at the free
// surface and, below it, the way to the nearest particle that is there.
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/fields/averages.h"
#include "surface/fields/crowd.h"

#define REACH     3.0f // sizes: deeper ones count as this deep
#define GROUP     64
#define ROW_GRAIN 2

typedef struct Depths {
    const OndField3 *field;
    const OndPoints *points;
    const OndBins *bins; // those of the points, or some of them
    float *length;
} Depths;

static void find_group(const Depths *d, uint32_t first, uint32_t last)
{
    const OndPoints *p = d->points;
    OndCrowd crowd;
    float best[GROUP];
    for (uint32_t i = first; i < last; ++i)
        best[i - first] = p->surface[i] ? ond_averages_length(d->field, i) : REACH * p->size[i];
    ond_crowd_start(&crowd, p, first, last, REACH);
    while (ond_crowd_next(&crowd))
        for (int k = 0; k < crowd.count; ++k) {
            const uint32_t j = crowd.index[k];
            if (!p->surface[j]) continue;
            const float own = ond_averages_length(d->field, j);
            for (uint32_t i = first; i < last; ++i) {
                const float dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
                const float depth = own + sqrtf(dx * dx + dy * dy + dz * dz);
                const float least = best[i - first];
                best[i - first] = !p->surface[i] && depth < least ? depth : least;
            }
        }
    for (uint32_t i = first; i < last; ++i)
        d->length[i] = best[i - first];
}

static void find_rows(int first, int last, int worker, void *context)
{
    const Depths *d = context;
    const OndBins *b = d->bins;
    for (uint32_t bin = b->row[first].first; bin < b->row[last].first; ++bin)
        for (uint32_t i = b->bin_first[bin]; i < b->bin_first[bin + 1]; i += GROUP)
            find_group(d, i, i + GROUP < b->bin_first[bin + 1] ? i + GROUP : b->bin_first[bin + 1]);
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndStatus status = ond_averages_make(
        field, "the Adams field's threshold, the depth of the outermost particles", err);
    if (status != OND_OK) return status;
    Depths depths = {field, field->points, &field->points->bins, field->own};
    for (; depths.bins; depths.bins = depths.bins->next)
        ond_parallel_for(depths.bins->row_count, ROW_GRAIN, find_rows, &depths);
    for (int i = 0; field->points->flip && i < field->points->count; ++i)
        depths.length[i] = depths.length[field->points->image_of[i]];
    return OND_OK;
}

const OndFieldKind ond_field_adams = {
    .name = "adams",
    .what = "weighted centre and the particles' own depths [Adams 2007]; for mixed sizes",
    .sight = REACH,
    .cut = {0.222, 0.19},
    .defaults = {.radius = 2.0, .threshold = 0.47},
    .make = make,
    .free = ond_averages_free,
    .sample = ond_averages_sample,
    .gradient = ond_averages_at,
};
