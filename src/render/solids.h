// SPDX-License-Identifier: MIT
// Solids in a picture: their triangles where they stand, with the looks that the scene gives them.
//
// All become one surface for the ray tracer and for the quick pictures. A corner has a normal for
// each of its triangles, a mean over those that are one with it only
// (geom/mesh_normals.h): a box has edges, a ball none.
#ifndef OND_RENDER_SOLIDS_H
#define OND_RENDER_SOLIDS_H

#include "render/render.h"
#include "render/stage/drawn_solids.h"
#include "render/trace/trace_look.h"

#define OND_SOLID_LOOKS 250 // different ones in a picture; beyond, the last is used

typedef struct OndSolidSurface {
    OndSurface surface;            ///< three corners a triangle; attributes: material, velocity
    OndLook look[OND_SOLID_LOOKS]; ///< by material
    int look_count;
} OndSolidSurface;

/// Makes the surface. Free with ond_solid_surface_free, in every case. `flat`: in 2D, where plain
/// solids lie before paper and are darker than it.
OndStatus ond_solid_surface_make(OndSolidSurface *out, const OndDrawnSolid *solid, int count,
                                 bool flat, OndError *err);
void ond_solid_surface_free(OndSolidSurface *s);

/// Widens `box` by where solids stand, planes left out; begin with min > max.
void ond_solid_surface_box(const OndDrawnSolid *solid, int count, OndBox *box);

#endif
