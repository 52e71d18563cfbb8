// SPDX-License-Identifier: MIT
// Spray, foam and bubbles in pictures: white where they are, hidden by what is opaque, the same for
// any number of threads; and nothing else changes.
#include "base/parallel.h"
#include "base/random.h"
#include "method/world.h"
#include "trace_ball.h"

enum { CLOUD = 400 };

// A cloud of droplets round a place.
static OndFrame make_cloud(OndVec at, double size, OndFoamKind kind)
{
    OndFrame frame = {.dimension = 3, .spacing = 0.02};
    OndFields *const f = &frame.foam;
    ond_fields_add(f, "position", "m", OND_F32, 3, 0);
    ond_fields_add(f, "kind", "", OND_U32, 1, 0);
    ond_fields_add(f, "age", "s", OND_F32, 1, 0);
    ond_fields_add(f, "life", "s", OND_F32, 1, 0);
    ond_fields_add(f, "id", "", OND_U32, 1, 0);
    assert_int_equal(ond_fields_reserve(f, CLOUD, NULL), OND_OK);
    for (int i = 0; i < CLOUD; ++i) {
        for (int a = 0; a < 3; ++a)
            ((float *)f->field[0].data[a])[i] =
                (float)(ond_axis(at, a) + size * (ond_random(9, (uint64_t)(3 * i + a)) - 0.5f));
        ((uint32_t *)f->field[1].data[0])[i] = kind;
        ((float *)f->field[2].data[0])[i] = 1.0f;
        ((float *)f->field[3].data[0])[i] = 1.0f;
        ((uint32_t *)f->field[4].data[0])[i] = (uint32_t)i;
    }
    f->count = CLOUD;
    return frame;
}

static OndLinear draw_with(const OndRenderDef *def, const OndSurface *s, const OndFrame *frame)
{
    OndError err = {0};
    OndImage image = {0};
    OndLinear copy = {0};
    OndRenderer *const r = ond_render_create(def, &err);
    if (!r) fail_msg("no renderer: %s", err.text);
    if (ond_render_surface(r, s, frame, &image, &err) != OND_OK) fail_msg("%s", err.text);
    const OndLinear *const from = ond_render_linear(r);
    const size_t pixels = (size_t)def->width * (size_t)def->height;
    assert_int_equal(ond_linear_resize(&copy, def->width, def->height, NULL), OND_OK);
    memcpy(copy.rgb, from->rgb, pixels * 12);
    ond_render_destroy(r);
    ond_image_free(&image);
    return copy;
}

static OndRenderDef look_at_ball(void)
{
    OndRenderDef def = make_def("lava");
    def.backdrop = OND_BACKDROP_DARK;
    def.fit = false;
    def.camera_from = ond_vec(1, 0.35, 3);
    def.camera_to = ond_vec(1, 0.35, 0.5);
    return def;
}

// A pixel of the middle.
static float middle(const OndLinear *p, int channel)
{
    return mean_of(p, 47, 26, 49, 28, channel);
}

static void test_white(void **state)
{
    (void)state;
    const OndRenderDef def = look_at_ball();
    OndSurface ball = make_ball(1, 0.3);
    static const OndFoamKind kinds[] = {OND_SPRAY, OND_FOAM, OND_BUBBLE};
    OndLinear bare = draw(&def, &ball, NULL);
    for (int k = 0; k < 3; ++k) {
        OndFrame before = make_cloud(ond_vec(1, 0.35, 1.2), 0.05, kinds[k]),
                 behind = make_cloud(ond_vec(1, 0.35, 0.1), 0.05, kinds[k]);
        OndLinear seen = draw_with(&def, &ball, &before), hidden = draw_with(&def, &ball, &behind);
        const float blue = middle(&seen, 2), red = middle(&seen, 0);
        print_message("kind %d: blue %.3f, red %.3f; bare %.3f, %.3f\n", kinds[k], blue, red,
                      middle(&bare, 2), middle(&bare, 0));
        CHECK_NEAR(blue > middle(&bare, 2) + 0.1, 1, 0, "white on what has hardly any blue");
        CHECK_NEAR(red < 1.0f, 1, 0, "but no lamp");
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(middle(&hidden, c), middle(&bare, c), 0.02 * middle(&bare, c) + 1e-3,
                       "behind the ball it is not");
        ond_linear_free(&seen), ond_linear_free(&hidden);
        ond_fields_free(&before.foam), ond_fields_free(&behind.foam);
    }
    ond_linear_free(&bare);
    free_ball(&ball);
}

// It fades before it bursts: nothing flickers.
static void test_fades(void **state)
{
    (void)state;
    const OndRenderDef def = look_at_ball();
    OndSurface ball = make_ball(1, 0.3);
    OndFrame cloud = make_cloud(ond_vec(1, 0.35, 1.2), 0.08, OND_FOAM);
    float last = 0.0f;
    for (int k = 0; k <= 4; ++k) {
        for (int i = 0; i < CLOUD; ++i)
            ((float *)ond_fields_find(&cloud.foam, "life")->data[0])[i] = 0.1f * (float)k;
        OndLinear p = draw_with(&def, &ball, &cloud);
        const float blue = middle(&p, 2);
        CHECK_NEAR(blue > last, 1, 0, "the more life is left the whiter");
        last = blue;
        ond_linear_free(&p);
    }
    ond_fields_free(&cloud.foam);
    free_ball(&ball);
}

static void test_same_picture(void **state)
{
    (void)state;
    const OndRenderDef def = look_at_ball();
    const size_t bytes = (size_t)def.width * (size_t)def.height * 12;
    OndSurface ball = make_ball(1, 0.3);
    OndFrame cloud = make_cloud(ond_vec(0.8, 0.5, 0.9), 0.5, OND_SPRAY), none = {0};
    ond_threads_set(1);
    OndLinear one = draw_with(&def, &ball, &cloud), bare = draw(&def, &ball, NULL);
    ond_threads_set(3);
    OndLinear three = draw_with(&def, &ball, &cloud);
    cloud.foam.count = 0; // a run with foam, of which there is none yet
    OndLinear empty = draw_with(&def, &ball, &cloud), without = draw_with(&def, &ball, &none);
    ond_threads_set(0);
    assert_memory_equal(one.rgb, three.rgb, bytes);
    assert_memory_equal(bare.rgb, empty.rgb, bytes);
    assert_memory_equal(bare.rgb, without.rgb, bytes);
    assert_true(memcmp(one.rgb, bare.rgb, bytes) != 0);
    OndLinear *const all[] = {&one, &three, &bare, &empty, &without};
    for (int k = 0; k < OND_COUNT(all); ++k)
        ond_linear_free(all[k]);
    ond_fields_free(&cloud.foam);
    free_ball(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_white),
        cmocka_unit_test(test_fades),
        cmocka_unit_test(test_same_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
