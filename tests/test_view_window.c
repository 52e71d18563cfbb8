// SPDX-License-Identifier: MIT
// ctest: slow
// `ondine view` in a real window: keys and mouse sent by the X server, as a hand sends them.
#include "command.h"
#include "run_scenes.h"

#include "base/memory.h"
#include "io/formats/png.h"

#include <signal.h>

static const char wax[] =
    "dimension: 2\n"
    "duration: 1\n"
    "domain: {min: [0, 0], max: [0.1, 0.1]}\n"
    "fluid:\n"
    "  - {material: wax, spacing: 0.005, shape: {type: box, min: [0.02, 0], max: [0.08, 0.04]}}\n";

static char text[TEXT_ROOM], report[TEXT_ROOM];
static int server; // process of the X server; 0: there is none

// ---- a display

static void shell(const char *format, ...)
{
    char line[1024];
    va_list parts;
    va_start(parts, format);
    vsnprintf(line, sizeof line, format, parts);
    va_end(parts);
    if (run_line(line, text) != 0) fail_msg("%s:\n%s", line, text);
}

static void read_text(const char *path, char out[TEXT_ROOM])
{
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    if (!file) return;
    out[fread(out, 1, TEXT_ROOM - 1, file)] = '\0';
    fclose(file);
}

// Waits until a file says something, at most a minute; a machine may be busy with other things.
static bool appears(const char *path, const char *says)
{
    for (int k = 0; k < 1200; ++k) {
        read_text(path, text);
        if (text[0] && strstr(text, says)) return true;
        usleep(50000);
    }
    return false;
}

// False, with a word, where there are no means. `options`: of the X server. It stays as it is
// when its last client goes (-noreset): while it starts anew it turns the next one away.
static bool open_display(const char *options)
{
    char start[256];
    if (run_line("command -v Xvfb && command -v xdotool", text) != 0) {
        print_message("skipped: needs Xvfb and xdotool\n");
        return false;
    }
    remove("display");
    snprintf(start, sizeof start,
             "Xvfb -displayfd 5 -screen 0 900x700x24 -nolisten tcp -noreset %s 5>display "
             ">xvfb.log 2>&1 & echo $! >pid",
             options);
    run_line(start, text);
    if (!appears("display", "\n")) {
        read_text("xvfb.log", text);
        fail_msg("no display: %s", text);
    }
    char name[32];
    snprintf(name, sizeof name, ":%d", atoi(text));
    setenv("DISPLAY", name, 1);
    unsetenv("WAYLAND_DISPLAY");
    read_text("pid", text);
    server = atoi(text);
    return true;
}

static int set_up(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("pool.yaml", pool);
    write_text("wax.yaml", wax);
    open_display("");
    return 0;
}

static int tear_down(void **state)
{
    if (server > 0) kill(server, SIGTERM);
    return leave_folder(state);
}

// ---- a window

// Waits for the window, at most a minute. False when the command gave up before.
static bool window_there(void)
{
    for (int k = 0; k < 600; ++k) {
        if (run_line(
                "xdotool search --onlyvisible --name Ondine 2>&1 | grep -m 1 '^[0-9]*$' >window",
                text) == 0)
            return true;
        read_text("said", text);
        if (strstr(text, "ondine view: ")) return false;
        usleep(100000);
    }
    return false;
}

// Starts `ondine view ARGS` and waits for its window. False where this machine cannot draw.
static bool start(const char *args)
{
    if (server <= 0) return false;
    remove("said");
    remove("seen.json");
    shell("'%s' view %s --size 800x600 --report seen.json >said 2>&1 & echo $! >view", OND_COMMAND,
          args);
    if (window_there()) {
        shell("xdotool windowfocus --sync $(cat window)");
        return true;
    }
    read_text("said", text);
    if (!strstr(text, "OpenGL") && !strstr(text, "has no window"))
        fail_msg("no window of %s:\n%s", args, text);
    print_message("skipped: %s", text);
    return false;
}

static void hand(const char *what)
{
    shell("xdotool %s", what);
}

// Closes it by a key, and reads what it saw.
static void finish(void)
{
    hand("key q");
    if (!appears("seen.json", "\n}\n")) {
        read_text("said", text);
        fail_msg("no report: %s", text);
    }
    read_text("seen.json", report);
    for (int k = 0; k < 200 && run_line("kill -0 $(cat view) 2>/dev/null", text) == 0; ++k)
        usleep(50000);
}

static double seen(const char *name)
{
    return json_number(report, name);
}

// ---- tests

// From a key to the picture that shows it: the next but one at the latest.
static void check_pace(void)
{
    if (seen("inputs") > 0 && !(seen("pictures_until_shown") <= 2))
        fail_msg("a key was seen in picture %g after it", seen("pictures_until_shown"));
    assert_true(seen("pictures") >= 2);
}

