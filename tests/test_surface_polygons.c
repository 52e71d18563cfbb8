// SPDX-License-Identifier: MIT
// ctest: slow
// Surfaces are closed and manifold, whatever the field; spheres are spheres.
#include "base/hash.h"
#include "base/parallel.h"
#include "surface/blocks.h"
#include "surface/mesh/polygons.h"
#include "surfaces.h"

static const OndPolygons both[] = {OND_MARCHING_CUBES, OND_MARCHING_TETRAHEDRA};

static double ball(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z) - 1.0;
}

static double torus(double x, double y, double z)
{
    const double ring = sqrt(x * x + y * y) - 1.0;
    return sqrt(ring * ring + z * z) - 0.4;
}

// ---- shapes

static void test_ball_and_torus(void **state)
{
    static const struct {
        const char *name;
        FrameShape *shape;
        double jitter;
        int euler;
    } cases[] = {
        {"ball", ball, 0.0, 2},
        {"jittered ball", ball, 0.15, 2},
        {"torus", torus, 0.0, 0},
        {"jittered torus", torus, 0.15, 0},
    };
    static const char *const kinds[] = {"density", "anisotropic", "variational"};
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int way = 0; way < 2 * OND_COUNT(kinds); ++way) {
            OndFrame frame;
            frame_open(&frame, 0.08, 3, 60000);
            frame_fill(&frame, cases[c].shape, 1.5, cases[c].jitter);
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[way / 2];
            def.polygons = both[way % 2];
            OndSurface surface = surface_of(&frame, &def);
            CHECK_NEAR(check_surface(&surface, cases[c].name), cases[c].euler, 0, cases[c].name);
            const double volume = frame.particles.count * pow(frame.spacing, 3);
            CHECK_NEAR(mesh_volume(&surface.mesh) / volume, 1.0, cases[c].jitter > 0 ? 0.025 : 0.02,
                       cases[c].name);
            ond_surface_free(&surface);
            ond_frame_free(&frame);
        }
}

// All corners at the same distance from the particle, normals along the way from it.
static void test_lone_particle(void **state)
{
    const OndVec at = {0.37, -0.22, 0.11};
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 1);
    frame_add(&frame, at.x, at.y, at.z);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    def.cell = 0.1;
    for (int p = 0; p < 2; ++p) {
        def.polygons = both[p];
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(check_surface(&surface, "lone"), 2, 0, "one ball");
        CHECK_NEAR(mesh_volume(&surface.mesh) / 1e-3, 1.0, 0.03, "volume of a lone particle");
        for (int c = 0; c < surface.mesh.corner_count; ++c) {
            const OndVec way = ond_sub(mesh_corner(&surface.mesh, (uint32_t)c), at);
            const float *n = surface.normal + 3 * c;
            const double along = way.x * n[0] + way.y * n[1] + way.z * n[2];
            CHECK_NEAR(ond_length(way), 0.062, 0.001, "radius");
            CHECK_NEAR(along / ond_length(way), 1.0, 1e-3, "normal");
        }
        ond_surface_free(&surface);
    }
    ond_frame_free(&frame);
}

static double half_space(double x, double y, double z)
{
    return fmax(y, fmax(fabs(x), fabs(z)) - 1.0);
}

// Over a lattice the density field is nearly flat; smoother fields have tests of their own.
static void test_flat(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, half_space, 1.3, 0.0);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface surface = surface_of(&frame, &def);
    double low = 1.0, high = -1.0;
    for (int c = 0; c < surface.mesh.corner_count; ++c) {
        const float *at = surface.mesh.corner + 3 * c;
        if (fabsf(at[0]) > 0.7f || fabsf(at[2]) > 0.7f || at[1] < -0.3f) continue;
        low = fmin(low, at[1]), high = fmax(high, at[1]);
    }
    CHECK_NEAR(0.5 * (low + high), 0.0, 0.01, "height of the water, m");
    CHECK_NEAR(high - low, 0.0, 0.005, "unevenness, m"); // 5 % of the spacing
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

// Blobs of surface particles alone leave a hollow, though all blocks inside were taken to be full.
static void test_hollow(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.12, 3, 20000);
    frame_fill(&frame, ball, 1.2, 0.0);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "blobs";
    OndSurface whole = surface_of(&frame, &def);
    def.how.surface_only = true;
    OndSurface hollow = surface_of(&frame, &def);
    CHECK_NEAR(check_surface(&whole, "whole"), 2, 0, "one surface");
    check_surface(&hollow, "hollow"); // and leaky: a layer of balls has gaps
    assert_true(mesh_volume(&hollow.mesh) < 0.7 * mesh_volume(&whole.mesh));
    ond_surface_free(&whole);
    ond_surface_free(&hollow);
    ond_frame_free(&frame);
}

// ---- any field

// Fields that no liquid has, on the lattice of a few particles.
typedef enum Noise { NOISE_RANDOM, NOISE_ZEROS, NOISE_SPECKS, NOISE_NAN, NOISE_ALL } Noise;

static float noise_at(Noise noise, uint64_t key)
{
    const float r = ond_random(key, 7);
    if (noise == NOISE_ZEROS) return r < 0.3f ? 0.0f : r < 0.6f ? -0.0f : r - 0.8f;
    if (noise == NOISE_SPECKS) return r < 0.02f ? 1e-30f : -1e30f;
    if (noise == NOISE_NAN) return r < 0.1f ? NAN : r < 0.2f ? INFINITY : r - 0.6f;
    if (noise == NOISE_ALL) return 1.0f; // inside everywhere: ends where nothing reaches
    return r - 0.5f;
}

