// SPDX-License-Identifier: MIT
#include "io/surface_parts.h"

#include "base/memory.h"

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

static OndVec corner(const OndMesh *mesh, uint32_t k)
{
    const float *c = mesh->corner + 3 * (size_t)k;
    return ond_vec(c[0], c[1], c[2]);
}

// Twice the triangle's area long.
static OndVec normal_of(const OndMesh *mesh, const uint32_t *t)
{
    const OndVec a = corner(mesh, t[0]);
    return ond_cross(ond_sub(corner(mesh, t[1]), a), ond_sub(corner(mesh, t[2]), a));
}

static void add_triangles(const OndMesh *mesh, OndVec *sum)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *of = mesh->triangle + 3 * (size_t)t;
        const OndVec n = normal_of(mesh, of);
        for (int k = 0; k < 3; ++k)
            sum[of[k]] = ond_add(sum[of[k]], n);
    }
}

OndStatus ond_surface_complete_normals(OndSurface *s, OndError *err)
{
    const OndMesh *mesh = &s->mesh;
    if (!s->normal) s->normal = OND_NEW_ARRAY(float, 3 * (size_t)mesh->corner_count);
    OndVec *sum = OND_NEW_ARRAY(OndVec, mesh->corner_count);
    if (!s->normal || !sum) {
        ond_free(sum);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for the normals of a surface");
    }
    add_triangles(mesh, sum);
    for (int k = 0; k < mesh->corner_count; ++k) {
        float *n = s->normal + 3 * (size_t)k;
        OndVec v = ond_vec(n[0], n[1], n[2]);
        const double length = ond_length(v);
        if (!(length > 1e-6 && length < 1e6)) v = sum[k]; // none, or no number
        v = ond_unit(v);
        if (!(ond_length(v) > 0.5)) v = ond_vec(0, 1, 0); // a corner without a triangle
        n[0] = (float)v.x, n[1] = (float)v.y, n[2] = (float)v.z;
    }
    ond_free(sum);
    return OND_OK;
}
