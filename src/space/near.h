// SPDX-License-Identifier: MIT
// Neighbour lists of all points at once, in single precision: what a particle method needs each
// step.
//
// The quick way for points that all reach equally far. Points are sorted by cell (cells.h); the
// candidates of a cell are copied side by side and each of its points is measured against all of
// them, sixteen at a time. The search of SPH goes the same way and sums up kernels meanwhile
// (particles/loops/loops_search.c).
#ifndef OND_SPACE_NEAR_H
#define OND_SPACE_NEAR_H

#include "space/lists.h"

typedef struct OndNearSearch OndNearSearch;

/// The result. Points are counted in sorted order: point k is the caller's order[k].
typedef struct OndNeighbours {
    int count;
    const uint32_t *order;
    const float *x, *y, *z; ///< sorted
    const uint32_t *pool;   ///< neighbours of k: pool[first[k]] and on, length[k] of them
    const uint32_t *first, *length;
    double total;   ///< sum of all lengths
    double sort_ms; ///< of which the sorting took
} OndNeighbours;

/// NULL for want of memory.
OndNearSearch *ond_near_create(void);
void ond_near_destroy(OndNearSearch *near);

/// Finds all pairs nearer than r, as floats measure; nobody is its own neighbour. z may be NULL.
/// The result lasts until the next call.
OndStatus ond_near_find(OndNearSearch *near, const float *x, const float *y, const float *z,
                        int count, float r, OndNeighbours *out, OndError *err);

size_t ond_near_bytes(const OndNearSearch *near);

#endif
