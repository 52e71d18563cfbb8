// SPDX-License-Identifier: MIT
// Pictures as the window and the page draw them: without a display, by EGL, in both dialects of OpenGL,
// and read back.
#include "library.h"

#include <string.h>

#ifdef OND_HAVE_DRAW
#include "view/draw/draw.h"
#include "view/offscreen/offscreen.h"

#include <epoxy/gl.h>

enum { WIDE = 160, HIGH = 96 };

static const char box[] = "domain: {min: [0, 0, 0], max: [1.2, 0.8, 0.8]}\n"
                          "fluid:\n"
                          "  - {name: wax, material: wax, spacing: 0.05, shape: {type: box, min: "
                          "[0, 0, 0], max: [0.4, 0.4, 0.4]}}\n"
                          "solid:\n"
                          "  - {name: ball, colour: [1, 0, 0], shape: {type: sphere, center: [0.9, "
                          "0.4, 0.4], radius: 0.2}}\n"
                          "  - {name: pane, use: container, shape: {type: box, min: [0.01, 0, "
                          "0.01], max: [1.1, 0.7, 0.7]}}\n";

static void show(OndShown *shown, const OndSim *sim, const char *colour)
{
    OndError err = {0};
    if (ond_shown_sim(shown, sim, colour, 0, 0, &err) != OND_OK) fail_msg("%s", err.text);
}

// Balls in a row along x, one a metre, in a box of 6 x 2 x 2 m.
static void show_row(OndShown *shown, int count, int dimension)
{
    *shown = (OndShown){.dimension = dimension,
                        .min = {-3, -1, dimension == 3 ? -1 : 0},
                        .max = {3, 1, dimension == 3 ? 1 : 0},
                        .radius = 0.4f,
                        .value = "temperature",
                        .unit = "",
                        .low = 0,
                        .high = 1};
    assert_int_equal(ond_shown_room(shown, count, 0, 0, false, NULL), OND_OK);
    shown->particles = count;
    for (int k = 0; k < count; ++k) {
        float *const p = shown->particle + 4 * k;
        p[0] = (float)(k % 6) - 2.5f, p[1] = 0, p[2] = 0, p[3] = k % 6 < 3 ? 0.1f : 0.9f;
    }
}

// ---- a context, a picture

typedef struct DrawView {
    OndOffscreen *offscreen;
    OndDraw *draw;
    unsigned char rgb[HIGH][WIDE][3];
} DrawView;

// False, with a word, where there is nothing to draw with.
static bool open_view(DrawView *s, bool gles)
{
    OndError err = {0};
    s->offscreen = ond_offscreen_create(gles, WIDE, HIGH, &err);
    if (!s->offscreen) {
        print_message("skipped: %s\n", err.text);
        return false;
    }
    s->draw = ond_draw_create(gles, &err);
    if (!s->draw) fail_msg("%s", err.text);
    return true;
}

static void close_view(DrawView *s)
{
    assert_int_equal(glGetError(), GL_NO_ERROR);
    ond_draw_destroy(s->draw, false);
    ond_offscreen_destroy(s->offscreen);
}

static void picture(DrawView *s, const OndShown *shown, OndDrawStyle style)
{
    OndError err = {0};
    const OndOrbit orbit = ond_orbit_fit(shown, (double)WIDE / HIGH);
    const OndDrawOptions options = {.width = WIDE, .height = HIGH, .style = style, .dark = true};
    if (ond_draw_upload(s->draw, shown, &err) != OND_OK ||
        ond_draw_picture(s->draw, &orbit, &options, &err) != OND_OK)
        fail_msg("%s", err.text);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    ond_offscreen_read(s->offscreen, s->rgb[0][0]);
}

static int changed(const DrawView *a, const DrawView *b, int more_than)
{
    int count = 0;
    for (int y = 0; y < HIGH; ++y)
        for (int x = 0; x < WIDE; ++x)
            for (int c = 0; c < 3; ++c)
                if (abs(a->rgb[y][x][c] - b->rgb[y][x][c]) > more_than) {
                    ++count;
                    break;
                }
    return count;
}

