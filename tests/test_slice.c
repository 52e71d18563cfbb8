// SPDX-License-Identifier: MIT
// Quick pictures of grids, pixel by pixel: values where they belong, arrows and streamlines along
// the flow, solids where the slice cuts them; and the same through the command.
#include "base/memory.h"
#include "command.h"
#include "frame_solids.h"
#include "geom/mesh.h"
#include "io/formats/png.h"
#include "render/stage/slice.h"

enum { N = 20 };

typedef double Part(int component, double x, double y, double z); // cells

static double across(int c, double x, double y, double z)
{
    return c == 0 ? 3.0 : 0.0;
}

static double round_z(int c, double x, double y, double z)
{
    return c == 0 ? -2.0 * (y - 9.5) : c == 1 ? 2.0 * (x - 9.5) : 0.0;
}

static double ramp(int c, double x, double y, double z)
{
    return x + 100.0 * y + 10000.0 * z;
}

static void add_field(OndFrame *f, const char *name, int components, Part *part)
{
    const int at = ond_fields_add(&f->cells, name, "", OND_F32, components, OND_FIELD_FRAME);
    assert_true(at >= 0);
    for (int c = 0; c < components; ++c)
        for (int k = 0; k < f->grid.n[2]; ++k)
            for (int j = 0; j < N; ++j)
                for (int i = 0; i < N; ++i)
                    ((float *)f->cells.field[at].data[c])[ond_grid_at(&f->grid, i, j, k)] =
                        (float)part(c, i, j, k);
}

static OndFrame make_frame(int deep, Part *flow)
{
    OndFrame f = {.dimension = deep > 1 ? 3 : 2, .owned = true};
    const int n[3] = {N, N, deep};
    assert_int_equal(ond_grid_set(&f.grid, n, 0.5, ond_vec(0, 0, 0), NULL, NULL), OND_OK);
    f.cells.count = f.cells.capacity = (int)f.grid.length;
    add_field(&f, "velocity", 3, flow);
    add_field(&f, "density", 1, ramp);
    return f;
}

static OndRenderDef make_def(OndDrawn as)
{
    OndRenderDef def = ond_render_default_def();
    def.as = as;
    def.colour = OND_COLOUR_DENSITY;
    def.width = 240, def.height = 240;
    def.box = def.legend = def.time = false;
    return def;
}

static OndImage draw(const OndRenderDef *def, const OndFrame *f)
{
    OndError err = {0};
    OndImage image = {0};
    OndRenderer *r = ond_render_create(def, &err);
    if (!r) fail_msg("no renderer: %s", err.text);
    if (ond_render_frame(r, f, &image, &err) != OND_OK) fail_msg("no picture: %s", err.text);
    ond_render_destroy(r);
    return image;
}

static bool differs(const OndImage *a, const OndImage *b, int x, int y)
{
    const size_t at = 3 * ((size_t)y * (size_t)a->width + (size_t)x);
    return memcmp(a->rgb + at, b->rgb + at, 3) != 0;
}

// ---- values

static void test_places(void **state)
{
    (void)state;
    OndFrame f = make_frame(N, across);
    for (int axis = 0; axis < 3; ++axis) {
        OndRenderDef def = make_def(OND_AS_SLICE);
        def.slice_axis = axis, def.slice_middle = false, def.slice_at = 2.75; // middle of cell 5
        const OndSlice s = ond_slice_place(&f, &def);
        double at[3] = {7, 7, 7};
        at[s.normal] = s.at;
        const double want = ramp(0, axis == 0 ? 5 : 7, axis == 1 ? 5 : 7, axis == 2 ? 5 : 7);
        const OndShade shade = {&f.grid, ond_fields_find(&f.cells, "density"), false};
        CHECK_NEAR(ond_slice_value(&shade, at), want, 1e-2, "value in the slice");
    }
    ond_frame_free(&f);
}

