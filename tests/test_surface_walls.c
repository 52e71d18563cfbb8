// SPDX-License-Identifier: MIT
// ctest: slow
// Surfaces at the walls of the domain: exactly on them, and nothing beyond.
#include "base/hash.h"
#include "base/parallel.h"
#include "stage.h"
#include "surface/of_scene.h"
#include "surfaces.h"

static const char *const kinds[] = {"density", "blobs",       "zhu-bridson",
                                    "adams",   "anisotropic", "variational"};

// A frame in a domain, jittered; what is beyond the shape is left out.
static void fill_domain(OndFrame *frame, OndBox domain, FrameShape *shape, double jitter)
{
    const double s = frame->spacing;
    frame->domain = domain;
    const OndVec size = ond_sub(domain.max, domain.min);
    const int n[3] = {(int)(size.x / s + 0.5), (int)(size.y / s + 0.5),
                      frame->dimension == 2 ? 1 : (int)(size.z / s + 0.5)};
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) {
                double at[3] = {(i + 0.5) * s, (j + 0.5) * s,
                                frame->dimension == 2 ? 0.0 : (k + 0.5) * s};
                if (shape(at[0], at[1], at[2]) > 0.0) continue;
                for (int a = 0; a < frame->dimension; ++a)
                    at[a] += jitter * s *
                             (2.0 * ond_random((uint64_t)frame->particles.count, (uint64_t)a) - 1);
                frame_add(frame, domain.min.x + at[0], domain.min.y + at[1],
                          frame->dimension == 2 ? 0.0 : domain.min.z + at[2]);
            }
}

static const OndBox room = {{-0.31, 0.17, 0.023}, {0.89, 1.37, 1.223}};

static double pool(double x, double y, double z)
{
    (void)x, (void)z;
    return y - 0.6;
}

// A pool that leans into a corner, with a drop and a sheet at walls.
static double splash(double x, double y, double z)
{
    const double wave = y - 0.3 - 0.3 * cos(4.0 * x) * cos(3.0 * z);
    const double drop = sqrt(x * x + (y - 0.9) * (y - 0.9) + (z - 0.6) * (z - 0.6)) - 0.17;
    const double sheet = fmax(fabs(z - 0.05) - 0.06, fabs(y - 0.9 + 0.3 * x) - 0.1);
    return fmin(wave, fmin(drop, sheet));
}

static double nearest_wall(OndBox box, OndVec p, int *side, int dimension)
{
    double best = HUGE_VAL;
    for (int k = 0; k < 2 * dimension; ++k) {
        const double d = k & 1 ? ond_axis(box.max, k / 2) - ond_axis(p, k / 2)
                               : ond_axis(p, k / 2) - ond_axis(box.min, k / 2);
        if (d < best) best = d, *side = k;
    }
    return best;
}

// ---- flat

// How much a normal faces the walls that the corner lies on; between several, all of them.
static double facing_of(const OndFrame *frame, OndVec at, const float *normal)
{
    double sum = 0.0, walls = 0.0;
    for (int k = 0; k < 6; ++k) {
        const double d = k & 1 ? ond_axis(frame->domain.max, k / 2) - ond_axis(at, k / 2)
                               : ond_axis(at, k / 2) - ond_axis(frame->domain.min, k / 2);
        if (d > 1e-4 * frame->spacing) continue;
        sum += k & 1 ? normal[k / 2] : -normal[k / 2];
        walls += 1.0;
    }
    return sum / sqrt(walls);
}

static void check_faces(const OndSurface *s, const OndFrame *frame, const char *what)
{
    int on_walls = 0;
    for (int c = 0; c < s->mesh.corner_count; ++c) {
        const OndVec p = mesh_corner(&s->mesh, (uint32_t)c);
        const float *n = s->normal + 3 * (size_t)c;
        int side = 0;
        const double depth = nearest_wall(frame->domain, p, &side, 3) / s->spacing;
        if (depth < -1e-4) fail_msg("%s: %g spacings beyond", what, depth);
        if (depth < 1e-4 && facing_of(frame, p, n) < 0.99) fail_msg("%s: turned normal", what);
        on_walls += depth < 1e-4;
        // only the level of the pool comes near to a wall without being on it
        if (depth > 1e-4 && depth < 1.0 && (side & 1 ? n[side / 2] : -n[side / 2]) > 0.9)
            fail_msg("%s: %g spacings before a wall", what, depth);
    }
    if (on_walls < 1000) fail_msg("%s: only %d corners on walls", what, on_walls);
}

