// SPDX-License-Identifier: MIT
// The hot loops of surfaces: everything that visits the particles near a place or a block of nodes.
//
// Like the loops of particles/, these files hold arithmetic only and are compiled once for each
// instruction set; ond_surface_loops() hands out the best set for this processor. Bits may differ
// between processors, never between numbers of threads.
#ifndef OND_SURFACE_LOOPS_H
#define OND_SURFACE_LOOPS_H

#include "space/cells.h"
#include "surface/fields/field.h"

#define OND_SURFACE_JOIN2(a, b) a##_##b
#define OND_SURFACE_JOIN(a, b)  OND_SURFACE_JOIN2(a, b)
/// A loop's name in this instruction set.
#define OND_SURFACE_LOOP(name) OND_SURFACE_JOIN(ond_surface_loop_##name, OND_ISA)

/// Most runs that a loop takes at once.
#define OND_RUNS_MAX 64
/// Elements past the end of a run that loops may read, and leave out.
#define OND_SURFACE_PAD 16

/// Particles as these loops see them. Each reaches h, its kernel is weight (1 - r^2 / h^2)^power.
/// All arrays have OND_SURFACE_PAD finite elements past their end.
typedef struct OndSplats {
    const float *x, *y, *z;
    const float *inv_h2; ///< 1/m^2
    const float *weight;
    int power;         ///< 1, 2 or 3
    float same_inv_h2; ///< gather: not 0: takes the place of `inv_h2` for all
} OndSplats;

typedef struct OndSplatSums {
    float weight;  ///< sum of w
    float spread;  ///< sum of w r^2 / h^2
    float x, y, z; ///< sum of w (x_i - at)
} OndSplatSums;

typedef struct OndSurfaceLoops {
    /// Adds the sums over the particles of all runs at one place.
    void (*gather)(const OndSplats *splats, const OndRun *run, int runs, const float at[3],
                   OndSplatSums *sums);
    /// Adds the particles of a run to a block of nodes, OND_BLOCK in each row and OND_BLOCK rows in
    /// each layer; node 0 is at `start`.
    void (*splat)(const OndSplats *splats, OndRun run, const double start[3], double cell,
                  const int n[3], float *value);
    /// (1 - r^2 / h^2)^3, not below 0, and r^2 of the particles of a run.
    void (*weights)(const OndSplats *splats, OndRun run, const float at[3], float *weight,
                    float *r2);
} OndSurfaceLoops;

/// The best set for this processor.
const OndSurfaceLoops *ond_surface_loops(void);

#endif
