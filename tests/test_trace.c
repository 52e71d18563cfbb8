// SPDX-License-Identifier: MIT
// Pictures of surfaces: no black or broken pixels in any material, the same bits for any number of
// threads, and no input that breaks them.
// ctest: isa
#include "trace_ball.h"

#include "base/hash.h"
#include "base/parallel.h"

#include <stdlib.h>

// ---- every material

static void test_materials(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    for (int look = 0; look < ond_look_count(); ++look)
        for (int dark = look % 2; dark < 2; dark += 2) {
            OndRenderDef def = make_def(ond_look(look)->name);
            def.width = 64, def.height = 36;
            def.backdrop = dark ? OND_BACKDROP_DARK : OND_BACKDROP_LIGHT;
            OndLinear p = draw(&def, &ball, NULL);
            for (int i = 0; i < 3 * p.width * p.height; ++i) {
                const float v = p.rgb[i];
                if (!(v > (dark ? 5e-4f : 2e-3f) && v < 20.0f))
                    fail_msg("%s, dark %d: pixel %d %d is %g", ond_look(look)->name, dark,
                             i / 3 % p.width, i / 3 / p.width, (double)v);
            }
            ond_linear_free(&p);
        }
    free_ball(&ball);
}

static double mean_error(const OndLinear *a, const OndLinear *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * a->width * a->height; ++i)
        sum += fabs((double)a->rgb[i] - b->rgb[i]);
    return sum / (3.0 * a->width * a->height);
}

// More effort comes nearer to the best: rough ice and wax, whose light is left to chance. Without
// more samples where it is noisy, good would be half as far off as preview, or more.
static void test_qualities(void **state)
{
    static const char *const looks[] = {"ice", "wax"};
    OndSurface ball = make_ball(1.0, 0.45);
    for (int k = 0; k < OND_COUNT(looks); ++k) {
        OndRenderDef def = make_def(looks[k]);
        OndLinear p[3];
        def.width = 64, def.height = 36;
        for (int q = OND_QUALITY_PREVIEW; q <= OND_QUALITY_BEST; ++q) {
            def.quality = (OndQuality)q;
            p[q] = draw(&def, &ball, NULL);
        }
        const double preview = mean_error(&p[0], &p[2]), good = mean_error(&p[1], &p[2]);
        if (!(good > 0.0 && good < 0.42 * preview && preview < 0.005))
            fail_msg("%s: %g off with preview, %g with good", looks[k], preview, good);
        for (int q = 0; q < 3; ++q)
            ond_linear_free(&p[q]);
    }
    free_ball(&ball);
}

static void test_looks_of_materials(void **state)
{
    static const char *const names[] = {"water",  "ice",  "wax",   "chocolate",
                                        "butter", "lava", "steel", "glass"};
    for (int k = 0; k < OND_COUNT(names); ++k)
        if (ond_look_find(names[k]) == OND_LOOK_NONE) fail_msg("no look for %s", names[k]);
    assert_int_equal(ond_look_find("treacle"), OND_LOOK_NONE);
    assert_int_equal(ond_look_find(NULL), OND_LOOK_NONE);
}

// ---- the same bits

static uint64_t hash_with(int threads, const OndRenderDef *def, const OndSurface *s)
{
    ond_threads_set(threads);
    OndLinear p = draw(def, s, NULL);
    const uint64_t hash = ond_hash_bytes(p.rgb, (size_t)(p.width * p.height) * 12);
    ond_linear_free(&p);
    ond_threads_set(0);
    return hash;
}

static void test_threads(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    set_speed(&ball, 2.0f);
    static const char *const looks[] = {"water", "wax", "steel"};
    for (int k = 0; k < OND_COUNT(looks); ++k) {
        OndRenderDef def = make_def(looks[k]);
        def.shutter = 0.02, def.lens = 2.8;
        if (k == 0) def.quality = OND_QUALITY_GOOD, def.width = 48, def.height = 27;
        const uint64_t one = hash_with(1, &def, &ball);
        for (int threads = 2; threads <= 5; ++threads)
            if (hash_with(threads, &def, &ball) != one)
                fail_msg("%s: %d threads give other bits than one", looks[k], threads);
        def.seed = 1;
        if (hash_with(2, &def, &ball) == one) fail_msg("%s: the seed changes nothing", looks[k]);
    }
    free_ball(&ball);
}

// ---- frames, and what is wrong

static void test_frame(void **state)
{
    OndFrame frame = {
        .dimension = 3, .spacing = 0.1, .domain = {{0, 0, 0}, {1, 1, 1}}, .owned = true};
    ond_fields_add(&frame.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&frame.particles, 64, NULL), OND_OK);
    const OndRenderDef def = make_def("water");
    OndError err = {0};
    OndImage image = {0};
    OndRenderer *r = ond_render_create(&def, &err);
    assert_non_null(r);
    if (ond_render_frame(r, &frame, &image, &err) != OND_OK) // nothing has been poured yet
        fail_msg("%s", err.text);
    const int empty = image.rgb[3 * (20 * 96 + 48)];
    for (int i = 0; i < 64; ++i, ++frame.particles.count)
        for (int k = 0; k < 3; ++k)
            ((float *)frame.particles.field[0].data[k])[i] =
                0.35f + 0.1f * (float)(i >> (2 * k) & 3);
    if (ond_render_frame(r, &frame, &image, &err) != OND_OK) fail_msg("%s", err.text);
    assert_true(abs(image.rgb[3 * (27 * 96 + 48)] - empty) > 3);
    assert_true(ond_render_times(r).mesh > 0.0);
    ond_image_free(&image);
    ond_render_destroy(r);
    ond_frame_free(&frame);
}

