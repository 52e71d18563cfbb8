// SPDX-License-Identifier: MIT
// Meshes where assimp is not: the surfaces that are read anyway (OBJ, PLY), in this process, since these
// readers bear any bytes.
#include "io/formats/surface_files.h"
#include "io/mesh_assimp.h"

OndStatus ond_mesh_load(const char *path, OndMesh *out, OndError *err)
{
    *out = (OndMesh){0};
    const OndSurfaceFormat *const format = ond_surface_format_of(path);
    if (!format || !format->read)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: the name must end in .obj or .ply to be read as a mesh by this build; "
                        "with libassimp-dev it reads more",
                        path);
    OndSurface surface = {0};
    const OndStatus status = ond_surface_read(path, &surface, err);
    if (status != OND_OK) return status;
    *out = surface.mesh;
    surface.mesh = (OndMesh){0};
    ond_surface_free(&surface);
    return OND_OK;
}
