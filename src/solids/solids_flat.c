// SPDX-License-Identifier: MIT
// A mesh in 2D: walls that stand on the lines in which z = 0 cuts it.
#include "solids/solids_mesh.h"

/// Where the edge a-b crosses z = 0: the same bits from either end.
static void cut_edge(const float *a, const float *b, float out[2])
{
    if (a[2] > b[2]) {
        const float *swap = a;
        a = b;
        b = swap;
    }
    const double t = a[2] / ((double)a[2] - b[2]);
    out[0] = (float)(a[0] + t * ((double)b[0] - a[0]));
    out[1] = (float)(a[1] + t * ((double)b[1] - a[1]));
}

/// The line in which z = 0 cuts a triangle, its inside on the left; false when there is none.
/// Corners at z = 0 count as above, so that two triangles never both miss a line.
static bool cut_triangle(const OndMesh *mesh, int t, float line[4])
{
    const float *c[3];
    int above = 0;
    for (int k = 0; k < 3; ++k) {
        c[k] = mesh->corner + 3 * (size_t)mesh->triangle[3 * (size_t)t + k];
        above |= (c[k][2] >= 0.0f) << k;
    }
    if (above == 0 || above == 7) return false;
    int in = 0, out = 0; // the edges where the way round goes above and below
    for (int k = 0; k < 3; ++k) {
        const int here = above >> k & 1, next = above >> ((k + 1) % 3) & 1;
        if (!here && next) in = k;
        if (here && !next) out = k;
    }
    cut_edge(c[out], c[(out + 1) % 3], line);
    cut_edge(c[in], c[(in + 1) % 3], line + 2);
    return true;
}

/// A wall from z = -height to height on a line.
static void stand_wall(OndMesh *cut, int wall, const float line[4], float height)
{
    float *c = cut->corner + 12 * (size_t)wall;
    uint32_t *t = cut->triangle + 6 * (size_t)wall;
    const uint32_t base = 4 * (uint32_t)wall;
    const uint32_t corner[6] = {0, 1, 3, 0, 3, 2};
    for (int k = 0; k < 4; ++k) {
        c[3 * k] = line[2 * (k & 1)];
        c[3 * k + 1] = line[2 * (k & 1) + 1];
        c[3 * k + 2] = k < 2 ? -height : height;
    }
    for (int k = 0; k < 6; ++k)
        t[k] = base + corner[k];
}

static float widest(const OndMesh *mesh)
{
    float most = 1.0f;
    for (size_t i = 0; i < 3 * (size_t)mesh->corner_count; ++i)
        most = fabsf(mesh->corner[i]) > most ? fabsf(mesh->corner[i]) : most;
    return most;
}

OndStatus ond_mesh_cut_flat(const OndMesh *mesh, OndMesh *cut, OndError *err)
{
    float line[4];
    long long walls = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
        walls += cut_triangle(mesh, t, line);
    OndMesh raw;
    OndStatus status = ond_mesh_make(&raw, 4 * walls, 2 * walls, err);
    if (status != OND_OK) return status;
    const float height = widest(mesh);
    int wall = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
        if (cut_triangle(mesh, t, line)) stand_wall(&raw, wall++, line, height);
    if (walls > 0) {
        status = ond_mesh_weld(&raw, cut, err);
        ond_mesh_free(&raw);
    } else {
        *cut = raw;
    }
    return status;
}
