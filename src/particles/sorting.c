// SPDX-License-Identifier: MIT
#include "particles/sorting.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

#define LANES 4

static OndStatus make_room(OndSorting *s, int count, OndError *err)
{
    const int blocks = ond_sum_block_count(count);
    if (count > s->room) {
        ond_sorting_free(s);
        s->room = count + count / 8;
        s->key = OND_NEW_ARRAY(uint32_t, s->room);
        s->order = OND_NEW_ARRAY(uint32_t, s->room);
        s->blocks = blocks + blocks / 8 + 1;
        s->extent = OND_NEW_ARRAY(double, 6 * (size_t)s->blocks);
    }
    if (s->key && s->order && s->extent) return OND_OK;
    ond_sorting_free(s);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to sort particles");
}

static inline float less(float a, float b)
{
    return a < b ? a : b;
}

static inline float more(float a, float b)
{
    return a > b ? a : b;
}

// Several at a time: each would wait for the one before.
void ond_sorting_range(const float *x, int first, int last, float *low, float *high)
{
    float least[LANES], most[LANES];
    for (int l = 0; l < LANES; ++l)
        least[l] = most[l] = x[first];
    for (; first + LANES <= last; first += LANES)
        for (int l = 0; l < LANES; ++l) {
            least[l] = less(x[first + l], least[l]);
            most[l] = more(x[first + l], most[l]);
        }
    for (; first < last; ++first)
        least[0] = less(x[first], least[0]), most[0] = more(x[first], most[0]);
    *low = less(less(least[0], least[1]), less(least[2], least[3]));
    *high = more(more(most[0], most[1]), more(most[2], most[3]));
}

typedef struct Bounds {
    float *const *x;
    int count;
    double *extent;
} Bounds;

static void find_bounds(int first, int last, int worker, void *context)
{
    const Bounds *b = context;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_SUM_BLOCK;
        const int end = begin + OND_SUM_BLOCK < b->count ? begin + OND_SUM_BLOCK : b->count;
        for (int a = 0; a < 3; ++a) {
            float low, high;
            ond_sorting_range(b->x[a], begin, end, &low, &high);
            b->extent[6 * block + a] = low;
            b->extent[6 * block + 3 + a] = high;
        }
    }
}

static OndStatus lay_cells(const OndSorting *s, float *const x[3], int count, float reach,
                           OndCells *cells, OndError *err)
{
    const int blocks = ond_sum_block_count(count);
    Bounds b = {x, count, s->extent};
    ond_parallel_for(blocks, 1, find_bounds, &b);
    float min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        double low = b.extent[a], high = b.extent[3 + a];
        for (int k = 1; k < blocks; ++k) {
            low = fmin(low, b.extent[6 * k + a]);
            high = fmax(high, b.extent[6 * k + 3 + a]);
        }
        // on a fixed raster, so that cells do not shift under the particles from step to step
        min[a] = (float)(floor(low / reach) * reach);
        max[a] = (float)high;
    }
    return ond_cells_lay(cells, min, max, reach, count, err);
}

OndStatus ond_sorting_sort(OndSorting *s, OndFields *fields, float reach, OndCells *cells,
                           OndError *err)
{
    float *x[3];
    memcpy(x, ond_fields_find(fields, "position")->data, sizeof x);
    OndStatus status = make_room(s, fields->count, err);
    if (status == OND_OK) status = lay_cells(s, x, fields->count, reach, cells, err);
    if (status == OND_OK)
        status = ond_cells_sort(cells, x[0], x[1], x[2], fields->count, s->key, s->order, err);
    if (status == OND_OK) ond_fields_reorder(fields, s->order);
    return status;
}

size_t ond_sorting_bytes(const OndSorting *s)
{
    return (size_t)s->room * 8 + (size_t)s->blocks * 48;
}

void ond_sorting_free(OndSorting *s)
{
    ond_free(s->key), ond_free(s->order), ond_free(s->extent);
    memset(s, 0, sizeof *s);
}
