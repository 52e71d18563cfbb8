// SPDX-License-Identifier: MIT
// Specks: islands of a surface that no particle made.
//
// Where sheets tear and means of far particles meet, a field may be positive in the middle of
// nothing. What comes out is a crumb that flickers from frame to frame. A drop is told from a crumb
// by what it holds: a particle, however small its ball may be; or as much liquid as a good part of
// one. Cells larger than a drop may pass beside its particle, so they are given that much leave.
#ifndef OND_SURFACE_SPECKS_H
#define OND_SURFACE_SPECKS_H

#include "geom/mesh.h"
#include "surface/points.h"

/// Takes specks out of the mesh, with what is hollow in them; `normal` goes with the corners. What
/// stays keeps its order. `cell` is that of the polygons, m.
OndStatus ond_specks_drop(OndMesh *mesh, float *normal, const OndPoints *points, double cell,
                          OndError *err);

#endif
