// SPDX-License-Identifier: MIT
// Which triangles of a mesh meet at which edges; inside geom/ only.
//
// Side 3 t + k is the edge from corner k of triangle t to the next.
#ifndef OND_GEOM_MESH_EDGES_H
#define OND_GEOM_MESH_EDGES_H

#include "geom/mesh.h"

enum { OND_EDGE_OPEN = -1, OND_EDGE_CROWDED = -2 };

typedef struct OndMeshEdges {
    int *other; ///< for each side the one of the neighbour; or open, or shared by more than two
    int open, crowded;
} OndMeshEdges;

OndStatus ond_mesh_edges_find(OndMeshEdges *edges, const OndMesh *mesh, OndError *err);
void ond_mesh_edges_free(OndMeshEdges *edges);

static inline uint32_t ond_side_from(const OndMesh *mesh, int side)
{
    return mesh->triangle[side];
}
static inline uint32_t ond_side_to(const OndMesh *mesh, int side)
{
    return mesh->triangle[side % 3 == 2 ? side - 2 : side + 1];
}

/// Turns triangles until neighbours agree and what is closed faces outwards (parts that stand
/// inside others stay as most of their triangles are). Returns how many it turned; -1: no memory.
int ond_mesh_turn(OndMesh *mesh, const OndMeshEdges *edges);

/// Closes holes that are flat, seen whole from their middle, and smaller than `largest`. The mesh
/// grows; `origin` (one int a triangle, may move) gets -1 for new ones. Returns how many it closed;
/// -1: no memory.
int ond_mesh_close_holes(OndMesh *mesh, const OndMeshEdges *edges, double largest, int **origin);

/// The first two triangles that pass through each other and share no corner, and where; -1: none.
OndStatus ond_mesh_find_crossing(const OndMesh *mesh, int crossing[2], OndVec *at, OndError *err);

#endif
