// SPDX-License-Identifier: MIT
// A triangle mesh as the surface of a solid, in its own frame; inside src/solids only.
#ifndef OND_SOLIDS_MESH_H
#define OND_SOLIDS_MESH_H

#include "geom/mesh.h"
#include "geom/sweep.h"
#include "solids/solids_tree.h"

/// At which time of the step a mesh that bends is asked.
typedef enum OndWhen { OND_AT_START, OND_AT_END, OND_ON_THE_WAY } OndWhen;

typedef int16_t OndFourShort __attribute__((vector_size(8)));

/// What the eight corners of a cell see: normal and distance, in small steps. As long as a line of
/// the cache.
typedef struct OndDistanceCell {
    OndFourShort corner[8];
} OndDistanceCell;

/// Which of a block's 8 x 8 x 8 cells are kept. Those of a layer follow each other, so that a
/// cell's place is how many bits are before its own: all that tells of cells is small and stays at
/// hand.
typedef struct OndDistanceBlock {
    uint64_t near[8]; ///< by layer, a bit for each cell that something is near; it is kept
    uint64_t ask[8];  ///< those where the triangles must be asked
    int first[8];     ///< of the cells kept: the layer's first
} OndDistanceBlock;

/// How far the surface is, on a grid; see distance_grid.h.
typedef struct OndDistanceGrid {
    OndVec origin;
    double per_cell, reach;
    int n[3];               ///< blocks along each axis
    int *block;             ///< which of those kept it is, -1: nothing is near
    OndDistanceBlock *kept; ///< those near the surface
    OndDistanceCell *cell;  ///< their cells; NULL: there is no grid
    int count, cell_count;
} OndDistanceGrid;

typedef struct OndSolidMesh {
    const uint32_t *triangle;
    int corner_count, triangle_count;
    const float *corner, *end; ///< at the start and at the end of the step; the same when still
    float *bent[2];            ///< own copies, once it has bent
    double way;                ///< of the corner that goes farthest in this step, m
    uint32_t *first, *round;   ///< triangles round corner c: round[first[c]] to round[first[c + 1]]
    OndBoxTree tree;           ///< boxes hold the triangles' whole way
    OndBox bounds;
    OndDistanceGrid distance;
    OndMesh cut; ///< in 2D: walls that stand on the lines in which z = 0 cuts the mesh
    bool closed;
} OndSolidMesh;

/// What is less than this share of the reach before the plane of a nearer face is hidden by it.
#define OND_TOUCH_BEHIND 1e-3

/// A place of the surface that is nearer to a point than all places round it.
typedef struct OndMeshTouch {
    int triangle;
    OndVec at;
    double distance;
    bool behind; ///< a closed mesh only: the point is on the inner side there
    int faces;   ///< that meet there: 2 at an edge, 3 at a corner; 0 on a face, or where it is open
    OndVec face[3]; ///< their normals
} OndMeshTouch;

/// Memory comes from `arena`; what is bent or cut is freed with ond_solid_mesh_free.
OndStatus ond_solid_mesh_make(OndSolidMesh *s, OndArena *arena, const OndMesh *mesh, bool closed,
                              bool flat, OndError *err);
void ond_solid_mesh_free(OndSolidMesh *s);

size_t ond_solid_mesh_bytes(const OndSolidMesh *s);
/// In 2D the mesh is what z = 0 cuts out of it, stood up so high that its rims are out of sight.
OndStatus ond_mesh_cut_flat(const OndMesh *mesh, OndMesh *cut, OndError *err);

static inline void ond_solid_corners(const OndSolidMesh *s, const float *corner, int triangle,
                                     OndVec out[3])
{
    const uint32_t *t = s->triangle + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k) {
        const float *c = corner + 3 * (size_t)t[k];
        out[k] = ond_vec(c[0], c[1], c[2]);
    }
}

/// Corners at the end of the step. False when there is no memory, or in 2D: nothing has changed.
bool ond_solid_mesh_bend(OndSolidMesh *s, const float *corner);
void ond_solid_mesh_arrive(OndSolidMesh *s);

/// Distance to the nearest place within `reach`; INFINITY when there is none.
double ond_solid_mesh_nearest(const OndSolidMesh *s, OndWhen when, OndVec p, double reach,
                              OndVec *at, int *triangle);
/// The first triangle that a ball meets; see ond_sweep_triangle.
bool ond_solid_mesh_sweep(const OndSolidMesh *s, OndWhen when, const OndSweep *sweep,
                          OndContact *contact, int *triangle);
/// Local minima of the distance within `reach` at the start of the step, the nearest `room` of
/// them, in no order.
int ond_solid_mesh_touches(const OndSolidMesh *s, OndVec p, double reach, OndMeshTouch *touch,
                           int room);
/// The nearest place at the start of the step; its distance is INFINITY when none is within
/// `reach`.
OndMeshTouch ond_solid_mesh_touch(const OndSolidMesh *s, OndVec p, double reach);
/// False only when no triangle's box comes within `reach` of p.
bool ond_solid_mesh_may_touch(const OndSolidMesh *s, OndVec p, double reach);

/// Where a place of a triangle, seen at share t of the step, is at share `then` of it.
OndVec ond_solid_mesh_carried(const OndSolidMesh *s, int triangle, OndVec at, double t,
                              double then);

#endif
