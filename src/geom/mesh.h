// SPDX-License-Identifier: MIT
// A triangle mesh: corners and triples of indices.
#ifndef OND_GEOM_MESH_H
#define OND_GEOM_MESH_H

#include "base/vec.h"

#include <ondine/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Most corners, and most triangles, of a mesh: sizes then fit any address space.
#define OND_MESH_MAX (1 << 26)

typedef struct OndMesh {
    float *corner;      ///< x y z of each corner, m
    uint32_t *triangle; ///< three corner indices each, counter-clockwise seen from outside
    int corner_count, triangle_count;
} OndMesh;

/// Room for that many corners and triangles, zeroed. Fails on counts out of [0, OND_MESH_MAX].
OndStatus ond_mesh_make(OndMesh *mesh, long long corners, long long triangles, OndError *err);

/// Frees the arrays (they come from ond_alloc); the struct is empty and usable again.
void ond_mesh_free(OndMesh *mesh);

static inline OndVec ond_mesh_corner(const OndMesh *mesh, uint32_t corner)
{
    const float *at = mesh->corner + 3 * (size_t)corner;
    return ond_vec(at[0], at[1], at[2]);
}

/// A copy in which corners at the same position are one corner and triangles that have two equal
/// corners are gone. Indices out of range and corners that are not finite are errors that name the
/// triangle, counted from 0.
OndStatus ond_mesh_weld(const OndMesh *mesh, OndMesh *out, OndError *err);

/// Fails unless every edge of the (welded) mesh is shared by an even number of triangles, so that
/// there is an inside. `oriented` tells whether neighbours also agree on which side is out.
OndStatus ond_mesh_check_closed(const OndMesh *mesh, bool *oriented, OndError *err);

#endif
