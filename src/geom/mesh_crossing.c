// SPDX-License-Identifier: MIT
// Triangles of a mesh that pass through each other.
#include "base/memory.h"
#include "geom/bvh.h"
#include "geom/closest.h"
#include "geom/mesh_edges.h"

#define STACK_SIZE 64

static void corners_of(const OndMesh *mesh, int t, OndVec c[3])
{
    for (int k = 0; k < 3; ++k)
        c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
}

/// Whether the segment p-q goes through the inside of a triangle; touching its rim does not count.
static bool pierces(OndVec p, OndVec q, const OndVec c[3])
{
    const OndVec normal = ond_triangle_normal(c);
    const double a = ond_dot(normal, ond_sub(p, c[0])), b = ond_dot(normal, ond_sub(q, c[0]));
    const double scale = ond_length(normal);
    const double fine = 1e-9 * scale * (sqrt(ond_distance2(p, q)) + sqrt(scale));
    if (!(scale > 0.0) || !((a > fine && b < -fine) || (a < -fine && b > fine))) return false;
    const OndVec at = ond_add(p, ond_scale(ond_sub(q, p), a / (a - b)));
    for (int k = 0; k < 3; ++k) {
        const OndVec edge = ond_sub(c[(k + 1) % 3], c[k]);
        if (!(ond_dot(ond_cross(normal, edge), ond_sub(at, c[k])) > 1e-9 * scale * scale))
            return false;
    }
    return true;
}

static bool share_corner(const OndMesh *mesh, int s, int t)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangle[3 * (size_t)s + i] == mesh->triangle[3 * (size_t)t + k]) return true;
    return false;
}

static bool cross(const OndMesh *mesh, int s, int t)
{
    OndVec a[3], b[3];
    if (share_corner(mesh, s, t)) return false;
    corners_of(mesh, s, a);
    corners_of(mesh, t, b);
    for (int k = 0; k < 3; ++k)
        if (pierces(a[k], a[(k + 1) % 3], b) || pierces(b[k], b[(k + 1) % 3], a)) return true;
    return false;
}

static OndBox box_of(const OndMesh *mesh, int t)
{
    OndVec c[3];
    corners_of(mesh, t, c);
    const OndBox box = {
        {ond_min(c[0].x, ond_min(c[1].x, c[2].x)), ond_min(c[0].y, ond_min(c[1].y, c[2].y)),
         ond_min(c[0].z, ond_min(c[1].z, c[2].z))},
        {ond_max(c[0].x, ond_max(c[1].x, c[2].x)), ond_max(c[0].y, ond_max(c[1].y, c[2].y)),
         ond_max(c[0].z, ond_max(c[1].z, c[2].z))}};
    return box;
}

/// The lowest triangle after t that crosses it; -1: none.
static int crossed_by(const OndMesh *mesh, const OndBvh *bvh, const OndBox *box, int t)
{
    int stack[STACK_SIZE], top = 0, found = -1;
    stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *n = &bvh->node[index];
        if (n->min[0] > box[t].max.x || n->max[0] < box[t].min.x || n->min[1] > box[t].max.y ||
            n->max[1] < box[t].min.y || n->min[2] > box[t].max.z || n->max[2] < box[t].min.z)
            continue;
        for (int i = 0; i < n->count; ++i) {
            const int other = bvh->order[n->first + i];
            if (other > t && (found < 0 || other < found) && cross(mesh, t, other)) found = other;
        }
        if (n->count > 0) continue;
        stack[top++] = n->first;
        stack[top++] = index + 1;
    }
    return found;
}

OndStatus ond_mesh_find_crossing(const OndMesh *mesh, int crossing[2], OndError *err)
{
    OndArena arena = {0};
    OndBvh bvh;
    OndBox *box = OND_NEW_ARRAY(OndBox, mesh->triangle_count);
    crossing[0] = crossing[1] = -1;
    for (int t = 0; box && t < mesh->triangle_count; ++t)
        box[t] = box_of(mesh, t);
    const bool built = box && ond_bvh_build(&bvh, &arena, box, mesh->triangle_count);
    for (int t = 0; built && t < mesh->triangle_count && crossing[0] < 0; ++t) {
        crossing[1] = crossed_by(mesh, &bvh, box, t);
        if (crossing[1] >= 0) crossing[0] = t;
    }
    ond_free(box);
    ond_arena_free(&arena);
    if (!built) return ond_fail(err, OND_NO_MEMORY, "no memory to look at a mesh");
    return OND_OK;
}
