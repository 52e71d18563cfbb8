// SPDX-License-Identifier: MIT
// What the three hash tables share: the key of a cell, the cells of a box, and the way out when a
// question is so large that looking at all objects is cheaper.
#ifndef OND_SPACE_CELL_HASH_H
#define OND_SPACE_CELL_HASH_H

#include "space/space_method.h"

/// Keys of a cell at integer place `at` in class c, before the table's size cuts it down
/// [Pouchol 2010, eq. 2.1; the primes of Teschner 2003].
static inline uint32_t ond_cell_key(const int at[3], int c)
{
    return ((uint32_t)at[0] * 73856093u) ^ ((uint32_t)at[1] * 19349663u) ^
           ((uint32_t)at[2] * 83492791u) ^ ((uint32_t)c * 67867979u);
}

typedef struct OndCellRange {
    int lo[3], hi[3];
} OndCellRange;

static inline double ond_range_count(const OndCellRange *r)
{
    return (r->hi[0] - r->lo[0] + 1.0) * (r->hi[1] - r->lo[1] + 1.0) * (r->hi[2] - r->lo[2] + 1.0);
}

static inline bool ond_range_single(const OndCellRange *r)
{
    return ((r->hi[0] - r->lo[0]) | (r->hi[1] - r->lo[1]) | (r->hi[2] - r->lo[2])) == 0;
}

/// More than a few cells along any axis: only then is counting them worth the time.
static inline bool ond_range_wide(const OndCellRange *r)
{
    return ((r->hi[0] - r->lo[0]) | (r->hi[1] - r->lo[1]) | (r->hi[2] - r->lo[2])) > 3;
}

/// Cells of 1 / inv that a box touches.
static inline OndCellRange ond_range_of(const OndSpaceItems *items, const float *side, float inv)
{
    OndCellRange r = {{0}, {0}};
    for (int a = 0; a < items->dimension; ++a) {
        r.lo[a] = ond_cell_of(ond_sides_lo(side, a), inv);
        r.hi[a] = ond_cell_of(ond_sides_hi(items, side, a), inv);
    }
    return r;
}
static inline OndCellRange ond_range_asked(const OndSpaceItems *items, const OndSpaceQuery *q,
                                           float inv)
{
    OndCellRange r = {{0}, {0}};
    for (int a = 0; a < items->dimension; ++a) {
        r.lo[a] = ond_cell_of(q->lo[a], inv);
        r.hi[a] = ond_cell_of(q->hi[a], inv);
    }
    return r;
}

/// `body` for every place `at` of a range.
#define OND_EACH_CELL(range, at)                                                                   \
    for (int at[3] = {0, 0, (range).lo[2]}; at[2] <= (range).hi[2]; ++at[2])                       \
        for (at[1] = (range).lo[1]; at[1] <= (range).hi[1]; ++at[1])                               \
            for (at[0] = (range).lo[0]; at[0] <= (range).hi[0]; ++at[0])

/// The power of two that is at least `count`.
static inline size_t ond_table_size(double count)
{
    size_t size = 64;
    while ((double)size < count)
        size *= 2;
    return size;
}

/// Tests every object: for questions that cover more cells than there are objects.
static inline bool ond_touch_every(const OndSpaceItems *items, const OndSpaceQuery *q,
                                   OndHits *hits)
{
    if (!ond_hits_reserve(hits, (size_t)items->kept)) return false;
    for (int i = 0; i < items->count; ++i) // those left out have sides of INFINITY
        ond_hits_try(hits, items, q, (uint32_t)i);
    return true;
}

#endif
