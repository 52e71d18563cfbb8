// SPDX-License-Identifier: MIT
// ctest: slow
// What surfaces are made from, and what comes of odd input: NaN, strays, sizes, far places, 2D.
#include "base/hash.h"
#include "base/number.h"
#include "base/parallel.h"
#include "surfaces.h"

static double splash(double x, double y, double z)
{
    const double r = sqrt(x * x + z * z);
    const double pool = fmax(y + 0.2 - 0.1 * cos(9.0 * r), fmax(fabs(x), fabs(z)) - 1.0);
    return fmin(fmax(pool, -y - 0.6), fmax(fabs(r - 0.5 - 0.2 * y) - 0.06, fabs(y - 0.1) - 0.4));
}

// ---- errors

static void test_errors(void **state)
{
    OndFrame none, one, nan, unknown;
    frame_open(&none, 0.1, 3, 1);
    frame_open(&one, 0.1, 3, 1);
    frame_add(&one, 0, 0, 0);
    frame_open(&nan, 0.1, 3, 2);
    frame_add(&nan, NAN, 0, 0);
    frame_add(&nan, 0, INFINITY, 0);
    frame_open(&unknown, 0.0, 3, 1);
    frame_add(&unknown, 0, 0, 0);
    const struct {
        const OndFrame *frame;
        const char *field;
        double cell, memory, radius, threshold;
        const char *says;
    } cases[] = {
        {&none, "density", 0.5, 0, 0, 0, "no particles"},
        {&nan, "density", 0.5, 0, 0, 0, "none of the 2 positions"},
        {&unknown, "density", 0.5, 0, 0, 0, "spacing"},
        {&one, "densty", 0.5, 0, 0, 0, "did you mean 'density'"},
        {&one, NULL, 0.5, 0, 0, 0, "there is anisotropic"},
        {&one, "density", 0.0, 0, 0, 0, "accepted: 0.02 to 4"},
        {&one, "density", NAN, 0, 0, 0, "accepted: 0.02 to 4"},
        {&one, "density", 0.02, 1e6, 0, 0, "needs about"},
        {&one, "density", 0.5, 0, 20, 0, "accepted: up to 16"},
        {&one, "density", 0.5, 0, 0, 1.5, "below 1"},
        {&one, "density", 0.5, 0, 0.1, 0, "accepted: 0.8"},
        {&one, "blobs", 0.5, 0, 0, -1, "above 0"},
        {&one, "density", 0.5, 0, 0, 0, NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSurfaceDef def = ond_surface_default_def();
        def.field = cases[c].field, def.cell = cases[c].cell, def.memory = cases[c].memory;
        def.how.radius = cases[c].radius, def.how.threshold = cases[c].threshold;
        OndSurface surface = {0};
        OndError err = {0};
        const OndStatus status = ond_surface_make(&surface, cases[c].frame, &def, NULL, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, err.text);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, "error");
        ond_surface_free(&surface);
    }
    ond_frame_free(&none);
    ond_frame_free(&one);
    ond_frame_free(&nan);
    ond_frame_free(&unknown);
}

// The cell that the message names does fit.
static void test_memory_advice(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, splash, 1.2, 0.1);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density", def.memory = 30e6;
    for (int p = OND_MARCHING_CUBES; p <= OND_MARCHING_TETRAHEDRA; ++p)
        for (int thin = 0; thin < 2; ++thin) {
            def.cell = 0.05, def.polygons = (OndPolygons)p, def.decimate = 0.1 * thin;
            OndSurface surface = {0};
            OndSurfaceTimes times;
            OndError err = {0};
            assert_int_equal(ond_surface_make(&surface, &frame, &def, &times, &err), OND_NO_MEMORY);
            CHECK_SAYS(err.text, "there is 30 MB", "memory");
            const char *advice = strstr(err.text, "; cells of ");
            assert_non_null(advice);
            def.cell = atof(advice + strlen("; cells of ")) / frame.spacing;
            if (ond_surface_make(&surface, &frame, &def, &times, &err) != OND_OK)
                fail_msg("%s", err.text);
            assert_true(times.bytes < def.memory);
            ond_surface_free(&surface);
        }
    ond_frame_free(&frame);
}

