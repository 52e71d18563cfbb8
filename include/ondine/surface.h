// SPDX-License-Identifier: MIT
// The surface of the liquid as it is now: a closed triangle mesh.
#ifndef ONDINE_SURFACE_H
#define ONDINE_SURFACE_H

#include <ondine/fields.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OndSurfaceMesh OndSurfaceMesh;

/// Makes the surface, as the scene's section `surface` says. The caller owns it, and it lives on
/// when the simulation goes on. NULL and a sentence on failure; a liquid without particles has a
/// mesh without triangles.
OND_API OndSurfaceMesh *ond_sim_surface(const OndSim *sim, OndError *err);
OND_API void ond_surface_mesh_destroy(OndSurfaceMesh *mesh); ///< NULL is allowed

// Arrays live as long as the mesh, and may be NULL where it has no triangles. Several threads may look
// at one mesh.
OND_API int ond_surface_mesh_corner_count(const OndSurfaceMesh *mesh);
OND_API const float *ond_surface_mesh_positions(const OndSurfaceMesh *mesh); ///< x y z, m
OND_API const float *ond_surface_mesh_normals(const OndSurfaceMesh *mesh);   ///< x y z, outwards
OND_API int ond_surface_mesh_triangle_count(const OndSurfaceMesh *mesh);
/// Three corners a triangle, counter-clockwise seen from outside.
OND_API const uint32_t *ond_surface_mesh_triangles(const OndSurfaceMesh *mesh);
/// What the liquid carries, at every corner: "velocity", "temperature", "material", "rigidity". False
/// when it does not.
OND_API bool ond_surface_mesh_field(const OndSurfaceMesh *mesh, const char *name,
                                    OndFieldView *out);
/// Writes it into a file, in the format of its extension: .ply, .obj, .stl, .vtp, .pov. Whole, or not at
/// all.
OND_API OndStatus ond_surface_mesh_write(const OndSurfaceMesh *mesh, const char *path,
                                         OndError *err);

#ifdef __cplusplus
}
#endif
#endif
