// SPDX-License-Identifier: MIT
// Normals of a mesh's corners where the field has none to give, or a wrong one.
#ifndef OND_SURFACE_NORMALS_H
#define OND_SURFACE_NORMALS_H

#include "geom/mesh.h"

/// Corners whose normal is (0, 0, 0), or points against the mean of the triangles' normals round
/// them (weighted by angle or by area), get that mean.
OndStatus ond_normals_mend(const OndMesh *mesh, float *normal, OndError *err);

#endif
