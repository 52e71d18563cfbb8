// SPDX-License-Identifier: MIT
#include "surface/normals.h"

#include "base/memory.h"

// Twice the area, along the normal.
static OndVec area_of(const OndMesh *mesh, const uint32_t *t)
{
    const OndVec a = ond_mesh_corner(mesh, t[0]);
    return ond_cross(ond_sub(ond_mesh_corner(mesh, t[1]), a),
                     ond_sub(ond_mesh_corner(mesh, t[2]), a));
}

static double agreement(const float *normal, OndVec area)
{
    return normal[0] * area.x + normal[1] * area.y + normal[2] * area.z;
}

// Sums of the areas round those corners that `wrong` marks.
static void mend(const OndMesh *mesh, float *normal, const unsigned char *good, OndVec *sum)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *triangle = mesh->triangle + 3 * (size_t)t;
        if (good[triangle[0]] && good[triangle[1]] && good[triangle[2]]) continue;
        const OndVec area = area_of(mesh, triangle);
        for (int c = 0; c < 3; ++c)
            if (!good[triangle[c]]) sum[triangle[c]] = ond_add(sum[triangle[c]], area);
    }
    for (int c = 0; c < mesh->corner_count; ++c) {
        if (good[c]) continue;
        const OndVec unit = ond_unit(sum[c]);
        float *out = normal + 3 * (size_t)c;
        out[0] = (float)unit.x, out[1] = (float)unit.y, out[2] = (float)unit.z;
        if (out[0] == 0.0f && out[1] == 0.0f && out[2] == 0.0f) out[2] = 1.0f;
    }
}

OndStatus ond_normals_mend(const OndMesh *mesh, float *normal, OndError *err)
{
    unsigned char *good = OND_NEW_ARRAY(unsigned char, (size_t)mesh->corner_count + 1);
    if (!good) return ond_fail(err, OND_NO_MEMORY, "not enough memory for normals");
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *triangle = mesh->triangle + 3 * (size_t)t;
        const OndVec area = area_of(mesh, triangle);
        for (int c = 0; c < 3; ++c)
            if (agreement(normal + 3 * (size_t)triangle[c], area) > 0.0) good[triangle[c]] = 1;
    }
    int bad = 0;
    for (int c = 0; c < mesh->corner_count; ++c)
        bad += !good[c];
    OndVec *sum = bad ? OND_NEW_ARRAY(OndVec, mesh->corner_count) : NULL;
    if (sum) mend(mesh, normal, good, sum);
    ond_free(sum);
    ond_free(good);
    if (bad && !sum) return ond_fail(err, OND_NO_MEMORY, "not enough memory for normals");
    return OND_OK;
}
