// SPDX-License-Identifier: MIT
// Pictures: what is where, the same bits for any number of threads, and no input that breaks them.
// ctest: isa
#include "check.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/overlay.h"
#include "render/render.h"
#include "render/setup.h"
#include "render/text.h"

#include <stdlib.h>

static const OndBox no_box;

static OndFrame make_frame(int dimension, int room)
{
    OndFrame frame = {.dimension = dimension, .spacing = 0.5, .time = 1.25, .owned = true};
    frame.domain = (OndBox){{-1, -1, -1}, {1, 1, 1}};
    assert_true(ond_fields_add(&frame.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME) >=
                0);
    assert_true(ond_fields_add(&frame.particles, "velocity", "m/s", OND_F32, 3, OND_FIELD_FRAME) >=
                0);
    assert_int_equal(ond_fields_reserve(&frame.particles, room > 0 ? room : 1, NULL), OND_OK);
    return frame;
}

static void put(OndFrame *frame, float x, float y, float z, float speed)
{
    const int i = frame->particles.count++;
    const float p[3] = {x, y, z}, v[3] = {speed, 0, 0};
    for (int k = 0; k < 3; ++k) {
        ((float *)ond_fields_find(&frame->particles, "position")->data[k])[i] = p[k];
        ((float *)ond_fields_find(&frame->particles, "velocity")->data[k])[i] = v[k];
    }
}

static OndFrame cloud_frame(int dimension, int count)
{
    OndFrame frame = make_frame(dimension, count + 64);
    frame.spacing = 0.08;
    for (int i = 0; i < count; ++i) {
        const float x = 2 * ond_random((uint64_t)i, 1) - 1,
                    y = 1.2f * ond_random((uint64_t)i, 2) - 1;
        put(&frame, x, y, dimension == 2 ? 0 : 2 * ond_random((uint64_t)i, 3) - 1,
            3 * ond_random((uint64_t)i, 4));
    }
    return frame;
}

static OndRenderDef bare_def(int width, int height)
{
    OndRenderDef def = ond_render_default_def();
    def.width = width, def.height = height;
    def.colour = OND_COLOUR_PLAIN;
    def.box = def.legend = def.time = false;
    return def;
}

static OndImage draw(const OndRenderDef *def, const OndFrame *frame)
{
    OndError err = {0};
    OndImage image = {0};
    OndRenderer *renderer = ond_render_create(def, &err);
    if (!renderer) fail_msg("no renderer: %s", err.text);
    if (ond_render_frame(renderer, frame, &image, &err) != OND_OK)
        fail_msg("no picture: %s", err.text);
    ond_render_destroy(renderer);
    return image;
}

static const uint8_t *pixel(const OndImage *image, int x, int y)
{
    return image->rgb + 3 * (y * image->width + x);
}

static int brightness(const OndImage *image, int x, int y)
{
    const uint8_t *p = pixel(image, x, y);
    return p[0] + p[1] + p[2];
}

static int blueness(const OndImage *image, int x, int y)
{
    return pixel(image, x, y)[2] - pixel(image, x, y)[0];
}

static uint64_t hash_of(const OndImage *image)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < 3 * (size_t)image->width * (size_t)image->height; ++i)
        hash = (hash ^ image->rgb[i]) * 1099511628211u;
    return hash;
}

