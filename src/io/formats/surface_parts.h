// SPDX-License-Identifier: MIT
// What the files of surfaces have in common.
#ifndef OND_IO_SURFACE_PARTS_H
#define OND_IO_SURFACE_PARTS_H

#include "io/file.h"
#include "surface/surface.h"

/// How the recipe stands in a file, after whatever begins a comment there.
#define OND_RECIPE_FORMAT "ondine recipe %016llx"

/// Time, index, dimension, spacing and domain, as frames have them; no particles.
OndFrame ond_surface_meta(const OndSurface *surface);

/// Fails on a corner that is not finite and on a triangle with a corner that is not there.
OndStatus ond_surface_check(const char *name, const OndSurface *surface, OndError *err);

/// Makes all normals one long and mends those that are none (surface/mesh/normals.h); takes memory for
/// them when there are none at all.
OndStatus ond_surface_complete_normals(OndSurface *surface, OndError *err);

#endif