static void test_turning(void **state)
{
    (void)state;
    for (int deep = 1; deep <= N; deep += N - 1) {
        OndFrame f = make_frame(deep, round_z);
        const OndShade shade = {&f.grid, ond_fields_find(&f.cells, "velocity"), true};
        const double middle[3] = {8.3, 11.1, deep > 1 ? 7.7 : 0}, corner[3] = {0, 0, 0};
        // a wheel that turns by 2 per cell, and a cell is half a metre
        CHECK_NEAR(ond_slice_value(&shade, middle), 2 * 2.0 / 0.5, 1e-4, "a wheel");
        CHECK_NEAR(ond_slice_value(&shade, corner), 2 * 2.0 / 0.5, 1e-4, "at its rim");
        double min = INFINITY, max = -INFINITY;
        assert_true(ond_render_range(&f, OND_COLOUR_VORTICITY, &min, &max));
        CHECK_NEAR(max, 8, 0.02, "range");
        ond_frame_free(&f);
    }
}

// ---- lines

static int rows_with_lines(const OndImage *a, const OndImage *b, int *pixels)
{
    int rows = 0;
    *pixels = 0;
    for (int y = 0; y < a->height; ++y) {
        int changed = 0;
        for (int x = 0; x < a->width; ++x)
            changed += differs(a, b, x, y);
        rows += changed > 0;
        *pixels += changed;
    }
    return rows;
}

static void test_lines(void **state)
{
    (void)state;
    for (int deep = 1; deep <= N; deep += N - 1) {
        OndFrame f = make_frame(deep, across);
        int arrow_pixels, line_pixels;
        OndRenderDef def = make_def(OND_AS_SLICE);
        OndImage bare = draw(&def, &f);
        def.as = OND_AS_ARROWS, def.arrows = 5;
        OndImage arrows = draw(&def, &f);
        def.as = OND_AS_STREAMLINES, def.arrows = 0, def.streamlines = 5;
        OndImage lines = draw(&def, &f);
        const int rows = rows_with_lines(&bare, &arrows, &arrow_pixels),
                  along = rows_with_lines(&bare, &lines, &line_pixels);
        // five rows of arrows or lines, each some pixels high, with free rows between
        assert_true(rows >= 5 && rows < 120 && along >= 5 && along < 120);
        assert_true(arrow_pixels > 5 * 5 * 10);
        assert_true(line_pixels > 5 * 150); // from side to side
        const OndSlice s = ond_slice_place(&f, &def);
        const int x = (int)(s.left + 0.5 * N * s.scale), y = (int)(s.top + 0.5 * N * s.scale);
        assert_true(differs(&bare, &arrows, x, y) || differs(&bare, &arrows, x, y - 1));
        assert_true(differs(&bare, &lines, x, y) || differs(&bare, &lines, x, y - 1));
        ond_image_free(&bare), ond_image_free(&arrows), ond_image_free(&lines);
        ond_frame_free(&f);
    }
}

// Without a number there are the usual ones; fluid at rest has none.
static void test_usual(void **state)
{
    (void)state;
    OndFrame f = make_frame(1, round_z);
    int pixels;
    OndRenderDef def = make_def(OND_AS_SLICE);
    OndImage bare = draw(&def, &f);
    for (OndDrawn as = OND_AS_ARROWS; as <= OND_AS_STREAMLINES; ++as) {
        def.as = as;
        OndImage image = draw(&def, &f);
        rows_with_lines(&bare, &image, &pixels);
        assert_true(pixels > 500);
        ond_image_free(&image);
    }
    for (int c = 0; c < 2; ++c)
        memset(ond_fields_find(&f.cells, "velocity")->data[c], 0, f.grid.length * sizeof(float));
    for (OndDrawn as = OND_AS_ARROWS; as <= OND_AS_STREAMLINES; ++as) {
        def.as = as;
        OndImage image = draw(&def, &f);
        rows_with_lines(&bare, &image, &pixels);
        assert_int_equal(pixels, 0);
        ond_image_free(&image);
    }
    ond_image_free(&bare);
    ond_frame_free(&f);
}

// ---- solids