static void test_faces_lie_on_walls(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.05, 3, 20000);
    fill_domain(&frame, room, pool, 0.15);
    for (int k = 0; k < OND_COUNT(kinds); ++k)
        for (int p = OND_MARCHING_CUBES; p <= OND_MARCHING_TETRAHEDRA; ++p) {
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[k], def.polygons = (OndPolygons)p;
            OndSurface surface = surface_of(&frame, &def);
            CHECK_NEAR(check_surface(&surface, kinds[k]), 2, 0, kinds[k]);
            check_faces(&surface, &frame, kinds[k]);
            const double volume = frame.particles.count * pow(frame.spacing, 3);
            CHECK_NEAR(mesh_volume(&surface.mesh) / volume, 1.0, 0.02, kinds[k]);
            ond_surface_free(&surface);
        }
    ond_frame_free(&frame);
}

// Smoothing leaves faces on walls, and the edges between them.
static void test_smoothing_stays_on_walls(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.05, 3, 20000);
    fill_domain(&frame, room, pool, 0.15);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface plain = surface_of(&frame, &def);
    def.smooth = 10;
    OndSurface surface = surface_of(&frame, &def);
    CHECK_NEAR(check_surface(&surface, "smoothed"), 2, 0, "smoothed");
    check_faces(&surface, &frame, "smoothed");
    CHECK_NEAR(mesh_volume(&surface.mesh) / mesh_volume(&plain.mesh), 1.0, 0.005, "volume");
    int before = 0, after = 0;
    for (int c = 0; c < plain.mesh.corner_count; ++c) {
        int side;
        before += nearest_wall(room, mesh_corner(&plain.mesh, (uint32_t)c), &side, 3) < 1e-6;
        after += nearest_wall(room, mesh_corner(&surface.mesh, (uint32_t)c), &side, 3) < 1e-6;
    }
    assert_int_equal(before, after);
    ond_surface_free(&plain);
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

static double block(double x, double y, double z)
{
    return fmax(x, fmax(y, z)) - 0.8;
}

static void test_volume_in_a_corner(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.04, 3, 10000);
    fill_domain(&frame, room, block, 0.0);
    assert_int_equal(frame.particles.count, 8000);
    OndSurfaceDef def = ond_surface_default_def();
    OndSurface surface = surface_of(&frame, &def);
    CHECK_NEAR(check_surface(&surface, "corner"), 2, 0, "corner");
    CHECK_NEAR(mesh_volume(&surface.mesh) / (8000 * pow(0.04, 3)), 1.0, 0.005, "volume");
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

static double everything(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return -1.0;
}

// No particle is at a free surface, and there is one all the same.
static void test_full_box(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.06, 3, 10000);
    fill_domain(&frame, room, everything, 0.0);
    for (int k = 0; k < OND_COUNT(kinds); ++k) {
        OndSurfaceDef def = ond_surface_default_def();
        def.field = kinds[k];
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(check_surface(&surface, kinds[k]), 2, 0, kinds[k]);
        CHECK_NEAR(mesh_volume(&surface.mesh) / pow(1.2, 3), 1.0, 1e-4, kinds[k]);
        ond_surface_free(&surface);
    }
    ond_frame_free(&frame);
}

static double slope(double x, double y, double z)
{
    (void)z;
    return y - 0.5 - 0.3 * x;
}

// The level ends on the wall, not at the first nodes before it: no teeth.
static void test_level_meets_wall(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.05, 3, 20000);
    fill_domain(&frame, room, slope, 0.05);
    OndSurfaceDef def = ond_surface_default_def();
    OndSurface surface = surface_of(&frame, &def);
    int on = 0, before = 0;
    for (int c = 0; c < surface.mesh.corner_count; ++c) {
        const OndVec p = mesh_corner(&surface.mesh, (uint32_t)c);
        const double off = fabs(p.y - room.min.y - 0.5 - 0.3 * (p.x - room.min.x));
        const double depth = (p.z - room.min.z) / frame.spacing;
        if (off > 0.2 * frame.spacing || p.x < room.min.x + 0.1 || p.x > room.max.x - 0.1) continue;
        on += depth < 1e-4;
        before += depth > 1e-4 && depth < 0.45;
    }
    if (on < 40 || before > 0) fail_msg("%d corners on the wall, %d before it", on, before);
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

// ---- drops

