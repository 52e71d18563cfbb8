// SPDX-License-Identifier: MIT
// Triangle meshes as solids: distance and sign against brute force, sampled volumes, bad meshes,
// files.
#include "folder.h"

#include "base/memory.h"
#include "base/random.h"
#include "geom/shape.h"
#include "geom/triangle.h"
#include "io/mesh_assimp.h"

#define PI 3.14159265358979323846

// ---- meshes --------------------------------------------------------------------------------

static const float cube_corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const uint32_t cube_triangle[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                              {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                              {1, 2, 6}, {1, 6, 5}, {0, 4, 7}, {0, 7, 3}};

static OndMesh make_mesh(int corners, int triangles)
{
    OndMesh mesh;
    OndError err;
    if (ond_mesh_make(&mesh, corners, triangles, &err) != OND_OK) fail_msg("%s", err.text);
    return mesh;
}

static OndMesh make_cube(void)
{
    OndMesh mesh = make_mesh(8, 12);
    memcpy(mesh.corner, cube_corner, sizeof cube_corner);
    memcpy(mesh.triangle, cube_triangle, sizeof cube_triangle);
    return mesh;
}

/// Each triangle with corners of its own, as STL files have them.
static OndMesh make_split_cube(void)
{
    OndMesh mesh = make_mesh(36, 12);
    for (uint32_t i = 0; i < 36; ++i) {
        memcpy(mesh.corner + 3 * i, cube_corner[cube_triangle[i / 3][i % 3]], 3 * sizeof(float));
        mesh.triangle[i] = i;
    }
    return mesh;
}

static void flip_triangle(OndMesh *mesh, int t)
{
    const uint32_t b = mesh->triangle[3 * t + 1];
    mesh->triangle[3 * t + 1] = mesh->triangle[3 * t + 2];
    mesh->triangle[3 * t + 2] = b;
}

/// Around the z axis: `major` and `minor` radius, u steps around, v steps through the hole.
static OndMesh make_torus(double major, double minor, int u_count, int v_count)
{
    OndMesh mesh = make_mesh(u_count * v_count, 2 * u_count * v_count);
    for (int i = 0; i < u_count * v_count; ++i) {
        const int u = i / v_count, v = i % v_count;
        const double a = 2 * PI * u / u_count, b = 2 * PI * v / v_count;
        const double ring = major + minor * cos(b);
        const uint32_t next_u = (uint32_t)((u + 1) % u_count * v_count + v);
        const uint32_t next_v = (uint32_t)(u * v_count + (v + 1) % v_count);
        const uint32_t both = (uint32_t)((u + 1) % u_count * v_count + (v + 1) % v_count);
        mesh.corner[3 * i] = (float)(ring * cos(a));
        mesh.corner[3 * i + 1] = (float)(ring * sin(a));
        mesh.corner[3 * i + 2] = (float)(minor * sin(b));
        const uint32_t two[6] = {(uint32_t)i, next_u, both, (uint32_t)i, both, next_v};
        memcpy(mesh.triangle + 6 * i, two, sizeof two);
    }
    return mesh;
}

static OndShape *make_shape(OndArena *arena, const OndMesh *mesh)
{
    OndError err = {0};
    OndShape *shape = ond_shape_mesh(arena, mesh, 1.0, ond_vec(0, 0, 0), &err);
    if (!shape) fail_msg("%s", err.text);
    return shape;
}

static OndVec corner_of(const OndMesh *mesh, int t, int k)
{
    const float *p = mesh->corner + 3 * (size_t)mesh->triangle[3 * t + k];
    return ond_vec(p[0], p[1], p[2]);
}

static OndVec random_point(int i, double reach)
{
    return ond_vec(reach * (2.0 * ond_random(i, 1) - 1.0), reach * (2.0 * ond_random(i, 2) - 1.0),
                   reach * (2.0 * ond_random(i, 3) - 1.0));
}

// ---- distance and sign ---------------------------------------------------------------------

/// How far to a triangle, by shrinking steps over its area: nothing in common with the fast one.
static double triangle_distance_brute(OndVec a, OndVec b, OndVec c, OndVec p)
{
    double u = 1.0 / 3, v = 1.0 / 3, step = 0.5, best = INFINITY;
    while (step > 1e-9) {
        double best_u = u, best_v = v;
        for (int k = 0; k < 9; ++k) {
            const double s = fmin(fmax(u + step * (k % 3 - 1), 0), 1);
            const double t = fmin(fmax(v + step * (k / 3 - 1), 0), 1 - s);
            const OndVec q =
                ond_add(a, ond_add(ond_scale(ond_sub(b, a), s), ond_scale(ond_sub(c, a), t)));
            const double d = ond_length(ond_sub(p, q));
            if (d >= best) continue;
            best = d;
            best_u = s;
            best_v = t;
        }
        if (best_u == u && best_v == v) step *= 0.5;
        u = best_u;
        v = best_v;
    }
    return best;
}

/// The solid angle under which the surface is seen, over 4 pi: 1 inside, 0 outside.
static double winding_brute(const OndMesh *mesh, OndVec p)
{
    double sum = 0.0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const OndVec a = ond_sub(corner_of(mesh, t, 0), p), b = ond_sub(corner_of(mesh, t, 1), p);
        const OndVec c = ond_sub(corner_of(mesh, t, 2), p);
        const double la = ond_length(a), lb = ond_length(b), lc = ond_length(c);
        const double below =
            la * lb * lc + ond_dot(a, b) * lc + ond_dot(b, c) * la + ond_dot(c, a) * lb;
        sum += 2.0 * atan2(ond_dot(a, ond_cross(b, c)), below);
    }
    return sum / (4.0 * PI);
}

