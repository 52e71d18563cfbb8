// SPDX-License-Identifier: MIT
// Small flat holes, closed by a fan of triangles from their middle.
#include "base/memory.h"
#include "geom/closest.h"
#include "geom/mesh_edges.h"

#include <string.h>

/// Longest rim that is closed.
#define RIM_MAX 256
/// How far a hole's rim may be off its plane, as a share of its size.
#define FLAT 0.02

typedef struct Rim {
    uint32_t corner[RIM_MAX];
    int count;
} Rim;

/// next[c]: the corner to which an open side leads from corner c; NONE, or more than one.
enum { NONE = -1, MANY = -2 };

static void list_rims(const OndMesh *mesh, const OndMeshEdges *edges, int *next)
{
    for (int c = 0; c < mesh->corner_count; ++c)
        next[c] = NONE;
    for (int side = 0; side < 3 * mesh->triangle_count; ++side) {
        if (edges->other[side] != OND_EDGE_OPEN) continue;
        const uint32_t from = ond_side_from(mesh, side);
        next[from] = next[from] == NONE ? (int)ond_side_to(mesh, side) : MANY;
    }
}

static bool follow_rim(const int *next, uint32_t start, Rim *rim)
{
    rim->count = 0;
    for (uint32_t c = start; rim->count < RIM_MAX;) {
        rim->corner[rim->count++] = c;
        if (next[c] < 0) return false;
        c = (uint32_t)next[c];
        if (c == start) return rim->count >= 3;
    }
    return false;
}

static OndVec middle_of(const OndMesh *mesh, const Rim *rim)
{
    OndVec sum = {0, 0, 0};
    for (int i = 0; i < rim->count; ++i)
        sum = ond_add(sum, ond_mesh_corner(mesh, rim->corner[i]));
    return ond_scale(sum, 1.0 / rim->count);
}

/// Whether a fan from the middle closes the hole: it is small and flat, and all triangles of the
/// fan face the same way.
static bool can_close(const OndMesh *mesh, const Rim *rim, double largest)
{
    const OndVec middle = middle_of(mesh, rim);
    OndVec normal = {0, 0, 0};
    double size = 0.0, off = 0.0;
    for (int i = 0; i < rim->count; ++i) {
        const OndVec a = ond_sub(ond_mesh_corner(mesh, rim->corner[i]), middle);
        const OndVec b = ond_sub(ond_mesh_corner(mesh, rim->corner[(i + 1) % rim->count]), middle);
        normal = ond_add(normal, ond_cross(a, b));
        size = ond_max(size, 2.0 * ond_length(a));
    }
    normal = ond_unit(normal);
    for (int i = 0; i < rim->count; ++i) {
        const OndVec a = ond_sub(ond_mesh_corner(mesh, rim->corner[i]), middle);
        const OndVec b = ond_sub(ond_mesh_corner(mesh, rim->corner[(i + 1) % rim->count]), middle);
        off = ond_max(off, fabs(ond_dot(a, normal)));
        if (!(ond_dot(ond_cross(a, b), normal) > 0.0)) return false;
    }
    return size <= largest && off <= FLAT * size;
}

/// The rim goes round against the triangles that close it.
static void add_fan(OndMesh *mesh, const Rim *rim, int *origin)
{
    const OndVec middle = middle_of(mesh, rim);
    const uint32_t hub = (uint32_t)mesh->corner_count++;
    float *at = mesh->corner + 3 * (size_t)hub;
    at[0] = (float)middle.x;
    at[1] = (float)middle.y;
    at[2] = (float)middle.z;
    for (int i = 0; i < rim->count; ++i) {
        uint32_t *t = mesh->triangle + 3 * (size_t)mesh->triangle_count;
        t[0] = hub;
        t[1] = rim->corner[(i + 1) % rim->count];
        t[2] = rim->corner[i];
        origin[mesh->triangle_count++] = -1;
    }
}

static bool grow(OndMesh *mesh, int corners, int triangles, int **origin)
{
    OndMesh more;
    int *numbers = OND_NEW_ARRAY(int, mesh->triangle_count + triangles);
    if (!numbers || ond_mesh_make(&more, (long long)mesh->corner_count + corners,
                                  (long long)mesh->triangle_count + triangles, NULL) != OND_OK) {
        ond_free(numbers);
        return false;
    }
    memcpy(more.corner, mesh->corner, 3 * sizeof(float) * (size_t)mesh->corner_count);
    memcpy(more.triangle, mesh->triangle, 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count);
    memcpy(numbers, *origin, sizeof(int) * (size_t)mesh->triangle_count);
    more.corner_count = mesh->corner_count;
    more.triangle_count = mesh->triangle_count;
    ond_mesh_free(mesh);
    ond_free(*origin);
    *mesh = more;
    *origin = numbers;
    return true;
}

int ond_mesh_close_holes(OndMesh *mesh, const OndMeshEdges *edges, double largest, int **origin)
{
    int *next = OND_NEW_ARRAY(int, mesh->corner_count);
    int closed = 0;
    if (!next || !grow(mesh, edges->open / 3 + 1, edges->open, origin)) {
        ond_free(next);
        return -1;
    }
    list_rims(mesh, edges, next);
    const int corners = mesh->corner_count;
    for (int c = 0; c < corners; ++c) {
        Rim rim;
        if (next[c] < 0 || !follow_rim(next, (uint32_t)c, &rim)) continue;
        for (int i = 0; i < rim.count; ++i)
            next[rim.corner[i]] = NONE;
        if (!can_close(mesh, &rim, largest)) continue;
        add_fan(mesh, &rim, *origin);
        ++closed;
    }
    ond_free(next);
    return closed;
}
