// SPDX-License-Identifier: MIT
// Smoothing takes ripples away and keeps the volume; thinning takes triangles from flat parts and
// keeps the shape.
#include "surface/mesh/half_edges.h"
#include "surface/mesh/smooth.h"
#include "surfaces.h"

static double ball(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z) - 0.8;
}

static double box(double x, double y, double z)
{
    return fmax(fabs(x), fmax(fabs(y), fabs(z))) - 0.8;
}

// A ball and some loose drops.
static void open_frame(OndFrame *frame, int dimension, FrameShape *shape, double jitter)
{
    frame_open(frame, 0.1, dimension, 10000);
    frame_fill(frame, shape, 1.0, jitter);
    for (int i = 0; i < 6; ++i)
        frame_add(frame, 1.5 + 0.3 * i, 0.05 * i, 0.0);
}

// Mean of 1 - cos between the normals of triangles that share a side.
static double bumpiness(const OndMesh *mesh)
{
    OndHalfEdges h;
    OndError err = {0};
    if (ond_half_edges_make(&h, mesh, &err) != OND_OK) fail_msg("%s", err.text);
    double sum = 0.0;
    for (uint32_t n = 0; n < 3 * (uint32_t)mesh->triangle_count; ++n) {
        const OndVec a = mesh_corner(mesh, mesh->triangle[n]),
                     b = mesh_corner(mesh, ond_side_end(&h, n)),
                     c = mesh_corner(mesh, mesh->triangle[ond_side_before(n)]),
                     d = mesh_corner(mesh, mesh->triangle[ond_side_before(h.twin[n])]);
        const OndVec one = ond_cross(ond_sub(b, a), ond_sub(c, a)),
                     other = ond_cross(ond_sub(d, a), ond_sub(b, a));
        sum += 1.0 - ond_dot(ond_unit(one), ond_unit(other));
    }
    ond_half_edges_free(&h);
    return sum / (3.0 * mesh->triangle_count);
}

static void test_smooth(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        OndFrame frame;
        open_frame(&frame, dimension, ball, 0.2);
        OndSurfaceDef def = ond_surface_default_def();
        def.field = "blobs";
        OndSurface rough = surface_of(&frame, &def);
        def.smooth = 10;
        OndSurface fine = surface_of(&frame, &def);
        check_surface(&fine, "smoothed");
        assert_int_equal(fine.mesh.triangle_count, rough.mesh.triangle_count);
        CHECK_NEAR(mesh_volume(&fine.mesh) / mesh_volume(&rough.mesh), 1.0, 0.001, "volume");
        if (dimension == 3) assert_true(bumpiness(&fine.mesh) < 0.6 * bumpiness(&rough.mesh));
        ond_surface_free(&rough);
        ond_surface_free(&fine);
        ond_frame_free(&frame);
    }
}

// Each loose drop keeps its own volume: sums per part, not over all.
static void test_smooth_parts(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 2);
    frame_add(&frame, 0, 0, 0);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface alone = surface_of(&frame, &def);
    ond_frame_free(&frame);
    open_frame(&frame, 3, ball, 0.0);
    OndSurface with = surface_of(&frame, &def);
    const double before = mesh_volume(&with.mesh);
    OndError err = {0};
    assert_int_equal(ond_mesh_smooth(&with.mesh, 50, &err), OND_OK);
    CHECK_NEAR(mesh_volume(&with.mesh) / before, 1.0, 0.001, "volume of all");
    const double drop = mesh_volume(&alone.mesh);
    for (int rounds = 1; rounds <= 1000; rounds *= 10) {
        assert_int_equal(ond_mesh_smooth(&alone.mesh, rounds, &err), OND_OK);
        CHECK_NEAR(mesh_volume(&alone.mesh) / drop, 1.0, 0.001, "volume of a drop");
    }
    ond_surface_free(&alone);
    ond_surface_free(&with);
    ond_frame_free(&frame);
}

