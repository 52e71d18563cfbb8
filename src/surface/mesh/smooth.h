// SPDX-License-Identifier: MIT
// Smoothing that keeps the volume, and thinning of flat parts.
#ifndef OND_SURFACE_SMOOTH_H
#define OND_SURFACE_SMOOTH_H

#include "geom/mesh.h"

/// `rounds` of smoothing: each moves corners towards the mean of their neighbours, then back a
/// little more than half as far, so that ripples go and shapes stay [Taubin 1995]. Afterwards every
/// part of the mesh is moved along its normals until its volume is what it was.
OndStatus ond_mesh_smooth(OndMesh *mesh, int rounds, OndError *err);

/// Joins corners along edges as long as no place of the surface moves by more than about
/// `distance` m. The mesh stays closed and manifold. `kept[c]` of the new mesh is the corner that c
/// was nearest to before (from ond_alloc).
OndStatus ond_mesh_decimate(OndMesh *mesh, double distance, uint32_t **kept, OndError *err);

#endif