static void noise_sample(const OndField3 *field, const OndLattice *l, float *value)
{
    for (int k = 0; k < l->n[2]; ++k)
        for (int j = 0; j < l->n[1]; ++j)
            for (int i = 0; i < l->n[0]; ++i) {
                const uint64_t key = (uint64_t)(l->first[0] + i) * 73856093u ^
                                     (uint64_t)(l->first[1] + j) * 19349663u ^
                                     (uint64_t)(l->first[2] + k) * 83492791u;
                *value++ = noise_at((Noise)field->def.placement, key);
            }
}

static float noise_gradient(const OndField3 *field, const double at[3], double out[3])
{
    out[0] = out[1] = 0.0, out[2] = at[0] > 0.0 ? NAN : 1e300;
    return 0.0f;
}

static void plane_sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    CHECK_NEAR(ond_lattice_at(lattice, 2, 0), 0.0, 0.0, "z of nodes in 2D");
    assert_int_equal(lattice->n[2], 1);
    for (int n = 0; n < lattice->n[0] * lattice->n[1]; ++n)
        value[n] = -1.0f;
}

static OndStatus noise_make(OndField3 *field, OndError *err)
{
    field->reach = 2.0;
    return OND_OK;
}

static const OndFieldKind noise_kind = {
    .name = "noise", .make = noise_make, .sample = noise_sample, .gradient = noise_gradient};

// Twice the least area of a triangle, m^2. Corners keep away from nodes, so that none is 0.
static double least_area(const OndMesh *mesh)
{
    double least = HUGE_VAL;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *c = mesh->triangle + 3 * t;
        const OndVec a = mesh_corner(mesh, c[0]);
        const OndVec area =
            ond_cross(ond_sub(mesh_corner(mesh, c[1]), a), ond_sub(mesh_corner(mesh, c[2]), a));
        least = fmin(least, ond_length(area));
    }
    return least;
}

static void check_noise(const OndFrame *frame, Noise noise, int polygons)
{
    OndError err = {0};
    OndPoints points = {0};
    OndField3 field = {0};
    OndBlocks blocks = {0};
    OndSurface surface = {0};
    const OndFieldDef def = {.placement = (int)noise};
    static OndCellTable table;
    polygons == OND_MARCHING_CUBES ? ond_cubes_table(&table) : ond_tetrahedra_table(&table);
    if (ond_points_take(&points, frame, 2.0, &err) != OND_OK ||
        ond_field_make(&field, &noise_kind, &def, &points, &err) != OND_OK ||
        ond_blocks_sample(&blocks, &field, 0.25 * frame->spacing, 0.0, &err) != OND_OK ||
        ond_polygons_make(&blocks, &table, &surface.mesh, &surface.normal, &err) != OND_OK)
        fail_msg("%s", err.text);
    char what[64];
    snprintf(what, sizeof what, "noise %d, polygons %d, %dD", noise, polygons, frame->dimension);
    assert_true(surface.mesh.triangle_count > 100);
    assert_true(least_area(&surface.mesh) > 1e-9); // (0.005 cells)^2 is 1.6e-8
    check_edges(&surface.mesh, what);
    check_fans(&surface.mesh, what);
    ond_surface_free(&surface);
    ond_blocks_free(&blocks);
    ond_field_free(&field);
    ond_points_free(&points);
}

static void test_any_field(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        OndFrame frame;
        frame_open(&frame, 0.1, dimension, 30);
        for (int i = 0; i < 30; ++i)
            frame_add(&frame, ond_random((uint64_t)i, 0), ond_random((uint64_t)i, 1),
                      dimension == 3 ? ond_random((uint64_t)i, 2) : 0.0);
        for (int noise = NOISE_RANDOM; noise <= NOISE_ALL; ++noise)
            for (int p = 0; p < 2; ++p)
                check_noise(&frame, (Noise)noise, (int)both[p]);
        ond_frame_free(&frame);
    }
}

// In 2D all nodes are in the plane of the particles, whatever the cell.
static void test_nodes_in_plane(void **state)
{
    const OndFieldKind kind = {.name = "plane", .make = noise_make, .sample = plane_sample};
    OndFrame frame;
    frame_open(&frame, 0.1, 2, 1);
    frame_add(&frame, 3.0, 2.0, 0.0);
    OndPoints points = {0};
    OndField3 field = {0};
    OndBlocks blocks = {0};
    assert_int_equal(ond_points_take(&points, &frame, 2.0, NULL), OND_OK);
    assert_int_equal(ond_field_make(&field, &kind, &(OndFieldDef){0}, &points, NULL), OND_OK);
    ond_threads_set(1); // a check that fails leaves this thread
    assert_int_equal(ond_blocks_sample(&blocks, &field, 0.07, 0.0, NULL), OND_OK);
    assert_true(blocks.count > 0);
    ond_blocks_free(&blocks);
    ond_points_free(&points);
    ond_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_and_torus), cmocka_unit_test(test_lone_particle),
        cmocka_unit_test(test_flat),           cmocka_unit_test(test_hollow),
        cmocka_unit_test(test_any_field),      cmocka_unit_test(test_nodes_in_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
