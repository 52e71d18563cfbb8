// SPDX-License-Identifier: MIT
// What each field makes of particles whose surface is known: drops, planes, balls, sheets, sizes.
#include "base/parallel.h"
#include "surface/fields/ellipsoids.h"
#include "surfaces.h"

static const char *const ours[] = {"anisotropic", "zhu-bridson", "adams"};

typedef struct Probe { // a field to be asked at places
    OndPoints points;
    OndField3 field;
} Probe;

static void probe_open(Probe *p, const OndFrame *frame, const char *name)
{
    const OndFieldDef def = {0};
    OndError err = {0};
    const OndFieldKind *kind = ond_field_kind(name);
    assert_non_null(kind);
    memset(p, 0, sizeof *p);
    OndStatus status = ond_points_take(&p->points, frame, kind->defaults.radius, &err);
    if (status == OND_OK) status = ond_field_make(&p->field, kind, &def, &p->points, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
}

static void probe_close(Probe *p)
{
    ond_field_free(&p->field);
    ond_points_free(&p->points);
}

static double value_at(const Probe *p, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    double gradient[3];
    return p->field.kind->gradient(&p->field, at, gradient);
}

// How far from `from`, along the unit vector d, the surface lies; it is inside at 0, outside at
// far.
static double way_out(const Probe *p, OndVec from, OndVec d, double far)
{
    double low = 0.0, high = far;
    for (int round = 0; round < 40; ++round) {
        const double middle = 0.5 * (low + high);
        const OndVec at = ond_add(from, ond_scale(d, middle));
        *(value_at(p, at.x, at.y, at.z) > 0.0 ? &low : &high) = middle;
    }
    return low;
}

// ---- drops

static void test_lone_particle(void **state)
{
    const double spacing = 0.02, radius = 0.6203504909 * spacing; // of a ball of spacing^3
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        Probe p;
        frame_open(&frame, spacing, 3, 1);
        frame_add(&frame, 0.3, -0.2, 7.0);
        probe_open(&p, &frame, ours[k]);
        for (int d = 0; d < 20; ++d) {
            const OndVec way =
                ond_unit(ond_vec(ond_random((uint64_t)d, 1) - 0.5, ond_random((uint64_t)d, 2) - 0.5,
                                 ond_random((uint64_t)d, 3) - 0.5));
            CHECK_NEAR(
                way_out(&p, ond_vec(p.points.x[0], p.points.y[0], p.points.z[0]), way, spacing) /
                    spacing,
                radius / spacing, 1e-3, ours[k]);
        }
        probe_close(&p);
        ond_frame_free(&frame);
    }
}

// Polygons lie inside of a ball, and coarse ones cut off much of it: the field makes up for that.
static void test_lone_polygons(void **state)
{
    static const char *const kinds[] = {"anisotropic", "density", "zhu-bridson", "adams",
                                        "variational"};
    for (int k = 0; k < OND_COUNT(kinds); ++k)
        for (int way = 0; way < 4; ++way) { // 2D and 3D, in coarse and in fine cells
            const int dimension = 2 + way % 2;
            OndFrame frame;
            frame_open(&frame, 0.02, dimension, 64);
            for (int i = 0; i < 64; ++i) // anywhere in their cells
                frame_add(&frame, 0.1037 * (i % 8), 0.1071 * (i / 8),
                          dimension == 3 ? 0.0013 * i : 0.0);
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kinds[k];
            def.cell = way < 2 ? 0.5 : 0.3;
            OndSurface surface = surface_of(&frame, &def);
            CHECK_NEAR(mesh_volume(&surface.mesh) / (64 * pow(0.02, 3)), 1.0, 0.05, kinds[k]);
            ond_surface_free(&surface);
            ond_frame_free(&frame);
        }
}

