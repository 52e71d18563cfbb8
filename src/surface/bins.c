// SPDX-License-Identifier: MIT
#include "surface/bins.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"

#include <string.h>

#define DIGIT_BITS 11 // of the radix sort: up to 2048 bins along an axis are one pass
#define GRAIN      16384

typedef struct BinSort {
    const OndBins *bins;
    const float *position[3];
    int32_t *place[3]; // bin of each point
    uint32_t *order, *spare;
    int count;
} BinSort;

static void find_range(OndBins *bins, const float *const position[3], int count)
{
    for (int a = 0; a < 3; ++a) {
        float low = position[a][0], high = low;
        for (int i = 1; i < count; ++i) {
            low = position[a][i] < low ? position[a][i] : low;
            high = position[a][i] > high ? position[a][i] : high;
        }
        bins->origin[a] = low;
        bins->n[a] = (int)(((double)high - low) / bins->size) + 1;
    }
}

static void find_places(int first, int last, int worker, void *context)
{
    const BinSort *s = context;
    const double inv_size = 1.0 / s->bins->size;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i) {
            const int at = (int)(((double)s->position[a][i] - s->bins->origin[a]) * inv_size);
            s->place[a][i] = at < s->bins->n[a] ? at : s->bins->n[a] - 1;
        }
}

// One stable pass over a digit of one axis.
static void sort_digit(BinSort *s, int axis, int shift)
{
    uint32_t start[1 << DIGIT_BITS] = {0}, sum = 0;
    const int32_t *place = s->place[axis];
    const uint32_t mask = (1u << DIGIT_BITS) - 1;
    for (int i = 0; i < s->count; ++i)
        ++start[(uint32_t)place[i] >> shift & mask];
    for (uint32_t d = 0; d <= mask; ++d) {
        const uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (int k = 0; k < s->count; ++k) {
        const uint32_t i = s->order[k];
        s->spare[start[(uint32_t)place[i] >> shift & mask]++] = i;
    }
    uint32_t *swap = s->order;
    s->order = s->spare;
    s->spare = swap;
}

static void sort_all(BinSort *s)
{
    for (int i = 0; i < s->count; ++i)
        s->order[i] = (uint32_t)i;
    for (int axis = 0; axis < 3; ++axis)
        for (int shift = 0; shift < 31 && (s->bins->n[axis] - 1) >> shift > 0; shift += DIGIT_BITS)
            sort_digit(s, axis, shift);
}

static bool same_bin(const BinSort *s, uint32_t a, uint32_t b, int from_axis)
{
    for (int axis = from_axis; axis < 3; ++axis)
        if (s->place[axis][a] != s->place[axis][b]) return false;
    return true;
}

static OndStatus make_room(OndBins *bins, OndError *err)
{
    uint32_t slots = 16;
    while (slots < 2u * (uint32_t)bins->row_count)
        slots *= 2;
    bins->slot_mask = slots - 1;
    bins->bin_x = OND_NEW_ARRAY(int32_t, bins->bin_count);
    bins->bin_first = OND_NEW_ARRAY(uint32_t, bins->bin_count + 1);
    bins->row = OND_NEW_ARRAY(OndBinRow, bins->row_count + 1);
    bins->slot = OND_NEW_ARRAY(uint32_t, slots);
    if (bins->bin_x && bins->bin_first && bins->row && bins->slot) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d bins of particles",
                    bins->bin_count);
}

static uint32_t slot_of(const OndBins *bins, int y, int z)
{
    const uint64_t key = (uint64_t)(uint32_t)y << 32 | (uint32_t)z;
    return (uint32_t)ond_scramble(key) & bins->slot_mask;
}

static void list_bins(const BinSort *s, OndBins *bins)
{
    int bin = -1, row = -1;
    for (int k = 0; k < s->count; ++k) {
        const uint32_t i = s->order[k], before = k ? s->order[k - 1] : i;
        if (k && same_bin(s, i, before, 0)) continue;
        bins->bin_x[++bin] = s->place[0][i];
        bins->bin_first[bin] = (uint32_t)k;
        if (k && same_bin(s, i, before, 1)) continue;
        bins->row[++row] = (OndBinRow){s->place[1][i], s->place[2][i], (uint32_t)bin};
        uint32_t slot = slot_of(bins, s->place[1][i], s->place[2][i]);
        while (bins->slot[slot])
            slot = (slot + 1) & bins->slot_mask;
        bins->slot[slot] = (uint32_t)row + 1;
    }
    bins->bin_first[bins->bin_count] = (uint32_t)s->count;
    bins->row[bins->row_count].first = (uint32_t)bins->bin_count;
}

static OndStatus fill(const BinSort *s, OndBins *bins, OndError *err)
{
    for (int k = 0; k < s->count; ++k) {
        const uint32_t i = s->order[k], before = k ? s->order[k - 1] : i;
        bins->bin_count += !k || !same_bin(s, i, before, 0);
        bins->row_count += !k || !same_bin(s, i, before, 1);
    }
    const OndStatus status = make_room(bins, err);
    if (status == OND_OK) list_bins(s, bins);
    return status;
}

