// SPDX-License-Identifier: MIT
// Meshes and helpers for tests of solids.
#ifndef OND_TESTS_SOLID_MESHES_H
#define OND_TESTS_SOLID_MESHES_H

#include "base/memory.h"
#include "base/random.h"
#include "geom/mesh.h"
#include "geom/pose.h"
#include "geom/triangle.h"
#include "solids/solids.h"

#include "check.h"

static inline double any(uint64_t key, uint64_t stream, double low, double high)
{
    return low + (high - low) * ond_random(key, stream);
}
static inline OndVec any_vec(uint64_t key, uint64_t stream, double low, double high)
{
    return ond_vec(any(key, 3 * stream, low, high), any(key, 3 * stream + 1, low, high),
                   any(key, 3 * stream + 2, low, high));
}

static inline void set_corner(OndMesh *mesh, int c, OndVec p)
{
    mesh->corner[3 * c] = (float)p.x;
    mesh->corner[3 * c + 1] = (float)p.y;
    mesh->corner[3 * c + 2] = (float)p.z;
}
static inline void set_triangle(OndMesh *mesh, int t, int a, int b, int c)
{
    mesh->triangle[3 * t] = (uint32_t)a;
    mesh->triangle[3 * t + 1] = (uint32_t)b;
    mesh->triangle[3 * t + 2] = (uint32_t)c;
}

/// A sheet from `at` along u and v, with nu x nv squares of two triangles each.
static inline OndMesh sheet_mesh(OndVec at, OndVec u, OndVec v, int nu, int nv)
{
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, (nu + 1) * (nv + 1), 2 * nu * nv, NULL), OND_OK);
    for (int j = 0; j <= nv; ++j)
        for (int i = 0; i <= nu; ++i)
            set_corner(
                &mesh, j * (nu + 1) + i,
                ond_add(at, ond_add(ond_scale(u, (double)i / nu), ond_scale(v, (double)j / nv))));
    for (int j = 0; j < nv; ++j)
        for (int i = 0; i < nu; ++i) {
            const int a = j * (nu + 1) + i, b = a + 1, c = a + nu + 1, d = c + 1, t = j * nu + i;
            set_triangle(&mesh, 2 * t, a, b, d);
            set_triangle(&mesh, 2 * t + 1, a, d, c);
        }
    return mesh;
}

/// A box whose faces are n x n squares; without its lid (+y) it is a cup.
static inline OndMesh box_mesh(OndVec min, OndVec max, int n, bool lid)
{
    const OndVec size = ond_sub(max, min);
    const OndVec x = {size.x, 0, 0}, y = {0, size.y, 0}, z = {0, 0, size.z};
    const struct {
        OndVec at, u, v;
    } face[6] = {{min, z, y}, {ond_add(min, x), y, z}, {min, y, x}, {ond_add(min, z), x, y},
                 {min, x, z}, {ond_add(min, y), z, x}};
    OndMesh all, welded;
    const int faces = lid ? 6 : 5, corners = (n + 1) * (n + 1), triangles = 2 * n * n;
    assert_int_equal(ond_mesh_make(&all, faces * corners, faces * triangles, NULL), OND_OK);
    for (int f = 0; f < faces; ++f) {
        OndMesh sheet = sheet_mesh(face[f].at, face[f].u, face[f].v, n, n);
        memcpy(all.corner + 3 * f * corners, sheet.corner, sizeof(float) * 3 * (size_t)corners);
        for (int i = 0; i < 3 * triangles; ++i)
            all.triangle[3 * f * triangles + i] = sheet.triangle[i] + (uint32_t)(f * corners);
        ond_mesh_free(&sheet);
    }
    assert_int_equal(ond_mesh_weld(&all, &welded, NULL), OND_OK);
    ond_mesh_free(&all);
    return welded;
}

