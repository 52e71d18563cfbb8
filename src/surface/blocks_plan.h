// SPDX-License-Identifier: MIT
// Which blocks a surface begins with, and what it will cost, before anything is made.
#ifndef OND_SURFACE_BLOCKS_PLAN_H
#define OND_SURFACE_BLOCKS_PLAN_H

#include "surface/fields/field.h"

/// How far from a particle the liquid reaches at least where it is whole, in sizes: no place inside
/// a lattice is farther than 0.87 from all particles.
#define OND_BLOCKS_MARGIN 1.0

typedef struct OndBlockRange {
    int low[3], high[3]; ///< inclusive
} OndBlockRange;

/// Blocks within the margin of point `i`.
OndBlockRange ond_blocks_round(const OndLattice *lattice, const OndPoints *points, int i, int flat);

/// Whether a surface is near point `i`: the free one, or a wall's face.
bool ond_blocks_begin_at(const OndPoints *points, int i);

/// What a block brings along beside its values, bytes: numbers of its corners and its share of the
/// mesh, with normals and attributes. Measured over splashes, with a fifth more.
#define OND_BESIDE_CUBES      5000.0
#define OND_BESIDE_TETRAHEDRA 14000.0
#define OND_BESIDE_THINNING   12000.0 ///< comes on top

/// Fails when `memory` bytes (0: no limit) would not hold the blocks and what is made of them.
OndStatus ond_blocks_plan(const OndPoints *points, double cell, double beside, double memory,
                          OndError *err);

#endif
