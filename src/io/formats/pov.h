// SPDX-License-Identifier: MIT
// Scenes for POV-Ray: `povray frame_0040.pov` makes a picture, as it is.
//
// Particles become one `blob`, with the spheres and the threshold of the field "blobs". A surface
// becomes a `mesh2` with its normals. Camera, light, floor and texture stand in the file as
// declarations that a person can change, in metres, y up. Written, not read.
#ifndef OND_IO_POV_H
#define OND_IO_POV_H

#include "io/formats/surface_files.h"

/// Particles whose position is not finite are left out; none left is an error.
OndStatus ond_pov_write_particles(const char *path, const OndFrame *frame, OndError *err);

/// A surface of several materials is painted, one colour each; of one it is clear as water.
OndStatus ond_pov_write_surface(const char *path, const OndSurface *surface,
                                const OndSurfaceAbout *about, OndError *err);

#endif
