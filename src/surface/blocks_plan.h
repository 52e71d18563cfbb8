// SPDX-License-Identifier: MIT
// Which blocks a surface begins with, and what it will cost, before anything is made.
#ifndef OND_SURFACE_BLOCKS_PLAN_H
#define OND_SURFACE_BLOCKS_PLAN_H

#include "surface/field.h"

/// How far from a particle the liquid reaches at least where it is whole, in sizes: no place inside
/// a lattice is farther than 0.87 from all particles.
#define OND_BLOCKS_MARGIN 1.0

typedef struct OndBlockRange {
    int low[3], high[3]; ///< inclusive
} OndBlockRange;

/// Blocks within the margin of point `i`.
OndBlockRange ond_blocks_round(const OndLattice *lattice, const OndPoints *points, int i, int flat);

/// Fails when `memory` bytes would not hold the blocks and the mesh made from them.
OndStatus ond_blocks_plan(const OndLattice *lattice, const OndField3 *field, double memory,
                          OndError *err);

#endif