/// A ball of rings; radius 1 scaled.
static inline OndMesh ball_mesh(OndVec centre, double radius, int rings)
{
    const int round = 2 * rings;
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, (rings - 1) * round + 2, 2 * round * (rings - 1), NULL),
                     OND_OK);
    const int south = (rings - 1) * round, north = south + 1;
    for (int j = 1; j < rings; ++j)
        for (int i = 0; i < round; ++i) {
            const double up = M_PI * j / rings, a = 2.0 * M_PI * i / round;
            const OndVec way = {sin(up) * cos(a), -cos(up), sin(up) * sin(a)};
            set_corner(&mesh, (j - 1) * round + i, ond_add(centre, ond_scale(way, radius)));
        }
    set_corner(&mesh, south, ond_sub(centre, ond_vec(0, radius, 0)));
    set_corner(&mesh, north, ond_add(centre, ond_vec(0, radius, 0)));
    int t = 0;
    for (int i = 0; i < round; ++i) {
        const int next = (i + 1) % round, top = (rings - 2) * round;
        set_triangle(&mesh, t++, south, i, next);
        set_triangle(&mesh, t++, north, top + next, top + i);
        for (int j = 0; j < rings - 2; ++j) {
            const int a = j * round + i, b = j * round + next;
            set_triangle(&mesh, t++, a, a + round, b + round);
            set_triangle(&mesh, t++, a, b + round, b);
        }
    }
    assert_int_equal(t, mesh.triangle_count);
    return mesh;
}

static inline OndVec knot(double t)
{
    const double r = 2.0 + cos(3.0 * t);
    return ond_vec(r * cos(2.0 * t), 0.8 * sin(3.0 * t), r * sin(2.0 * t));
}

/// A closed tube of `sides` round a knot: not convex anywhere near.
static inline OndMesh knot_mesh(double radius, int length, int sides)
{
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, length * sides, 2 * length * sides, NULL), OND_OK);
    for (int j = 0; j < length; ++j) {
        const double t = 2.0 * M_PI * j / length;
        const OndVec way = ond_unit(ond_sub(knot(t + 1e-4), knot(t - 1e-4)));
        const OndVec u = ond_unit(ond_cross(way, ond_vec(0, 1, 0))), v = ond_cross(way, u);
        for (int i = 0; i < sides; ++i) {
            const double a = 2.0 * M_PI * i / sides;
            const OndVec off =
                ond_add(ond_scale(u, radius * cos(a)), ond_scale(v, radius * sin(a)));
            set_corner(&mesh, j * sides + i, ond_add(knot(t), off));
        }
    }
    for (int j = 0; j < length; ++j)
        for (int i = 0; i < sides; ++i) {
            const int a = j * sides + i, b = j * sides + (i + 1) % sides;
            const int c = (j + 1) % length * sides + i,
                      d = (j + 1) % length * sides + (i + 1) % sides;
            set_triangle(&mesh, 2 * (j * sides + i), a, b, d);
            set_triangle(&mesh, 2 * (j * sides + i) + 1, a, d, c);
        }
    return mesh;
}

static inline OndSolidDef mesh_def(const OndMesh *mesh, bool container, bool closed)
{
    const OndSolidDef def = {.name = "mesh",
                             .kind = OND_SOLID_MESH,
                             .container = container,
                             .mesh = mesh,
                             .closed = closed,
                             .slip = 1.0f};
    return def;
}
static inline OndSolidDef shape_def(const OndShape *shape, bool container)
{
    const OndSolidDef def = {.name = "shape",
                             .kind = OND_SOLID_SHAPE,
                             .container = container,
                             .shape = shape,
                             .slip = 1.0f};
    return def;
}

static inline OndPose turned(OndVec axis, double angle, OndVec at)
{
    const OndVec a = ond_scale(ond_unit(axis), sin(0.5 * angle));
    const OndPose pose = {at, cos(0.5 * angle), a.x, a.y, a.z};
    return pose;
}

/// Distance to the mesh by looking at every triangle.
static inline double slow_distance(const OndMesh *mesh, OndVec p)
{
    double best = INFINITY;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec c[3];
        for (int k = 0; k < 3; ++k)
            c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
        const double d = sqrt(ond_triangle_distance2(c[0], c[1], c[2], p));
        best = d < best ? d : best;
    }
    return best;
}

#endif