static void test_cut(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int axis;
        double at, area; // m^2
    } cases[] = {{"through it, along z", 2, 4, 2 * 3},
                 {"along x", 0, 3, 3 * 5},
                 {"along y", 1, 2, 2 * 5},
                 {"before it", 2, 1, 0},
                 {"behind it", 0, 7, 0}};
    OndFrame f = make_frame(N, across);
    OndFrame with = make_frame(N, across);
    FrameSolids *const set =
        solids_give(&with, "{shape: {type: box, min: [2, 1, 3], max: [4, 4, 8]}, look: plain}");
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndRenderDef def = make_def(OND_AS_SLICE);
        def.slice_axis = cases[c].axis, def.slice_middle = false, def.slice_at = cases[c].at;
        const OndSlice s = ond_slice_place(&f, &def);
        OndImage bare = draw(&def, &f), image = draw(&def, &with);
        int pixels;
        rows_with_lines(&bare, &image, &pixels);
        const double each = 0.5 / s.scale; // m a pixel
        CHECK_NEAR(pixels * each * each, cases[c].area, 0.05 * cases[c].area, cases[c].name);
        ond_image_free(&bare), ond_image_free(&image);
    }
    ond_frame_free(&f);
    ond_frame_free(&with);
    solids_drop(set);
}

// ---- the command

static const char scene[] =
    "frame_rate: 10\nduration: 1\ndomain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: +y, "
    "kind: "
    "open}]}\nmethod: {type: smoke, cell: 0.1}\nfluid: [{name: smoke, temperature: 90}]\nemitter: "
    "[{center: [0.4, 0.15, 0.6], direction: [0, 1, 0], radius: 0.2, rate: 0.1}]\n";

static void test_command(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "--as volume",
        "--as slice",
        "--as arrows --lines 6",
        "--as streamlines --lines 6",
        "--as slice --axis x",
        "--as slice --at 0.25",
        "--as slice --colour speed",
        "--colour vorticity",
        "--colour temperature",
    };
    char text[TEXT_ROOM], line[512];
    OndImage images[OND_COUNT(ways)];
    write_text("s.yaml", scene);
    if (run_line(OND_COMMAND " run s.yaml -o s --frames 3 --quiet 2>&1", text))
        fail_msg("%s", text);
    for (int w = 0; w < OND_COUNT(ways); ++w) {
        snprintf(line, sizeof line,
                 OND_COMMAND " render s --frames 3 -o p.png --size 120x90 --quiet %s 2>&1",
                 ways[w]);
        if (run_line(line, text)) fail_msg("%s: %s", ways[w], text);
        images[w] = (OndImage){0};
        assert_int_equal(ond_png_read("p.png", &images[w], NULL), OND_OK);
        for (int k = 0; k < w; ++k)
            if (memcmp(images[k].rgb, images[w].rgb, 3 * 120 * 90) == 0)
                fail_msg("'%s' and '%s' draw the same", ways[k], ways[w]);
    }
    for (int w = 0; w < OND_COUNT(ways); ++w)
        ond_image_free(&images[w]);
    assert_int_equal(
        run_line(OND_COMMAND " render s --frames 3 --colour pressure -o p.png 2>&1", text), 2);
    CHECK_SAYS(text, "pressure", "a field that is not there");
    static const struct {
        const char *options, *says;
    } wrong[] = {{"--as volume --axis x", "slices"},
                 {"--as volume --colour speed", "--as slice"},
                 {"--as particles --lines 4", "slices"},
                 {"--as slice -o p.exr", "EXR"},
                 {"--as arrows --exr", "EXR"}};
    for (int w = 0; w < OND_COUNT(wrong); ++w) {
        snprintf(line, sizeof line, OND_COMMAND " render s --frames 3 -o p.png %s 2>&1",
                 wrong[w].options);
        CHECK_NEAR(run_line(line, text), 2, 0, wrong[w].options);
        CHECK_SAYS(text, wrong[w].says, wrong[w].options);
    }
    run_line(OND_COMMAND " render --help", text);
    CHECK_SAYS(text, "streamlines", "help");
    CHECK_SAYS(text, "--axis", "help");
    CHECK_SAYS(text, "vorticity", "help");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_turning),
        cmocka_unit_test(test_lines),  cmocka_unit_test(test_usual),
        cmocka_unit_test(test_cut),    cmocka_unit_test(test_command),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