static void test_drop_stays_inside(void **state)
{
    const double away[] = {0.0, 0.01, 0.2, 0.4, 0.5, 0.6, 0.7, 1.0, -0.2, -0.45};
    for (int k = 0; k < OND_COUNT(kinds); ++k)
        for (int d = 0; d < OND_COUNT(away); ++d) {
            OndFrame frame;
            frame_open(&frame, 0.05, 3, 1);
            frame.domain = room;
            frame_add(&frame, room.min.x + away[d] * 0.05, 0.7, 0.6);
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[k], def.cell = 0.25;
            OndSurface surface = surface_of(&frame, &def);
            CHECK_NEAR(check_surface(&surface, kinds[k]), 2, 0, kinds[k]);
            for (int c = 0; c < surface.mesh.corner_count; ++c)
                if (surface.mesh.corner[3 * c] < room.min.x - 1e-6)
                    fail_msg("%s: a drop at %g reaches through the wall", kinds[k], away[d]);
            const double volume = mesh_volume(&surface.mesh) / pow(0.05, 3);
            if (volume < 0.2 || volume > 2.5)
                fail_msg("%s: a drop at %g has the volume of %g", kinds[k], away[d], volume);
            ond_surface_free(&surface);
            ond_frame_free(&frame);
        }
}

// Particles that run down an edge one behind the other stay to be seen, however far apart.
static void test_thread_in_an_edge(void **state)
{
    enum { COUNT = 8 };
    for (double apart = 2.2; apart < 2.9; apart += 0.2) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, COUNT);
        frame.domain = (OndBox){{0, 0, 0}, {40, 40, 40}};
        for (int k = 0; k < COUNT; ++k)
            frame_add(&frame, 0.32, 10.0 + apart * k, 0.53);
        OndSurfaceDef def = ond_surface_default_def();
        def.cell = 0.35;
        OndSurface surface = surface_of(&frame, &def);
        check_surface(&surface, "a thread in an edge");
        CHECK_NEAR(mesh_volume(&surface.mesh) / COUNT, 1.0, 0.1, "volume of a thread in an edge");
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

// ---- whole

static void test_closed_in_a_corner(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.06, 3, 20000);
    fill_domain(&frame, room, splash, 0.3);
    for (int k = 0; k < OND_COUNT(kinds); ++k)
        for (int p = OND_MARCHING_CUBES; p <= OND_MARCHING_TETRAHEDRA; ++p) {
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[k], def.polygons = (OndPolygons)p;
            OndSurface surface = surface_of(&frame, &def);
            check_surface(&surface, kinds[k]);
            for (int c = 0; c < surface.mesh.corner_count; ++c) {
                int side;
                const OndVec at = mesh_corner(&surface.mesh, (uint32_t)c);
                CHECK_NEAR(fmin(nearest_wall(room, at, &side, 3), 0.0), 0.0, 1e-6, kinds[k]);
            }
            ond_surface_free(&surface);
        }
    ond_frame_free(&frame);
}

static void test_flat_frames(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.03, 2, 20000);
    fill_domain(&frame, room, splash, 0.2);
    for (int k = 0; k < OND_COUNT(kinds); ++k) {
        OndSurfaceDef def = ond_surface_default_def();
        def.field = kinds[k];
        OndSurface surface = surface_of(&frame, &def);
        check_surface(&surface, kinds[k]);
        double low = HUGE_VAL;
        for (int c = 0; c < surface.mesh.corner_count; ++c)
            low = fmin(low, surface.mesh.corner[3 * c]);
        CHECK_NEAR(low, room.min.x, 1e-6, kinds[k]);
        ond_surface_free(&surface);
    }
    ond_frame_free(&frame);
}

static uint64_t hash_of(const OndSurface *s)
{
    const size_t bytes = 3 * (size_t)s->mesh.corner_count * sizeof(float);
    return ond_hash_bytes(s->mesh.corner, bytes) ^ 3 * ond_hash_bytes(s->normal, bytes) ^
           5 * ond_hash_bytes(s->mesh.triangle,
                              3 * (size_t)s->mesh.triangle_count * sizeof *s->mesh.triangle);
}

static void test_threads_and_switch(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.05, 3, 20000);
    fill_domain(&frame, room, splash, 0.3);
    OndSurfaceDef def = ond_surface_default_def();
    ond_threads_set(1);
    OndSurface one = surface_of(&frame, &def);
    ond_threads_set(3);
    OndSurface three = surface_of(&frame, &def);
    assert_true(hash_of(&one) == hash_of(&three));
    def.walls = 0;
    OndSurface off = surface_of(&frame, &def);
    frame.domain = (OndBox){{0, 0, 0}, {0, 0, 0}};
    def.walls = OND_WALLS_ALL;
    OndSurface none = surface_of(&frame, &def);
    assert_true(hash_of(&off) == hash_of(&none));
    assert_false(hash_of(&off) == hash_of(&one));
    ond_surface_free(&one);
    ond_surface_free(&three);
    ond_surface_free(&off);
    ond_surface_free(&none);
    ond_frame_free(&frame);
}