// Small heaps of particles, all sparse: none may be lost, wherever its neighbours are.
static void test_spray_is_kept(void **state)
{
    enum { HEAPS = 400 };
    OndFrame frame;
    Probe p;
    frame_open(&frame, 1.0, 3, HEAPS * 6);
    for (int h = 0; h < HEAPS; ++h)
        for (int i = 0; i <= h % 6; ++i) {
            const int corner = (h / 6 + 3 * i) % 8; // of a cube, all different
            const double wide = 0.9 + 1.1 * ond_random((uint64_t)h, 9);
            frame_add(&frame, 12.0 * (h % 20) + wide * (corner & 1),
                      12.0 * (h / 20) + wide * (corner >> 1 & 1), wide * (corner >> 2));
        }
    probe_open(&p, &frame, "anisotropic");
    for (int i = 0; i < p.points.count; ++i)
        if (value_at(&p, p.points.x[i], p.points.y[i], p.points.z[i]) <= 0.0)
            fail_msg("particle %u of a heap of %u lies outside the surface", p.points.source[i] % 6,
                     p.points.source[i] / 6 % 6 + 1);
    probe_close(&p);
    OndSurfaceDef def = ond_surface_default_def();
    for (int k = 0; k < 2; ++k) {
        def.cell = k ? 0.5 : 0.2;
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(mesh_volume(&surface.mesh) / frame.particles.count, 1.0, 0.1, "volume of spray");
        ond_surface_free(&surface);
    }
    ond_frame_free(&frame);
}

// ---- planes

static double half_space(double x, double y, double z)
{
    return y;
}

static void test_flat(void **state)
{
    static const struct {
        const char *field;
        double jitter, place, flat; // within, spacings
    } cases[] = {
        {"anisotropic", 0.0, 0.02, 0.005}, // 1 % from lowest to highest
        {"zhu-bridson", 0.0, 0.03, 0.02},
        {"adams", 0.0, 0.04, 0.005},
        {"anisotropic", 0.05, 0.03, 0.06}, // for information: particles out of order
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        Probe p;
        double low = 9, high = -9, sum = 0;
        frame_open(&frame, 1.0, 3, 30000);
        frame_fill(&frame, half_space, 12.0, cases[c].jitter);
        probe_open(&p, &frame, cases[c].field);
        for (int k = 0; k < 900; ++k) {
            const double y =
                way_out(&p, ond_vec(0.11 * (k % 30), -3, 0.11 * (k / 30)), ond_vec(0, 1, 0), 6.0) -
                3.0;
            low = fmin(low, y), high = fmax(high, y), sum += y;
        }
        CHECK_NEAR(sum / 900, 0.0, cases[c].place, "where the plane lies");
        CHECK_NEAR(0.5 * (high - low), 0.0, cases[c].flat, cases[c].field);
        probe_close(&p);
        ond_frame_free(&frame);
    }
}

// One, two, three layers: no holes, and about as thick as they are.
static void test_sheets(void **state)
{
    for (int layers = 1; layers <= 3; ++layers) {
        OndFrame frame;
        Probe p;
        frame_open(&frame, 1.0, 3, 4000);
        for (int k = 0; k < 400 * layers; ++k)
            frame_add(&frame, k % 20, k / 400 - 0.5 * (layers - 1), k / 20 % 20);
        probe_open(&p, &frame, "anisotropic");
        for (int k = 0; k < 400; ++k) {
            const double x = 8.0 + 0.1 * (k % 20), z = 8.0 + 0.1 * (k / 20.0);
            for (double y = 0.0; y < 0.5 * (layers - 0.5); y += 0.1)
                if (value_at(&p, x, y, z) <= 0.0)
                    fail_msg("a hole in a sheet of %d layers, %g above its middle", layers, y);
            CHECK_NEAR(2.0 * way_out(&p, ond_vec(x, 0, z), ond_vec(0, 1, 0), 4.0), layers, 0.2,
                       "thickness of a sheet");
        }
        probe_close(&p);
        ond_frame_free(&frame);
    }
}

// ---- volumes

static double ball_radius;

static double ball(double x, double y, double z)
{
    return x * x + y * y + z * z - ball_radius * ball_radius;
}

static double disc(double x, double y, double z)
{
    return x * x + y * y - 64.0;
}