static void test_sphere_stands_in_the_middle(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        OndRenderDef def = bare_def(240, 160);
        def.fit = false;
        def.camera_from = ond_vec(0, 0, 6);
        OndFrame empty = make_frame(dimension, 0), one = make_frame(dimension, 1);
        put(&one, 0, 0, 0, 0);
        OndImage without = draw(&def, &empty), with = draw(&def, &one);
        const uint8_t *middle = pixel(&with, 120, 80);
        assert_true(middle[2] > middle[0] + 60); // blue
        const uint8_t *before = pixel(&without, 120, 80);
        assert_true(before[2] < before[0] + 60);
        for (int corner = 0; corner < 4; ++corner) {
            const int x = corner & 1 ? 239 : 0, y = corner & 2 ? 159 : 0;
            assert_memory_equal(pixel(&with, x, y), pixel(&without, x, y), 3);
        }
        // it ends where it should: its diameter over the height of the view at its distance
        int covered = 0;
        for (int x = 0; x < 240; ++x)
            covered += blueness(&with, x, 80) - blueness(&without, x, 80) > 12; // not its shadow
        const double height = 2 * 6 * tan(14 * 3.14159265358979 / 180);
        const double wide = 0.5 * (dimension == 2 ? 1.25 : 1.12) / height * 160;
        CHECK_NEAR(covered, wide, 0.12 * wide,
                   dimension == 2 ? "disc width, 2D" : "sphere width, 3D");
        ond_image_free(&with), ond_image_free(&without);
        ond_frame_free(&empty), ond_frame_free(&one);
    }
}

// Of two grains that change their places in the file, each keeps its tone; both are like sand.
static void test_grains_keep_their_tones(void **state)
{
    OndRenderDef def = bare_def(240, 160);
    def.fit = false, def.grains = true, def.colour = OND_COLOUR_PLAIN;
    def.camera_from = ond_vec(0, 0, 6);
    def.range_min = 5, def.range_max = 9; // of no use here
    int tone[2][2];
    for (int turned = 0; turned < 2; ++turned) {
        OndFrame frame = make_frame(3, 2);
        const int id = ond_fields_add(&frame.particles, "id", "", OND_U32, 1, OND_FIELD_FRAME);
        put(&frame, turned ? 0.5f : -0.5f, 0, 0, 0);
        put(&frame, turned ? -0.5f : 0.5f, 0, 0, 0);
        uint32_t *const number = frame.particles.field[id].data[0];
        number[0] = turned ? 8 : 3, number[1] = turned ? 3 : 8;
        OndImage image = draw(&def, &frame);
        for (int k = 0; k < 2; ++k) {
            const int x = k ? 147 : 93;
            tone[turned][k] = brightness(&image, x, 80);
            CHECK_NEAR(blueness(&image, x, 80) < -30, 1, 0, "sand is not blue");
        }
        ond_image_free(&image);
        ond_frame_free(&frame);
    }
    assert_true(abs(tone[0][0] - tone[0][1]) > 10);
    CHECK_NEAR(tone[1][0], tone[0][0], 0, "number 3");
    CHECK_NEAR(tone[1][1], tone[0][1], 0, "number 8");
}

static void test_light(void **state)
{
    OndRenderDef def = bare_def(240, 160);
    def.fit = false;
    def.camera_from = ond_vec(0, 2.2, 6), def.camera_to = ond_vec(0, -0.5, 0);
    OndFrame empty = make_frame(3, 0), one = make_frame(3, 1);
    one.spacing = 1.0;
    put(&one, 0, -0.45f, 0, 0);
    OndImage without = draw(&def, &empty), with = draw(&def, &one);
    int darker = 0, left = 0, right = 0;
    for (int y = 0; y < 160; ++y)
        for (int x = 0; x < 240; ++x) {
            const uint8_t *p = pixel(&with, x, y);
            const bool blue = p[2] > p[0] + 40;
            if (blue)
                (x < 120 ? (left += brightness(&with, x, y)) : (right += brightness(&with, x, y)));
            else
                darker += brightness(&with, x, y) < brightness(&without, x, y) - 30;
        }
    if (darker < 100) fail_msg("the sphere casts no shadow: only %d pixels are darker", darker);
    if (left < right * 11 / 10)
        fail_msg("the key light comes from the left, but %d against %d", left, right);
    ond_image_free(&with), ond_image_free(&without);
    ond_frame_free(&empty), ond_frame_free(&one);
}

