// SPDX-License-Identifier: MIT
// Any bytes as a surface in PLY and in OBJ, and as a mesh in STL: an answer, never a crash, and a good surface is one
// whose triangles have corners and whose corners have finite places and normals of length one.
#include "io/formats/stl.h"
#include "io/formats/surface_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void use(const OndSurface *s)
{
    for (int k = 0; k < 3 * s->mesh.corner_count; ++k)
        if (!isfinite(s->mesh.corner[k]) || !isfinite(s->normal[k])) abort();
    for (int k = 0; k < 3 * s->mesh.triangle_count; ++k)
        if (s->mesh.triangle[k] >= (uint32_t)s->mesh.corner_count) abort();
    for (int k = 0; k < s->mesh.corner_count; ++k) {
        const float *n = s->normal + 3 * k;
        if (fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0f) > 1e-3f) abort();
    }
    if (s->attributes.count != s->mesh.corner_count) abort();
}

static void check(OndStatus status, OndSurface *s, const OndError *err)
{
    if (status == OND_OK)
        use(s);
    else if (err->text[0] == 0 || s->mesh.corner || s->normal || s->attributes.field_count)
        abort();
    ond_surface_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OndSurface s;
    OndError err = {0};
    check(ond_surface_ply_parse("fuzz.ply", data, size, &s, &err), &s, &err);
    err.text[0] = 0;
    check(ond_surface_obj_parse("fuzz.obj", (const char *)data, size, &s, &err), &s, &err);
    OndMesh mesh;
    err.text[0] = 0;
    if (ond_stl_parse("fuzz.stl", (const char *)data, size, &mesh, &err) != OND_OK &&
        (err.text[0] == 0 || mesh.corner))
        abort();
    ond_mesh_free(&mesh);
    return 0;
}