static void test_volumes(void **state)
{
    static const struct {
        const char *field;
        double radius, within;
    } cases[] = {
        {"anisotropic", 3.0, 0.04}, {"anisotropic", 5.0, 0.02}, {"anisotropic", 8.0, 0.02},
        {"zhu-bridson", 8.0, 0.02}, {"adams", 8.0, 0.05},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndFrame frame;
        OndSurfaceDef def = ond_surface_default_def();
        def.field = cases[c].field;
        ball_radius = cases[c].radius;
        frame_open(&frame, 1.0, 3, 8000);
        frame_fill(&frame, ball, 11.0, 0.0);
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(mesh_volume(&surface.mesh) / frame.particles.count, 1.0, cases[c].within,
                   cases[c].field);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

static void test_disc(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        OndSurfaceDef def = ond_surface_default_def();
        def.field = ours[k];
        frame_open(&frame, 1.0, 2, 1000);
        frame_fill(&frame, disc, 11.0, 0.0);
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(mesh_volume(&surface.mesh) / frame.particles.count, 1.0, 0.03, ours[k]);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

// The left half of a pool is made of particles half as large.
static void test_sizes(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        Probe p;
        frame_open(&frame, 1.0, 3, 40000);
        float *size = frame.particles
                          .field[ond_fields_add(&frame.particles, "spacing", "m", OND_F32, 1,
                                                OND_FIELD_FRAME)]
                          .data[0];
        for (int fine = 0; fine < 2; ++fine)
            for (int n = fine ? 20 : 10, i = 0; i < n * n * n; ++i) {
                const double s = fine ? 0.5 : 1.0;
                size[frame.particles.count] = (float)s;
                frame_add(&frame, (i % n + 0.5) * s - (fine ? 10.0 : 0.0), -(i / n % n + 0.5) * s,
                          (i / n / n + 0.5) * s);
            }
        probe_open(&p, &frame, ours[k]);
        for (double x = -6.0; x <= 6.0; x += 0.25) {
            const double y = way_out(&p, ond_vec(x, -3, 5), ond_vec(0, 1, 0), 6.0) - 3.0;
            CHECK_NEAR(y, 0.0, fabs(x) < 3.0 ? 0.25 : 0.06, ours[k]);
        }
        probe_close(&p);
        ond_frame_free(&frame);
    }
}

// ---- what sampling and asking have in common

static void scatter(OndFrame *frame, double far)
{
    frame_open(frame, 1.0, 3, 600);
    for (uint64_t i = 0; i < 600; ++i)
        frame_add(frame, 8.0 * ond_random(i, 1) + far, 8.0 * ond_random(i, 2) - far,
                  8.0 * ond_random(i, 3));
}

static void check_nodes(const char *field, double far)
{
    OndFrame frame;
    Probe p;
    float value[8 * 7 * 6];
    scatter(&frame, far);
    probe_open(&p, &frame, field);
    const OndLattice lattice = {
        .origin = {0.2 + far, 0.1 - far, -0.3}, .cell = 0.7, .first = {1, 2, 3}, .n = {8, 7, 6}};
    p.field.kind->sample(&p.field, &lattice, value);
    for (int n = 0; n < 8 * 7 * 6; ++n) {
        const double there =
            value_at(&p, ond_lattice_at(&lattice, 0, n % 8), ond_lattice_at(&lattice, 1, n / 8 % 7),
                     ond_lattice_at(&lattice, 2, n / 56));
        CHECK_NEAR(value[n], there, 2e-5, field);
    }
    probe_close(&p);
    ond_frame_free(&frame);
}

static void test_nodes_and_places_agree(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        check_nodes(ours[k], 0.0);
        check_nodes(ours[k], 4096.0);
    }
}

// Deep inside, where particles have no ellipsoids of their own, the liquid fills all of space.
static void test_inside(void **state)
{
    OndFrame frame;
    Probe p;
    float value[2 * 2 * 2];
    ball_radius = 11.0;
    frame_open(&frame, 1.0, 3, 8000);
    frame_fill(&frame, ball, 13.0, 0.0);
    probe_open(&p, &frame, "anisotropic");
    const double full = 1.0 - p.field.def.threshold;
    const OndLattice lattice = {.cell = 0.5, .n = {2, 2, 2}};
    p.field.kind->sample(&p.field, &lattice, value);
    for (int n = 0; n < 8; ++n)
        CHECK_NEAR(value[n], full, 0.02, "nodes deep inside");
    for (double r = 0.0; r < 8.0; r += 0.1)
        CHECK_NEAR(value_at(&p, r, 0.3 * r, 0.2), full, r < 6.0 ? 0.03 : 0.2, "places inside");
    probe_close(&p);
    ond_frame_free(&frame);
}

static double difference_at(const Probe *p, const double at[3], int axis)
{
    const double h = 5e-3;
    double up[3] = {at[0], at[1], at[2]}, down[3] = {at[0], at[1], at[2]};
    up[axis] += h, down[axis] -= h;
    return (value_at(p, up[0], up[1], up[2]) - value_at(p, down[0], down[1], down[2])) / (2 * h);
}

static void test_gradient(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        Probe p;
        ball_radius = 6.0;
        frame_open(&frame, 1.0, 3, 4000);
        frame_fill(&frame, ball, 11.0, 0.1);
        probe_open(&p, &frame, ours[k]);
        for (uint64_t n = 0; n < 200; ++n) {
            const OndVec way = ond_unit(
                ond_vec(ond_random(n, 4) - 0.5, ond_random(n, 5) - 0.5, ond_random(n, 6) - 0.5));
            const double r = way_out(&p, ond_vec(0, 0, 0), way, 10.0);
            const double at[3] = {r * way.x, r * way.y, r * way.z};
            double slope[3];
            p.field.kind->gradient(&p.field, at, slope);
            for (int a = 0; a < 3; ++a)
                CHECK_NEAR(slope[a], difference_at(&p, at, a), k ? 0.03 : 5e-3, ours[k]);
        }
        probe_close(&p);
        ond_frame_free(&frame);
    }
}

