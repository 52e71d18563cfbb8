// SPDX-License-Identifier: MIT
// How far the surface of a mesh is: a signed-distance grid in a narrow band round it.
//
// A scan has a hundred triangles where a liquid has one particle, and to ask them all which is
// nearest costs more than the rest of a particle's step. But a liquid does not feel a triangle: it
// feels how far the surface is, and that is a smooth function nearly everywhere. So it is sampled
// at the corners of cells a third of the reach wide, and what lies between is interpolated. A cell
// does so only where that was tried: normals turn little from corner to corner, from its middle one
// face is seen, and there distance and normal come out as the triangles give them. Elsewhere, at
// edges, in folds and on both sides of a sheet, the triangles are asked. Cells that nothing comes
// near say so.
//
// Only blocks of cells near the surface are kept, and of each smooth cell all that it takes to read
// it, in one place: memory that is far away is waited for once. What stops particles is asked of
// the triangles; what is read here only tells who is too far away to be asked about.
#ifndef OND_SOLIDS_DISTANCE_GRID_H
#define OND_SOLIDS_DISTANCE_GRID_H

#include "solids/solids_parts.h"

typedef enum OndDistanceKind {
    OND_DISTANCE_NONE,
    OND_DISTANCE_ONE,
    OND_DISTANCE_ASK
} OndDistanceKind;

/// Makes the grid of mesh `which`, for questions of up to `reach`, of so many blocks at most: where
/// it would need more in cells that are any use there is none. False: there is no memory.
bool ond_distance_grid_make(OndSolids *all, int which, double reach, int blocks);

void ond_distance_grid_free(OndDistanceGrid *grid);
size_t ond_distance_grid_bytes(const OndDistanceGrid *grid);

/// What a point of the mesh's own frame is near. OND_DISTANCE_NONE: no face is within `reach`, for
/// certain where `*distance` is left as it was, else by interpolation; OND_DISTANCE_ONE: one face,
/// at `*distance` along `*normal`, by interpolation; OND_DISTANCE_ASK: the triangles know.
OndDistanceKind ond_distance_grid_read(const OndSolidMesh *s, OndVec p, double reach,
                                       double *distance, OndVec *normal);

/// A point of the mesh's own frame will be read soon.
void ond_distance_grid_fetch(const OndSolidMesh *s, OndVec p);

/// Whether there is a grid that knows of such questions.
static inline bool ond_distance_grid_knows(const OndSolidMesh *s, double reach)
{
    return s->distance.cell && reach <= s->distance.reach && !s->bent[0];
}

/// Then: false only when no face is within its reach of any point of a box of the mesh's own frame.
bool ond_distance_grid_may_touch(const OndSolidMesh *s, const OndBox *box);

#endif