static void test_lines_are_hidden_by_particles(void **state)
{
    OndRenderDef def = bare_def(200, 200);
    OndFrame frame = make_frame(3, 1);
    def.fit = false;
    def.camera_from = ond_vec(0, 0, 9), def.camera_to = ond_vec(0, 0, 0);
    def.radius = 0.5;
    put(&frame, -1, 0, 0.2f, 0); // before the far left edge of the box, behind the near one
    OndImage plain = draw(&def, &frame);
    def.box = true;
    OndImage lined = draw(&def, &frame);
    int drawn = 0, over = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
            const bool changed = memcmp(pixel(&plain, x, y), pixel(&lined, x, y), 3) != 0;
            drawn += changed;
            over += changed && y == 100 && x < 100;
        }
    assert_true(drawn > 400);
    // at half height the left near edge is seen, the left far edge is behind the sphere
    if (over < 1 || over > 3)
        fail_msg("%d pixels of lines left of the middle, want one thin line", over);
    ond_image_free(&plain), ond_image_free(&lined);
    ond_frame_free(&frame);
}

static void test_same_bits_for_any_threads(void **state)
{
    for (int dimension = 2; dimension <= 3; ++dimension) {
        OndFrame frame = cloud_frame(dimension, 3000);
        // coincident particles: who wins must not depend on threads
        for (int twin = 0; twin < 50; ++twin)
            put(&frame, 0.1f, -0.2f, 0, (float)twin * 0.06f);
        OndRenderDef def = ond_render_default_def();
        def.width = 333, def.height = 187, def.title = "Same bits";
        uint64_t first = 0;
        const int threads[] = {1, 2, 4, 3, 1};
        for (int t = 0; t < OND_COUNT(threads); ++t) {
            ond_threads_set(threads[t]);
            OndImage image = draw(&def, &frame);
            if (t == 0) first = hash_of(&image);
            if (hash_of(&image) != first) fail_msg("%d threads give another picture", threads[t]);
            ond_image_free(&image);
        }
        ond_threads_set(0);
        ond_frame_free(&frame);
    }
}

static void test_bad_particles_are_skipped(void **state)
{
    const OndRenderDef def = bare_def(160, 90);
    OndFrame good = make_frame(3, 8), bad = make_frame(3, 8);
    good.domain = bad.domain = no_box; // the fit must not see them either
    put(&good, 0, 0, 0, 1), put(&good, 1, 1, 1, 2);
    put(&bad, NAN, 0, 0, 0), put(&bad, 0, 0, 0, NAN), put(&bad, 0, INFINITY, 0, 1),
        put(&bad, 1, 1, 1, INFINITY);
    put(&bad, 0, 0, -3e38f, 1);
    OndImage a = draw(&def, &good), b = draw(&def, &bad);
    assert_true(hash_of(&a) == hash_of(&b));
    ond_image_free(&a), ond_image_free(&b);
    ond_frame_free(&good), ond_frame_free(&bad);
}