// Asked together, places in a small box get what each gets alone: at the rim of a ball, inside,
// outside.
static void test_gradients_together(void **state)
{
    enum { PLACES = 70, BOXES = 20 };
    OndFrame frame;
    Probe p;
    int kinds;
    const OndFieldKind *const *kind = ond_field_kinds(&kinds);
    ball_radius = 6.0;
    frame_open(&frame, 1.0, 3, 4000);
    frame_fill(&frame, ball, 11.0, 0.1);
    for (int k = 0; k < kinds; ++k) {
        if (!kind[k]->gradients) continue;
        probe_open(&p, &frame, kind[k]->name);
        for (uint64_t box = 0; box < BOXES; ++box) {
            double at[PLACES][3], together[PLACES][3], alone[3];
            for (uint64_t i = 0; i < PLACES; ++i)
                for (uint64_t a = 0; a < 3; ++a)
                    at[i][a] = 12.0 * (ond_random(box, a) - 0.5) + ond_random(i, 3 * box + a);
            kind[k]->gradients(&p.field, PLACES, (const double(*)[3])at, together);
            for (int i = 0; i < PLACES; ++i) {
                kind[k]->gradient(&p.field, at[i], alone);
                for (int a = 0; a < 3; ++a)
                    CHECK_NEAR(together[i][a], alone[a], 1e-4, kind[k]->name);
            }
        }
        probe_close(&p);
    }
    ond_frame_free(&frame);
}

// Two bodies that face each other, and a hollow: no film between them.
static void test_gaps(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k)
        for (double gap = 2.5; gap <= 5.0; gap += 0.5) {
            OndFrame frame;
            Probe p;
            frame_open(&frame, 1.0, 3, 4000);
            for (int i = 0; i < 14 * 14 * 5; ++i)
                for (int side = 0; side < 2; ++side) {
                    const double depth = i / 196;
                    frame_add(&frame, i % 14, side ? gap + depth : -depth, i / 14 % 14);
                }
            probe_open(&p, &frame, ours[k]);
            for (double x = 6.0; x < 7.0; x += 0.1)
                for (double y = 0.9; y <= gap - 0.9; y += 0.01)
                    if (value_at(&p, x, y, 6.6) > 0.0)
                        fail_msg("%s: liquid %g above a body, in a gap of %g", ours[k], y, gap);
            probe_close(&p);
            ond_frame_free(&frame);
        }
}

// A power of two moves no bits of the particles: far away the surface is the same.
static void test_far_away(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame near_frame, far_frame;
        Probe here, there;
        const double far = 1024.0;
        scatter(&far_frame, far);
        frame_open(&near_frame, 1.0, 3, 600);
        for (int i = 0; i < 600; ++i) {
            float *const *x = (float *const *)far_frame.particles.field[0].data;
            frame_add(&near_frame, x[0][i] - far, x[1][i] + far, x[2][i]);
        }
        probe_open(&here, &near_frame, ours[k]);
        probe_open(&there, &far_frame, ours[k]);
        for (uint64_t n = 0; n < 200; ++n) {
            const double x = 8.0 * ond_random(n, 4), y = 8.0 * ond_random(n, 5),
                         z = 8.0 * ond_random(n, 6);
            CHECK_NEAR(value_at(&there, x + far, y - far, z), value_at(&here, x, y, z), 2e-3,
                       ours[k]);
        }
        probe_close(&here);
        probe_close(&there);
        ond_frame_free(&near_frame);
        ond_frame_free(&far_frame);
    }
}

