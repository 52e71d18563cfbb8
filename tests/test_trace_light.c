// SPDX-License-Identifier: MIT
// Pictures of surfaces: light, shadow, blur and colours are where they should be.
// ctest: isa
#include "trace_ball.h"

#include "render/setup.h"

// ---- light

// A ball of water gathers the light that a ball of wax keeps off the ground.
static void test_shadow(void **state)
{
    OndSurface ball = make_ball(1.0, 0.2);
    for (int i = 0; i < CORNERS; ++i)
        ball.mesh.corner[3 * i + 1] += 0.15f;
    OndRenderDef def = make_def("water");
    def.fit = false, def.fov = 15;
    def.quality = OND_QUALITY_GOOD; // which sees the spot sharply
    def.camera_from = ond_vec(1, 6, 0.5), def.camera_to = ond_vec(1, 0, 0.5);
    const OndSurface nothing = {.dimension = 3, .spacing = 0.02, .domain = ball.domain};
    OndLinear open = draw(&def, &nothing, NULL), water = draw(&def, &ball, NULL);
    def.looks[0] = (uint8_t)ond_look_find("wax");
    OndLinear wax = draw(&def, &ball, NULL);
    double darkest = 1.0, brightest = 0.0;
    int shaded = 0;
    for (int i = 0; i < 96 * 54; ++i) {
        if (fabsf(wax.depth[i] - open.depth[i]) > 0.02f) continue; // the ball itself
        darkest = fmin(darkest, wax.rgb[3 * i] / open.rgb[3 * i]);
        shaded += wax.rgb[3 * i] < 0.7f * open.rgb[3 * i];
        brightest = fmax(brightest, water.rgb[3 * i] / open.rgb[3 * i]);
    }
    assert_true(darkest < 0.5);
    assert_in_range(shaded, 130, 160); // 143, all of the ball's shadow
    assert_true(brightest > 1.3);
    ond_linear_free(&open);
    ond_linear_free(&water);
    ond_linear_free(&wax);
    free_ball(&ball);
}

// The ground near something that glows is red.
static void test_glow_on_ground(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    OndRenderDef def = make_def("lava");
    OndLinear hot = draw(&def, &ball, NULL);
    for (int i = 0; i < CORNERS; ++i)
        ((float *)ond_fields_find(&ball.attributes, "temperature")->data[0])[i] = 20.0f;
    OndLinear cold = draw(&def, &ball, NULL);
    assert_true(mean(&hot, 0) > 1.5f * mean(&cold, 0));
    const float red = mean_of(&hot, 40, 46, 56, 50, 0) / mean_of(&cold, 40, 46, 56, 50, 0),
                blue = mean_of(&hot, 40, 46, 56, 50, 2) / mean_of(&cold, 40, 46, 56, 50, 2);
    assert_true(red > 1.1f && red > 1.05f * blue);
    ond_linear_free(&hot);
    ond_linear_free(&cold);
    free_ball(&ball);
}

// A deeper body of water takes more red than blue.
static void test_tint(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    OndRenderDef water = make_def("water"), glass = make_def("glass");
    OndLinear a = draw(&water, &ball, NULL), b = draw(&glass, &ball, NULL);
    const float in_water = mean_of(&a, 44, 24, 52, 32, 0) / mean_of(&a, 44, 24, 52, 32, 2),
                in_glass = mean_of(&b, 44, 24, 52, 32, 0) / mean_of(&b, 44, 24, 52, 32, 2);
    assert_true(in_water < 0.8f * in_glass);
    ond_linear_free(&a);
    ond_linear_free(&b);
    free_ball(&ball);
}

// ---- blur

// How wide the step from ball to background is, along the row through its middle: pixels that are
// neither.
static int edge_width(const OndLinear *sharp, const OndLinear *blurred)
{
    int count = 0;
    for (int x = 0; x < sharp->width; ++x) {
        const int i = 3 * (27 * sharp->width + x);
        count += fabsf(sharp->rgb[i] - blurred->rgb[i]) > 0.02f;
    }
    return count;
}