static void test_distance_against_brute(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh torus = make_torus(0.7, 0.3, 17, 9);
    OndShape *shape = make_shape(&arena, &torus);
    for (int i = 0; i < 60; ++i) {
        const OndVec p = random_point(i, 1.1);
        double away = INFINITY;
        for (int t = 0; t < torus.triangle_count; ++t)
            away =
                fmin(away, triangle_distance_brute(corner_of(&torus, t, 0), corner_of(&torus, t, 1),
                                                   corner_of(&torus, t, 2), p));
        const double sign = winding_brute(&torus, p) > 0.5 ? -1 : 1;
        CHECK_NEAR(ond_shape_distance(shape, p, false), sign * away, 1e-5, "distance");
    }
    ond_mesh_free(&torus);
    ond_arena_free(&arena);
}

static void test_torus_closed_form(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh torus = make_torus(0.7, 0.3, 200, 120);
    OndShape *shape = make_shape(&arena, &torus);
    const double sag = 0.5 * 1.0 * (PI / 120) * (PI / 120) + 1e-4;
    for (int i = 0; i < 2000; ++i) {
        const OndVec p = random_point(i, 1.1);
        const double ring = sqrt(p.x * p.x + p.y * p.y) - 0.7;
        const double exact = sqrt(ring * ring + p.z * p.z) - 0.3;
        CHECK_NEAR(ond_shape_distance(shape, p, false), exact, sag, "torus");
    }
    ond_mesh_free(&torus);
    ond_arena_free(&arena);
}

static void test_gradient_length(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh torus = make_torus(0.7, 0.3, 60, 40);
    OndShape *shape = make_shape(&arena, &torus);
    const double e = 1e-5;
    int near_one = 0;
    for (int i = 0; i < 1000; ++i) {
        const OndVec p = random_point(i, 1.1);
        OndVec g;
        g.x = ond_shape_distance(shape, ond_vec(p.x + e, p.y, p.z), false) -
              ond_shape_distance(shape, ond_vec(p.x - e, p.y, p.z), false);
        g.y = ond_shape_distance(shape, ond_vec(p.x, p.y + e, p.z), false) -
              ond_shape_distance(shape, ond_vec(p.x, p.y - e, p.z), false);
        g.z = ond_shape_distance(shape, ond_vec(p.x, p.y, p.z + e), false) -
              ond_shape_distance(shape, ond_vec(p.x, p.y, p.z - e), false);
        near_one += fabs(ond_length(g) / (2 * e) - 1.0) < 1e-3;
    }
    CHECK_NEAR(near_one, 1000, 10, "all but a few points on the ridges");
    ond_mesh_free(&torus);
    ond_arena_free(&arena);
}

// ---- sampling ------------------------------------------------------------------------------