static void test_odd_pictures(void **state)
{
    static const struct {
        const char *name;
        int width, height, samples, count, dimension;
        double spacing, size;
    } cases[] = {
        {"one pixel", 1, 1, 4, 50, 3, 0.1, 1},      {"widest", 16384, 3, 1, 50, 3, 0.1, 1},
        {"one row", 400, 1, 3, 50, 3, 0.1, 1},      {"one column", 1, 400, 5, 50, 2, 0.1, 1},
        {"one sample", 33, 17, 1, 50, 3, 0.1, 1},   {"several bands", 700, 300, 64, 20, 3, 0.1, 1},
        {"no particles", 64, 64, 4, 0, 3, 0.1, 1},  {"no spacing", 64, 64, 4, 50, 3, 0, 1},
        {"a single point", 64, 64, 4, 1, 3, 0, 0},  {"tiny", 64, 64, 4, 50, 3, 1e-7, 1e-6},
        {"huge", 64, 64, 4, 50, 2, 1e5, 1e6},       {"tiny spheres", 64, 64, 4, 50, 3, 1e-12, 1},
        {"huge spheres", 64, 64, 4, 50, 3, 100, 1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int domain = 0; domain < 2; ++domain) {
            OndFrame frame = cloud_frame(cases[c].dimension, cases[c].count);
            const double s = cases[c].size;
            frame.spacing = cases[c].spacing;
            frame.domain = domain ? (OndBox){{-s, -s, -s}, {s, s, s}} : no_box;
            for (int k = 0; k < 3; ++k)
                for (int i = 0; i < cases[c].count; ++i)
                    ((float *)ond_fields_find(&frame.particles, "position")->data[k])[i] *=
                        (float)s;
            OndRenderDef def = ond_render_default_def();
            def.width = cases[c].width, def.height = cases[c].height,
            def.samples = cases[c].samples;
            OndImage image = draw(&def, &frame);
            CHECK_NEAR(image.width, cases[c].width, 0, cases[c].name);
            ond_image_free(&image);
            ond_frame_free(&frame);
        }
}

static void test_any_camera(void **state)
{
    static const struct {
        OndVec from, to, up;
    } cases[] = {
        {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},   // among the particles
        {{0, 9, 0}, {0, 0, 0}, {0, 1, 0}},   // straight down
        {{0, -9, 0}, {0, 0, 0}, {0, 1, 0}},  // from under the floor
        {{3, 3, 3}, {9, 9, 9}, {0, 1, 0}},   // looking away
        {{5, 0, 0}, {0, 0, 0}, {0, 0, 1}},   // z upwards
        {{1e9, 0, 0}, {0, 0, 0}, {0, 1, 0}}, // from very far
        {{1e12, 0, 1e12}, {-1e12, 1e12, 0}, {0, 1, 0}},
    };
    OndFrame frame = cloud_frame(3, 200);
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int way = 0; way < 4; ++way) {
            OndRenderDef def = ond_render_default_def();
            def.width = 90, def.height = 60, def.fit = way & 1;
            frame.dimension = way & 2 ? 2 : 3;
            def.camera_from = cases[c].from, def.camera_to = cases[c].to, def.up = cases[c].up;
            OndImage image = draw(&def, &frame);
            ond_image_free(&image);
        }
    ond_frame_free(&frame);
}

static void test_camera_stands_still(void **state)
{
    const OndRenderDef def = bare_def(160, 90);
    OndFrame first = make_frame(3, 2), later = make_frame(3, 3);
    first.domain = later.domain = no_box;
    put(&first, 0, 0, 0, 0), put(&first, 2, 0, 0, 0);
    put(&later, 0, 0, 0, 0), put(&later, 2, 0, 0, 0), put(&later, 40, 0, 0, 0);
    OndRenderer *renderer = ond_render_create(&def, NULL);
    OndImage before = {0}, after = {0};
    assert_int_equal(ond_render_frame(renderer, &first, &before, NULL), OND_OK);
    assert_int_equal(ond_render_frame(renderer, &later, &after, NULL), OND_OK);
    ond_render_destroy(renderer);
    int blue = 0, moved = 0;
    for (int x = 0; x < 80; ++x) { // the left half, far from the newcomer
        blue += blueness(&before, x, 45) > 60;
        moved += abs(blueness(&before, x, 45) - blueness(&after, x, 45)) > 30;
    }
    assert_true(blue > 5);
    CHECK_NEAR(moved, 0, 0, "pixels of the old spheres that moved");
    ond_image_free(&before), ond_image_free(&after);
    ond_frame_free(&first), ond_frame_free(&later);
}