static void test_motion_blur(void **state)
{
    OndSurface ball = make_ball(1.0, 0.4);
    OndRenderDef def = make_def("chocolate");
    OndLinear still = draw(&def, &ball, NULL);
    def.shutter = 0.04;
    OndLinear slow = draw(&def, &ball, NULL);
    set_speed(&ball, 5.0f);
    OndLinear fast = draw(&def, &ball, NULL);
    assert_true(edge_width(&still, &slow) <= 4); // no speed, no blur
    assert_true(edge_width(&still, &fast) >= 8);
    set_speed(&ball, NAN);
    OndLinear broken = draw(&def, &ball, NULL);
    assert_true(edge_width(&still, &broken) <= 4);
    ond_linear_free(&still);
    ond_linear_free(&slow);
    ond_linear_free(&fast);
    ond_linear_free(&broken);
    free_ball(&ball);
}

static void test_depth_of_field(void **state)
{
    OndSurface ball = make_ball(1.0, 0.4);
    OndRenderDef def = make_def("chocolate");
    def.fit = false, def.camera_from = ond_vec(1, 0.6, 3), def.camera_to = ond_vec(1, 0.45, 0.5);
    OndLinear sharp = draw(&def, &ball, NULL);
    def.lens = 0.2;
    OndLinear focused = draw(&def, &ball, NULL);
    def.focus = 0.8;
    OndLinear away = draw(&def, &ball, NULL);
    assert_true(edge_width(&sharp, &away) > 2 * edge_width(&sharp, &focused) + 4);
    ond_linear_free(&sharp);
    ond_linear_free(&focused);
    ond_linear_free(&away);
    free_ball(&ball);
}

// ---- colours