static void test_sampled_volumes(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh torus = make_torus(0.7, 0.3, 200, 120);
    const double volume = 2 * PI * PI * 0.7 * 0.3 * 0.3, s = 0.0101;
    OndShape *shape = make_shape(&arena, &torus);
    CHECK_NEAR(ond_shape_sample(shape, s, false, NULL, 0, 0) * s * s * s, volume, 0.01 * volume,
               "torus");
    const double ring = PI * (1.0 - 0.16);
    CHECK_NEAR(ond_shape_sample(shape, s, true, NULL, 0, 0) * s * s, ring, 0.01 * ring,
               "cut by z = 0");
    OndError err;
    OndShape *moved = ond_shape_mesh(&arena, &torus, 2.0, ond_vec(5, 6, 7), &err);
    assert_non_null(moved);
    CHECK_NEAR(ond_shape_bounds(moved).max.y, 8, 1e-6, "scaled, then moved");
    CHECK_NEAR(ond_shape_sample(moved, 2 * s, false, NULL, 0, 0) * s * s * s, volume, 0.01 * volume,
               "scaled torus");
    ond_mesh_free(&torus);
    ond_arena_free(&arena);
}

/// Lattice lines that run exactly through corners, edges and faces: as a box does, no stray points.
static void test_cube_is_a_box(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh cube = make_cube(), split = make_split_cube(), inward = make_cube(),
            mixed = make_cube();
    for (int t = 0; t < 12; ++t)
        flip_triangle(&inward, t);
    flip_triangle(&mixed, 3);
    flip_triangle(&mixed, 8);
    const struct {
        const char *name;
        OndMesh *mesh;
    } cases[] = {
        {"cube", &cube}, {"split corners", &split}, {"inside out", &inward}, {"mixed", &mixed}};
    OndShape *box = ond_shape_box(&arena, ond_vec(0, 0, 0), ond_vec(1, 1, 1));
    const double spacing[] = {0.1, 0.25, 0.4, 0.05, 1.0 / 3, 2.0 / 13, 0.0625, 2.0};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndShape *shape = make_shape(&arena, cases[c].mesh);
        for (int i = 0; i < OND_COUNT(spacing); ++i)
            CHECK_NEAR(ond_shape_sample(shape, spacing[i], false, NULL, 0, 0),
                       ond_shape_sample(box, spacing[i], false, NULL, 0, 0), 0, cases[c].name);
        for (int i = 0; i < 300; ++i) {
            const OndVec p = random_point(i, 1.5);
            CHECK_NEAR(ond_shape_distance(shape, p, false), ond_shape_distance(box, p, false),
                       1e-12, cases[c].name);
        }
        ond_mesh_free(cases[c].mesh);
    }
    ond_arena_free(&arena);
}

/// Lines through corners at which many triangles meet, in directions that favour ties.
static void test_lines_through_corners(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh ball = make_torus(0.0, 1.0, 16, 16); // wound over itself: closed, with many ties
    OndShape *shape = make_shape(&arena, &ball);
    for (int t = 0; t < ball.triangle_count; ++t) {
        const OndVec c = corner_of(&ball, t, 0);
        CHECK_NEAR(ond_shape_distance(shape, ond_vec(-3, c.y, c.z), false) > 0, 1, 0, "left of it");
        CHECK_NEAR(ond_shape_distance(shape, ond_vec(3, c.y, c.z), false) > 0, 1, 0, "right of it");
    }
    ond_mesh_free(&ball);
    ond_arena_free(&arena);
}

/// Three corners on a line but for rounding: their normal is noise, their distance is the line's.
static void test_slivers(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        const OndVec a = random_point(i, 1.0), way = random_point(i + 5000, 1.0);
        const OndVec c = ond_add(a, way), p = random_point(i + 9000, 1.0);
        const OndVec b = ond_add(a, ond_scale(way, ond_random(i, 7)));
        const double t = fmin(fmax(ond_dot(ond_sub(p, a), way) / ond_dot(way, way), 0), 1);
        const double line = ond_length(ond_sub(p, ond_add(a, ond_scale(way, t))));
        CHECK_NEAR(sqrt(ond_triangle_distance2(a, b, c, p)), line, 1e-9, "sliver");
    }
}

