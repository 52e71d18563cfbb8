// SPDX-License-Identifier: MIT
// `ondine view` without a display: pictures, what a hand does by a script, runs played back, cameras kept,
// mistakes told.
#include "command.h"
#include "run_scenes.h"

#include "base/memory.h"
#include "io/formats/png.h"
#include "view/window/live_state.h"
#include "view/window/replay_state.h"

static const char wax[] =
    "# a block of wax\n"
    "title: Wax\n"
    "dimension: 2\n"
    "duration: 0.2\n"
    "frame_rate: 20\n"
    "domain: {min: [0, 0], max: [0.1, 0.1]}\n"
    "camera: {from: [0.05, 0.05, 1],\n"
    "         to: [0.05, 0.05, 0]}   # straight\n"
    "\n"
    "# what melts\n"
    "fluid:\n"
    "  - {material: wax, spacing: 0.005, shape: {type: box, min: [0.02, 0], max: [0.08, 0.04]}}\n";

static char report[TEXT_ROOM];

// Whether this machine can draw at all; says so once where it cannot.
static bool can_draw(void)
{
    static char text[TEXT_ROOM];
    static int known = -1;
    if (known >= 0) return known;
    const int code = ondine("view pool.yaml --screenshot first.png --size 16x16", text);
    known = code == 0;
    const bool lacks =
        strstr(text, "this build has no window") || strstr(text, "EGL") || strstr(text, "OpenGL");
    if (!known && !lacks) fail_msg("exit code %d:\n%s", code, text);
    if (!known) print_message("skipped: %s", text);
    return known;
}

static int set_up(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("pool.yaml", pool);
    write_text("wax.yaml", wax);
    return 0;
}

static void read_text(const char *path, char text[TEXT_ROOM])
{
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    text[fread(text, 1, TEXT_ROOM - 1, file)] = '\0';
    fclose(file);
}

// `ondine view ARGS`, with what it saw in `report`.
static void view(const char *args)
{
    char line[1024];
    snprintf(line, sizeof line, "view %s --size 160x96 --report seen.json --screenshot seen.png",
             args);
    expect(line, 0, "");
    read_text("seen.json", report);
}