static void test_paint(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    OndRenderDef def = make_def("water");
    def.paint = true;
    def.colour = OND_COLOUR_TEMPERATURE;
    OndLinear p = draw(&def, &ball, NULL);
    // cold above: dark; hot below: pale
    assert_true(mean_of(&p, 46, 30, 50, 34, 1) > 1.5f * mean_of(&p, 46, 16, 50, 20, 1));
    ond_linear_free(&p);
    def.colour = OND_COLOUR_DENSITY;
    OndError err = {0};
    OndImage image = {0};
    OndRenderer *r = ond_render_create(&def, &err);
    assert_non_null(r);
    assert_int_equal(ond_render_surface(r, &ball, NULL, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "density", "a field that is not there");
    ond_image_free(&image);
    ond_render_destroy(r);
    free_ball(&ball);
}

// ---- the air, and rows

// Draws with the tracer itself; free with ond_linear_free.
static OndLinear trace(const OndRenderDef *def, const OndSurface *s, const OndMedium *air, int rows)
{
    OndError err = {0};
    OndF3 corner[8];
    OndStage *old = OND_NEW(OndStage);
    OndRenderTimes times = {0};
    OndImage image = {0};
    OndLinear p = {0};
    assert_int_equal(ond_image_resize(&image, def->width, def->height, &err), OND_OK);
    assert_int_equal(ond_linear_resize(&p, def->width, def->height, &err), OND_OK);
    OndTraceShot shot = {.def = def,
                         .surface = s,
                         .device = rtcNewDevice("threads=1"),
                         .place = ond_setup_place(s->domain),
                         .corner = corner,
                         .range_max = 1,
                         .air = air,
                         .linear = &p,
                         .most_rows = rows,
                         .times = &times};
    ond_setup_corners(s->domain, &shot.place, corner);
    OndTracer *tracer = ond_tracer_create(def, &err);
    assert_non_null(tracer);
    assert_int_equal(ond_tracer_draw(tracer, &shot, old, &image, &err), OND_OK);
    ond_tracer_destroy(tracer);
    rtcReleaseDevice(shot.device);
    ond_image_free(&image);
    ond_free(old);
    return p;
}

static OndF3 fog(const OndMedium *medium, const OndRay *ray, float length, float chance,
                 OndF3 *through)
{
    const float clear = expf(-*(const float *)medium->own * fminf(length, 10.0f));
    *through = ond_f3(clear, clear, clear);
    return ond_f3_scale(ond_f3(0.0f, 1.0f, 0.0f), 1.0f - clear);
}

// What is in the air lies over everything that is seen through it.
static void test_air(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    const OndRenderDef def = make_def("wax");
    float thick = 3.0f;
    const OndMedium air = {.cross = fog, .own = &thick};
    OndLinear p = trace(&def, &ball, &air, 0);
    CHECK_NEAR(mean(&p, 1), 1.0, 0.05, "the fog's own light");
    assert_true(mean(&p, 0) < 0.05f);
    ond_linear_free(&p);
    free_ball(&ball);
}

// A picture that is made some rows at a time is the same picture.
static void test_rows(void **state)
{
    OndSurface ball = make_ball(1.0, 0.45);
    OndRenderDef def = make_def("wax");
    def.width = 40, def.height = 150;
    OndLinear whole = trace(&def, &ball, NULL, 0);
    const int rows[] = {1, 37, 64};
    for (int k = 0; k < OND_COUNT(rows); ++k) {
        OndLinear parts = trace(&def, &ball, NULL, rows[k]);
        assert_memory_equal(parts.rgb, whole.rgb, 40 * 150 * 12);
        assert_memory_equal(parts.depth, whole.depth, 40 * 150 * 4);
        ond_linear_free(&parts);
    }
    ond_linear_free(&whole);
    free_ball(&ball);
}

// ---- the edges of the domain

static bool is_inside(const OndLinear *with, const OndLinear *without, int x, int y)
{
    for (int j = y - 1; j <= y + 1; ++j)
        for (int i = x - 1; i <= x + 1; ++i) {
            const int at = j * with->width + i;
            if (!(with->depth[at] < without->depth[at] - 0.02f)) return false;
        }
    return true;
}

// Pixels well within a ball on which edges of the domain show.
static int count_edges(const char *look)
{
    OndSurface ball = make_ball(1.0, 0.45), none = make_ball(1.0, 0.001);
    OndRenderDef def = make_def(look);
    def.width = 192, def.height = 108;
    OndLinear plain = draw(&def, &ball, NULL), empty = draw(&def, &none, NULL);
    def.box = true;
    OndLinear edges = draw(&def, &ball, NULL);
    int count = 0;
    for (int y = 1; y < def.height - 1; ++y)
        for (int x = 1; x < def.width - 1; ++x)
            if (is_inside(&plain, &empty, x, y))
                count += plain.rgb[3 * (y * def.width + x)] != edges.rgb[3 * (y * def.width + x)];
    ond_linear_free(&plain);
    ond_linear_free(&empty);
    ond_linear_free(&edges);
    free_ball(&ball);
    free_ball(&none);
    return count;
}

// Light goes through what is thinner than wax is deep: a small ball is no darker than a large one.
static float redness(double radius)
{
    OndSurface ball = make_ball(1.0, radius), none = make_ball(1.0, 0.001);
    OndRenderDef def = make_def("wax");
    def.width = 384, def.height = 216;
    OndLinear with = draw(&def, &ball, NULL), without = draw(&def, &none, NULL);
    double sum = 0.0, count = 0.0;
    for (int y = 1; y < def.height - 1; ++y)
        for (int x = 1; x < def.width - 1; ++x)
            if (is_inside(&with, &without, x, y)) {
                sum += with.rgb[3 * (y * def.width + x)];
                count += 1.0;
            }
    ond_linear_free(&with);
    ond_linear_free(&without);
    free_ball(&ball);
    free_ball(&none);
    return (float)(sum / count);
}

static void test_thin_wax(void **state)
{
    (void)state;
    const float large = redness(0.45), small = redness(0.03);
    if (!(small > large)) fail_msg("red is %g of a large ball of wax, %g of a small", large, small);
}

static void test_edges_behind(void **state)
{
    (void)state;
    const int wax = count_edges("wax"), water = count_edges("water");
    if (water < wax + 20) // those before the ball show on both
        fail_msg("edges on %d pixels of wax, on %d of water", wax, water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_glow_on_ground),
        cmocka_unit_test(test_tint),
        cmocka_unit_test(test_motion_blur),
        cmocka_unit_test(test_depth_of_field),
        cmocka_unit_test(test_paint),
        cmocka_unit_test(test_air),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_thin_wax),
        cmocka_unit_test(test_edges_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