static void test_bytes_text(void **state)
{
    static const struct {
        double bytes;
        const char *says;
    } cases[] = {
        {0, "0 bytes"},        {999, "999 bytes"}, {999.7, "1 kB"},          {64e3, "64 kB"},
        {30.04e6, "30 MB"},    {999.9e6, "1 GB"},  {1.5e9, "1.5 GB"},        {80.5e12, "80.5 TB"},
        {2.345e15, "2.35 PB"}, {7e18, "7 EB"},     {1.8e300, "1.8e+282 EB"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[OND_BYTES_TEXT];
        ond_bytes_text(cases[c].bytes, text);
        assert_string_equal(text, cases[c].says);
    }
}

// ---- odd particles

static void test_nan_is_dropped(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 10);
    frame_add(&frame, 0, 0, 0);
    frame_add(&frame, NAN, 0, 0);
    frame_add(&frame, 0.05, 0, -INFINITY);
    frame_add(&frame, 1e30, 0, 0);
    OndPoints points = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&points, &frame, 2.0, &err), OND_OK);
    assert_int_equal(points.count, 1);
    assert_int_equal(points.dropped, 3);
    ond_points_free(&points);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface surface = surface_of(&frame, &def);
    CHECK_NEAR(check_surface(&surface, "one left"), 2, 0, "one ball");
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

// Drops far away in all directions: one ball more each, and no more memory.
static void test_strays(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, splash, 1.2, 0.1);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface surface = {0};
    OndSurfaceTimes before, after;
    OndError err = {0};
    assert_int_equal(ond_surface_make(&surface, &frame, &def, &before, &err), OND_OK);
    const int euler = check_surface(&surface, "splash");
    for (int a = 0; a < 8; ++a)
        frame_add(&frame, a & 1 ? 1e4 : -2e4, a & 2 ? 3e4 : -1e4, a & 4 ? 2e4 : -3e4);
    assert_int_equal(ond_surface_make(&surface, &frame, &def, &after, &err), OND_OK);
    CHECK_NEAR(check_surface(&surface, "with strays"), euler + 16, 0, "eight balls more");
    assert_true(after.bytes < before.bytes + 1e6);
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

// Thousands in one place, as where a simulation has burst, and one particle in the same row of
// bins.
static void test_crowd(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    OndFrame frame;
    frame_open(&frame, 1.0, 3, MANY + 1);
    for (int k = 0; k < MANY; ++k)
        frame_add(&frame, 0.3 * (k % 29) / 29, 0.3 * (k % 31) / 31, 0.3 * (k % 37) / 37);
    frame_add(&frame, 3.99, 0.1, 0.1);
    OndPoints points = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&points, &frame, 2.0, &err), OND_OK);
    for (int i = 0; i < points.count; ++i)
        if (!(points.volume[i] > 0 && points.volume[i] < 20))
            fail_msg("particle %d of a crowd stands for %g", i, (double)points.volume[i]);
    ond_points_free(&points);
    ond_frame_free(&frame);
}

static void test_far_from_origin(void **state)
{
    for (double offset = 1e3; offset < 1e8; offset *= 100.0) {
        OndFrame frame;
        frame_open(&frame, 1.0, 3, 20000);
        for (int i = 0; i < 1000; ++i)
            frame_add(&frame, offset + i % 10, -offset + i / 10 % 10, offset + i / 100);
        OndSurfaceDef def = ond_surface_default_def();
        def.field = "density";
        OndSurface surface = surface_of(&frame, &def);
        char what[32];
        snprintf(what, sizeof what, "offset %g", offset);
        check_edges(&surface.mesh, what);
        check_fans(&surface.mesh, what);
        if (offset < 1e6) CHECK_NEAR(mesh_volume(&surface.mesh) / 1000.0, 0.97, 0.04, what);
        ond_surface_free(&surface);
        ond_frame_free(&frame);
    }
}

// Coincident particles, and one whose size says that it is ten times as large.
static void test_sizes(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 100);
    ond_fields_add(&frame.particles, "radius", "m", OND_F32, 1, OND_FIELD_FRAME);
    float *radius = ond_fields_find(&frame.particles, "radius")->data[0];
    for (int i = 0; i < 20; ++i) {
        radius[frame.particles.count] = 0.05f;
        frame_add(&frame, i < 10 ? 0.0 : 0.5 * i, 0, 0);
    }
    radius[frame.particles.count] = 0.5f;
    frame_add(&frame, 0, 20, 0);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density", def.cell = 0.25;
    OndSurface surface = surface_of(&frame, &def);
    CHECK_NEAR(check_surface(&surface, "sizes"), 24, 0, "twelve balls");
    double low = HUGE_VAL, high = -HUGE_VAL; // of the large one
    for (int c = 0; c < surface.mesh.corner_count; ++c) {
        const float y = surface.mesh.corner[3 * c + 1];
        if (y > 10.0f) low = fmin(low, y), high = fmax(high, y);
    }
    CHECK_NEAR(high - low, 1.24, 0.03, "diameter of the large one");
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

