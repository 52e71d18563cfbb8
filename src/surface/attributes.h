// SPDX-License-Identifier: MIT
// What the liquid carries, brought from the particles to the corners of a mesh.
#ifndef OND_SURFACE_ATTRIBUTES_H
#define OND_SURFACE_ATTRIBUTES_H

#include "geom/mesh.h"
#include "surface/points.h"

/// Velocity, temperature, rigidity, ...: means over the near particles, nearer ones count more.
/// Material and other whole numbers: of the nearest particle. `out` gets an array for each that the
/// frame has.
OndStatus ond_attributes_carry(OndFields *out, const OndMesh *mesh, const OndPoints *points,
                               const OndFrame *frame, OndError *err);

#endif
