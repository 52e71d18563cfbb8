// SPDX-License-Identifier: MIT
// Points sorted into cubic bins, of which only the occupied ones are kept.
//
// A few drops far away must cost nothing, so there is no array over the bounding box. Bins are
// sorted by z, then y, then x; those with the same y and z are a row, and a hash finds rows. The
// points of neighbouring bins in a row are one run of the sorted order.
//
// Where points have sizes, and a place must see each from as far as its size says, there
// is a set of bins for each class of sizes: five large drops must not make all places look far.
// Points of the first set come first in the order, then those of the next.
#ifndef OND_SURFACE_BINS_H
#define OND_SURFACE_BINS_H

#include "space/cells.h"

#include <stdbool.h>

typedef struct OndBinRow {
    int y, z;
    uint32_t first; ///< bin; those of the row end where the next row's begin
} OndBinRow;

typedef struct OndBins {
    double origin[3], size; ///< bin (i, j, k) begins at origin + (i, j, k) * size
    int n[3];               ///< all bins are in [0, n)
    int bin_count, row_count;
    int32_t *bin_x;      ///< of each bin
    uint32_t *bin_first; ///< bin_count + 1: first point of each bin
    OndBinRow *row;      ///< row_count + 1
    uint32_t *slot;      ///< hash: row + 1, 0 where free
    uint32_t slot_mask;
    double largest;       ///< size of its points; 0 when they have none
    struct OndBins *next; ///< of points of another class of sizes, or NULL
} OndBins;

/// order[k] = which point comes k-th. Positions must be finite and less than 2^30 bins apart.
OndStatus ond_bins_sort(OndBins *bins, const float *x, const float *y, const float *z, int count,
                        double size, uint32_t *order, OndError *err);

/// The same for points with sizes. Bins are `width` wide for those of about `unit`, four times
/// that for those of about four times the size. Of use for sizes up to 4^4 units and down to 4^-4.
typedef struct OndBinSizes {
    const float *size; ///< of each point, above 0
    double unit, width;
} OndBinSizes;
OndStatus ond_bins_sort_sizes(OndBins *bins, const float *const at[3], int count,
                              const OndBinSizes *sizes, uint32_t *order, OndError *err);

void ond_bins_free(OndBins *bins);
size_t ond_bins_bytes(const OndBins *bins);

/// A walk over the runs of points whose bins meet a box:
///
///     OndBinWalk near = ond_near(&bins, min, max);
///     for (OndRun run; ond_near_next(&near, &run);) ...
///
/// Points of a run may lie outside the box, as their bins do. The order is always the same.
typedef struct OndBinWalk {
    const OndBins *bins;   ///< now walked; then their next ones
    double min[3], max[3]; ///< the box,
    double sizes;          ///< grown on all sides by so many sizes of the bins' largest points
    int low[3], high[3];   ///< bins, inclusive
    int y, z;              ///< next row
    int row;               ///< the one before it where there is one, or -1
} OndBinWalk;

OndBinWalk ond_near(const OndBins *bins, const double min[3], const double max[3]);
/// Every point that is within so many of its own sizes of the box, and others.
OndBinWalk ond_near_sizes(const OndBins *bins, const double min[3], const double max[3],
                          double sizes);
bool ond_near_next(OndBinWalk *near, OndRun *run);
/// Up to `room` runs at once; 0 when there are no more.
int ond_near_runs(OndBinWalk *near, OndRun *run, int room);
/// Whether two walks, not yet begun, are known to meet the same runs.
bool ond_near_same(const OndBinWalk *a, const OndBinWalk *b);

#endif
