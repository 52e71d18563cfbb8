// SPDX-License-Identifier: MIT
// From a sampled lattice to triangles: what marching cubes and marching tetrahedra share.
//
// Each sign pattern of a cell's eight nodes has a list of triangles (a table made in code, by
// marching_cubes.c or marching_tetrahedra.c). A corner of a triangle lies on a lattice edge, and an
// edge belongs to the node it starts from: (node, direction). A block counts the corners that its
// nodes own, the counts are added up, and a corner's number is the block's first plus its rank
// among them. So every corner is made once, whoever asks for it, and the numbering is the same for
// any number of threads.
#ifndef OND_SURFACE_POLYGONS_H
#define OND_SURFACE_POLYGONS_H

#include "geom/mesh.h"
#include "surface/blocks.h"

// Nodes of a cell: bit 0 is x, bit 1 y, bit 2 z. Directions likewise; the first three are the
// edges of cubes, the others the diagonals that tetrahedra add.
#define OND_DIRECTIONS 7
extern const unsigned char ond_direction[OND_DIRECTIONS]; // 1, 2, 4, 3, 5, 6, 7

#define OND_CELL_TRIANGLES 12 // most of a cell

typedef struct OndCellCorner {
    unsigned char node;      ///< of the cell, from which the edge starts
    unsigned char direction; ///< index into ond_direction
} OndCellCorner;

typedef struct OndCellCase {
    int triangle_count;
    OndCellCorner corner[3 * OND_CELL_TRIANGLES];
} OndCellCase;

typedef struct OndCellTable {
    int directions;        ///< 3 or 7
    bool normals_at_nodes; ///< interpolate the field's gradient from the ends of an edge
    OndCellCase of[256];   ///< by the bits of the nodes that are inside
} OndCellTable;

void ond_cubes_table(OndCellTable *table);
void ond_tetrahedra_table(OndCellTable *table);

/// Makes the mesh and the unit normals of its corners (x y z each, outwards; from ond_alloc). A
/// normal is (0, 0, 0) where the field has no gradient.
OndStatus ond_polygons_make(const OndBlocks *blocks, const OndCellTable *table, OndMesh *mesh,
                            float **normal, OndError *err);

#endif