OndStatus ond_bins_sort(OndBins *bins, const float *x, const float *y, const float *z, int count,
                        double size, uint32_t *order, OndError *err)
{
    ond_bins_free(bins);
    bins->size = size;
    if (count < 1) return OND_OK;
    int32_t *place = OND_NEW_ARRAY(int32_t, (size_t)count * 3);
    uint32_t *spare = OND_NEW_ARRAY(uint32_t, count);
    OndStatus status = OND_OK;
    if (place && spare) {
        BinSort s = {bins,  {x, y, z}, {place, place + count, place + 2 * (size_t)count},
                     order, spare,     count};
        find_range(bins, s.position, count);
        ond_parallel_for(count, GRAIN, find_places, &s);
        sort_all(&s);
        status = fill(&s, bins, err);
        if (s.order != order) memcpy(order, s.order, (size_t)count * sizeof *order);
    } else {
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to sort %d particles", count);
    }
    ond_free(place);
    ond_free(spare);
    return status;
}

void ond_bins_free(OndBins *bins)
{
    ond_free(bins->bin_x);
    ond_free(bins->bin_first);
    ond_free(bins->row);
    ond_free(bins->slot);
    if (bins->next) ond_bins_free(bins->next); // nine at most
    ond_free(bins->next);
    memset(bins, 0, sizeof *bins);
}

size_t ond_bins_bytes(const OndBins *bins)
{
    return (size_t)bins->bin_count * 8 + (size_t)bins->row_count * sizeof(OndBinRow) +
           ((size_t)bins->slot_mask + 1) * 4 + (bins->next ? ond_bins_bytes(bins->next) : 0);
}

// Row of bins (y, z), or -1.
static int row_of(const OndBins *bins, int y, int z)
{
    if (!bins->slot) return -1;
    for (uint32_t slot = slot_of(bins, y, z);; slot = (slot + 1) & bins->slot_mask) {
        const uint32_t found = bins->slot[slot];
        if (found == 0) return -1;
        const OndBinRow *row = &bins->row[found - 1];
        if (row->y == y && row->z == z) return (int)found - 1;
    }
}

// ---- walking

static int clamp_bin(double at, int n)
{
    return at <= 0.0 ? 0 : at >= n ? n - 1 : (int)at;
}

// Which bins of near->bins the walk meets.
static void begin(OndBinWalk *near)
{
    const OndBins *bins = near->bins;
    const double grow = near->sizes * bins->largest;
    bool meets = bins->bin_count > 0;
    for (int a = 0; a < 3; ++a) {
        const double low = (near->min[a] - grow - bins->origin[a]) / bins->size,
                     high = (near->max[a] + grow - bins->origin[a]) / bins->size;
        near->low[a] = clamp_bin(low, bins->n[a]);
        near->high[a] = clamp_bin(high, bins->n[a]);
        meets = meets && high >= 0.0 && low <= bins->n[a];
    }
    near->y = near->low[1], near->z = meets ? near->low[2] : near->high[2] + 1;
    near->row = -1;
}

OndBinWalk ond_near_sizes(const OndBins *bins, const double min[3], const double max[3],
                          double sizes)
{
    OndBinWalk near = {.bins = bins,
                       .min = {min[0], min[1], min[2]},
                       .max = {max[0], max[1], max[2]},
                       .sizes = sizes};
    begin(&near);
    return near;
}

OndBinWalk ond_near(const OndBins *bins, const double min[3], const double max[3])
{
    return ond_near_sizes(bins, min, max, 0.0);
}

// First bin of [first, last) whose x is at least `x`. Most rows have no gaps.
static uint32_t lower_bound(const int32_t *bin_x, uint32_t first, uint32_t last, int x)
{
    if (x <= bin_x[first]) return first;
    const uint32_t ahead = (uint32_t)(x - bin_x[first]);
    if (ahead < last - first && bin_x[first + ahead] == x) return first + ahead;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (bin_x[middle] < x)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

// Rows are sorted by z, then y: one that is there has the next right behind it.
static int next_row(OndBinWalk *near)
{
    const OndBins *bins = near->bins;
    const int y = near->y++, z = near->z, behind = near->row + 1;
    if (near->row < 0)
        near->row = row_of(bins, y, z);
    else if (behind < bins->row_count && bins->row[behind].y == y && bins->row[behind].z == z)
        near->row = behind;
    else
        near->row = -1;
    return near->row;
}

static bool next_here(OndBinWalk *near, OndRun *run)
{
    const OndBins *bins = near->bins;
    for (; near->z <= near->high[2]; ++near->z, near->y = near->low[1], near->row = -1)
        while (near->y <= near->high[1]) {
            const int row = next_row(near);
            if (row < 0) continue;
            const uint32_t end = bins->row[row + 1].first;
            const uint32_t a = lower_bound(bins->bin_x, bins->row[row].first, end, near->low[0]);
            uint32_t b = a;
            while (b < end && bins->bin_x[b] <= near->high[0])
                ++b;
            if (a == b) continue;
            *run = (OndRun){bins->bin_first[a], bins->bin_first[b]};
            return true;
        }
    return false;
}

bool ond_near_next(OndBinWalk *near, OndRun *run)
{
    while (!next_here(near, run)) {
        if (!near->bins->next) return false;
        near->bins = near->bins->next;
        begin(near);
    }
    return true;
}

int ond_near_runs(OndBinWalk *near, OndRun *run, int room)
{
    int count = 0;
    while (count < room && ond_near_next(near, &run[count]))
        ++count;
    return count;
}

bool ond_near_same(const OndBinWalk *a, const OndBinWalk *b)
{
    bool same = a->bins && a->bins == b->bins && !a->bins->next;
    for (int k = 0; k < 3; ++k)
        same = same && a->low[k] == b->low[k] && a->high[k] == b->high[k];
    return same && a->z == b->z; // one that meets nothing begins at its end
}
