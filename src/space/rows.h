// SPDX-License-Identifier: MIT
// Boxes sorted by cell, standing side by side in memory with their ids: what the grids, the tree
// and the top-down hash look at.
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

#endif
