// SPDX-License-Identifier: MIT
// Frames as PLY: the particle format that every 3D program opens.
//
// Written: binary little-endian, one `vertex` element whose rows hold x y z vx vy vz density
// temperature rigidity id and whatever else the frame's fields describe (io/formats/columns.h). What PLY
// has no place for stands in comments: "comment ondine time 0.5", index, dimension, spacing,
// domain, unit NAME UNIT.
//
// Read: ascii and binary of both byte orders, any number type, properties in any order. Lists and
// other elements (faces of a mesh) are passed over. A damaged file gives a sentence, never a crash.
#ifndef OND_IO_PLY_H
#define OND_IO_PLY_H

#include "sim/frame.h"

#include <stddef.h>

OndStatus ond_ply_write(const char *path, const OndFrame *frame, OndError *err);

/// `out` is overwritten and owns its arrays: ond_frame_free. On failure it is empty.
OndStatus ond_ply_read(const char *path, OndFrame *out, OndError *err);

/// The same from memory; `name` is what messages call it.
OndStatus ond_ply_parse(const char *name, const void *bytes, size_t size, OndFrame *out,
                        OndError *err);

#endif