static void picture(OndImage *image)
{
    OndError err = {0};
    *image = (OndImage){0};
    if (ond_png_read("seen.png", image, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(image->width, 160);
    assert_int_equal(image->height, 96);
}

// Red, green and blue at shares of the picture's width and height.
static const uint8_t *pixel(const OndImage *image, double x, double y)
{
    const int i = (int)(x * image->width), j = (int)(y * image->height);
    return image->rgb + 3 * (j * image->width + i);
}

static double seen(const char *name)
{
    return json_number(report, name);
}

// ---- pictures

// The pool stands in the lower left of its box; the rest is light.
static void test_picture(void **state)
{
    OndImage image;
    (void)state;
    if (!can_draw()) return;
    view("pool.yaml --backdrop light");
    picture(&image);
    const uint8_t *const water = pixel(&image, 0.32, 0.8), *const air = pixel(&image, 0.6, 0.2);
    if (!(water[2] > water[0] + 30 && air[0] > 180 && air[2] > 180))
        fail_msg("water %d %d %d, air %d %d %d", water[0], water[1], water[2], air[0], air[1],
                 air[2]);
    ond_image_free(&image);
    assert_int_equal(seen("particles"), 600);
    CHECK_NEAR(seen("time_s"), 0.0, 0.0, "before any picture");
    view("pool.yaml --after 12 --colour speed");
    CHECK_NEAR(seen("time_s"), 0.2, 1e-6, "twelve pictures");
    assert_true(seen("value_max") > 0.5); // it falls
    view("pool.yaml --style surface --colour plain --panel");
    CHECK_SAYS(report, "\"style\":\"surface\"", "style");
}

// The same picture each time.
static void test_same(void **state)
{
    OndImage a, b;
    (void)state;
    if (!can_draw()) return;
    view("pool.yaml --after 6");
    picture(&a);
    view("pool.yaml --after 6 --threads 1");
    picture(&b);
    assert_memory_equal(a.rgb, b.rgb, 3 * 160 * 96);
    ond_image_free(&a);
    ond_image_free(&b);
}

// ---- what a hand does

static void test_keys(void **state)
{
    (void)state;
    if (!can_draw()) return;
    view("pool.yaml --do \"wait 2; key space; wait 2\"");
    assert_true(seen("particles") > 620);
    view("pool.yaml --do \"key space; wait 3; key r; wait 1\"");
    assert_int_equal(seen("particles"), 600);
    view("pool.yaml --do \"key p; wait 9\"");
    CHECK_SAYS(report, "\"paused\":true", "pause");
    CHECK_NEAR(seen("time_s"), 0.0, 0.0, "paused");
    view("pool.yaml --do \"key s; wait 4\"");
    CHECK_SAYS(report, "\"paused\":true", "step");
    assert_true(seen("time_s") > 0.0 && seen("time_s") < 0.01);
    view("pool.yaml --colour speed --do \"dial gravity 0; wait 12; key h\" --panel");
    CHECK_NEAR(seen("gravity"), 0.0, 0.0, "dial");
    assert_true(seen("value_max") < 0.2);
    CHECK_SAYS(report, "\"help\":true", "help");
}

static void hand_in(OndLive *live, OndInputKind kind, int which)
{
    const OndInput input = {.kind = kind, .which = which};
    ond_live_input(live, &input);
}

// Of more inputs than may wait, no press or release of the pointer is lost, and all stay in order.
static void test_full_queue(void **state)
{
    OndLive *const live = OND_NEW(OndLive);
    OndLiveInput got;
    int downs = 0, ups = 0, waiting = 0;
    long long before = 0;
    (void)state;
    assert_non_null(live);
    pthread_mutex_init(&live->lock, NULL);
    pthread_cond_init(&live->news, NULL);
    for (int k = 0; k < INPUTS; ++k) {
        if (k % 100 == 0) hand_in(live, OND_INPUT_POINTER, OND_POINTER_DOWN);
        hand_in(live, OND_INPUT_POINTER, OND_POINTER_MOVE);
        hand_in(live, OND_INPUT_KEY, OND_PLAY_DROP);
        if (k % 100 == 50) hand_in(live, OND_INPUT_POINTER, OND_POINTER_UP);
    }
    for (; ond_live_next(live, &got); before = got.number, ++waiting) {
        assert_true(got.number > before);
        if (got.what.kind != OND_INPUT_POINTER) continue;
        downs += got.what.which == OND_POINTER_DOWN;
        ups += got.what.which == OND_POINTER_UP;
        if (!(downs - ups == 0 || downs - ups == 1)) fail_msg("%d down, %d up", downs, ups);
    }
    assert_int_equal(waiting, INPUTS);
    assert_int_equal(downs, 6);
    assert_int_equal(ups, 5);
    pthread_cond_destroy(&live->news);
    pthread_mutex_destroy(&live->lock);
    ond_free(live);
}

// The torch melts where it is held, and nowhere else.
static void test_torch(void **state)
{
    (void)state;
    if (!can_draw()) return;
    view("wax.yaml --colour temperature --do \"tool heat; hold 0.5,0.8 30; wait 1\"");
    CHECK_SAYS(report, "\"tool\":\"heat\"", "tool");
    assert_true(seen("value_max") > 40.0);
    CHECK_NEAR(seen("value_min"), 20.0, 1.0, "far from the torch");
}

// ---- the camera

static const char kept[] = "# a block of wax\n"
                           "title: Wax\n"
                           "dimension: 2\n"
                           "duration: 0.2\n"
                           "frame_rate: 20\n"
                           "domain: {min: [0, 0], max: [0.1, 0.1]}\n"
                           "camera: {from: [0.05, 0.05, 0.5], to: [0.05, 0.05, 0], fov: 35}\n"
                           "\n"
                           "# what melts\n"
                           "fluid:\n";

static void test_camera(void **state)
{
    static char text[TEXT_ROOM];
    (void)state;
    if (!can_draw()) return;
    view("wax.yaml --do \"zoom 0.5; key c\"");
    read_text("wax.yaml", text);
    CHECK_SAYS(text, kept, "the camera alone is another one");
    expect("check wax.yaml", 0, "Wax");
    write_text("braces.yaml",
               "{dimension: 2, domain: {min: [0, 0], max: [1, 1]}, fluid: [{spacing: "
               "0.05, shape: {type: box, min: [0, 0], max: [0.5, 0.5]}}]}\n");
    read_text("braces.yaml", report);
    snprintf(text, sizeof text, "%s", report);
    expect("view braces.yaml --do \"key c\" --screenshot y.png --size 16x16", 0,
           "camera: {from: [");
    read_text("braces.yaml", report);
    assert_string_equal(report, text);
    write_text("open.yaml",
               "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nfluid:\n  - {spacing: "
               "0.05, shape: {type: box, min: [0, 0], max: [0.5, 0.5]}} # no line end");
    view("open.yaml --do \"key c\"");
    read_text("open.yaml", text);
    CHECK_SAYS(text, "# no line end\ncamera: {from: [", "at the end");
    write_text("wax.yaml", wax);
}

// ---- runs

static void test_run(void **state)
{
    (void)state;
    if (!can_draw()) return;
    expect("run pool.yaml -o run --quiet", 0, "");
    view("run");
    assert_int_equal(seen("frame"), 20);
    assert_int_equal(seen("frames"), 21);
    view("run --after 0 --colour pressure --panel");
    assert_int_equal(seen("frame"), 0);
    CHECK_SAYS(report, "\"colour\":\"pressure\"", "colour");
    CHECK_SAYS(report, "\"unit\":\"Pa\"", "unit");
    view("run --after 0 --do \"key right; key right; wait 1\"");
    assert_int_equal(seen("frame"), 2);
    CHECK_NEAR(seen("time_s"), 0.05, 1e-6, "two frames of 40 a second");
    view("run --do \"key home; wait 1; key left; wait 1; frame 7; wait 1\"");
    assert_int_equal(seen("frame"), 7);
    view("run --after 0 --do \"hold 0.32,0.8 1; wait 1\"");
    CHECK_SAYS(report, "\"picked\":\"position\\u0009", "a particle that is clicked");
    CHECK_SAYS(report, "density\\u0009", "its values");
    view("run --after 0 --do \"hold 0.6,0.1 1; wait 1\"");
    CHECK_SAYS(report, "\"picked\":\"\"", "nothing is there");
}

static const char drifting[] =
    "duration: 0.2\nframe_rate: 10\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "method: {type: smoke, cell: 0.1}\nfluid: [{name: smoke}]\n"
    "source: [{rate: 9, temperature: 80, shape: {type: sphere, center: [0.3, 0.5, 0.5], "
    "radius: 0.25}}]\n"
    "tracer: [{spacing: 0.1, shape: {type: box, min: [0.6, 0.3, 0.3], max: [0.9, 0.7, 0.7]}}]\n";

// Of a grid with something that drifts in it both are shown, each by the values that it has.
static void test_tracers(void **state)
{
    OndImage with, without;
    (void)state;
    if (!can_draw()) return;
    write_text("dust.yaml", drifting);
    expect("run dust.yaml -o dust --quiet", 0, "");
    view("dust --colour temperature");
    assert_true(seen("particles") > 20);
    assert_true(seen("high") > 30.0); // of the smoke: what drifts has no temperature
    picture(&with);
    for (int frame = 0; frame <= 2; ++frame) {
        char path[64];
        snprintf(path, sizeof path, "dust/frames/frame_%04d.ply", frame);
        assert_int_equal(remove(path), 0);
    }
    view("dust --colour temperature");
    assert_int_equal(seen("particles"), 0);
    picture(&without);
    int smoke = 0, dust = 0;
    for (int k = 0; k < 160 * 96; ++k) {
        const uint8_t *const p = without.rgb + 3 * (size_t)k, *const q = with.rgb + 3 * (size_t)k;
        smoke += p[0] > 150 && abs(p[0] - q[0]) < 10;
        dust += abs(p[0] - q[0]) + abs(p[1] - q[1]) + abs(p[2] - q[2]) > 40;
    }
    if (!(smoke > 100 && dust > 30)) fail_msg("smoke in %d pixels, dust in %d", smoke, dust);
    ond_image_free(&with);
    ond_image_free(&without);
}

static void look_again(OndReplay *r, int count, int read, int anew)
{
    OndError err = {0};
    if (ond_replay_list(r, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(r->count, count);
    assert_int_equal(ond_replay_kept(r), read);
    assert_int_equal(r->anew, anew);
}

static void keep_both(OndReplay *r)
{
    OndError err = {0};
    for (int k = 0; k < 2; ++k)
        if (!ond_replay_keep(r, k, &err)) fail_msg("%s", err.text);
}

// Frames of an old run are not shown as the new one's.
static void test_run_anew(void **state)
{
    OndReplay *const r = OND_NEW(OndReplay);
    char path[OND_PATH_MAX], line[3 * OND_PATH_MAX];
    (void)state;
    assert_non_null(r);
    expect("run pool.yaml -o anew --quiet --frames 2", 0, "");
    pthread_mutex_init(&r->lock, NULL);
    r->def.memory = 1e9;
    snprintf(r->shots.folder.path, sizeof r->shots.folder.path, "anew");
    r->shots.item = OND_RUN_FRAME_PLY;
    ond_replay_forget(r);
    look_again(r, 3, 0, 0);
    keep_both(r);
    look_again(r, 3, 2, 0);
    r->low[0] = 0.0;
    expect("run pool.yaml -o anew --force --quiet --frames 2", 0, "");
    look_again(r, 3, 0, 1);
    assert_true(r->low[0] > r->high[0]);
    keep_both(r);
    ond_run_path(&r->shots.folder, r->shots.item, 1, path);
    snprintf(line, sizeof line, "cp %s one && mv one %s", path, path);
    assert_int_equal(system(line), 0);
    look_again(r, 3, 1, 1);
    remove_all("anew/frames");
    look_again(r, 0, 0, 2);
    ond_replay_forget(r);
    pthread_mutex_destroy(&r->lock);
    ond_free(r);
}

// With memory for one frame, looking for the warmth that a colour without values needs drops the others first.
static void test_small_memory(void **state)
{
    OndError err = {0};
    bool fresh;
    const OndReplayDef def = {.path = "dust", .colour = "rigidity", .memory = 1.0, .alone = true};
    (void)state;
    write_text("dust.yaml", drifting);
    expect("run dust.yaml -o dust --force --quiet", 0, "");
    OndReplay *const r = ond_replay_create(&def, &err);
    if (!r) fail_msg("%s", err.text);
    ond_replay_go(r, 1);
    const OndReplayView *const view = ond_replay_take(r, &fresh);
    CHECK_SAYS(view->trouble[0] ? view->trouble : "none", "none", "what is wrong");
    assert_int_equal(view->place, 1);
    assert_int_equal(view->shown.cells[0], 10);
    assert_true(view->shown.particles > 20);
    ond_replay_destroy(r);
}

static double written(const char *format, int frame)
{
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, format, frame);
    if (stat(path, &info) != 0) fail_msg("there is no %s", path);
    return (double)(info.st_mtim.tv_sec % 100000) + 1e-9 * (double)info.st_mtim.tv_nsec;
}

// A frame comes after all that belongs to it, so that who finds it while the run goes on reads all of it.
static void test_frame_last(void **state)
{
    (void)state;
    write_text("dust.yaml", drifting);
    write_text("jet.yaml",
               "dimension: 2\nduration: 0.2\nframe_rate: 50\ndomain: {min: [0, 0], max: [1, 1]}\n"
               "fluid: [{spacing: 0.02, shape: {type: box, min: [0, 0], max: [1, 0.3]}}]\n"
               "solid: [{name: rod, shape: {type: sphere, center: [0.6, 0.6, 0], radius: 0.08},\n"
               "         move: [\"0.1*t\", 0, 0]}]\nfoam: {}\n");
    expect("run dust.yaml -o last-dust --force --quiet", 0, "");
    expect("run jet.yaml -o last-jet --force --quiet", 0, "");
    for (int k = 0; k <= 2; ++k)
        assert_true(written("last-dust/frames/frame_%04d.vti", k) >=
                    written("last-dust/frames/frame_%04d.ply", k));
    for (int k = 0; k <= 10; ++k) {
        const double frame = written("last-jet/frames/frame_%04d.ply", k);
        assert_true(frame >= written("last-jet/frames/foam_%04d.ply", k));
        assert_true(frame >= written("last-jet/frames/solids_%04d.csv", k));
    }
}

// As ondine mesh leaves them.
static void test_surfaces(void **state)
{
    (void)state;
    if (!can_draw()) return;
    expect("run pool.yaml -o meshed --quiet --frames 2", 0, "");
    view("meshed --do \"key m; wait 1\"");
    assert_int_equal(seen("triangles"), 0);
    expect("mesh meshed --quiet", 0, "");
    view("meshed --do \"key m; wait 1\"");
    assert_true(seen("triangles") > 100);
}

// ---- mistakes

static void test_mistakes(void **state)
{
    static const Said said[] = {
        {"view none.yaml", 2, "there is no such scene file"},
        {"view bad.yaml", 2, "bad.yaml:2:13: error: frame_rate must be"},
        {"view .", 2, "has no frames"},
        {"view pool.yaml --colour blue", 2, "--colour must be one of speed,"},
        {"view pool.yaml --size 0x5", 2, "--size takes pixels"},
        {"view pool.yaml --style foo", 2, "spheres"},
        {"view run --set duration=3 --screenshot x.png", 2, "--set changes a scene that runs"},
        {"view run --after 99 --screenshot x.png", 2, "run has no frame 99"},
        {"view run --colour heat --screenshot x.png", 2, "vorticity"},
        {"view pool.yaml --screenshot x.png --size 16x16 --do \"jump\"", 2, "does not know 'jump'"},
        {"view pool.yaml --screenshot x.png --size 16x16 --do \"wait\"", 2,
         "'wait' cannot be done"},
        {"view pool.yaml --screenshot x.png --size 16x16 --do \"tool axe\"", 2,
         "there is no tool 'axe'"},
        {"view pool.yaml --screenshot x.png --size 16x16 --do \"dial x 1\"", 2,
         "there is no dial 'x'"},
        {"view pool.yaml --screenshot no/x.png --size 16x16", 1, "no/x.png"},
    };
    (void)state;
    if (!can_draw()) return;
    write_text("bad.yaml", "dimension: 2\nframe_rate: -50\n");
    expect("run pool.yaml -o run --force --quiet --frames 2", 0, "");
    expect_all(said, OND_COUNT(said));
    assert_false(exists("x.png"));
}

// What is missing is named, and what helps.
static void test_no_display(void **state)
{
#define NO_SCREEN "-u DISPLAY -u WAYLAND_DISPLAY "
#define PICTURE   " --screenshot x.png --size 16x16"
    static const struct {
        const char *environment, *options, *says, *remedy;
    } lacks[] = {
        {NO_SCREEN, "", "there is no display to open a window on", "--screenshot"},
        {NO_SCREEN "WAYLAND_DISPLAY=none", "", "there is no X display", "Xwayland"},
        {"DISPLAY=:987", "", "Failed to open display :987", "--screenshot"},
        {"MESA_GL_VERSION_OVERRIDE=2.1", PICTURE, "EGL has no OpenGL 3.3 here",
         "unset MESA_GL_VERSION_OVERRIDE"},
        {"__EGL_VENDOR_LIBRARY_DIRS=/none", PICTURE, "EGL finds nothing to draw with",
         "libgl1-mesa-dri"},
        {"LIBGL_DRIVERS_PATH=/none", PICTURE, "EGL finds nothing to draw with", "libgl1-mesa-dri"},
    };
    static char text[TEXT_ROOM], line[512];
    (void)state;
    for (int k = 0; k < OND_COUNT(lacks); ++k) {
        snprintf(line, sizeof line, "env %s '%s' view pool.yaml%s 2>&1", lacks[k].environment,
                 OND_COMMAND, lacks[k].options);
        const int code = run_line(line, text);
        if (strstr(text, "this build has no window")) return;
        if (code == 0) { // another driver than Mesa's does not hear of this
            print_message("skipped: %s\n", lacks[k].environment);
            continue;
        }
        assert_int_equal(code, 1);
        CHECK_SAYS(text, lacks[k].says, lacks[k].environment);
        CHECK_SAYS(text, lacks[k].remedy, lacks[k].environment);
    }
    expect("help view", 0, "ondine view SCENE|DIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picture),    cmocka_unit_test(test_same),
        cmocka_unit_test(test_keys),       cmocka_unit_test(test_full_queue),
        cmocka_unit_test(test_torch),      cmocka_unit_test(test_camera),
        cmocka_unit_test(test_run),        cmocka_unit_test(test_run_anew),
        cmocka_unit_test(test_tracers),    cmocka_unit_test(test_small_memory),
        cmocka_unit_test(test_frame_last), cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_no_display)};
    return cmocka_run_group_tests(tests, set_up, leave_folder);
}