static void test_bad_defs(void **state)
{
    OndRenderDef cases[14];
    for (int i = 0; i < OND_COUNT(cases); ++i)
        cases[i] = ond_render_default_def();
    const char *says[OND_COUNT(cases)] = {
        "was not made",     "0 x 720",      "1280 x 16385",   "0 samples",   "65 samples",
        "choice number 99", "from 3 to 2",  "from nan",       "-1 m",        "0 degrees",
        "stands where",     "up direction", "beyond 1e+12 m", "not a number"};
    cases[0].cookie = 0;
    cases[1].width = 0;
    cases[2].height = 16385;
    cases[3].samples = 0;
    cases[4].samples = 65;
    cases[5].colour = (OndColour)99;
    cases[6].range_min = 3, cases[6].range_max = 2;
    cases[7].range_min = NAN;
    cases[8].radius = -1;
    cases[9].fov = 0;
    cases[10].fit = false;
    cases[11].up = ond_vec(0, 0, 0);
    cases[12].camera_from = ond_vec(0, 1e30, 0);
    cases[13].camera_to = ond_vec(NAN, 0, 0);
    for (int i = 0; i < OND_COUNT(cases); ++i) {
        OndError err = {0};
        assert_null(ond_render_create(&cases[i], &err));
        assert_int_equal(err.status, OND_BAD_VALUE);
        CHECK_SAYS(err.text, says[i], "bad definition");
    }
}

