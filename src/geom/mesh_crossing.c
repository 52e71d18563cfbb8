// SPDX-License-Identifier: MIT
// Triangles of a mesh that pass through each other.
#include "base/memory.h"
#include "geom/bvh.h"
#include "geom/closest.h"
#include "geom/mesh_edges.h"

#define STACK_SIZE 64
#define FINE       1e-6 // of the coordinates: some roundings of a float

static void corners_of(const OndMesh *mesh, int t, OndVec c[3])
{
    for (int k = 0; k < 3; ++k)
        c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
}

/// A triangle and its plane. A triangle without an area has none.
typedef struct Facet {
    OndVec c[3], normal; // of length 1, or 0
    double fine;         ///< how far its corners may be from where they should be: they are floats
} Facet;

static Facet facet_of(const OndMesh *mesh, int t)
{
    Facet f;
    corners_of(mesh, t, f.c);
    f.normal = ond_triangle_normal(f.c);
    const double area = ond_length(f.normal);
    f.normal = area > 0.0 ? ond_scale(f.normal, 1.0 / area) : ond_vec(0, 0, 0);
    f.fine = 0.0;
    for (int k = 0; k < 3; ++k)
        f.fine = ond_max(f.fine, FINE * (fabs(f.c[k].x) + fabs(f.c[k].y) + fabs(f.c[k].z)));
    return f;
}

/// How far the corners are above a plane; false when they are not on both sides of it. What only
/// touches it is on neither.
static bool straddles(const Facet *f, const Facet *plane, double above[3])
{
    const double fine = f->fine + plane->fine;
    bool over = false, under = false;
    for (int k = 0; k < 3; ++k) {
        above[k] = ond_dot(plane->normal, ond_sub(f->c[k], plane->c[0]));
        if (fabs(above[k]) <= fine) above[k] = 0.0;
        over |= above[k] > 0.0;
        under |= above[k] < 0.0;
    }
    return over && under;
}

/// Where a triangle is cut by a plane: two places, and how far they are along a line.
typedef struct TriangleCut {
    OndVec end[2];
    double along[2]; // least first
} TriangleCut;

static TriangleCut cut(const Facet *f, const double above[3], OndVec line)
{
    TriangleCut c = {.along = {INFINITY, -INFINITY}};
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        double t = 0.0;
        if (above[k] * above[next] < 0.0)
            t = above[k] / (above[k] - above[next]);
        else if (above[k] != 0.0)
            continue;
        const OndVec at = ond_add(f->c[k], ond_scale(ond_sub(f->c[next], f->c[k]), t));
        const double along = ond_dot(line, at);
        if (along < c.along[0]) c.along[0] = along, c.end[0] = at;
        if (along > c.along[1]) c.along[1] = along, c.end[1] = at;
    }
    return c;
}

static bool share_corner(const OndMesh *mesh, int s, int t)
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->triangle[3 * (size_t)s + i] == mesh->triangle[3 * (size_t)t + k]) return true;
    return false;
}

/// Each reaches through the plane of the other, and on the line where the planes meet they have
/// more than a point in common; `at` gets the middle of that.
static bool cross(const OndMesh *mesh, int s, int t, OndVec *at)
{
    double above[2][3];
    if (share_corner(mesh, s, t)) return false;
    const Facet a = facet_of(mesh, s), b = facet_of(mesh, t);
    if (!straddles(&a, &b, above[0]) || !straddles(&b, &a, above[1])) return false;
    const OndVec line = ond_cross(a.normal, b.normal);
    const TriangleCut one = cut(&a, above[0], line), other = cut(&b, above[1], line);
    const double from = fmax(one.along[0], other.along[0]), to = fmin(one.along[1], other.along[1]);
    if (!(to - from > (a.fine + b.fine) * ond_length(line))) return false;
    const double share = (0.5 * (from + to) - one.along[0]) / (one.along[1] - one.along[0]);
    *at = ond_add(one.end[0], ond_scale(ond_sub(one.end[1], one.end[0]), share));
    return true;
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
static int crossed_by(const OndMesh *mesh, const OndBvh *bvh, const OndBox *box, int t, OndVec *at)
{
    OndVec here;
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
            if (other > t && (found < 0 || other < found) && cross(mesh, t, other, &here))
                found = other, *at = here;
        }
        if (n->count > 0) continue;
        stack[top++] = n->first;
        stack[top++] = index + 1;
    }
    return found;
}

OndStatus ond_mesh_find_crossing(const OndMesh *mesh, int crossing[2], OndVec *at, OndError *err)
{
    OndArena arena = {0};
    OndBvh bvh;
    OndBox *box = OND_NEW_ARRAY(OndBox, mesh->triangle_count);
    crossing[0] = crossing[1] = -1;
    for (int t = 0; box && t < mesh->triangle_count; ++t)
        box[t] = box_of(mesh, t);
    const bool built = box && ond_bvh_build(&bvh, &arena, box, mesh->triangle_count);
    for (int t = 0; built && t < mesh->triangle_count && crossing[0] < 0; ++t) {
        crossing[1] = crossed_by(mesh, &bvh, box, t, at);
        if (crossing[1] >= 0) crossing[0] = t;
    }
    ond_free(box);
    ond_arena_free(&arena);
    if (!built) return ond_fail(err, OND_NO_MEMORY, "no memory to look at a mesh");
    return OND_OK;
}
