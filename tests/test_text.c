// SPDX-License-Identifier: MIT
// Letters: outlines from fonts, and the solids made of them.
#include "check.h"

#include "base/memory.h"
#include "base/random.h"
#include "geom/shape.h"
#include "io/text_freetype.h"

#include <ondine/host.h>
#include <stdlib.h>

#define DEJAVU "/usr/share/fonts/truetype/dejavu/"

static OndOutline make_outline(const char *text, const char *font)
{
    OndOutline outline;
    OndError err = {0};
    if (ond_text_outline(text, font, &outline, &err) != OND_OK) fail_msg("%s", err.text);
    return outline;
}

/// Holes turn the other way, so they subtract themselves.
static double shoelace(const OndOutline *o)
{
    double area = 0.0;
    for (int loop = 0, first = 0; loop < o->loop_count; first = o->loop_end[loop++])
        for (int i = first; i < o->loop_end[loop]; ++i) {
            const float *a = o->point + 2 * i;
            const float *b = o->point + 2 * (i + 1 < o->loop_end[loop] ? i + 1 : first);
            area += 0.5 * ((double)a[0] * b[1] - (double)b[0] * a[1]);
        }
    return fabs(area);
}

static OndBox outline_box(const OndOutline *o)
{
    OndBox box = {{INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, 0}};
    for (int i = 0; i < o->point_count; ++i) {
        box.min.x = fmin(box.min.x, o->point[2 * i]);
        box.min.y = fmin(box.min.y, o->point[2 * i + 1]);
        box.max.x = fmax(box.max.x, o->point[2 * i]);
        box.max.y = fmax(box.max.y, o->point[2 * i + 1]);
    }
    return box;
}

static void test_letters_fill_their_area(void **state)
{
    (void)state;
    const char *const text[] = {"ETS", "Ondine", "8%&", "\xC3\x89\xC3\xA9"}; // the last: É é
    for (int i = 0; i < OND_COUNT(text); ++i) {
        OndArena arena = {0};
        OndOutline outline = make_outline(text[i], NULL);
        const double area = shoelace(&outline), s = 0.008;
        OndShape *shape = ond_shape_text(&arena, &outline, ond_vec(3, 4, 5), 2.0, 0.4);
        ond_outline_free(&outline); // the shape has its own copy
        CHECK_NEAR(ond_shape_sample(shape, 2 * s, true, NULL, 0, 0) * s * s, area, 0.01 * area,
                   text[i]);
        const double layers = 25;
        CHECK_NEAR(ond_shape_sample(shape, 2 * s, false, NULL, 0, 0) * s * s / layers, area,
                   0.01 * area, text[i]);
        CHECK_NEAR(ond_shape_bounds(shape).min.x, 3, 1e-6, "from x = 3");
        CHECK_NEAR(ond_shape_bounds(shape).max.z, 5.4, 1e-12, "to z = 5.4");
        ond_arena_free(&arena);
    }
}

static void test_capitals_are_one_high(void **state)
{
    (void)state;
    const char *const font[] = {NULL, "", "DejaVu Sans", "dejavu serif bold italic",
                                DEJAVU "DejaVuSansMono.ttf"};
    for (int i = 0; i < OND_COUNT(font); ++i) {
        OndOutline outline = make_outline("HE", font[i]);
        const OndBox box = outline_box(&outline);
        CHECK_NEAR(box.min.x, 0, 1e-6, "from x = 0");
        CHECK_NEAR(box.min.y, 0, 1e-6, "on y = 0");
        CHECK_NEAR(box.max.y, 1, 1e-6, "to y = 1");
        ond_outline_free(&outline);
    }
}

/// "Sans" alone is the plain face, not the bold one, nor the serif.
static void test_the_right_face(void **state)
{
    (void)state;
    const struct {
        const char *family, *file;
    } cases[] = {{"DejaVu Sans", DEJAVU "DejaVuSans.ttf"},
                 {"DejaVu Sans Bold", DEJAVU "DejaVuSans-Bold.ttf"},
                 {"DejaVu Sans Mono", DEJAVU "DejaVuSansMono.ttf"},
                 {"DejaVu Serif", DEJAVU "DejaVuSerif.ttf"},
                 {NULL, DEJAVU "DejaVuSans-Bold.ttf"}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndOutline a = make_outline("Rag", cases[c].family), b = make_outline("Rag", cases[c].file);
        assert_int_equal(a.point_count, b.point_count);
        assert_memory_equal(a.point, b.point, (size_t)a.point_count * 2 * sizeof(float));
        ond_outline_free(&a);
        ond_outline_free(&b);
    }
}