static void test_missing_fields(void **state)
{
    OndFrame frame = make_frame(3, 1);
    put(&frame, 0, 0, 0, 0);
    OndRenderDef def = bare_def(32, 32);
    def.colour = OND_COLOUR_TEMPERATURE;
    OndError err = {0};
    OndImage image = {0};
    OndRenderer *renderer = ond_render_create(&def, &err);
    assert_non_null(renderer);
    assert_int_equal(ond_render_frame(renderer, &frame, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no field 'temperature'", "missing temperature");
    ond_render_destroy(renderer);

    OndFrame nothing = {.dimension = 3};
    nothing.particles.count = 5;
    def.colour = OND_COLOUR_PLAIN;
    renderer = ond_render_create(&def, &err);
    assert_int_equal(ond_render_frame(renderer, &nothing, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no field 'position'", "missing position");
    ond_render_destroy(renderer);
    ond_image_free(&image);
    ond_frame_free(&frame);
}

static void test_range_leaves_out_stray_values(void **state)
{
    OndFrame frame = make_frame(3, 1000);
    for (int i = 0; i < 1000; ++i)
        put(&frame, 0, 0, 0, i == 7 ? 500 : i == 8 ? NAN : 2.0f * (float)i / 1000);
    double min = INFINITY, max = -INFINITY;
    assert_true(ond_render_range(&frame, OND_COLOUR_SPEED, &min, &max));
    CHECK_NEAR(min, 0, 0, "lowest speed");
    CHECK_NEAR(max, 2, 0.5, "highest speed without the stray one");
    double wide_min = -1, wide_max = 40;
    ond_render_range(&frame, OND_COLOUR_SPEED, &wide_min, &wide_max);
    CHECK_NEAR(wide_min, -1, 0, "a range only grows");
    CHECK_NEAR(wide_max, 40, 0, "a range only grows");
    assert_false(ond_render_range(&frame, OND_COLOUR_DENSITY, &min, &max));
    ond_frame_free(&frame);
}

// Rigidity is a dial: its colours mean the same in every scene.
static void test_range_of_rigidity_is_whole(void **state)
{
    OndFrame frame = {.dimension = 3, .owned = true};
    ond_fields_add(&frame.particles, "rigidity", "", OND_F32, 1, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&frame.particles, 3, NULL), OND_OK);
    frame.particles.count = 3;
    for (int i = 0; i < 3; ++i)
        ((float *)frame.particles.field[0].data[0])[i] = 0.4f + 0.1f * (float)i;
    double min = INFINITY, max = -INFINITY;
    assert_true(ond_render_range(&frame, OND_COLOUR_RIGIDITY, &min, &max));
    CHECK_NEAR(min, 0, 0, "liquid end");
    CHECK_NEAR(max, 1, 0, "solid end");
    ond_frame_free(&frame);
}

// Lightness in OKLab of a linear colour: what "even" is measured by.
static double lightness(OndF3 c)
{
    const double l = cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z);
    const double m = cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z);
    const double s = cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

static void test_palettes_are_even(void **state)
{
    const OndPalette all[] = {OND_PALETTE_WATER, OND_PALETTE_LAGOON, OND_PALETTE_HEAT,
                              OND_PALETTE_DEPTH, OND_PALETTE_FROST,  OND_PALETTE_SAND};
    for (int p = 0; p < OND_COUNT(all); ++p) {
        OndF3 map[OND_COLOUR_STEPS];
        ond_colour_map(all[p], map);
        const double low = lightness(map[0]), step = (lightness(map[255]) - low) / 255;
        assert_true(step > (all[p] == OND_PALETTE_SAND ? 0.2 : 0.45) / 255); // tones, no values
        for (int i = 0; i < OND_COLOUR_STEPS; ++i)
            CHECK_NEAR(lightness(map[i]), low + step * i, 0.035, "lightness rises evenly");
    }
}

static void test_ticks(void **state)
{
    static const struct {
        double min, max;
        int count;
        double first, step;
    } cases[] = {
        {0, 4, 5, 0, 1},     {0, 2.5, 6, 0, 0.5},    {273.15, 373.15, 5, 280, 20},
        {-1, 1, 5, -1, 0.5}, {0, 1e-9, 6, 0, 2e-10}, {0, 1e30, 6, 0, 2e29},
        {1, 1, 0, 0, 0},     {2, 1, 0, 0, 0},        {0, INFINITY, 0, 0, 0},
        {NAN, 1, 0, 0, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        double tick[16], step;
        const int count = ond_overlay_ticks(cases[c].min, cases[c].max, 5, tick, &step);
        CHECK_NEAR(count, cases[c].count, 0, "number of ticks");
        if (count > 0) CHECK_NEAR(tick[0], cases[c].first, 1e-12, "first tick");
        CHECK_NEAR(step, cases[c].step, 1e-9 * cases[c].step, "step");
    }
    double min = 0.03, max = 2.41;
    ond_overlay_round(&min, &max);
    CHECK_NEAR(min, 0, 0, "rounded down");
    CHECK_NEAR(max, 2.5, 1e-12, "rounded up");
}

static void test_fit_shows_everything(void **state)
{
    OndF3 corner[8];
    for (int i = 0; i < 8; ++i)
        corner[i] = ond_f3(i & 1 ? 0.9f : -0.9f, i & 2 ? 0.4f : -0.4f, i & 4 ? 0.2f : -0.2f);
    const int sizes[][2] = {{1280, 720}, {300, 900}, {1000, 100}, {64, 64}};
    for (int s = 0; s < OND_COUNT(sizes); ++s)
        for (int flat = 0; flat < 2; ++flat) {
            const float w = (float)sizes[s][0], h = (float)sizes[s][1];
            OndCamera c = ond_camera_aim(ond_f3(0, 0, 3), ond_f3(-0.3f, -0.3f, -1), ond_f3(0, 1, 0),
                                         sizes[s][0], sizes[s][1]);
            ond_camera_open(&c, 30);
            c.flat = flat;
            ond_camera_fit(&c, corner, 8, 0.9f, 0.8f);
            float fills = 0;
            for (int i = 0; i < 8; ++i) {
                const OndF3 p = ond_camera_project(&c, corner[i]);
                assert_true(p.z > 0);
                const float x = fabsf(2 * p.x / w - 1), y = fabsf(2 * p.y / h - 1);
                if (x > 0.901f || y > 0.801f) fail_msg("%gx%g: corner %d at %g %g", w, h, i, x, y);
                fills = fmaxf(fills, fmaxf(x / 0.9f, y / 0.8f));
                const OndRay ray = ond_camera_ray(&c, p.x, p.y); // and back again
                const OndF3 to = ond_f3_sub(corner[i], ray.origin);
                const float along = ond_f3_dot(to, ray.direction);
                const OndF3 off = ond_f3_step(to, ray.direction, -along);
                CHECK_NEAR(sqrtf(ond_f3_dot(off, off)), 0, 1e-4,
                           "the ray through a point meets it");
            }
            CHECK_NEAR(fills, 1, 0.01, "the view is filled");
        }
}

static void test_nothing_lies_under_the_words(void **state)
{
    const OndBox box = {ond_vec(0, 0, 0), ond_vec(1, 3, 1)};
    const OndPlace place = ond_setup_place(box);
    const int sizes[][2] = {{1280, 720}, {476, 268}, {160, 160}, {300, 900}};
    OndF3 corner[8];
    ond_setup_corners(box, &place, corner);
    CHECK_NEAR(ond_overlay_share(100, 100), 0, 0, "no words on a small picture");
    for (int s = 0; s < OND_COUNT(sizes); ++s)
        for (int flat = 0; flat < 2; ++flat) {
            OndStage stage = {0};
            OndRenderDef def = ond_render_default_def();
            def.width = sizes[s][0], def.height = sizes[s][1];
            ond_setup_camera(&stage, &def, corner, &place, flat);
            const float free = 1.0f - 2.0f * ond_overlay_share(def.width, def.height);
            for (int i = 0; i < 8; ++i) {
                const OndF3 p = ond_camera_project(&stage.camera, corner[i]);
                const float y = fabsf(2 * p.y / (float)def.height - 1);
                if (y > free + 1e-3f) fail_msg("%dx%d: a corner at %g", def.width, def.height, y);
            }
        }
}

static void test_words(void **state)
{
    assert_null(ond_text_open("/no/such/font.ttf"));
    CHECK_NEAR(ond_text_width(NULL, 12, "hello"), 0, 0, "no font, no width");
    OndText *text = ond_text_open(NULL);
    if (!text) skip();
    assert_true(ond_text_width(text, 20, "mm") > ond_text_width(text, 20, "m") * 1.9f);
    OndImage image = {0};
    assert_int_equal(ond_image_resize(&image, 60, 30, NULL), OND_OK);
    const uint8_t white[3] = {255, 255, 255};
    ond_text_draw(text, &image, 5, 22, 20, "H\xc3\xa9\xff\xe2\x82", white, 1); // broken UTF-8
    ond_text_draw(text, &image, -40, -3, 500, "over the edge", white, 1); // larger than the picture
    int lit = 0;
    for (int i = 0; i < 60 * 30; ++i)
        lit += image.rgb[3 * i] > 128;
    assert_true(lit > 50);
    ond_image_free(&image);
    ond_text_close(text);
}

static void test_no_font_is_no_failure(void **state)
{
    OndFrame frame = cloud_frame(3, 20);
    OndRenderDef def = ond_render_default_def();
    def.width = def.height = 200;
    def.font = "/no/such/font.ttf";
    def.title = "Unwritten";
    OndImage image = draw(&def, &frame);
    ond_image_free(&image);
    ond_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_stands_in_the_middle),
        cmocka_unit_test(test_grains_keep_their_tones),
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_lines_are_hidden_by_particles),
        cmocka_unit_test(test_same_bits_for_any_threads),
        cmocka_unit_test(test_bad_particles_are_skipped),
        cmocka_unit_test(test_odd_pictures),
        cmocka_unit_test(test_any_camera),
        cmocka_unit_test(test_camera_stands_still),
        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_missing_fields),
        cmocka_unit_test(test_range_leaves_out_stray_values),
        cmocka_unit_test(test_palettes_are_even),
        cmocka_unit_test(test_range_of_rigidity_is_whole),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_fit_shows_everything),
        cmocka_unit_test(test_nothing_lies_under_the_words),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_no_font_is_no_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
