// SPDX-License-Identifier: MIT
// The points round a bin, gathered part by part into a short list for loops over neighbours.
//
// All points of a bin have nearly the same neighbours, so these are looked up once for all of
// them. The list has a fixed size: a crowd of any size comes in parts.
#ifndef OND_SURFACE_CROWD_H
#define OND_SURFACE_CROWD_H

#include "surface/points.h"

#define OND_CROWD 1024 // a bin of two spacings within three of everything: about 500

typedef struct OndCrowd {
    const OndPoints *points;
    OndBinWalk near;
    OndRun run;           ///< what is left of the present one
    float min[3], max[3]; ///< only points in here
    int count;
    uint32_t index[OND_CROWD + 1];
} OndCrowd;

/// All that is within `reach` sizes of the points [first, last), by the largest of these.
void ond_crowd_start(OndCrowd *crowd, const OndPoints *points, uint32_t first, uint32_t last,
                     float reach);
/// The largest size of the points [first, last).
float ond_crowd_largest(const OndPoints *points, uint32_t first, uint32_t last);
/// The next part, in `index`; false when there is none.
bool ond_crowd_next(OndCrowd *crowd);

#endif
