// SPDX-License-Identifier: MIT
// What `ondine bench surface` measures, apart from how it is printed.
#ifndef OND_APP_BENCH_SURFACE_H
#define OND_APP_BENCH_SURFACE_H

#include "surface/surface.h"

typedef struct OndSurfaceRow {
    const char *field;
    int particles, threads;
    double spacing;
    int corners, triangles;
    OndSurfaceTimes times; ///< of the quickest run
    double ms;             ///< all of it, on the wall clock
    double core_ms;        ///< of all cores together: right even when others use them too
    char error[192];       ///< why there is no result; "": there is one
} OndSurfaceRow;

/// A pool with waves, a crown of water above it and drops in the air, about `particles` in all:
/// the same for every field. Owned by the caller.
OndStatus ond_bench_splash(OndFrame *frame, int particles, OndError *err);

/// One field on one frame: the quickest of `runs`, with cells of half a spacing.
void ond_bench_surface(const OndFrame *frame, const char *field, int runs, OndSurfaceRow *row);

#endif
