// SPDX-License-Identifier: MIT
// Triangles of an STL file, binary or text, for builds whose meshes are not read by assimp.
#ifndef OND_IO_STL_H
#define OND_IO_STL_H

#include "geom/mesh.h"

/// Three corners a triangle, as they stand in the file; `name` is what messages call it. `out` is overwritten, and empty
/// on failure.
OndStatus ond_stl_parse(const char *name, const char *bytes, size_t size, OndMesh *out,
                        OndError *err);

#endif
