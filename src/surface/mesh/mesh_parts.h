// SPDX-License-Identifier: MIT
// The parts of a closed mesh that do not touch each other, and what each encloses.
#ifndef OND_SURFACE_MESH_PARTS_H
#define OND_SURFACE_MESH_PARTS_H

#include "geom/mesh.h"

/// part[c]: the smallest corner of the part that corner c belongs to.
void ond_mesh_parts(const OndMesh *mesh, uint32_t *part);

/// Six times the volume between a triangle and a place.
static inline double ond_mesh_six_volumes(const OndMesh *mesh, const uint32_t *triangle,
                                          OndVec base)
{
    const OndVec a = ond_sub(ond_mesh_corner(mesh, triangle[0]), base),
                 b = ond_sub(ond_mesh_corner(mesh, triangle[1]), base),
                 c = ond_sub(ond_mesh_corner(mesh, triangle[2]), base);
    return ond_dot(a, ond_cross(b, c));
}

#endif
