// SPDX-License-Identifier: MIT
#include "io/formats/surface_parts.h"

#include "base/memory.h"
#include "surface/mesh/normals.h"

OndFrame ond_surface_meta(const OndSurface *s)
{
    return (OndFrame){.index = s->frame,
                      .time = s->time,
                      .dimension = s->dimension,
                      .spacing = s->spacing,
                      .domain = s->domain};
}

OndStatus ond_surface_check(const char *name, const OndSurface *s, OndError *err)
{
    const OndMesh *mesh = &s->mesh;
    for (int k = 0; k < 3 * mesh->corner_count; ++k)
        if (!isfinite(mesh->corner[k]))
            return ond_fail(err, OND_BAD_VALUE,
                            "%s: corner %d of the surface is not finite (%c is %g)", name, k / 3,
                            "xyz"[k % 3], (double)mesh -> corner[k]);
    for (int k = 0; k < 3 * mesh->triangle_count; ++k)
        if (mesh->triangle[k] >= (uint32_t)mesh->corner_count)
            return ond_fail(err, OND_BAD_VALUE,
                            "%s: triangle %d of the surface has a corner %u, and there are %d "
                            "corners, counted from 0",
                            name, k / 3, mesh->triangle[k], mesh->corner_count);
    return OND_OK;
}

OndStatus ond_surface_complete_normals(OndSurface *s, OndError *err)
{
    const int count = s->mesh.corner_count;
    if (!s->normal) s->normal = OND_NEW_ARRAY(float, 3 * (size_t)count);
    if (!s->normal)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a surface's normals");
    for (int k = 0; k < count; ++k) {
        float *n = s->normal + 3 * (size_t)k;
        const OndVec unit = ond_unit(ond_vec(n[0], n[1], n[2]));
        const bool good = fabs(ond_length(unit) - 1.0) < 1e-3; // not so: none, or no numbers
        n[0] = good ? (float)unit.x : 0.0f;
        n[1] = good ? (float)unit.y : 0.0f;
        n[2] = good ? (float)unit.z : 0.0f;
    }
    return ond_normals_mend(&s->mesh, s->normal, err);
}