static void test_layout(void **state)
{
    (void)state;
    OndOutline av = make_outline("AV", "DejaVu Sans"), a = make_outline("A", "DejaVu Sans");
    OndOutline v = make_outline("V", "DejaVu Sans"), lines = make_outline("A\nH\n", "DejaVu Sans");
    const double apart = outline_box(&a).max.x + outline_box(&v).max.x;
    CHECK_NEAR(outline_box(&av).max.x < apart, 1, 0, "A and V are kerned");
    CHECK_NEAR(outline_box(&lines).min.y, 0, 1e-6, "the last line stands on y = 0");
    CHECK_NEAR(outline_box(&lines).max.y > 2, 1, 0, "the first above it");
    ond_outline_free(&av);
    ond_outline_free(&a);
    ond_outline_free(&v);
    ond_outline_free(&lines);
}

/// No line of a round letter is long, and none turns sharply from the one before.
static void test_curves_are_smooth(void **state)
{
    (void)state;
    OndOutline o = make_outline("O", NULL);
    assert_int_equal(o.loop_count, 2);
    for (int i = 2; i < o.loop_end[0]; ++i) {
        const float *p = o.point + 2 * i;
        const double ax = p[-2] - p[-4], ay = p[-1] - p[-3], bx = p[0] - p[-2], by = p[1] - p[-1];
        if (hypot(ax, ay) < 1e-6 || hypot(bx, by) < 1e-6) continue;
        CHECK_NEAR(atan2(ax * by - ay * bx, ax * bx + ay * by), 0, 0.3, "turn, radians");
    }
    ond_outline_free(&o);
}

static double segment_distance(const float *a, const float *b, double x, double y)
{
    double best = INFINITY;
    for (int i = 0; i <= 400; ++i) {
        const double t = i / 400.0;
        best = fmin(best, hypot(a[0] + t * (b[0] - a[0]) - x, a[1] + t * (b[1] - a[1]) - y));
    }
    return best;
}

static void test_distance_against_brute(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndOutline o = make_outline("Re", NULL);
    OndShape *shape = ond_shape_text(&arena, &o, ond_vec(0, 0, 0), 1.0, 0.2);
    for (int n = 0; n < 200; ++n) {
        const double x = 2.4 * ond_random(n, 1) - 0.2, y = 1.6 * ond_random(n, 2) - 0.3;
        double best = INFINITY;
        for (int loop = 0, first = 0; loop < o.loop_count; first = o.loop_end[loop++])
            for (int i = first; i < o.loop_end[loop]; ++i) {
                const int next = i + 1 < o.loop_end[loop] ? i + 1 : first;
                best = fmin(best, segment_distance(o.point + 2 * i, o.point + 2 * next, x, y));
            }
        const double d = ond_shape_distance(shape, ond_vec(x, y, 0), true);
        CHECK_NEAR(fabs(d), best, 3e-3, "in the plane");
        const double above = ond_shape_distance(shape, ond_vec(x, y, 0.5), false);
        CHECK_NEAR(above, d > 0 ? hypot(d, 0.3) : 0.3, 1e-9, "above the letters");
        const double within = ond_shape_distance(shape, ond_vec(x, y, 0.1), false);
        CHECK_NEAR(within, fmax(d, -0.1), 1e-9, "between front and back");
    }
    ond_outline_free(&o);
    ond_arena_free(&arena);
}

