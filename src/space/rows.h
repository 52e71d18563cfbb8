// SPDX-License-Identifier: MIT
// Boxes sorted by cell, standing side by side in memory with their ids: what the grids and the tree
// look at. A question collects runs of them and tests the runs together.
#ifndef OND_SPACE_ROWS_H
#define OND_SPACE_ROWS_H

#include "space/space_method.h"

typedef struct OndRows {
    float *block; ///< the sides, array by array, then the ids
    size_t room;
    OndTouchLoop loop; ///< points into the block
    const OndSpaceLoops *loops;
} OndRows;

OndStatus ond_rows_reserve(OndRows *rows, const OndSpaceItems *items, size_t count, OndError *err);
void ond_rows_free(OndRows *rows);

/// Puts object i at a place.
static inline void ond_rows_put(OndRows *rows, const OndSpaceItems *items, int i, uint32_t place)
{
    const float *side = ond_sides(items, i);
    const int half = items->stride / 2, d = items->dimension;
    for (int a = 0; a < d; ++a) {
        ((float *)rows->loop.side[a])[place] = side[a];
        ((float *)rows->loop.side[d + a])[place] = side[half + a];
    }
    ((uint32_t *)rows->loop.id)[place] = (uint32_t)i;
}

#define OND_PENDING_RUNS 128

/// Runs that a question has come upon and not yet tested.
typedef struct OndPending {
    const OndRows *rows;
    const OndLimits *limits;
    OndHits *hits;
    size_t boxes;
    int runs;
    bool failed; ///< no memory
    OndRun run[OND_PENDING_RUNS];
} OndPending;

static inline void ond_pending_begin(OndPending *p, const OndRows *rows, const OndSpaceQuery *query,
                                     OndHits *hits)
{
    p->rows = rows, p->limits = &query->limits, p->hits = hits;
    p->boxes = 0, p->runs = 0, p->failed = false;
}
void ond_pending_flush(OndPending *p);
/// Tests what is left; false when there was no memory.
bool ond_pending_end(OndPending *p);

static inline void ond_pending_add(OndPending *p, uint32_t first, uint32_t last)
{
    if (p->runs == OND_PENDING_RUNS) ond_pending_flush(p);
    p->run[p->runs] = (OndRun){first, last};
    p->runs += first != last; // whether a cell is empty is too hard to foresee for a branch
    p->boxes += last - first;
}

#endif
