// SPDX-License-Identifier: MIT
// Meshes where assimp is not: OBJ, PLY and STL, in this process, since these readers bear any bytes.
#include "base/memory.h"
#include "io/file.h"
#include "io/formats/stl.h"
#include "io/formats/surface_files.h"
#include "io/mesh_assimp.h"

#include <strings.h>

#define FILE_LIMIT ((uint64_t)4 << 30) // bytes

static OndStatus read_stl(const char *path, OndMesh *out, OndError *err)
{
    char *bytes;
    size_t size;
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &bytes, &size, err);
    if (status == OND_OK) status = ond_stl_parse(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

OndStatus ond_mesh_load(const char *path, OndMesh *out, OndError *err)
{
    *out = (OndMesh){0};
    if (strcasecmp(ond_path_extension(path), "stl") == 0) return read_stl(path, out, err);
    const OndSurfaceFormat *const format = ond_surface_format_of(path);
    if (!format || !format->read)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s: the name must end in .obj, .ply or .stl to be read as a mesh by this "
                        "build; with libassimp-dev it reads more",
                        path);
    OndSurface surface = {0};
    const OndStatus status = ond_surface_read(path, &surface, err);
    if (status != OND_OK) return status;
    *out = surface.mesh;
    surface.mesh = (OndMesh){0};
    ond_surface_free(&surface);
    return OND_OK;
}
