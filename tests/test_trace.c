// SPDX-License-Identifier: MIT
// Pictures of surfaces: no black or broken pixels in any material, the same bits for any number of
// threads, light where it should be, and no input that breaks them.
#include "check.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "render/setup.h"
#include "render/trace.h"
#include "render/trace_look.h"

#include <stdlib.h>

enum { RINGS = 24, CORNERS = (RINGS + 1) * 2 * RINGS, TRIANGLES = 4 * RINGS * RINGS };

// A ball on the floor of a box, hot below and cold above, solid on its right.
static OndSurface make_ball(double x, double radius)
{
    OndSurface s = {.dimension = 3, .spacing = 0.02, .time = 0.5, .domain = {{0, 0, 0}, {2, 1, 1}}};
    assert_int_equal(ond_mesh_make(&s.mesh, CORNERS, TRIANGLES, NULL), OND_OK);
    s.normal = OND_NEW_ARRAY(float, 3 * CORNERS);
    ond_fields_add(&s.attributes, "velocity", "m/s", OND_F32, 3, 0);
    ond_fields_add(&s.attributes, "temperature", "C", OND_F32, 1, 0);
    ond_fields_add(&s.attributes, "material", "", OND_U32, 1, 0);
    ond_fields_add(&s.attributes, "rigidity", "", OND_F32, 1, 0);
    assert_int_equal(ond_fields_reserve(&s.attributes, CORNERS, NULL), OND_OK);
    s.attributes.count = CORNERS;
    for (int i = 0; i < CORNERS; ++i) {
        const double down = M_PI * (i / (2 * RINGS)) / RINGS,
                     round = M_PI * (i % (2 * RINGS)) / RINGS;
        const double n[3] = {sin(down) * cos(round), cos(down), sin(down) * sin(round)};
        const double middle[3] = {x, radius + 0.05, 0.5};
        for (int k = 0; k < 3; ++k) {
            s.mesh.corner[3 * i + k] = (float)(middle[k] + radius * n[k]);
            s.normal[3 * i + k] = (float)n[k];
        }
        ((float *)s.attributes.field[1].data[0])[i] = (float)(900 - 300 * n[1]);
        ((float *)s.attributes.field[3].data[0])[i] = (float)(0.5 + 0.5 * n[0]);
    }
    for (int j = 0; j < RINGS; ++j)
        for (int i = 0; i < 2 * RINGS; ++i) {
            const uint32_t next = (uint32_t)((i + 1) % (2 * RINGS)),
                           row = (uint32_t)(j * 2 * RINGS);
            const uint32_t a = row + (uint32_t)i, b = row + next, c = a + 2 * RINGS,
                           d = b + 2 * RINGS;
            const uint32_t two[6] = {a, b, c, b, d, c};
            memcpy(s.mesh.triangle + 6 * (j * 2 * RINGS + i), two, sizeof two);
        }
    return s;
}

static void free_ball(OndSurface *s)
{
    ond_mesh_free(&s->mesh);
    ond_free(s->normal);
    ond_fields_free(&s->attributes);
}

static void set_speed(OndSurface *s, float speed)
{
    for (int i = 0; i < s->mesh.corner_count; ++i)
        ((float *)ond_fields_find(&s->attributes, "velocity")->data[0])[i] = speed;
}

static OndRenderDef make_def(const char *look)
{
    OndRenderDef def = ond_render_default_def();
    def.as = OND_AS_SURFACE;
    def.width = 96, def.height = 54;
    def.box = def.legend = def.time = false;
    def.linear = true;
    def.looks[0] = (uint8_t)ond_look_find(look);
    def.look_count = 1;
    return def;
}

// Draws, and hands back the linear picture's copy in `out` (freed by ond_linear_free).
static OndLinear draw(const OndRenderDef *def, const OndSurface *s, OndImage *image)
{
    OndError err = {0};
    OndImage own = {0};
    OndLinear copy = {0};
    OndRenderer *r = ond_render_create(def, &err);
    if (!r) fail_msg("no renderer: %s", err.text);
    if (ond_render_surface(r, s, image ? image : &own, &err) != OND_OK)
        fail_msg("no picture: %s", err.text);
    const OndLinear *from = ond_render_linear(r);
    const size_t pixels = (size_t)def->width * (size_t)def->height;
    assert_int_equal(ond_linear_resize(&copy, def->width, def->height, NULL), OND_OK);
    memcpy(copy.rgb, from->rgb, pixels * 12);
    memcpy(copy.depth, from->depth, pixels * 4);
    ond_render_destroy(r);
    ond_image_free(&own);
    return copy;
}

static float mean_of(const OndLinear *p, int x0, int y0, int x1, int y1, int channel)
{
    double sum = 0.0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            sum += p->rgb[3 * (y * p->width + x) + channel];
    return (float)(sum / ((x1 - x0) * (y1 - y0)));
}

static float mean(const OndLinear *p, int channel)
{
    return mean_of(p, 0, 0, p->width, p->height, channel);
}

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
    for (int i = 0; i < 96 * 54; ++i) {
        if (fabsf(wax.depth[i] - open.depth[i]) > 0.02f) continue; // the ball itself
        darkest = fmin(darkest, wax.rgb[3 * i] / open.rgb[3 * i]);
        brightest = fmax(brightest, water.rgb[3 * i] / open.rgb[3 * i]);
    }
    assert_true(darkest < 0.5);
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
    assert_int_equal(ond_render_surface(r, &ball, &image, &err), OND_BAD_VALUE);
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

// ---- frames, and what is wrong

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
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_looks_of_materials),
        cmocka_unit_test(test_qualities),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_glow_on_ground),
        cmocka_unit_test(test_tint),
        cmocka_unit_test(test_motion_blur),
        cmocka_unit_test(test_depth_of_field),
        cmocka_unit_test(test_paint),
        cmocka_unit_test(test_air),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_edges_behind),
        cmocka_unit_test(test_thin_wax),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_ice_in_water),
        cmocka_unit_test(test_broken_surfaces),
        cmocka_unit_test(test_bad_defs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