static void test_threads(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        OndSurface first = {0};
        OndSurfaceDef def = ond_surface_default_def();
        def.field = ours[k];
        ball_radius = 7.0;
        frame_open(&frame, 1.0, 3, 8000);
        frame_fill(&frame, ball, 11.0, 0.3);
        for (int threads = 1; threads <= 4; threads *= 2) {
            ond_threads_set(threads);
            OndSurface s = surface_of(&frame, &def);
            if (threads == 1) {
                first = s;
                continue;
            }
            assert_int_equal(s.mesh.corner_count, first.mesh.corner_count);
            assert_memory_equal(s.mesh.corner, first.mesh.corner,
                                (size_t)s.mesh.corner_count * 3 * sizeof(float));
            assert_memory_equal(s.normal, first.normal,
                                (size_t)s.mesh.corner_count * 3 * sizeof(float));
            ond_surface_free(&s);
        }
        ond_threads_set(0);
        ond_surface_free(&first);
        ond_frame_free(&frame);
    }
}

// Thousands on one spot, more than any list of neighbours has room for.
static void open_crowd(OndFrame *frame)
{
    frame_open(frame, 1.0, 3, 5000);
    for (int i = 0; i < 5000; ++i)
        frame_add(frame, 0.01 * (i % 3), 0.0, i < 2500 ? 0.0 : 0.5);
}

static void test_crowd(void **state)
{
    for (int k = 0; k < OND_COUNT(ours); ++k) {
        OndFrame frame;
        OndSurfaceDef def = ond_surface_default_def();
        def.field = ours[k];
        open_crowd(&frame);
        OndSurface surface = surface_of(&frame, &def);
        check_surface(&surface, ours[k]);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

static void test_crowd_comes_in_parts(void **state)
{
    OndFrame frame;
    Probe p;
    static OndCrowd crowd;
    static unsigned char seen[5000];
    open_crowd(&frame);
    probe_open(&p, &frame, "anisotropic");
    ond_crowd_start(&crowd, &p.points, 0, 1, 0.3f); // half of them are farther
    int count = 0;
    while (ond_crowd_next(&crowd))
        for (int k = 0; k < crowd.count; ++k, ++count)
            if (seen[crowd.index[k]]++) fail_msg("point %u came twice", crowd.index[k]);
    assert_int_equal(count, 2500);
    probe_close(&p);
    ond_frame_free(&frame);
}

static void test_bad_numbers(void **state)
{
    static const struct {
        const char *field;
        OndFieldDef how;
        const char *says;
    } cases[] = {
        {"anisotropic", {.radius = 0.5}, "radius is 0.5 spacings; accepted: 1.5 to 6"},
        {"anisotropic", {.threshold = 1.5}, "threshold is 1.5; accepted: above 0 and below 1"},
        {"zhu-bridson", {.threshold = 3.0}, "is 3 spacings; accepted: above 0 and below its"},
        {"adams",
         {.threshold = -1.0},
         "is -1 spacings; accepted: above 0 and below its reach of 2"},
    };
    OndFrame frame;
    frame_open(&frame, 1.0, 3, 1);
    frame_add(&frame, 0, 0, 0);
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSurface surface = {0};
        OndError err = {0};
        OndSurfaceDef def = ond_surface_default_def();
        def.field = cases[c].field;
        def.how = cases[c].how;
        assert_int_equal(ond_surface_make(&surface, &frame, &def, NULL, &err), OND_BAD_VALUE);
        CHECK_SAYS(err.text, cases[c].says, cases[c].field);
    }
    ond_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lone_particle),
        cmocka_unit_test(test_lone_polygons),
        cmocka_unit_test(test_spray_is_kept),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_sheets),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_nodes_and_places_agree),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_gradients_together),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_crowd_comes_in_parts),
        cmocka_unit_test(test_bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
