// SPDX-License-Identifier: MIT
// Triangle meshes from files (OBJ, PLY, STL, OFF, glTF), read with assimp.
#ifndef OND_IO_MESH_ASSIMP_H
#define OND_IO_MESH_ASSIMP_H

#include "geom/mesh.h"

/// Reads all triangles of a file as one mesh: polygons are cut into triangles, parts stand where
/// the file's nodes put them, points and lines are left out. The caller frees `out`.
OndStatus ond_mesh_load(const char *path, OndMesh *out, OndError *err);

#endif
