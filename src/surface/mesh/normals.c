// SPDX-License-Identifier: MIT
// Which side of a corner is out, by the triangles round it.
//
// The mean of their normals weighted by the angles at the corner is that side: it is positive
// against any point just outside [Baerentzen and Aanaes 2005]. Pictures and other programs weigh by
// area. Where triangles fold, as on films thinner than a cell, the two may differ by more than a
// right angle, so a normal has to agree with both.
//
// A normal that agrees with each triangle of its corner agrees with every mean of them. That holds
// for nearly all, and takes no angles to find out; what is left is looked at closely.
//
// [Baerentzen and Aanaes 2005] Signed distance computation using the angle weighted pseudonormal,
// IEEE TVCG 11(3).
#include "surface/mesh/normals.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <stdatomic.h>

#define CLEAR  2e-3 // cosine: agrees with a triangle beyond doubt
#define AGREES 1e-3 // cosine: clear of how others round their sums
#define NONE   1e-6 // radians: what is left where triangles are folded flat is rounding

typedef struct Sides {
    OndVec angle, area; // sums of the triangles' normals, weighted
} Sides;

// The angle at a between b and c; sound for needles, too.
static double angle_at(OndVec a, OndVec b, OndVec c)
{
    const OndVec ab = ond_sub(b, a), ac = ond_sub(c, a);
    return atan2(ond_length(ond_cross(ab, ac)), ond_dot(ab, ac));
}

static void add_triangle(const OndMesh *mesh, const uint32_t *triangle, Sides *sides)
{
    OndVec at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = ond_mesh_corner(mesh, triangle[k]);
    const OndVec area = ond_cross(ond_sub(at[1], at[0]), ond_sub(at[2], at[0]));
    const OndVec normal = ond_unit(area);
    for (int k = 0; k < 3; ++k) {
        Sides *of = &sides[triangle[k]];
        const double angle = angle_at(at[k], at[(k + 1) % 3], at[(k + 2) % 3]);
        of->angle = ond_add(of->angle, ond_scale(normal, angle));
        of->area = ond_add(of->area, area);
    }
}

static bool agrees(OndVec normal, OndVec side)
{
    return ond_dot(normal, side) >= AGREES * ond_length(side);
}

// A normal turned just so far that it agrees with a side: that of a wall, where the free surface
// that ends there has the larger area.
static OndVec lean(OndVec normal, OndVec side)
{
    const OndVec way = ond_unit(side);
    const double lacks = 2.0 * AGREES - ond_dot(normal, way);
    return lacks > AGREES ? ond_unit(ond_add(normal, ond_scale(way, lacks))) : normal;
}

static void mend(float *normal, const Sides *sides)
{
    const OndVec n = ond_vec(normal[0], normal[1], normal[2]);
    const OndVec angle = ond_length(sides->angle) > NONE ? sides->angle : ond_vec(0, 0, 0);
    if (ond_dot(n, n) > 0.0 && agrees(n, angle) && agrees(n, sides->area)) return;
    OndVec mended = lean(n, sides->area);
    if (!(ond_dot(n, n) > 0.0) || !agrees(n, angle) || !agrees(mended, angle))
        mended = ond_unit(ond_add(ond_unit(angle), ond_unit(sides->area)));
    normal[0] = (float)mended.x, normal[1] = (float)mended.y, normal[2] = (float)mended.z;
    if (!(ond_dot(mended, mended) > 0.0)) normal[2] = 1.0f; // no triangle, or none with an area
}

// ---- which corners to look at

typedef struct Doubts {
    const OndMesh *mesh;
    const float *normal;
    atomic_uchar *at; // of each corner
} Doubts;

static OndVec normal_at(const float *normal, uint32_t corner)
{
    const float *n = normal + 3 * (size_t)corner;
    return ond_vec(n[0], n[1], n[2]);
}

static void doubt_corners(int first, int last, int worker, void *context)
{
    const Doubts *d = context;
    for (int c = first; c < last; ++c) {
        const OndVec n = normal_at(d->normal, (uint32_t)c);
        atomic_store_explicit(&d->at[c], !(ond_dot(n, n) > 0.0), memory_order_relaxed);
    }
}

static void doubt_triangles(int first, int last, int worker, void *context)
{
    const Doubts *d = context;
    for (int t = first; t < last; ++t) {
        const uint32_t *triangle = d->mesh->triangle + 3 * (size_t)t;
        const OndVec from = ond_mesh_corner(d->mesh, triangle[0]);
        const OndVec area = ond_cross(ond_sub(ond_mesh_corner(d->mesh, triangle[1]), from),
                                      ond_sub(ond_mesh_corner(d->mesh, triangle[2]), from));
        const double least = CLEAR * ond_length(area);
        for (int k = 0; k < 3; ++k)
            if (!(ond_dot(normal_at(d->normal, triangle[k]), area) >= least))
                atomic_store_explicit(&d->at[triangle[k]], 1, memory_order_relaxed);
    }
}

static void find_doubts(const Doubts *d)
{
    ond_parallel_for(d->mesh->corner_count, 4096, doubt_corners, (void *)d);
    ond_parallel_for(d->mesh->triangle_count, 4096, doubt_triangles, (void *)d);
}

OndStatus ond_normals_mend(const OndMesh *mesh, float *normal, OndError *err)
{
    Sides *sides = OND_NEW_ARRAY(Sides, (size_t)mesh->corner_count + 1);
    const Doubts doubts = {mesh, normal,
                           OND_NEW_ARRAY(atomic_uchar, (size_t)mesh->corner_count + 1)};
    if (sides && doubts.at) {
        find_doubts(&doubts);
        for (int t = 0; t < mesh->triangle_count; ++t) {
            const uint32_t *c = mesh->triangle + 3 * (size_t)t;
            if (doubts.at[c[0]] | doubts.at[c[1]] | doubts.at[c[2]]) add_triangle(mesh, c, sides);
        }
        for (int c = 0; c < mesh->corner_count; ++c)
            if (doubts.at[c]) mend(normal + 3 * (size_t)c, &sides[c]);
    }
    const bool enough = sides && doubts.at;
    ond_free(sides);
    ond_free(doubts.at);
    return enough ? OND_OK : ond_fail(err, OND_NO_MEMORY, "not enough memory for normals");
}
