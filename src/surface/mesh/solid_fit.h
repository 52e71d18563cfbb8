// SPDX-License-Identifier: MIT
// Where liquid stands against a solid, its surface ends on it.
//
// Particles rest half a spacing off a solid, and a surface round them is bumpy there, now before
// and now behind the solid's own. Corners near a solid are drawn to it: a little into what has an
// inside (where nobody sees them, so that nothing shines through a gap and no two faces lie in one
// place), a little before a sheet. From there the pull fades out to where the liquid is free.
#ifndef OND_SURFACE_SOLID_FIT_H
#define OND_SURFACE_SOLID_FIT_H

#include "solids/solids.h"
#include "surface/surface.h"

/// `solids` stand where they are at the surface's time; NULL: nothing happens.
void ond_surface_fit(OndSurface *surface, const OndSolids *solids);

#endif