static void test_decimate(void **state)
{
    static const struct {
        const char *name;
        FrameShape *shape;
        int dimension;
        double distance, most; // cells; share of the triangles that may be left
    } cases[] = {
        {"box", box, 3, 0.1, 0.4},
        {"ball", ball, 3, 0.1, 0.8},
        {"ball, hardly", ball, 3, 0.001, 1.0},
        {"disc", ball, 2, 0.1, 0.4},
        {"far too much", ball, 3, 5.0, 0.5},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        open_frame(&frame, cases[c].dimension, cases[c].shape, 0.0);
        OndSurfaceDef def = ond_surface_default_def();
        def.field = "density";
        OndSurface full = surface_of(&frame, &def);
        def.decimate = cases[c].distance;
        OndSurface thin = surface_of(&frame, &def);
        const char *name = cases[c].name;
        CHECK_NEAR(check_surface(&thin, name), check_surface(&full, name), 0, name);
        const double left = (double)thin.mesh.triangle_count / full.mesh.triangle_count;
        if (!(left <= cases[c].most)) fail_msg("%s: %g of the triangles are left", name, left);
        if (cases[c].distance < 1.0)
            CHECK_NEAR(mesh_volume(&thin.mesh) / mesh_volume(&full.mesh), 1.0, 0.02, name);
        assert_int_equal(thin.attributes.count, thin.mesh.corner_count);
        ond_surface_free(&full);
        ond_surface_free(&thin);
        ond_frame_free(&frame);
    }
}

static double torus(double x, double y, double z)
{
    const double ring = sqrt(x * x + y * y) - 0.6;
    return sqrt(ring * ring + z * z) - 0.25;
}

// Edges in any order, with no eye on the shape, until none may go: the mesh stays manifold, and
// parts and holes stay.
static void test_collapse_all(void **state)
{
    OndFrame frame;
    open_frame(&frame, 3, torus, 0.1);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface s = surface_of(&frame, &def);
    const int euler = check_surface(&s, "before");
    OndHalfEdges h;
    OndError err = {0};
    if (ond_half_edges_make(&h, &s.mesh, &err) != OND_OK) fail_msg("%s", err.text);
    const uint32_t sides = 3 * (uint32_t)s.mesh.triangle_count;
    for (uint32_t k = 0; k < 40 * sides; ++k) {
        const uint32_t n = (uint32_t)(ond_scramble(k) % sides);
        if (h.twin[n] != OND_GONE && ond_half_edges_may_collapse(&h, n))
            ond_half_edges_collapse(&h, n);
    }
    int left = 0, corners = 0;
    for (uint32_t n = 0; n < sides; n += 3)
        if (h.twin[n] != OND_GONE)
            memmove(s.mesh.triangle + 3 * (size_t)left++, s.mesh.triangle + n, 12);
    for (int c = 0; c < s.mesh.corner_count; ++c)
        corners += h.side[c] != OND_GONE;
    s.mesh.triangle_count = left;
    assert_true(left < (int)sides / 12);
    CHECK_NEAR(corners - check_edges(&s.mesh, "after") + left, euler, 0, "Euler characteristic");
    ond_half_edges_free(&h);
    ond_surface_free(&s);
    ond_frame_free(&frame);
}

// Two triangles of a mesh that is not closed.
static void test_open_mesh(void **state)
{
    OndMesh mesh = {0};
    OndError err = {0};
    uint32_t *kept = NULL;
    assert_int_equal(ond_mesh_make(&mesh, 4, 2, &err), OND_OK);
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    memcpy(mesh.triangle, corners, sizeof corners);
    assert_int_equal(ond_mesh_decimate(&mesh, 0.1, &kept, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "closed", "open mesh");
    assert_null(kept);
    ond_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smooth),    cmocka_unit_test(test_smooth_parts),
        cmocka_unit_test(test_decimate),  cmocka_unit_test(test_collapse_all),
        cmocka_unit_test(test_open_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