/// Tetrahedra with corners on a small grid, asked at grid points: nearly every line of sight runs
/// through corners, along edges or within faces.
static void test_ties(void **state)
{
    (void)state;
    static const uint32_t face[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    OndMesh mesh = make_mesh(8, 8);
    for (int n = 0; n < 400; ++n) {
        for (int i = 0; i < 24; ++i) {
            mesh.corner[i] = floorf(4.0f * ond_random((uint64_t)n, (uint64_t)i));
            mesh.triangle[i] = face[i % 12] + (uint32_t)(i / 12 * 4);
        }
        OndArena arena = {0};
        OndShape *shape = ond_shape_mesh(&arena, &mesh, 1.0, ond_vec(0, 0, 0), NULL);
        for (int i = 0; shape && i < 7 * 7 * 7; ++i) {
            const OndVec p = {0.5 * (i % 7), 0.5 * (i / 7 % 7), 0.5 * (i / 49)};
            const double d = ond_shape_distance(shape, p, false);
            if (fabs(d) < 1e-9) continue;
            CHECK_NEAR(d<0, fabs(winding_brute(&mesh, p))> 0.5, 0, "inside");
        }
        ond_arena_free(&arena);
    }
    ond_mesh_free(&mesh);
}

static void test_needless_triangles(void **state)
{
    (void)state;
    OndArena arena = {0};
    // A cube, a triangle of two equal corners, and one without area whose edges cancel out.
    OndMesh mesh = make_mesh(9, 15);
    memcpy(mesh.corner, cube_corner, sizeof cube_corner);
    memcpy(mesh.triangle, cube_triangle, sizeof cube_triangle);
    mesh.corner[3 * 8] = 0.5f; // halfway between corners 0 and 1
    const uint32_t extra[9] = {0, 0, 6, 0, 8, 1, 1, 8, 0};
    memcpy(mesh.triangle + 36, extra, sizeof extra);
    OndShape *shape = make_shape(&arena, &mesh);
    CHECK_NEAR(ond_shape_sample(shape, 0.1, false, NULL, 0, 0), 1000, 0, "still a cube");
    CHECK_NEAR(ond_shape_distance(shape, ond_vec(0.5, -2, 0.0), false), 2, 1e-12, "no NaN");
    ond_mesh_free(&mesh);
    ond_arena_free(&arena);
}

// ---- bad meshes ----------------------------------------------------------------------------

static void check_refused(const OndMesh *mesh, double scale, const char *says, const char *name)
{
    OndArena arena = {0};
    OndError err = {0};
    CHECK_NEAR(ond_shape_mesh(&arena, mesh, scale, ond_vec(0, 0, 0), &err) == NULL, 1, 0, name);
    CHECK_SAYS(err.text, says, name);
    ond_arena_free(&arena);
}

static void test_bad_meshes(void **state)
{
    (void)state;
    OndMesh mesh = make_cube();
    check_refused(&mesh, 0.0, "encloses nothing", "scale 0");
    check_refused(&mesh, NAN, "scaled by nan", "scale NaN");
    check_refused(&mesh, 1e30, "smaller scale", "scale 1e30");
    mesh.triangle_count = 11;
    check_refused(&mesh, 1.0, "3 open edges, one from (0, 0, 0) to (0, 1, 0)", "an open cube");
    mesh.triangle_count = 0;
    check_refused(&mesh, 1.0, "no triangles", "no triangles");
    mesh.triangle_count = 12;
    mesh.triangle[3 * 7 + 1] = 8;
    check_refused(&mesh, 1.0, "triangle 7 (from 0) uses corner 8", "an index out of range");
    mesh.triangle[3 * 7 + 1] = UINT32_MAX;
    check_refused(&mesh, 1.0, "triangle 7 (from 0) uses corner 4294967295", "a huge index");
    mesh.triangle[3 * 7 + 1] = 7;
    mesh.corner[3 * 6] = NAN;
    check_refused(&mesh, 1.0, "triangle 2 (from 0) has a corner at (nan", "a corner that is NaN");
    OndError err;
    OndMesh none;
    CHECK_NEAR(ond_mesh_make(&none, 1LL << 40, 1, &err), OND_BAD_VALUE, 0, "too many");
    CHECK_NEAR(ond_mesh_make(&none, -1, 1, &err), OND_BAD_VALUE, 0, "negative");
    ond_mesh_free(&mesh);
}

// ---- files ---------------------------------------------------------------------------------

static const char obj_cube[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4\n";
static const char ply_cube[] =
    "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "element face 6\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
    "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 2 3 7 6\n4 1 2 6 5\n4 0 4 7 3\n";
static const char off_cube[] =
    "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
    "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 2 3 7 6\n4 1 2 6 5\n4 0 4 7 3\n";
// A tetrahedron with edges of 1 along the axes, in a node that moves it by 10 along x.
static const char gltf_tetrahedron[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,1]},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
    "\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"
    "AAACAAEAAAABAAMAAAADAAIAAQACAAMA\"}]}";

static void write_file(const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static char *stl_cube(void)
{
    static char text[8192];
    int n = snprintf(text, sizeof text, "solid cube\n");
    for (int t = 0; t < 12; ++t) {
        n += snprintf(text + n, sizeof text - n, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; ++k) {
            const float *p = cube_corner[cube_triangle[t][k]];
            n += snprintf(text + n, sizeof text - n, "vertex %g %g %g\n", p[0], p[1], p[2]);
        }
        n += snprintf(text + n, sizeof text - n, "endloop\nendfacet\n");
    }
    snprintf(text + n, sizeof text - n, "endsolid cube\n");
    return text;
}

static void test_files(void **state)
{
    (void)state;
    const struct {
        const char *name, *text;
        double volume, x_min;
    } cases[] = {
        {"cube.obj", obj_cube, 1, 0},
        {"cube.PLY", ply_cube, 1, 0},
        {"cube.off", off_cube, 1, 0},
        {"cube.stl", stl_cube(), 1, 0},
        {"tetrahedron.gltf", gltf_tetrahedron, 1.0 / 6, 10},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char path[256];
        write_file(cases[c].name, cases[c].text, path, sizeof path);
        OndArena arena = {0};
        OndMesh mesh;
        OndError err = {0};
        if (ond_mesh_load(path, &mesh, &err) != OND_OK) fail_msg("%s", err.text);
        OndShape *shape = make_shape(&arena, &mesh);
        CHECK_NEAR(ond_shape_bounds(shape).min.x, cases[c].x_min, 1e-6, cases[c].name);
        CHECK_NEAR(ond_shape_sample(shape, 0.02, false, NULL, 0, 0) * 8e-6, cases[c].volume,
                   0.05 * cases[c].volume, cases[c].name);
        ond_mesh_free(&mesh);
        ond_arena_free(&arena);
        remove(path);
    }
}

static void test_bad_files(void **state)
{
    (void)state;
    const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"missing.obj", NULL, "missing.obj: cannot read the mesh: No such file"},
        {"empty.obj", "", "empty.obj: the file is empty"},
        {"points.obj", "v 0 0 0\nv 1 0 0\n", "points.obj: "},
        {"junk.ply", "this is not a mesh\n", "junk.ply: it cannot be read as a mesh: "},
        {"junk.stl", "zzzz", "junk.stl: "},
        {"junk.glb", "glTF but not really", "junk.glb: it cannot be read as a mesh: "},
        {"scene.yaml", "title: x\n", "must end in .obj"},
        {"noending", "v 0 0 0\n", "must end in .obj"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char path[256];
        if (cases[c].text)
            write_file(cases[c].name, cases[c].text, path, sizeof path);
        else
            snprintf(path, sizeof path, "%s/%s", folder, cases[c].name);
        OndMesh mesh;
        OndError err = {0};
        CHECK_NEAR(ond_mesh_load(path, &mesh, &err) != OND_OK, 1, 0, cases[c].name);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        ond_mesh_free(&mesh);
        remove(path);
    }
    char path[256];
    OndMesh mesh;
    OndError err = {0};
    snprintf(path, sizeof path, "%s/../%s.obj", folder, strrchr(folder, '/'));
    CHECK_NEAR(ond_mesh_load(path, &mesh, &err), OND_IO, 0, "no such file");
}

/// assimp 5.2 aborts on some files, among them this one with a zero byte. Whatever it makes of it,
/// this process goes on and has either a mesh or a message.
static void test_damaged_file(void **state)
{
    (void)state;
    static const char bytes[] = "OFF\n4 2\0 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n4 3 2 1 0\n";
    char path[256];
    snprintf(path, sizeof path, "%s/damaged.off", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, sizeof bytes - 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    OndMesh mesh;
    OndError err = {0};
    if (ond_mesh_load(path, &mesh, &err) == OND_OK)
        CHECK_NEAR(mesh.triangle_count > 0, 1, 0, "triangles");
    else
        CHECK_SAYS(err.text, "damaged.off: the file is damaged", "message");
    ond_mesh_free(&mesh);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_against_brute),
        cmocka_unit_test(test_torus_closed_form),
        cmocka_unit_test(test_gradient_length),
        cmocka_unit_test(test_sampled_volumes),
        cmocka_unit_test(test_cube_is_a_box),
        cmocka_unit_test(test_lines_through_corners),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_slivers),
        cmocka_unit_test(test_needless_triangles),
        cmocka_unit_test(test_bad_meshes),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_damaged_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