static void test_bad_text(void **state)
{
    (void)state;
    static char endless[20001];
    memset(endless, 'x', 20000);
    const struct {
        const char *name, *text, *font, *says;
    } cases[] = {
        {"blank", "  \n", NULL, "blank"},
        {"empty", "", NULL, "blank"},
        {"not UTF-8", "ab\xFF", NULL, "not UTF-8 at byte 2"},
        {"cut off", "ab\xC3", NULL, "not UTF-8 at byte 2"},
        {"overlong", "\xC0\xAF", NULL, "not UTF-8 at byte 0"},
        {"overlong, three bytes", "\xE0\x80\xAF", NULL, "not UTF-8 at byte 0"},
        {"surrogate", "\xED\xA0\x80", NULL, "not UTF-8 at byte 0"},
        {"no such glyph", "A\xF0\x93\x80\x80", NULL, "(U+13000)"}, // a hieroglyph
        {"too long", endless, NULL, "20000 bytes"},
        {"unknown family", "A", "Comic Chalk", "no font 'Comic Chalk'"},
        {"unknown family, examples", "A", "Comic Chalk", "DejaVu Sans"},
        {"unknown style", "A", "DejaVu Sans Wobbly", "no font 'DejaVu Sans Wobbly'"},
        {"missing file", "A", "/no/such/font.ttf", "/no/such/font.ttf: cannot read the font"},
        {"a folder", "A", "/usr", "/usr: is not a font"},
        {"not a font", "A", OND_SOURCE_DIR "/CMakeLists.txt", "is not a font"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndOutline outline;
        OndError err = {0};
        CHECK_NEAR(ond_text_outline(cases[c].text, cases[c].font, &outline, &err) != OND_OK, 1, 0,
                   cases[c].name);
        CHECK_SAYS(err.text, cases[c].says, cases[c].name);
        CHECK_NEAR(outline.point == NULL, 1, 0, "nothing is left to free");
    }
}

static void test_odd_outlines(void **state)
{
    (void)state;
    OndArena arena = {0};
    float point[] = {0, 0, 1, 0, 1, 1, NAN, 0, 1, 0, 1, 1};
    int sound_end[] = {3, 6}, wild_end[] = {3, 99}, back_end[] = {3, 1};
    const OndOutline outline[] = {
        {point, sound_end, 6, 2}, {point, wild_end, 6, 2}, {point, back_end, 6, 2}};
    for (int i = 0; i < OND_COUNT(outline); ++i) {
        OndShape *shape = ond_shape_text(&arena, &outline[i], ond_vec(0, 0, 0), 1, 1);
        assert_non_null(shape);
        CHECK_NEAR(ond_shape_sample(shape, 0.01, true, NULL, 0, 0), 5000, 100, "one triangle");
    }
    const double height[] = {1e300, NAN, INFINITY};
    for (int i = 0; i < OND_COUNT(height); ++i) {
        OndShape *wild = ond_shape_text(&arena, &outline[0], ond_vec(0, 0, 0), height[i], 1);
        CHECK_NEAR(ond_shape_sample(wild, 0.01, true, NULL, 0, 1000), 0, 0, "an absurd height");
    }
    const OndOutline nothing = {0};
    OndShape *shape = ond_shape_text(&arena, &nothing, ond_vec(0, 0, 0), 1, 1);
    CHECK_NEAR(ond_shape_sample(shape, 0.01, false, NULL, 0, 0), 0, 0, "nothing");
    ond_arena_free(&arena);
}

// ---- memory

static int live, until_refused; // blocks, and allocations before one is refused

static void *alloc_some(void *user, size_t bytes)
{
    (void)user;
    if (until_refused-- == 0) return NULL;
    ++live;
    return malloc(bytes);
}

static void release_some(void *user, void *block)
{
    (void)user;
    --live;
    free(block);
}

// Looking through the folders of fonts takes the host's memory, and says when there is none.
static void test_fonts_are_found_in_given_memory(void **state)
{
    (void)state;
    const OndAllocator own = {alloc_some, release_some, NULL};
    OndStatus status = OND_NO_MEMORY;
    int refused = 0;
    assert_int_equal(ond_host_memory(&own, NULL), OND_OK);
    for (; status != OND_OK && refused < 200; ++refused) {
        OndOutline outline;
        OndError err = {0};
        until_refused = refused;
        status = ond_text_outline("O", "DejaVu Sans", &outline, &err);
        if (status == OND_OK) ond_outline_free(&outline);
        if (status != OND_OK && status != OND_NO_MEMORY) fail_msg("%d: %s", refused, err.text);
        CHECK_NEAR(live, 0, 0, "blocks that are left");
    }
    ond_host_memory(NULL, NULL);
    assert_int_equal(status, OND_OK);
    // the search itself, names of folders and files, the outline
    if (refused < 6) fail_msg("only %d allocations were seen", refused - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_fill_their_area),
        cmocka_unit_test(test_capitals_are_one_high),
        cmocka_unit_test(test_the_right_face),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_curves_are_smooth),
        cmocka_unit_test(test_distance_against_brute),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_odd_outlines),
        cmocka_unit_test(test_fonts_are_found_in_given_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
