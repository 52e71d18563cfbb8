// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/ply.h"
#include "io/formats/ply_body.h"

#include <string.h>

static OndStatus read_body(OndPlyBody *b, OndFrame *out)
{
    for (int k = 0; k < b->header->element_count; ++k) {
        const OndPlyElement *e = &b->header->element[k];
        if (strcmp(e->name, "vertex") == 0) return ond_ply_body_vertices(b, e, &out->particles);
        const OndStatus status = ond_ply_body_pass(b, e);
        if (status != OND_OK) return status;
    }
    return ond_fail(b->err, OND_BAD_VALUE,
                    "%s: the PLY file has no element 'vertex', so no particles", b->name);
}

OndStatus ond_ply_parse(const char *name, const void *bytes, size_t size, OndFrame *out,
                        OndError *err)
{
    memset(out, 0, sizeof *out);
    OndPlyBody body;
    OndStatus status = ond_ply_body_open(&body, name, bytes, size, err);
    if (status != OND_OK) return status;
    *out = body.header->meta;
    out->owned = true;
    status = read_body(&body, out);
    if (status != OND_OK) ond_frame_free(out);
    ond_ply_body_close(&body);
    return status;
}

OndStatus ond_ply_read(const char *path, OndFrame *out, OndError *err)
{
    char *bytes;
    size_t size;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, OND_PLY_FILE_LIMIT, &bytes, &size, err);
    if (status == OND_OK) status = ond_ply_parse(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

const OndFormat ond_format_ply = {
    .extension = "ply",
    .what = "PLY particles (Blender, Houdini, MeshLab)",
    .read = ond_ply_read,
    .write = ond_ply_write,
};
