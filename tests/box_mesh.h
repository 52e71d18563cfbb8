// SPDX-License-Identifier: MIT
// A box as twelve triangles.
#ifndef OND_TESTS_BOX_MESH_H
#define OND_TESTS_BOX_MESH_H

#include "check.h"
#include "geom/mesh.h"

#include <string.h>

static inline void make_box(OndMesh *mesh, OndVec min, OndVec max)
{
    static const uint32_t faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    assert_int_equal(ond_mesh_make(mesh, 8, 12, NULL), OND_OK);
    for (int i = 0; i < 8; ++i) {
        mesh->corner[3 * i] = (float)(i & 1 ? max.x : min.x);
        mesh->corner[3 * i + 1] = (float)(i & 2 ? max.y : min.y);
        mesh->corner[3 * i + 2] = (float)(i & 4 ? max.z : min.z);
    }
    memcpy(mesh->triangle, faces, sizeof faces);
}

#endif