static double small_ball(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z) - 0.3;
}

// A large particle in a ball of small ones that does not reach its own surface: it is not inside
// because they are all round its middle.
static void test_large_among_small(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 200);
    ond_fields_add(&frame.particles, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME);
    frame_fill(&frame, small_ball, 0.5, 0.0);
    frame_add(&frame, 0, 0, 0);
    float *size = ond_fields_find(&frame.particles, "spacing")->data[0];
    for (int i = 0; i < frame.particles.count; ++i)
        size[i] = i + 1 < frame.particles.count ? 0.1f : 1.5f;
    OndPoints points = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&points, &frame, 2.0, &err), OND_OK);
    for (int k = 0; k < points.count; ++k)
        if (points.size[k] > 1.0f) CHECK_NEAR(points.surface[k], 1, 0, "the large one is outside");
    ond_points_free(&points);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density", def.cell = 0.25;
    OndSurface surface = surface_of(&frame, &def);
    assert_true(surface.mesh.triangle_count > 0);
    CHECK_NEAR(check_surface(&surface, "large among small"), 2, 0, "one ball");
    ond_surface_free(&surface);
    ond_frame_free(&frame);
}

static void test_guessed_spacing(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, splash, 1.2, 0.0);
    frame.spacing = 0.0;
    OndPoints points = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&points, &frame, 2.0, &err), OND_OK);
    CHECK_NEAR(points.spacing, 0.1, 0.001, "guessed spacing");
    ond_points_free(&points);
    ond_frame_free(&frame);
}

// ---- near particles

static void test_near_against_all(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, splash, 1.2, 0.2);
    frame_add(&frame, 900, -5, 3);
    OndPoints p = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&p, &frame, 2.0, &err), OND_OK);
    for (uint64_t k = 0; k < 200; ++k) {
        double min[3], max[3];
        for (uint64_t a = 0; a < 3; ++a) {
            min[a] = 3.0 * ond_random(k, a) - 1.5;
            max[a] = min[a] + ond_random(k, 3 + a);
        }
        int seen = 0, want = 0;
        OndBinWalk near = ond_near(&p.bins, min, max);
        for (OndRun run; ond_near_next(&near, &run);)
            for (uint32_t i = run.first; i < run.last; ++i)
                seen += p.x[i] >= min[0] && p.x[i] <= max[0] && p.y[i] >= min[1] &&
                        p.y[i] <= max[1] && p.z[i] >= min[2] && p.z[i] <= max[2];
        for (int i = 0; i < p.count; ++i)
            want += p.x[i] >= min[0] && p.x[i] <= max[0] && p.y[i] >= min[1] && p.y[i] <= max[1] &&
                    p.z[i] >= min[2] && p.z[i] <= max[2];
        CHECK_NEAR(seen, want, 0, "particles in a box");
    }
    ond_points_free(&p);
    ond_frame_free(&frame);
}

// A lattice: the outermost layer is the surface.
static void test_surface_particles(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 1000);
    for (int i = 0; i < 1000; ++i)
        frame_add(&frame, 0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100));
    OndPoints p = {0};
    OndError err = {0};
    assert_int_equal(ond_points_take(&p, &frame, 2.0, &err), OND_OK);
    for (int k = 0; k < p.count; ++k) {
        const int i = (int)p.source[k], x = i % 10, y = i / 10 % 10, z = i / 100;
        const bool outside = x == 0 || x == 9 || y == 0 || y == 9 || z == 0 || z == 9;
        CHECK_NEAR(p.surface[k], outside, 0, "outermost layer");
        if (x > 1 && x < 8 && y > 1 && y < 8 && z > 1 && z < 8)
            CHECK_NEAR(p.volume[k] / 1e-3, 1.0, 0.03, "volume inside");
    }
    ond_points_free(&p);
    ond_frame_free(&frame);
}

// ---- every kind

static uint64_t hash_of(const OndSurface *s)
{
    OndHash hash;
    ond_hash_begin(&hash);
    ond_hash_add(&hash, s->mesh.corner, 12 * (size_t)s->mesh.corner_count);
    ond_hash_add(&hash, s->mesh.triangle, 12 * (size_t)s->mesh.triangle_count);
    ond_hash_add(&hash, s->normal, 12 * (size_t)s->mesh.corner_count);
    for (int f = 0; f < s->attributes.field_count; ++f)
        ond_hash_add(&hash, s->attributes.field[f].data[0], 4 * (size_t)s->attributes.count);
    return ond_hash_end(&hash);
}