// Ice in water is seen; without its own surface it would be one body.
static void test_ice_in_water(void **state)
{
    enum { SIDE = 12 };
    OndFrame frame = {.dimension = 3, .spacing = 0.1, .domain = {{0, 0, 0}, {1.2, 1.2, 1.2}}};
    frame.owned = true;
    ond_fields_add(&frame.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    ond_fields_add(&frame.particles, "rigidity", "", OND_F32, 1, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&frame.particles, SIDE * SIDE * SIDE, NULL), OND_OK);
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i, ++frame.particles.count)
        for (int k = 0, at = i; k < 3; ++k, at /= SIDE)
            ((float *)frame.particles.field[0].data[k])[i] = 0.05f + 0.1f * (float)(at % SIDE);
    OndRenderDef def = make_def("water");
    OndImage plain = {0}, iced = {0};
    OndError err = {0};
    OndRenderer *r = ond_render_create(&def, &err);
    assert_non_null(r);
    assert_int_equal(ond_render_frame(r, &frame, &plain, &err), OND_OK);
    const float *x = frame.particles.field[0].data[0], *y = frame.particles.field[0].data[1],
                *z = frame.particles.field[0].data[2];
    for (int i = 0; i < frame.particles.count; ++i) {
        const bool within =
            fabsf(x[i] - 0.6f) < 0.3f && fabsf(y[i] - 0.6f) < 0.3f && fabsf(z[i] - 0.6f) < 0.3f;
        ((float *)frame.particles.field[1].data[0])[i] = within ? 1.0f : 0.0f;
    }
    if (ond_render_frame(r, &frame, &iced, &err) != OND_OK) fail_msg("%s", err.text);
    int middle = 0, corner = 0;
    for (int k = 0; k < 3; ++k) {
        middle += abs(plain.rgb[3 * (27 * 96 + 48) + k] - iced.rgb[3 * (27 * 96 + 48) + k]);
        corner += abs(plain.rgb[3 * (2 * 96 + 2) + k] - iced.rgb[3 * (2 * 96 + 2) + k]);
    }
    assert_true(middle > 15);
    assert_true(corner <= 3);
    ond_image_free(&plain);
    ond_image_free(&iced);
    ond_render_destroy(r);
    ond_frame_free(&frame);
}

static void test_broken_surfaces(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    const OndRenderDef def = make_def("water");
    float *normal = ball.normal;
    ball.normal = NULL; // none: those of the triangles
    OndLinear p = draw(&def, &ball, NULL);
    ond_linear_free(&p);
    ball.normal = normal;
    for (int i = 0; i < CORNERS; i += 3) {
        ball.mesh.corner[3 * i] = i % 2 ? NAN : INFINITY;
        ball.normal[3 * i + 1] = NAN;
        ((float *)ond_fields_find(&ball.attributes, "temperature")->data[0])[i] = NAN;
    }
    for (int i = 0; i < TRIANGLES; i += 5)
        ball.mesh.triangle[3 * i] = 4000000000u;
    ball.domain = (OndBox){{0, 0, 0}, {0, 0, 0}};
    p = draw(&def, &ball, NULL);
    for (int i = 0; i < 3 * p.width * p.height; ++i)
        assert_true(p.rgb[i] >= 0.0f && p.rgb[i] < 100.0f);
    ond_linear_free(&p);
    free_ball(&ball);
}

static void test_bad_defs(void **state)
{
    static const struct {
        const char *name;
        int quality;
        double shutter, lens, focus;
        int looks;
        const char *says;
    } cases[] = {
        {"quality", 7, 0, 0, 0, 0, "quality number 7"}, {"shutter", 0, -1, 0, 0, 0, "shutter"},
        {"shutter nan", 0, NAN, 0, 0, 0, "shutter"},    {"lens", 0, 0, 0.01, 0, 0, "f-number 0.01"},
        {"lens nan", 0, 0, NAN, 0, 0, "f-number"},      {"focus", 0, 0, 0, -2, 0, "focus at -2"},
        {"looks", 0, 0, 0, 0, 999, "999 materials"},    {"good", 0, 0, 0, 0, 1, NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndRenderDef def = make_def("water");
        OndError err = {0};
        def.quality = (OndQuality)cases[c].quality;
        def.shutter = cases[c].shutter, def.lens = cases[c].lens, def.focus = cases[c].focus;
        def.look_count = cases[c].looks;
        OndRenderer *r = ond_render_create(&def, &err);
        if ((r == NULL) != (cases[c].says != NULL)) fail_msg("%s: %s", cases[c].name, err.text);
        if (cases[c].says) CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        ond_render_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials),       cmocka_unit_test(test_looks_of_materials),
        cmocka_unit_test(test_qualities),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_frame),           cmocka_unit_test(test_ice_in_water),
        cmocka_unit_test(test_broken_surfaces), cmocka_unit_test(test_bad_defs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
