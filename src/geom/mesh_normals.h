// SPDX-License-Identifier: MIT
// Normals of a mesh for pictures: a box has edges, a ball none.
#ifndef OND_GEOM_MESH_NORMALS_H
#define OND_GEOM_MESH_NORMALS_H

#include "geom/mesh.h"

/// Two faces that bend away from each other by less than this (the cosine of 40 degrees) are one.
#define OND_CREASE 0.77f

/// Three unit normals a triangle, one for each of its corners: a mean over the faces round that corner
/// that are one with the triangle. `corner` stands instead of the mesh's own; NULL: the mesh's own.
/// `normal` has room for 3 * triangle_count.
OndStatus ond_mesh_normals(const OndMesh *mesh, const float *corner, OndVec *normal, OndError *err);

#endif