// Where a place of the world is in a picture that was fitted.
static void place_of(const OndShown *shown, const float at[3], int *x, int *y)
{
    const double aspect = (double)WIDE / HIGH;
    const OndOrbit orbit = ond_orbit_fit(shown, aspect);
    double from[3], way[3], best = INFINITY;
    for (int j = 0; j < HIGH; ++j)
        for (int i = 0; i < WIDE; ++i) {
            ond_orbit_ray(&orbit, aspect, 2.0 * (i + 0.5) / WIDE - 1.0,
                          1.0 - 2.0 * (j + 0.5) / HIGH, from, way);
            double along = 0.0, square = 0.0;
            for (int a = 0; a < 3; ++a) {
                along += (at[a] - from[a]) * way[a];
                square += (at[a] - from[a]) * (at[a] - from[a]);
            }
            if (square - along * along < best) best = square - along * along, *x = i, *y = j;
        }
}

// ---- tests

static void test_shown(void **state)
{
    (void)state;
    OndShown shown = {0};
    OndError err = {0};
    OndSim *const sim = make(box, NULL);
    show(&shown, sim, "temperature");
    assert_int_equal(shown.particles, ond_sim_particle_count(sim));
    assert_int_equal(shown.dimension, 3);
    assert_string_equal(shown.value, "temperature");
    assert_string_equal(shown.look, "wax");
    CHECK_NEAR(shown.max[0], 1.2, 1e-6, "domain");
    CHECK_NEAR(shown.radius, 0.025, 1e-6, "radius");
    OndFieldView t;
    ond_sim_find_field(sim, OND_PARTICLES, "temperature", &t);
    CHECK_NEAR(shown.particle[4 * 5 + 3], ((const float *)t.data[0])[5], 0, "value");
    assert_int_equal(shown.meshes, 2);
    CHECK_NEAR(shown.mesh[0].colour[0], 1, 1e-6, "red");
    CHECK_NEAR(shown.mesh[0].colour[3], 1, 1e-6, "opaque");
    assert_true(shown.mesh[1].colour[3] < 0.9f);
    const int version = shown.mesh_version;
    if (ond_sim_step(sim, &err) != OND_OK) fail_msg("%s", err.text);
    show(&shown, sim, "nothing of that name");
    assert_string_equal(shown.value, "speed");
    assert_true(shown.high > 0.0f);
    assert_int_equal(shown.mesh_version, version);
    ond_sim_destroy(sim);
    ond_shown_clear(&shown);
    assert_null(shown.particle);
}

