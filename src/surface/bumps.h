// SPDX-License-Identifier: MIT
// How bumpy a surface is that should be flat: the angle between its normals and the upward
// direction, over a pool at rest.
#ifndef OND_SURFACE_BUMPS_H
#define OND_SURFACE_BUMPS_H

#include "surface/surface.h"

typedef struct OndBumps {
    double mean, most; ///< degrees
    int corners;       ///< that were looked at
} OndBumps;

/// Looks at corners that face `up` (unit length) rather than sideways and are at least `margin` m
/// away from the sides of the domain, where the liquid stands against walls.
OndBumps ond_bumps_measure(const OndSurface *surface, OndVec up, double margin);

#endif
