// SPDX-License-Identifier: MIT
// Particles of very different sizes: who is found near a place, how many are looked at for it, and
// what the surfaces are.
#include "base/parallel.h"
#include "surface/fields/variational.h"
#include "surfaces.h"

#define SPACING 0.1

static void add_sized(OndFrame *frame, const double at[3], double size)
{
    float *sizes = ond_fields_find(&frame->particles, "spacing")->data[0];
    sizes[frame->particles.count] = (float)size;
    frame_add(frame, at[0], at[1], at[2]);
}

// A cube of n^3 particles, and a row of large ones on top of it.
static void open_mixed(OndFrame *frame, int n, int large, double times)
{
    frame_open(frame, SPACING, 3, n * n * n + large);
    ond_fields_add(&frame->particles, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME);
    for (int i = 0; i < n * n * n; ++i) {
        const double at[3] = {SPACING * (i % n), SPACING * (i / n % n), SPACING * (i / n / n)};
        add_sized(frame, at, SPACING);
    }
    for (int k = 0; k < large; ++k) {
        const double at[3] = {SPACING * n * (k - 0.5), SPACING * n, 0.5 * SPACING * n};
        add_sized(frame, at, times * SPACING);
    }
}

static OndPoints take(const OndFrame *frame)
{
    OndPoints points = {0};
    OndError err = {0};
    if (ond_points_take(&points, frame, 2.0, &err) != OND_OK) fail_msg("%s", err.text);
    return points;
}

// ---- who is near

// Farthest along an axis from the box, in sizes of the particle.
static double sizes_away(const OndPoints *p, uint32_t i, const double min[3], const double max[3])
{
    const double at[3] = {p->x[i], p->y[i], p->z[i]};
    double away = 0.0;
    for (int a = 0; a < 3; ++a)
        away = fmax(away, fmax(min[a] - at[a], at[a] - max[a]) / p->size[i]);
    return away;
}

// Every particle once, and none in reach left out; sizes from a hundredth to 16 times the usual
// one, which count as 1/16 at least.
static void test_near_against_all(void **state)
{
    OndFrame frame;
    open_mixed(&frame, 10, 0, 1.0);
    float *size = ond_fields_find(&frame.particles, "spacing")->data[0];
    for (uint64_t i = 0; i < 1000; i += 3)
        size[i] = (float)(SPACING * exp2(11.0 * ond_random(i, 1) - 7.0));
    OndPoints p = take(&frame);
    assert_non_null(p.bins.next);
    unsigned char *seen = calloc((size_t)p.count, 1);
    for (uint64_t k = 0; k < 100; ++k) {
        double min[3], max[3];
        for (uint64_t a = 0; a < 3; ++a) {
            min[a] = 2.0 * ond_random(k, a) - 0.5;
            max[a] = min[a] + 0.3 * ond_random(k, 3 + a);
        }
        memset(seen, 0, (size_t)p.count);
        OndBinWalk near = ond_near_sizes(&p.bins, min, max, 1.5);
        for (OndRun run; ond_near_next(&near, &run);)
            for (uint32_t i = run.first; i < run.last; ++i)
                CHECK_NEAR(seen[i]++, 0, 0, "seen before");
        for (int i = 0; i < p.count; ++i)
            if (!seen[i] && sizes_away(&p, (uint32_t)i, min, max) < 1.5)
                fail_msg("particle %d of size %g is not seen", i, (double)p.size[i]);
    }
    free(seen);
    ond_points_free(&p);
    ond_frame_free(&frame);
}

// Particles that all places look at, as fields do that see each as far as it reaches.
static double looked_at(const OndPoints *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->count; ++i) {
        const double at[3] = {p->x[i], p->y[i], p->z[i]};
        OndBinWalk near = ond_near_sizes(&p->bins, at, at, 2.0);
        for (OndRun run; ond_near_next(&near, &run);)
            sum += run.last - run.first;
    }
    return sum;
}