static void test_keys(void **state)
{
    (void)state;
    if (!start("pool.yaml")) return;
    hand("key space");
    hand("key h key p");
    finish();
    assert_true(seen("particles") > 620);
    CHECK_SAYS(report, "\"help\":true", "help");
    CHECK_SAYS(report, "\"paused\":true", "pause");
    check_pace();
    if (!start("pool.yaml")) return;
    hand("key space key space key r key p");
    finish();
    assert_int_equal(seen("particles"), 600);
    check_pace();
}

// Holds the torch for so long into the wax, which is in the lower middle of the picture, and saves that.
static bool melt(double seconds)
{
    char line[128];
    remove("ondine-0001.png");
    if (!start("wax.yaml --colour temperature --style spheres")) return false;
    read_text("window", text);
    hand("key Tab key 4"); // no panel: the box is in the middle
    snprintf(line, sizeof line, "mousemove --window %d 400 500 mousedown 1", atoi(text));
    hand(line);
    usleep((useconds_t)(1e6 * seconds));
    hand("mouseup 1 key x");
    for (int k = 0; k < 600 && !exists("ondine-0001.png"); ++k)
        usleep(50000);
    finish();
    return true;
}

static void test_torch(void **state)
{
    OndImage image = {0};
    OndError err = {0};
    (void)state;
    if (!melt(1)) return;
    if (!(seen("value_max") > 60.0)) melt(6); // the machine has other things to do
    if (!(seen("value_max") > 60.0)) melt(25);
    CHECK_SAYS(report, "\"tool\":\"heat\"", "the tool");
    if (!(seen("value_max") > 60.0)) fail_msg("as hot as %g degrees", seen("value_max"));
    CHECK_NEAR(seen("value_min"), 20.0, 5.0, "far from the torch");
    if (ond_png_read("ondine-0001.png", &image, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(image.width, 800);
    int hot = 0, cold = 0;
    for (int k = 0; k < image.width * image.height; ++k) {
        const uint8_t *const p = image.rgb + 3 * (size_t)k;
        hot += p[0] > 200 && p[1] > 90 && p[2] < 150; // orange
        cold += p[0] > 40 && p[0] < 130 && p[1] < 60; // plum
    }
    if (!(hot > 50 && cold > 500)) fail_msg("%d pixels hot, %d cold", hot, cold);
    ond_image_free(&image);
}

// A scene file that is saved while it runs is read again; with a mistake the old one goes on.
static void test_edit(void **state)
{
    (void)state;
    write_text("edit.yaml", pool);
    if (!start("edit.yaml")) return;
    shell("sed -i s/spacing:/spaccing:/ edit.yaml");
    if (!appears("said", "edit.yaml:8:6: error: unknown key 'spaccing'")) fail_msg("%s", text);
    shell("sed -i 's/spaccing:/spacing:/; s/0.4, 0.6/0.2, 0.3/' edit.yaml");
    if (!appears("said", "edit.yaml was read again")) fail_msg("%s", text);
    hand("key p");
    finish();
    assert_int_equal(seen("particles"), 150);
    assert_int_equal(seen("reads"), 2);
    CHECK_SAYS(report, "\"trouble\":\"\"", "nothing is wrong");
    write_text("edit.yaml", pool);
    if (!start("edit.yaml")) return;
    shell("sed -i 's/0.4, 0.6/0.2, 0.3/' edit.yaml");
    hand("key r");
    finish();
    assert_int_equal(seen("particles"), 150);
}

static void test_playback(void **state)
{
    (void)state;
    expect("run pool.yaml -o run --quiet", 0, "");
    if (!start("run")) return;
    hand("key space key Home key Right key Right");
    finish();
    assert_int_equal(seen("frame"), 2);
    CHECK_SAYS(report, "\"playing\":false", "stands still");
    check_pace();
}

// Tiny, and closed while a step is computed.
static void test_tiny(void **state)
{
    (void)state;
    if (!start("pool.yaml --set fluid.0.spacing=0.004")) return;
    shell("xdotool windowsize $(cat window) 1 1");
    hand("key space");
    shell("xdotool windowsize --sync $(cat window) 500 300");
    hand("key space");
    finish();
    CHECK_NEAR(seen("width"), 500, 0, "its width");
}

// A display whose OpenGL is too old says so, with what helps; one that brings none itself is drawn on by EGL.
static void test_no_opengl(void **state)
{
    (void)state;
    if (server <= 0) return;
    shell("env MESA_GL_VERSION_OVERRIDE=2.1 '%s' view pool.yaml >said 2>&1 & echo $! >view",
          OND_COMMAND);
    if (!appears("said", "\n") || strstr(text, "has no window")) return;
    CHECK_SAYS(text, "this display has no OpenGL 3.3", "what is missing");
    CHECK_SAYS(text, "unset MESA_GL_VERSION_OVERRIDE", "what helps");
    kill(server, SIGTERM);
    server = 0;
    assert_true(open_display("-extension GLX"));
    if (!start("pool.yaml")) return;
    hand("key space key p");
    finish();
    assert_true(seen("particles") > 620);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys), cmocka_unit_test(test_torch),
        cmocka_unit_test(test_edit), cmocka_unit_test(test_playback),
        cmocka_unit_test(test_tiny), cmocka_unit_test(test_no_opengl)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
