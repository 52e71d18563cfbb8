// SPDX-License-Identifier: MIT
// A field on a sparse lattice: blocks of 8 x 8 x 8 nodes, only those near the surface.
//
// The first blocks are those near particles at the free surface. All others are taken to be full
// (some particle is near) or empty (none is). Where a sampled block has a node at its border that
// contradicts what is taken of a neighbour, that neighbour is sampled too, until nothing
// contradicts. Then every cell whose nodes differ in sign has all its nodes in sampled blocks: a
// surface made from them is closed, whatever the field.
//
// The lattice is anchored in space, not at the particles, so that it does not creep from frame to
// frame; blocks are found by a hash, so that empty space costs nothing.
//
// In 2D a block has four layers of nodes that make a slab of one spacing: the two inner ones hold
// the field, the two outer ones its negative, and halfway between them lie the faces.
#ifndef OND_SURFACE_BLOCKS_H
#define OND_SURFACE_BLOCKS_H

#include "surface/fields/field.h"

#define OND_BLOCK_NODES (OND_BLOCK * OND_BLOCK * OND_BLOCK)
#define OND_BLOCK_FULL  (-1) // not sampled: inside
#define OND_BLOCK_EMPTY (-2) // not sampled: outside
#define OND_BLOCK_NONE  (-3) // never looked at

typedef struct OndBlock {
    int at[3];                    ///< in blocks
    uint32_t inside, outside;     ///< towards each of 27 neighbours: a node of that sign borders it
    float value[OND_BLOCK_NODES]; ///< x fastest
} OndBlock;

typedef struct OndBlocks {
    const OndField3 *field;
    OndLattice lattice; ///< origin and cell
    int flat;           ///< 1: 2D
    double layer[4];    ///< 2D: z of the slab's layers
    int count;
    OndBlock **chunk; ///< 64 blocks each
    int chunk_count, chunk_room;
    uint64_t (*key)[2]; ///< hash: packed place, and its state + OND_HASH_BIAS; 0 where free
    uint32_t slot_mask, slots_used;
    double memory; ///< bytes that may be held; 0: any
} OndBlocks;

/// Samples the field with cells of `cell` m. Fails before it starts when `memory` bytes (0: no
/// limit) would not hold blocks and mesh, with the number and a cell that fits.
OndStatus ond_blocks_sample(OndBlocks *blocks, const OndField3 *field, double cell, double memory,
                            OndError *err);
void ond_blocks_free(OndBlocks *blocks);
size_t ond_blocks_bytes(const OndBlocks *blocks);

static inline OndBlock *ond_blocks_get(const OndBlocks *blocks, int index)
{
    return &blocks->chunk[index / 64][index % 64];
}

/// Index of the block there, or OND_BLOCK_FULL, _EMPTY, _NONE.
int ond_blocks_find(const OndBlocks *blocks, const int at[3]);

/// Where a node lies: `i` counts from the block's first node along `axis`.
double ond_blocks_at(const OndBlocks *blocks, const OndBlock *block, int axis, int i);

#endif
