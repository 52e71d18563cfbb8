// SPDX-License-Identifier: MIT
#include "geom/mesh.h"

#include "base/memory.h"

OndStatus ond_mesh_make(OndMesh *mesh, long long corners, long long triangles, OndError *err)
{
    const OndMesh empty = {0};
    *mesh = empty;
    if (corners < 0 || corners > OND_MESH_MAX || triangles < 0 || triangles > OND_MESH_MAX)
        return ond_fail(err, OND_BAD_VALUE,
                        "the mesh has %lld corners and %lld triangles; at most %d of each can be "
                        "used, so simplify it first",
                        corners, triangles, OND_MESH_MAX);
    mesh->corner = OND_NEW_ARRAY(float, 3 * corners);
    mesh->triangle = OND_NEW_ARRAY(uint32_t, 3 * triangles);
    if (!mesh->corner || !mesh->triangle) {
        ond_mesh_free(mesh);
        return ond_fail(err, OND_NO_MEMORY, "no memory for a mesh of %lld triangles", triangles);
    }
    mesh->corner_count = (int)corners;
    mesh->triangle_count = (int)triangles;
    return OND_OK;
}

void ond_mesh_free(OndMesh *mesh)
{
    const OndMesh empty = {0};
    ond_free(mesh->corner);
    ond_free(mesh->triangle);
    *mesh = empty;
}