// ---- sides that are no walls

static double reach_of(const OndSurface *s, int axis, double sign)
{
    double most = -HUGE_VAL;
    for (int c = 0; c < s->mesh.corner_count; ++c)
        most = fmax(most, sign * s->mesh.corner[3 * c + axis]);
    return most;
}

// Drops beyond the domain show that the domain is not where the liquid ends, but a few of them have
// only gone astray: the side stays a wall, and they do not come back as images.
static void test_beyond_a_side(void **state)
{
    for (int drops = 1; drops <= 10; drops += 9) {
        OndFrame frame;
        frame_open(&frame, 0.05, 3, 20000);
        fill_domain(&frame, room, pool, 0.1);
        const double volume = frame.particles.count * pow(frame.spacing, 3);
        for (int k = 0; k < drops; ++k)
            frame_add(&frame, room.max.x + 0.2, 0.8, 0.1 + 0.1 * (k % 10));
        OndSurfaceDef def = ond_surface_default_def();
        OndSurface surface = surface_of(&frame, &def);
        const bool wall = drops == 1;
        CHECK_NEAR(check_surface(&surface, "beyond"), wall ? 2 : 22, 0, "pool and drops");
        CHECK_NEAR(reach_of(&surface, 0, 1.0), room.max.x + (wall ? 0.0 : 0.233), 0.004, "drops");
        CHECK_NEAR(reach_of(&surface, 0, -1.0), -room.min.x, 1e-6, "other side");
        if (wall) CHECK_NEAR(mesh_volume(&surface.mesh) / volume, 1.0, 0.02, "pool");
        if (wall) CHECK_NEAR(reach_of(&surface, 1, 1.0), room.min.y + 0.6, 0.01, "level");
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

static void test_odd_domains(void **state)
{
    const OndBox odd[] = {
        {{NAN, 0, 0}, {1, 1, 1}},
        {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}},
        {{1, 1, 1}, {0, 0, 0}},
        {{-1e30, -1e30, -1e30}, {1e30, 1e30, 1e30}},
        {{0.0, 0, 0}, {0.05, 0.05, 0.05}},
        {{1e9, 1e9, 1e9}, {2e9, 2e9, 2e9}},
        {{0.49, -1, -1}, {0.61, 2, 2}},
    };
    for (int k = 0; k < OND_COUNT(odd); ++k) {
        OndFrame frame;
        frame_open(&frame, 0.05, 3, 2);
        frame_add(&frame, 0.55, 0.5, 0.5);
        frame.domain = odd[k];
        OndSurfaceDef def = ond_surface_default_def();
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(check_surface(&surface, "odd domain"), 2, 0, "one ball");
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

// What a scene says of its sides.
static void test_walls_of_scenes(void **state)
{
    const struct {
        const char *yaml;
        unsigned walls;
    } cases[] = {
        {"domain: {min: [0, 0, 0], max: [1, 1, 1]}\n", 0x3f},
        {"domain: {min: [0, 0, 0], max: [1, 1, 1], x: periodic, y: open}\n", 0x30},
        {"domain: {min: [0, 0, 0], max: [1, 1, 1]}\nsurface: {walls: false}\n", 0},
        {"gravity: [0, 0, 0]\n", 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1024];
        snprintf(yaml, sizeof yaml,
                 "%sfluid: [{spacing: 0.1, shape: {type: box, min: [0.2, 0.2, 0.2], max: [0.6, "
                 "0.6, 0.6]}}]\n",
                 cases[c].yaml);
        Stage *stage = stage_open(yaml);
        CHECK_NEAR(ond_surface_def_of_scene(&stage->scene).walls, cases[c].walls, 0, yaml);
        stage_close(stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces_lie_on_walls),
        cmocka_unit_test(test_volume_in_a_corner),
        cmocka_unit_test(test_smoothing_stays_on_walls),
        cmocka_unit_test(test_drop_stays_inside),
        cmocka_unit_test(test_thread_in_an_edge),
        cmocka_unit_test(test_closed_in_a_corner),
        cmocka_unit_test(test_full_box),
        cmocka_unit_test(test_level_meets_wall),
        cmocka_unit_test(test_flat_frames),
        cmocka_unit_test(test_threads_and_switch),
        cmocka_unit_test(test_beyond_a_side),
        cmocka_unit_test(test_odd_domains),
        cmocka_unit_test(test_walls_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