// Triangles stand where the ball does, and their normals point outwards.
static void test_solid_triangles(void **state)
{
    (void)state;
    OndSolidTriangles ball;
    OndError err = {0};
    OndSim *const sim = make(box, NULL);
    assert_int_equal(ond_sim_solid_triangles(sim, 2, &ball, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "there is no solid 2", "solid");
    assert_int_equal(ond_sim_solid_triangles(sim, 0, &ball, &err), OND_OK);
    assert_true(ball.triangles > 100);
    assert_string_equal(ball.look, "plain");
    for (int i = 0; i < 3 * ball.triangles; ++i) {
        const float *const p = ball.position + 3 * i, *const n = ball.normal + 3 * i;
        const double out[3] = {p[0] - 0.9, p[1] - 0.4, p[2] - 0.4};
        const double far = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
        CHECK_NEAR(far, 0.2, 1e-4, "on the ball");
        CHECK_NEAR((out[0] * n[0] + out[1] * n[1] + out[2] * n[2]) / far, 1, 0.01, "outwards");
    }
    ond_solid_triangles_free(&ball);
    assert_null(ball.position);
    OndDrawing scene;
    ond_sim_drawing(sim, &scene);
    assert_true(scene.bounded && !scene.has_camera && !scene.grains);
    CHECK_NEAR(scene.gravity[1], -9.81, 0.01, "gravity");
    assert_string_equal(ond_sim_fluid_look(sim, 0), "wax");
    assert_null(ond_sim_fluid_look(sim, 1));
    ond_sim_destroy(sim);
}

static void test_orbit(void **state)
{
    (void)state;
    OndShown shown;
    for (int dimension = 2; dimension <= 3; ++dimension)
        for (int tall = 0; tall < 2; ++tall) {
            double from[3], way[3];
            const double aspect = tall ? 0.5 : 2.0;
            show_row(&shown, 1, dimension);
            OndOrbit o = ond_orbit_fit(&shown, aspect);
            ond_orbit_ray(&o, aspect, 0, 0, from, way);
            for (int a = 0; a < 3; ++a)
                CHECK_NEAR(from[a] + o.distance * way[a], o.at[a], 1e-9, "looks at");
            if (dimension == 2) CHECK_NEAR(way[2], -1, 1e-12, "along -z");
            // a corner of the box lies within the rays through the picture's corners
            ond_orbit_ray(&o, aspect, -1, 0, from, way);
            const double t = (0 - from[2]) / way[2];
            if (dimension == 2) assert_true(from[0] + t * way[0] < -3);
            const double before = o.distance;
            ond_orbit_zoom(&o, 0.5);
            CHECK_NEAR(o.distance, 0.5 * before, 1e-12, "nearer");
            ond_orbit_turn(&o, 0.3, 9.0);
            assert_true(o.pitch < 0.5 * M_PI);
            ond_orbit_zoom(&o, NAN);
            assert_true(o.distance > 0.0);
            ond_shown_clear(&shown);
        }
    OndOrbit o = {.distance = 2, .angle = 1};
    ond_orbit_pan(&o, 0.5, 0);
    CHECK_NEAR(o.at[0], 2 * tan(0.5), 1e-12, "half a picture's height to the right");
}

// Each ball is where the camera says, in the colour of its value, before a background that stays.
static void check_balls(bool gles, OndDrawStyle style, int dimension)
{
    static DrawView with, without;
    OndShown shown;
    if (!open_view(&with, gles)) skip();
    show_row(&shown, 6, dimension);
    picture(&with, &shown, style);
    without = with;
    shown.particles = 0;
    picture(&without, &shown, style);
    for (int k = 0; k < 6; ++k) {
        int x = 0, y = 0;
        place_of(&shown, shown.particle + 4 * k, &x, &y);
        const unsigned char *const seen = with.rgb[y][x], *const behind = without.rgb[y][x];
        if (memcmp(seen, behind, 3) == 0) fail_msg("ball %d is not at %d, %d", k, x, y);
        const bool bright = seen[0] + seen[1] > 200;
        if (style == OND_DRAW_SPHERES && bright != (k >= 3))
            fail_msg("ball %d is %d %d %d", k, seen[0], seen[1], seen[2]);
    }
    const int touched = changed(&with, &without, 3);
    assert_true(touched > 150 && touched < WIDE * HIGH / 2);
    ond_shown_clear(&shown);
    close_view(&with);
}

static void test_balls(void **state)
{
    (void)state;
    check_balls(false, OND_DRAW_SPHERES, 3);
    check_balls(false, OND_DRAW_SPHERES, 2);
    check_balls(true, OND_DRAW_SPHERES, 3);
    check_balls(true, OND_DRAW_SPHERES, 2);
}

static void test_surface(void **state)
{
    (void)state;
    check_balls(false, OND_DRAW_SURFACE, 3);
    check_balls(false, OND_DRAW_SURFACE, 2);
    check_balls(true, OND_DRAW_SURFACE, 3);
    check_balls(true, OND_DRAW_SURFACE, 2);
}

// Cells in the left half, seen on the left and nowhere else; foam where it is, and a tracer where there is one.
static void check_cells(bool gles, int dimension, bool tracer)
{
    static DrawView with, without;
    OndShown shown;
    if (!open_view(&with, gles)) skip();
    show_row(&shown, 0, dimension);
    picture(&with, &shown, OND_DRAW_SPHERES);
    memcpy(without.rgb, with.rgb, sizeof without.rgb);
    const int n[3] = {6, 2, dimension == 3 ? 2 : 1};
    const size_t cells = (size_t)(n[0] * n[1] * n[2]);
    if (ond_shown_room(&shown, 1, 1, cells, true, NULL) != OND_OK) fail();
    shown.particles = tracer;
    memcpy(shown.particle, (const float[]){1.0f, 0, 0, 0.5f}, 4 * sizeof(float));
    memcpy(shown.cells, n, sizeof n);
    shown.cell = 1;
    shown.origin[0] = -3, shown.origin[1] = -1, shown.origin[2] = dimension == 3 ? -1 : -0.5f;
    for (size_t i = 0; i < cells; ++i)
        shown.density[i] = i % 6 < 2 ? 1.0f : 0.0f, shown.warmth[i] = NAN;
    shown.riders = 1;
    memcpy(shown.rider, (const float[]){2.0f, 0, 0, 1}, 4 * sizeof(float));
    picture(&with, &shown, tracer ? OND_DRAW_SURFACE : OND_DRAW_SPHERES);
    for (int part = 0; part < 3; ++part) {
        const float at[3] = {part == 0 ? -2.0f : part == 1 ? 1.0f : 2.0f, 0, 0};
        int x = 0, y = 0;
        place_of(&shown, at, &x, &y);
        const bool same = memcmp(with.rgb[y][x], without.rgb[y][x], 3) == 0;
        if (same != (part == 1 && !tracer))
            fail_msg("part %d, dimension %d, tracer %d", part, dimension, tracer);
    }
    ond_shown_clear(&shown);
    close_view(&with);
}

static void test_cells(void **state)
{
    (void)state;
    for (int gles = 0; gles < 2; ++gles)
        for (int dimension = 2; dimension <= 3; ++dimension)
            for (int tracer = 0; tracer < 2; ++tracer)
                check_cells(gles, dimension, tracer);
}

// A thin sheet of smoke behind where a ball is or is not, seen from near by.
static void sheet_of_smoke(DrawView *view, const char *scene)
{
    OndShown shown = {0};
    OndError err = {0};
    OndSim *const sim = make(scene, NULL);
    const OndDrawOptions options = {.width = WIDE, .height = HIGH, .dark = true};
    show(&shown, sim, NULL);
    for (int i = 0; i < 1000; ++i) // all cells; 100 of each depth
        shown.density[i] = i / 100 == 4 ? 0.3f : 0.0f;
    const OndOrbit orbit = {.at = {0.62, 0.35, 0.45}, .yaw = 0.2, .distance = 1.2, .angle = 0.35};
    if (ond_draw_upload(view->draw, &shown, &err) != OND_OK ||
        ond_draw_picture(view->draw, &orbit, &options, &err) != OND_OK)
        fail_msg("%s", err.text);
    ond_offscreen_read(view->offscreen, view->rgb[0][0]);
    ond_shown_clear(&shown);
    ond_sim_destroy(sim);
}

// The shadow of a ball in smoke is there, and has no hard rim: the smoke scatters light into it.
static void test_smoke_shadow(void **state)
{
    static const char room[] = "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                               "method: {type: smoke, cell: 0.1}\n"
                               "fluid: [{name: smoke}]\n";
    static const char ball[] = "solid: [{name: ball, shape: {type: sphere, center: [0.4, 0.6, "
                               "0.7], radius: 0.15}}]\n";
    static DrawView with, without;
    char scene[512];
    int step = 0, dark = 0;
    (void)state;
    if (!open_view(&with, false)) skip();
    sheet_of_smoke(&with, room);
    memcpy(without.rgb, with.rgb, sizeof without.rgb);
    snprintf(scene, sizeof scene, "%s%s", room, ball);
    sheet_of_smoke(&with, scene);
    for (int y = HIGH / 3; y < HIGH; ++y) // below the ball
        for (int x = 4; x < WIDE; ++x) {
            const int here = without.rgb[y][x][1] - with.rgb[y][x][1];
            const int left = without.rgb[y][x - 4][1] - with.rgb[y][x - 4][1];
            dark = here > dark ? here : dark;
            step = abs(here - left) > step ? abs(here - left) : step;
        }
    print_message("the shadow takes up to %d of 255, %d of them within four pixels\n", dark, step);
    assert_true(dark > 20);
    if (step > 0.45 * dark) fail_msg("a rim as hard as that of a shadow on the floor");
    close_view(&with);
}

static void test_shown_cells(void **state)
{
    (void)state;
    OndShown shown = {0};
    OndSim *const sim = make(smoke, NULL);
    advance(sim, 0.2);
    show(&shown, sim, NULL);
    assert_int_equal(shown.cells[0], 10);
    assert_int_equal(shown.cells[1], 20);
    assert_int_equal(shown.cells[2], 1);
    float most = 0.0f, warmest = 0.0f;
    for (int i = 0; i < 200; ++i) {
        most = fmaxf(most, shown.density[i]);
        warmest = fmaxf(warmest, shown.warmth[i]);
    }
    assert_true(most > 0.1f && warmest > 20.0f);
    assert_string_equal(shown.look, "smoke");
    ond_shown_clear(&shown);
    ond_sim_destroy(sim);
}

// A surface that a run brought is drawn where it is, with no particle.
static void test_brought(void **state)
{
    (void)state;
    static DrawView with, without;
    OndShown shown = {0};
    OndSolidTriangles ball;
    OndError err = {0};
    OndSim *const sim = make(box, NULL);
    if (!open_view(&with, false)) skip();
    if (ond_sim_solid_triangles(sim, 0, &ball, &err) != OND_OK) fail_msg("%s", err.text);
    show(&shown, sim, NULL);
    const int meshes = shown.meshes;
    shown.particles = shown.meshes = 0;
    picture(&with, &shown, OND_DRAW_SURFACE);
    memcpy(without.rgb, with.rgb, sizeof without.rgb);
    uint32_t *const index = malloc(3 * (size_t)ball.triangles * sizeof *index);
    for (int i = 0; i < 3 * ball.triangles; ++i)
        index[i] = (uint32_t)i;
    shown.surface = (OndShownMesh){.corners = 3 * ball.triangles,
                                   .triangles = ball.triangles,
                                   .position = ball.position,
                                   .normal = ball.normal,
                                   .index = index};
    picture(&with, &shown, OND_DRAW_SURFACE);
    const float middle[3] = {0.9f, 0.4f, 0.4f};
    int x = 0, y = 0;
    place_of(&shown, middle, &x, &y);
    assert_memory_not_equal(with.rgb[y][x], without.rgb[y][x], 3);
    const int touched = changed(&with, &without, 3);
    assert_true(touched > 200 && touched < WIDE * HIGH / 3);
    shown.surface = (OndShownMesh){0};
    shown.meshes = meshes;
    free(index);
    ond_solid_triangles_free(&ball);
    ond_shown_clear(&shown);
    ond_sim_destroy(sim);
    close_view(&with);
}

static void test_dialects(void **state)
{
    (void)state;
    static DrawView desktop, embedded;
    OndShown shown = {0};
    OndSim *const sim = make(box, NULL);
    show(&shown, sim, NULL);
    for (int style = 0; style < OND_DRAW_STYLES; ++style) {
        if (!open_view(&desktop, false)) skip();
        picture(&desktop, &shown, (OndDrawStyle)style);
        close_view(&desktop);
        if (!open_view(&embedded, true)) skip();
        picture(&embedded, &shown, (OndDrawStyle)style);
        close_view(&embedded);
        const int off = changed(&desktop, &embedded, 8);
        if (off > WIDE * HIGH / 200) fail_msg("%d pixels differ between the dialects", off);
    }
    ond_shown_clear(&shown);
    ond_sim_destroy(sim);
}

static void test_solids(void **state)
{
    (void)state;
    static DrawView view;
    OndShown shown = {0};
    OndSim *const sim = make(box, NULL);
    if (!open_view(&view, false)) skip();
    show(&shown, sim, NULL);
    picture(&view, &shown, OND_DRAW_SPHERES);
    const float ball[3] = {0.9f, 0.4f, 0.4f};
    int x = 0, y = 0;
    place_of(&shown, ball, &x, &y);
    const unsigned char *const red = view.rgb[y][x];
    if (!(red[0] > 2 * red[1] && red[0] > 2 * red[2]))
        fail_msg("the red ball is %d %d %d", red[0], red[1], red[2]);
    ond_shown_clear(&shown);
    ond_sim_destroy(sim);
    close_view(&view);
}

// ---- calls

static void (*real_arrays)(GLenum, GLint, GLsizei);
static void (*real_elements)(GLenum, GLsizei, GLenum, const void *);
static int draws;

static void count_arrays(GLenum mode, GLint first, GLsizei count)
{
    ++draws;
    real_arrays(mode, first, count);
}

static void count_elements(GLenum mode, GLsizei count, GLenum type, const void *at)
{
    ++draws;
    real_elements(mode, count, type, at);
}

static int draws_with(DrawView *view, int particles, OndDrawStyle style)
{
    OndShown shown;
    show_row(&shown, particles, 3);
    draws = 0;
    picture(view, &shown, style);
    ond_shown_clear(&shown);
    return draws;
}

// As many draw calls as passes, however many particles there are.
static void test_calls(void **state)
{
    (void)state;
    static DrawView view;
    if (!open_view(&view, false)) skip();
    OndShown shown;
    show_row(&shown, 6, 3);
    picture(&view, &shown, OND_DRAW_SPHERES); // epoxy looks functions up at the first call
    ond_shown_clear(&shown);
    real_arrays = epoxy_glDrawArrays;
    real_elements = epoxy_glDrawElements;
    epoxy_glDrawArrays = count_arrays;
    epoxy_glDrawElements = count_elements;
    for (int style = 0; style < OND_DRAW_STYLES; ++style) {
        const int few = draws_with(&view, 6, (OndDrawStyle)style);
        const int many = draws_with(&view, 6000, (OndDrawStyle)style);
        assert_int_equal(few, many);
        assert_true(few >= 4 && few <= 20);
    }
    epoxy_glDrawArrays = real_arrays;
    epoxy_glDrawElements = real_elements;
    close_view(&view);
}

// ---- what goes wrong

static void test_ugly(void **state)
{
    (void)state;
    static DrawView view;
    OndShown shown;
    OndError err = {0};
    const OndDrawOptions none = {.width = 0, .height = 0};
    for (int style = 0; style < OND_DRAW_STYLES; ++style) {
        if (!open_view(&view, false)) skip();
        show_row(&shown, 6, 3);
        OndOrbit orbit = ond_orbit_fit(&shown, 1.5);
        // nothing was uploaded; minimised
        const OndDrawOptions some = {.width = WIDE, .height = HIGH, .style = (OndDrawStyle)style};
        assert_int_equal(ond_draw_picture(view.draw, &orbit, &some, &err), OND_OK);
        assert_int_equal(ond_draw_picture(view.draw, &orbit, &none, &err), OND_OK);
        shown.particle[0] = shown.particle[5] = shown.particle[11] = NAN;
        shown.particle[12] = INFINITY, shown.particle[17] = 1e30f;
        picture(&view, &shown, (OndDrawStyle)style);
        shown.min[0] = -INFINITY, shown.max[0] = NAN;
        picture(&view, &shown, (OndDrawStyle)style);
        shown.min[0] = shown.max[0] = shown.min[1] = shown.max[1] = shown.min[2] = shown.max[2] = 0;
        shown.radius = 0;
        picture(&view, &shown, (OndDrawStyle)style);
        orbit.distance = NAN;
        assert_int_equal(ond_draw_picture(view.draw, &orbit, &some, &err), OND_OK);
        while (glGetError() != GL_NO_ERROR)
            ;
        ond_shown_clear(&shown);
        ond_draw_destroy(view.draw, true); // the context is lost: nothing is called
        ond_offscreen_destroy(view.offscreen);
    }
    ond_draw_destroy(NULL, false);
    ond_offscreen_destroy(NULL);
}

// A driver that takes no shader: a sentence, and nothing left behind.
static void take_no_shader(GLuint shader, GLenum what, GLint *out)
{
    (void)shader, (void)what;
    *out = 0;
}

static void test_no_shaders(void **state)
{
    (void)state;
    static DrawView view;
    OndError err = {0};
    if (!open_view(&view, true)) skip();
    void (*const real)(GLuint, GLenum, GLint *) = epoxy_glGetShaderiv;
    epoxy_glGetShaderiv = take_no_shader;
    assert_null(ond_draw_create(true, &err));
    epoxy_glGetShaderiv = real;
    CHECK_SAYS(err.text, "does not compile here", "shader");
    assert_int_equal(err.status, OND_MISSING);
    close_view(&view);
}

// A driver that keeps no floats: balls all the same.
static GLenum (*real_status)(GLenum);

static GLenum take_no_floats(GLenum target)
{
    GLint kind = GL_UNSIGNED_NORMALIZED;
    glGetFramebufferAttachmentParameteriv(target, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &kind);
    return kind == GL_FLOAT ? GL_FRAMEBUFFER_UNSUPPORTED : real_status(target);
}

static void test_no_floats(void **state)
{
    (void)state;
    static DrawView view;
    if (!open_view(&view, true)) skip();
    ond_draw_destroy(view.draw, false);
    real_status = epoxy_glCheckFramebufferStatus;
    epoxy_glCheckFramebufferStatus = take_no_floats;
    view.draw = ond_draw_create(true, NULL);
    assert_non_null(view.draw);
    OndShown shown;
    show_row(&shown, 6, 3);
    for (int style = 0; style < OND_DRAW_STYLES; ++style) {
        int x = 0, y = 0;
        picture(&view, &shown, (OndDrawStyle)style);
        place_of(&shown, shown.particle + 4 * 5, &x, &y);
        assert_true(view.rgb[y][x][0] + view.rgb[y][x][1] > 200);
    }
    ond_shown_clear(&shown);
    epoxy_glCheckFramebufferStatus = real_status;
    close_view(&view);
}

// A variable of Mesa's is blamed only where it asks for less than is needed, of the kind of context that failed.
static void test_remedy(void **state)
{
    static const struct {
        const char *variable, *value;
        bool gles, blamed;
    } cases[] = {{"MESA_GL_VERSION_OVERRIDE", "2.1", false, true},
                 {"MESA_GL_VERSION_OVERRIDE", "3.2COMPAT", false, true},
                 {"MESA_GL_VERSION_OVERRIDE", "3.3", false, false},
                 {"MESA_GL_VERSION_OVERRIDE", "4.5FC", false, false},
                 {"MESA_GL_VERSION_OVERRIDE", "", false, false},
                 {"MESA_GL_VERSION_OVERRIDE", "2.1", true, false},
                 {"MESA_GLES_VERSION_OVERRIDE", "2.0", true, true},
                 {"MESA_GLES_VERSION_OVERRIDE", "3.1", true, false},
                 {"MESA_GLES_VERSION_OVERRIDE", "2.0", false, false}};
    (void)state;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); ++k) {
        unsetenv("MESA_GL_VERSION_OVERRIDE");
        unsetenv("MESA_GLES_VERSION_OVERRIDE");
        setenv(cases[k].variable, cases[k].value, 1);
        const char *const said = ond_offscreen_remedy(cases[k].gles);
        const bool blamed = strstr(said, "unset ") && strstr(said, cases[k].variable);
        if (blamed != cases[k].blamed)
            fail_msg("%s=%s, %s: %s", cases[k].variable, cases[k].value,
                     cases[k].gles ? "ES" : "desktop", said);
        unsetenv(cases[k].variable);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shown),        cmocka_unit_test(test_solid_triangles),
        cmocka_unit_test(test_orbit),        cmocka_unit_test(test_balls),
        cmocka_unit_test(test_dialects),     cmocka_unit_test(test_surface),
        cmocka_unit_test(test_cells),        cmocka_unit_test(test_brought),
        cmocka_unit_test(test_shown_cells),  cmocka_unit_test(test_solids),
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_ugly),
        cmocka_unit_test(test_smoke_shadow), cmocka_unit_test(test_no_shaders),
        cmocka_unit_test(test_no_floats),    cmocka_unit_test(test_remedy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("skipped: this build draws nothing (libepoxy-dev, libegl-dev)");
    return 0;
}

#endif
