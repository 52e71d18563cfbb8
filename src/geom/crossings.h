// SPDX-License-Identifier: MIT
// Inside or outside along a row, from where its line crosses a closed surface.
//
// The winding number of a point is the sum, over all crossings further along the line, of +1 where
// the line leaves and -1 where it enters. Crossings come in any order: each is noted at the last
// point before it, and one sum from the far end gives all points of the row. No sorting, no list.
#ifndef OND_GEOM_CROSSINGS_H
#define OND_GEOM_CROSSINGS_H

#include "geom/shape_kind.h"

#include <string.h>

typedef struct OndCrossings {
    const OndPointRow *row;
    int change[OND_ROW_MAX + 1]; ///< change[k]: sum of the crossings that exactly k points precede
} OndCrossings;

static inline void ond_crossings_begin(OndCrossings *crossings, const OndPointRow *row)
{
    crossings->row = row;
    memset(crossings->change, 0, (size_t)(row->count + 1) * sizeof(int));
}

static inline void ond_crossings_add(OndCrossings *crossings, double x, int turn)
{
    const OndPointRow *row = crossings->row;
    const double before = ceil((x - row->x) / row->step);
    const int points = before >= row->count ? row->count : before > 0.0 ? (int)before : 0;
    crossings->change[points] += turn;
}

/// With `parity` a point is inside after an odd number of crossings, whatever their directions.
static inline void ond_crossings_inside(const OndCrossings *crossings, bool parity,
                                        unsigned char *inside)
{
    int winding = 0;
    for (int i = crossings->row->count - 1; i >= 0; --i) {
        winding += crossings->change[i + 1];
        inside[i] = parity ? (winding & 1) != 0 : winding != 0;
    }
}

#endif