// Five large ones must not make all others look far.
static void test_few_large_cost_little(void **state)
{
    OndFrame same, mixed;
    open_mixed(&same, 20, 0, 1.0);
    open_mixed(&mixed, 20, 5, 16.0);
    OndPoints p = take(&same), q = take(&mixed);
    const double usual = looked_at(&p), more = looked_at(&q);
    assert_null(p.bins.next); // sizes that are the same have one set of bins
    if (more > 1.5 * usual) fail_msg("%.0f pairs with five large ones, %.0f without", more, usual);
    ond_points_free(&p);
    ond_points_free(&q);
    ond_frame_free(&same);
    ond_frame_free(&mixed);
}

// Constraints that a patch is fitted to: its cost goes with the third power.
static void test_patches_stay_small(void **state)
{
    OndFrame frame;
    open_mixed(&frame, 14, 5, 16.0);
    OndPoints p = take(&frame);
    OndConstraints all = {0};
    OndParts *parts = NULL;
    OndError err = {0};
    const OndFieldDef how = {.placement = OND_PLACE_PARTICLES, .smoothing = 0.9};
    if (ond_constraints_place(&all, &p, &how, NULL, &err) != OND_OK ||
        ond_parts_make(&parts, &all, 3, 0, &err) != OND_OK)
        fail_msg("%s", err.text);
    const int most = ond_parts_most(parts);
    if (most > 150) fail_msg("a patch of %d constraints, of %d in all", most, all.count);
    ond_parts_free(parts);
    ond_constraints_free(&all);
    ond_points_free(&p);
    ond_frame_free(&frame);
}

// ---- surfaces

// A cube of small particles with a cube of four times as large ones beside it.
static void open_side_by_side(OndFrame *frame, int n)
{
    const int few = n / 4;
    frame_open(frame, SPACING, 3, n * n * n + few * few * few);
    ond_fields_add(&frame->particles, "spacing", "m", OND_F32, 1, OND_FIELD_FRAME);
    for (int i = 0; i < n * n * n; ++i) {
        const double at[3] = {SPACING * (i % n + 0.5), SPACING * (i / n % n + 0.5),
                              SPACING * (i / n / n + 0.5)};
        add_sized(frame, at, SPACING);
    }
    for (int i = 0; i < few * few * few; ++i) {
        const double at[3] = {SPACING * (n + 4.0 * (i % few + 0.5)),
                              SPACING * 4.0 * (i / few % few + 0.5),
                              SPACING * 4.0 * (i / few / few + 0.5)};
        add_sized(frame, at, 4.0 * SPACING);
    }
}

// Whole, of the volume that the particles stand for, and the same bits for any number of threads.
static void test_every_kind(void **state)
{
    enum { N = 16 };
    int count;
    const OndFieldKind *const *kind = ond_field_kinds(&count);
    OndFrame frame;
    open_side_by_side(&frame, N);
    for (int k = 0; k < count; ++k) {
        OndSurfaceDef def = ond_surface_default_def();
        def.field = kind[k]->name;
        ond_threads_set(1);
        OndSurface one = surface_of(&frame, &def);
        ond_threads_set(3);
        OndSurface three = surface_of(&frame, &def);
        check_surface(&one, def.field);
        const double volume = 2.0 * pow(N * SPACING, 3);
        CHECK_NEAR(mesh_volume(&one.mesh) / volume, 1.0, 0.15, def.field);
        assert_int_equal(one.mesh.corner_count, three.mesh.corner_count);
        assert_memory_equal(one.mesh.corner, three.mesh.corner, 12 * (size_t)one.mesh.corner_count);
        ond_surface_free(&one);
        ond_surface_free(&three);
    }
    ond_threads_set(0);
    ond_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_against_all),
        cmocka_unit_test(test_few_large_cost_little),
        cmocka_unit_test(test_patches_stay_small),
        cmocka_unit_test(test_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