// Closed and manifold for every field, and the same bits for any number of threads.
static void test_every_kind(void **state)
{
    int count;
    const OndFieldKind *const *kind = ond_field_kinds(&count);
    for (int k = 0; k < count; ++k)
        for (int dimension = 2; dimension <= 3; ++dimension) {
            OndFrame frame;
            frame_open(&frame, dimension == 2 ? 0.05 : 0.12, dimension, 20000);
            frame_fill(&frame, splash, 1.2, 0.3);
            for (uint64_t i = 0; i < 60; ++i)
                frame_add(&frame, 2.0 * ond_random(i, 1) - 1.0, ond_random(i, 2),
                          dimension == 3 ? 2.0 * ond_random(i, 3) - 1.0 : 0.0);
            OndSurfaceDef def = ond_surface_default_def();
            def.field = kind[k]->name;
            uint64_t hash[3];
            for (int t = 0; t < 3; ++t) {
                ond_threads_set(1 << t);
                def.polygons = dimension == 2 ? OND_MARCHING_CUBES : OND_MARCHING_TETRAHEDRA;
                OndSurface surface = surface_of(&frame, &def);
                if (t == 0) check_surface(&surface, kind[k]->name);
                hash[t] = hash_of(&surface);
                ond_surface_free(&surface);
            }
            if (hash[0] != hash[1] || hash[0] != hash[2])
                fail_msg("%s, %dD: threads change the bits", kind[k]->name, dimension);
            ond_frame_free(&frame);
        }
    ond_threads_set(0);
}

static double disc(double x, double y, double z)
{
    return x * x + y * y - 0.64;
}

// A slab one spacing thick, flat on both sides.
static void test_slab(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.05, 2, 2000);
    frame_fill(&frame, disc, 1.0, 0.0);
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    for (double cell = 0.2; cell < 2.0; cell *= 2.0) {
        def.cell = cell;
        OndSurface surface = surface_of(&frame, &def);
        CHECK_NEAR(check_surface(&surface, "slab"), 2, 0, "one piece");
        for (int c = 0; c < surface.mesh.corner_count; ++c)
            assert_true(fabsf(surface.mesh.corner[3 * c + 2]) < 0.0250001f);
        const double volume = frame.particles.count * pow(frame.spacing, 3);
        CHECK_NEAR(mesh_volume(&surface.mesh) / volume, 1.0, 0.03, "volume of the slab");
        ond_surface_free(&surface);
    }
    ond_frame_free(&frame);
}

// Velocities that grow along x, and two materials side by side.
static void test_attributes(void **state)
{
    OndFrame frame;
    frame_open(&frame, 0.1, 3, 20000);
    frame_fill(&frame, splash, 1.2, 0.1);
    const OndFields *set = &frame.particles;
    const float *x = ond_fields_find(set, "position")->data[0];
    for (int i = 0; i < set->count; ++i) {
        ((float *)ond_fields_find(set, "velocity")->data[1])[i] = 3.0f * x[i];
        ((float *)ond_fields_find(set, "temperature")->data[0])[i] = 20.0f;
        ((uint32_t *)ond_fields_find(set, "material")->data[0])[i] = x[i] > 0.0f ? 2 : 1;
    }
    OndSurfaceDef def = ond_surface_default_def();
    def.field = "density";
    OndSurface s = surface_of(&frame, &def);
    const float *vy = ond_fields_find(&s.attributes, "velocity")->data[1];
    const float *heat = ond_fields_find(&s.attributes, "temperature")->data[0];
    const uint32_t *material = ond_fields_find(&s.attributes, "material")->data[0];
    for (int c = 0; c < s.mesh.corner_count; ++c) {
        const float at = s.mesh.corner[3 * c];
        CHECK_NEAR(vy[c], 3.0 * at, 0.3, "velocity"); // within a spacing
        CHECK_NEAR(heat[c], 20.0, 1e-4, "temperature");
        if (fabsf(at) > 0.1f) CHECK_NEAR(material[c], at > 0.0f ? 2 : 1, 0, "material");
    }
    ond_surface_free(&s);
    ond_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_memory_advice),
        cmocka_unit_test(test_bytes_text),
        cmocka_unit_test(test_nan_is_dropped),
        cmocka_unit_test(test_strays),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_far_from_origin),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_large_among_small),
        cmocka_unit_test(test_guessed_spacing),
        cmocka_unit_test(test_near_against_all),
        cmocka_unit_test(test_surface_particles),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_slab),
        cmocka_unit_test(test_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
