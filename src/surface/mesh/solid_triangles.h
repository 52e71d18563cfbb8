// SPDX-License-Identifier: MIT
// The triangles of a solid, for pictures and for other programs.
//
// Meshes are as they are. Boxes, balls, cylinders and capsules are laid out; of a union, its parts.
// What is cut out of something (difference, intersection, text) is found by its signed distance:
// cubes that may hold a piece of the surface are cut in eight down to a finest size, and each of
// those into six tetrahedra. A plane is what lies behind it in the domain; one that moves, or
// without a domain, is a square as large as the scene.
#ifndef OND_SURFACE_SOLID_TRIANGLES_H
#define OND_SURFACE_SOLID_TRIANGLES_H

#include "solids/scene/sim_solids.h"

/// In the solid's own frame, facing outwards. `size` is how large the scene is, m: planes are drawn
/// so wide. Free with ond_mesh_free.
OndStatus ond_solid_triangles(const OndSimSolids *solids, int which, double size, OndMesh *out,
                              OndError *err);

/// The surface where a shape's signed distance is 0, with `cells` cubes along its longest side.
OndStatus ond_shape_triangles(const OndShape *shape, int cells, OndMesh *out, OndError *err);

#endif
