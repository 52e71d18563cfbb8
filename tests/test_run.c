// SPDX-License-Identifier: MIT
// The command as people use it: run, stop, resume, check, render, and everything that can go wrong.
#include "base/memory.h"
#include "command.h"
#include "io/checkpoint_hdf5.h"
#include "io/formats.h"
#include "io/png.h"
#include "io/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

// ---- scenes

// A few hundred particles in the plane: a step takes a moment.
static const char pool[] =
    "dimension: 2\n"
    "duration: 0.5\n"
    "frame_rate: 40\n"
    "domain: {min: [0, 0], max: [1, 1]}\n"
    "output: {format: both}\n"
    "method: {type: sph}\n"
    "fluid:\n"
    "  - {spacing: 0.02, shape: {type: box, min: [0, 0], max: [0.4, 0.6]}}\n";

static const char tap[] = "dimension: 2\n"
                          "duration: 0.5\n"
                          "frame_rate: 40\n"
                          "domain: {min: [0, 0], max: [1, 1]}\n"
                          "method: {type: sph, sound_speed: 20}\n"
                          "fluid:\n"
                          "  - {name: water, spacing: 0.01, tension: 0.07, viscosity: 0.01}\n"
                          "emitter:\n"
                          "  - {center: [0.5, 0.8], radius: 0.1, rate: 0.4}\n";

// ---- runs beside the test

// Starts `ondine run SCENE -o OUT --threads N --quiet` and returns at once.
static pid_t start_run(const char *scene, const char *out, const char *threads)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        if (null >= 0) dup2(null, STDERR_FILENO);
        execl(OND_COMMAND, "ondine", "run", scene, "-o", out, "--threads", threads, "--quiet",
              (char *)NULL);
        _exit(99);
    }
    return child;
}

static void wait_for(const char *path)
{
    for (int k = 0; k < 60000 && !exists(path); ++k)
        usleep(500);
    if (!exists(path)) fail_msg("%s did not appear", path);
}

// ---- bad scenes

static void test_bad_scenes(void **state)
{
    (void)state;
#define DOMAIN "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
#define BOX    "shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]}"
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"unknown key", DOMAIN "fluids:\n  - {spacing: 0.1, " BOX "}\n", "bad.yaml:2:"},
        {"near key", DOMAIN "fluid:\n  - {spaceing: 0.1, " BOX "}\n", "'spacing'"},
        {"wrong type", DOMAIN "fluid:\n  - {spacing: wide, " BOX "}\n", "bad.yaml:3:"},
        {"NaN", DOMAIN "fluid:\n  - {spacing: .nan, " BOX "}\n", "bad.yaml:3:"},
        {"negative", DOMAIN "fluid:\n  - {spacing: -0.1, " BOX "}\n", "must be > 0"},
        {"outside",
         DOMAIN "fluid:\n  - {spacing: 0.1, shape: {type: sphere, center: [2, 0, 0], "
                "radius: 0.3}}\n",
         "beyond the domain"},
        {"overlap", DOMAIN "fluid:\n  - {spacing: 0.1, " BOX "}\n  - {spacing: 0.1, " BOX "}\n",
         "overlaps"},
        {"nothing", DOMAIN, "nothing to simulate"},
        {"a billion", DOMAIN "fluid:\n  - {spacing: 0.0005, " BOX "}\n", "bad.yaml:3:"},
        {"no mesh", DOMAIN "fluid:\n  - {spacing: 0.1, shape: {type: mesh, file: none.obj}}\n",
         "none.obj"},
        {"no YAML", "fluid: [unclosed\n", "bad.yaml:"},
        {"a text", "hello\n", "bad.yaml:1:"},
        {"empty", "", "bad.yaml:"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        static char text[TEXT_ROOM];
        static const char *const commands[] = {"run bad.yaml -o bad", "check bad.yaml"};
        write_text("bad.yaml", cases[c].text);
        for (int k = 0; k < OND_COUNT(commands); ++k) {
            const int code = ondine(commands[k], text);
            if (code != 2) fail_msg("%s: exit code %d:\n%s", cases[c].name, code, text);
            CHECK_SAYS(text, "bad.yaml:", cases[c].name);
            CHECK_SAYS(text, ": error: ", cases[c].name);
            CHECK_SAYS(text, cases[c].says, cases[c].name);
            assert_false(exists("bad"));
        }
    }
}

static void test_bad_options(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    expect("run pool.yaml -o a --set fluid.0.spacing=-1", 2, "--set fluid.0.spacing=-1");
    expect("run pool.yaml -o a --set fluid.7.spacing=1", 2, "--set");
    expect("run pool.yaml -o a --set spacing", 2, "--set");
    expect("run pool.yaml -o a --resume --force", 2, "give one of them");
    expect("run pool.yaml -o a --resume", 2, "nothing to resume");
    expect("run none.yaml -o a", 2, "none.yaml");
    expect("run . -o a", 2, "without a scene.yaml");
    expect("run pool.yaml -o a --frames 0", 2, "--frames");
    assert_false(exists("a"));
    expect("render none", 2, "none");
    expect("render . ", 2, "no frames");
    expect("render . --size 5", 2, "1280x720");
    expect("render . --range 2:1", 2, "two rising values");
    expect("render . --camera 1,2,3", 2, "--camera takes");
    expect("render . --frames 5-2", 2, "--frames takes");
    expect("bench shp", 2, "did you mean 'sph'?");
    expect("bench list", 0, "sph");
    expect("info --keys json", 0, "\"$schema\"");
}

// ---- runs

static int count_lines(const char *path)
{
    int lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines;
}

static void test_small_run(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    write_text("pool.yaml", pool);
    assert_int_equal(ondine("run pool.yaml -o small --json", text), 0);
    assert_int_equal(text[0], '{');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1); // one line, one object
    CHECK_SAYS(text, "\"status\":\"done\"", "json");
    CHECK_NEAR(json_number(text, "frame"), 20, 0, "last frame");
    CHECK_NEAR(json_number(text, "particles"), 600, 0, "particles");
    CHECK_NEAR(count_lines("small/log.csv"), json_number(text, "steps") + 1, 0, "lines of the log");
    for (int k = 0; k <= 20; ++k) {
        char path[64];
        OndFrame frame;
        OndError err = {0};
        snprintf(path, sizeof path, "small/frames/frame_%04d.vtp", k);
        assert_true(exists(path));
        snprintf(path, sizeof path, "small/frames/frame_%04d.ply", k);
        if (ond_frame_read(path, &frame, &err) != OND_OK) fail_msg("%s", err.text);
        CHECK_NEAR(frame.time, k / 40.0, 1e-12, "time of a frame");
        CHECK_NEAR(frame.particles.count, 600, 0, "particles of a frame");
        ond_frame_free(&frame);
    }
    assert_false(exists("small/frames/frame_0021.ply"));
    assert_int_equal(system("grep -c 'frame_00.*vtp' small/frames.pvd | grep -qx 21"), 0);
    expect("run pool.yaml -o small", 2, "already holds a run");
    expect("run pool.yaml -o small --force --frames 3", 0, "4 frames");
    assert_false(exists("small/frames/frame_0004.ply"));
    expect("run small --resume --frames 5 --quiet", 0, ""); // the folder stands for its scene
    assert_true(exists("small/frames/frame_0005.ply"));
    expect("convert small/frames/frame_0005.ply five.csv", 0, "");
    CHECK_NEAR(count_lines("five.csv") >= 601, 1, 0, "lines of the table");
}

static void test_overrides(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    write_text("pool.yaml", pool);
    // the scene in the folder is the one that ran, whatever it holds
    expect("run pool.yaml -o set --quiet --frames 1 --set fluid.0.spacing=0.05 --set "
           "'title=\"a: \\\"b\\\" # c, [d] \\\\ é\"' --set 'gravity=[0, -1]' --set method.type=sph",
           0, "");
    assert_int_equal(ondine("check set --json", text), 0);
    CHECK_SAYS(text, "\"title\":\"a: \\\"b\\\" # c, [d] \\\\ é\"", "title");
    CHECK_NEAR(json_number(text, "particles"), 96, 0, "particles");
    expect("run set --resume --frames 2 --quiet", 0, "");
    expect("run pool.yaml -o set --resume", 2, "another scene");
    expect("run set --resume --set fluid.0.spacing=0.04", 2,
           "another scene: fluid.0.spacing was 0.05 and is 0.04. Only title");
    expect("run set --resume --set method.xsph=0.1", 2,
           "method.xsph was left out and is 0.1. Only");
    expect("check pool.yaml --set duration=1", 0, "1 s in 41 frames");
    expect("check pool.yaml --set duration=0.51", 0,
           "note: the duration of 0.51 s ends between two frames (40 a second); the run goes on to "
           "0.525 s, frame 21");
    expect("check pool.yaml", 0, "first step");
    expect("check pool.yaml --set frame_rate=1e-30", 2,
           "--set frame_rate=1e-30: error: frame_rate must be >= 1e-06, not 1e-30");
    expect("check pool.yaml --set frame_rate=1e-5 --set duration=1", 0, "100000 s in 2 frames");
    write_text("fall.yaml", "fluid: [{spacing: 0.1, shape: {type: sphere, center: [0, 0, 0], "
                            "radius: 0.3}}]\n");
    expect("check fall.yaml", 0, "note: there is no domain and no solid, so everything falls");
    static char weightless[TEXT_ROOM];
    assert_int_equal(ondine("check fall.yaml --set 'gravity=[0, 0]'", weightless), 0);
    assert_null(strstr(weightless, "falls for ever"));
    expect("run pool.yaml -o longer --quiet --set duration=0.1", 0, "");
    expect("run pool.yaml -o longer --resume --quiet", 0, ""); // a longer film of the same
    expect("run pool.yaml -o longer --resume", 0,
           "the run is complete: it had reached frame 20, t = 0.5 s; to go on, give a longer "
           "duration\nfolder  longer\n");
    expect("run pool.yaml -o longer --resume --frames 3", 0, "give more --frames, or leave them");
    assert_true(exists("longer/frames/frame_0020.ply"));
}

// A fall that nothing stops is noted, and no burst; what is advised after one is not so already.
static void test_falls_and_bursts(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    write_text("pool.yaml", pool);
    expect("check pool.yaml --set domain.x=periodic --set domain.y=periodic", 0,
           "note: gravity points along y, which is periodic: nothing stops the fall");
    assert_int_equal(ondine("check pool.yaml --set domain.x=periodic", text), 0);
    if (strstr(text, "nothing stops")) fail_msg("a floor does stop it:\n%s", text);
    const char *burst =
        "run pool.yaml -o burst --force --quiet --set method.artificial=0 --set "
        "method.sound_damping=0 --set method.state=tait --set method.courant=2 --set "
        "method.acoustic=2";
    expect(burst, 1, "Try a smaller `acoustic` (now 2)");
    expect("run pool.yaml -o burst --force --quiet --set method.step_rule=fixed --set "
           "method.time_step=0.01",
           1, "Try `step_rule: adaptive`, or a smaller `time_step` (now 0.01 s)");
}

// The pages are made from the tables; `make docs` makes them anew.
static void test_reference_is_current(void **state)
{
    (void)state;
    static const char *const pages[][2] = {{"markdown", "scene.md"}, {"json", "scene.schema.json"}};
    for (int k = 0; k < OND_COUNT(pages); ++k) {
        char line[1024];
        snprintf(line, sizeof line, "'%s' info --keys %s | cmp - '%s/docs/%s'", OND_COMMAND,
                 pages[k][0], OND_SOURCE_DIR, pages[k][1]);
        if (system(line) != 0)
            fail_msg("docs/%s is not what the tables say: run `make docs`", pages[k][1]);
    }
}

// ---- stopping and going on

static void check_same_file(const char *a, const char *b)
{
    char line[256];
    snprintf(line, sizeof line, "cmp '%s' '%s'", a, b);
    if (system(line) != 0) fail_msg("%s and %s differ", a, b);
}

static void check_same_checkpoint(const char *a, const char *b)
{
    OndCheckpoint c[2];
    OndError err = {0};
    const char *const run[2] = {a, b};
    for (int k = 0; k < 2; ++k) {
        char path[256];
        snprintf(path, sizeof path, "%s/checkpoint.h5", run[k]);
        if (ond_checkpoint_read(path, &c[k], NULL, 0, &err) != OND_OK) fail_msg("%s", err.text);
    }
    CHECK_NEAR(c[0].time, c[1].time, 0, "time");
    CHECK_NEAR((double)c[0].step, (double)c[1].step, 0, "steps");
    CHECK_NEAR(c[0].fields.count, c[1].fields.count, 0, "particles");
    CHECK_NEAR(c[0].number_count, c[1].number_count, 0, "numbers");
    for (int n = 0; n < c[0].number_count; ++n)
        CHECK_NEAR(c[0].number[n].value, c[1].number[n].value, 0, c[0].number[n].name);
    for (int f = 0; f < c[0].fields.field_count; ++f) {
        const OndField *field = &c[0].fields.field[f];
        const OndField *other = ond_fields_find(&c[1].fields, field->name);
        assert_non_null(other);
        for (int k = 0; k < field->components; ++k)
            if (memcmp(field->data[k], other->data[k], 4 * (size_t)c[0].fields.count) != 0)
                fail_msg("%s differs", field->name);
    }
    ond_checkpoint_free(&c[0]);
    ond_checkpoint_free(&c[1]);
}

// The log but for its milliseconds.
static void check_same_log(const char *a, const char *b)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "cut -d, -f1-11 %s/log.csv > log.a && cut -d, -f1-11 %s/log.csv > log.b && cmp log.a log.b",
        a, b);
    if (system(line) != 0) fail_msg("the logs of %s and %s differ", a, b);
}

static void test_resume(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *text, *threads;
        int signal, code;
    } cases[] = {
        {"pool.yaml", pool, "1", SIGINT, 130},
        {"pool.yaml", pool, "2", SIGKILL, -1},
        {"tap.yaml", tap, "1", SIGTERM, 143},
        {"tap.yaml", tap, "2", SIGKILL, -1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char args[256];
        int status = 0;
        write_text(cases[c].scene, cases[c].text);
        remove_all("whole");
        remove_all("cut");
        snprintf(args, sizeof args, "run %s -o whole --quiet --threads 1", cases[c].scene);
        expect(args, 0, "");
        const pid_t child = start_run(cases[c].scene, "cut", cases[c].threads);
        wait_for("cut/frames/frame_0006.ply");
        kill(child, cases[c].signal);
        waitpid(child, &status, 0);
        if (cases[c].code >= 0)
            CHECK_NEAR(WIFEXITED(status) ? WEXITSTATUS(status) : -1, cases[c].code, 0, "exit code");
        else
            assert_true(WIFSIGNALED(status));
        assert_false(exists("cut/frames/frame_0020.ply")); // it did stop on the way
        snprintf(args, sizeof args, "run %s -o cut --quiet --resume --threads %s", cases[c].scene,
                 cases[c].threads);
        expect(args, 0, "");
        check_same_file("whole/frames/frame_0020.ply", "cut/frames/frame_0020.ply");
        check_same_file("whole/frames/frame_0007.ply", "cut/frames/frame_0007.ply");
        check_same_checkpoint("whole", "cut");
        check_same_log("whole", "cut");
    }
}

// A resumed run colours its pictures like one that never stopped.
static void test_resumed_pictures(void **state)
{
    (void)state;
    static const char small[] = " --quiet --pictures --set render.width=160 --set render.height=90";
    char args[256];
    write_text("pool.yaml", pool);
    remove_all("whole");
    remove_all("cut");
    snprintf(args, sizeof args, "run pool.yaml -o whole --frames 8%s", small);
    expect(args, 0, "");
    snprintf(args, sizeof args, "run pool.yaml -o cut --frames 4%s", small);
    expect(args, 0, "");
    snprintf(args, sizeof args, "run cut --resume --frames 8%s", small);
    expect(args, 0, "");
    check_same_file("whole/pictures/frame_0008.png", "cut/pictures/frame_0008.png");
}

// The line that says how to go on can be pasted into a shell, whatever the names.
static void test_advice_can_be_pasted(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    static const char go_on[] = "go on with: ondine ";
    write_text("it's a pool.yaml", pool);
    remove_all("a run");
    const int code =
        ondine("run \"it's a pool.yaml\" -o 'a run' --frames 2000 --set duration=100 --set "
               "'title=it'\\''s' & until test -e 'a run/frames/frame_0001.ply'; do "
               "sleep 0.05; done; kill -INT $!; wait $!",
               text);
    CHECK_NEAR(code, 130, 0, "exit code");
    char *advice = strstr(text, go_on);
    if (!advice) fail_msg("no advice: %s", text);
    advice += sizeof go_on - 1;
    advice[strcspn(advice, "\n")] = '\0';
    CHECK_SAYS(advice, " --resume --frames 2000 --set", "every option is in it");
    char args[1024];
    snprintf(args, sizeof args, "%.900s --frames 1 --quiet", advice);
    expect(args, 0, "");
}

static void test_damaged_checkpoint(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    remove_all("cut");
    expect("run pool.yaml -o cut --quiet --frames 4 --set output.format=ply", 0, "");
    assert_int_equal(truncate("cut/checkpoint.h5", 1000), 0);
    expect("run pool.yaml -o cut --resume", 0, "note: ");
    assert_true(exists("cut/frames/frame_0020.ply"));
    write_text("cut/checkpoint.h5", "not one");
    write_text("cut/checkpoint.prev.h5", "not one either");
    expect("run pool.yaml -o cut --resume", 2, "damaged");
    expect("run pool.yaml -o cut --resume", 2, "--force instead of --resume begins the run anew");
    assert_true(exists("cut/frames/frame_0020.ply"));
}

// ---- what can go wrong on the way

static void test_unwritable(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    write_text("file", "");
    expect("run pool.yaml -o file/run", 1, "file");
    expect("run pool.yaml -o file", 1, "file");
    expect("run pool.yaml -o /proc/ondine", 1, "/proc/ondine");
}

// Frames grow as the tap pours; those before the limit stay good.
static void test_full_disk(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    struct rlimit before, small;
    write_text("tap.yaml", tap);
    remove_all("full");
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 60000;
    setrlimit(RLIMIT_FSIZE, &small);
    const int code = ondine("run tap.yaml -o full", text);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_NEAR(code, 1, 0, "exit code");
    CHECK_SAYS(text, "no space left", "message");
    CHECK_SAYS(text, "is kept", "message");
    OndFrame frame;
    OndError err = {0};
    if (ond_frame_read("full/frames/frame_0003.ply", &frame, &err) != OND_OK)
        fail_msg("%s", err.text);
    ond_frame_free(&frame);
    expect("run tap.yaml -o full --resume --quiet", 0, "");
    assert_true(exists("full/frames/frame_0020.ply"));
}

static void test_unstable(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    remove_all("wild");
    // sound crosses the scene thousands of times in one of these steps
    expect(
        "run pool.yaml -o wild --quiet --set method.step_rule=fixed --set method.time_step=0.025 "
        "--set method.sound_speed=1e5",
        1, "went wrong at step");
    assert_true(exists("wild/checkpoint.h5"));
    assert_true(exists("wild/frames/frame_0000.ply"));
}

// ---- pictures

static void check_picture(const char *path, int width, int height)
{
    OndImage image = {0};
    OndError err = {0};
    if (ond_png_read(path, &image, &err) != OND_OK) fail_msg("%s", err.text);
    if (width) CHECK_NEAR(image.width, width, 0, path);
    if (height) CHECK_NEAR(image.height, height, 0, path);
    ond_image_free(&image);
}

static void test_render(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    remove_all("seen");
    expect("run pool.yaml -o seen --quiet --frames 4 --pictures --set render.width=160 --set "
           "render.height=90",
           0, "");
    check_picture("seen/pictures/frame_0004.png", 160, 90);
    expect("render seen --pictures", 0, "0 pictures drawn, 5 kept");
    expect("render seen --pictures --colour density", 0, "5 pictures drawn, 0 kept");
    expect("render seen --pictures --color density", 0, "5 pictures drawn, 0 kept");
    expect("render seen --sheet 4 -o sheet.png", 0, "sheet.png");
    check_picture("sheet.png", 2 * 957 + 6, 0);
    expect("render seen/frames/frame_0002.ply -o one.png --size 64x48 --range 0:1 --no-legend", 0,
           "one.png");
    check_picture("one.png", 64, 48);
    expect("render seen -o two.png", 2, "do not fit one picture");
    expect("render seen -o two.png --frames 3 --camera 0,0,5:0.5,0.5,0 --fov 40", 0, "two.png");
    expect("render seen --sheet 3 --size 64x48 -o sheet.png", 0, "sheet.png");
    check_picture("sheet.png", 2 * 64 + 6, 2 * 48 + 6);
    expect("render seen --sheet 3 --size 10000x10 -o wide.png", 2,
           "a picture of 20006 x 26 pixels");
    expect("render seen --frames 9-12", 2, "there are frames 0 to 4");
    write_text("seen/frames/frame_0002.ply", "ply\n");
    expect("render seen --force --pictures", 2, "frame_0002.ply");
}

static void test_film_without_ffmpeg(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    write_text("pool.yaml", pool);
    remove_all("unfilmed");
    CHECK_NEAR(run_line("PATH=/nowhere exec '" OND_COMMAND
                        "' run pool.yaml -o unfilmed --film 2>&1",
                        text),
               1, 0, "exit code");
    CHECK_SAYS(text, "needs the program ffmpeg, which is not in the PATH", "message");
    assert_false(exists("unfilmed"));
}

static void test_film(void **state)
{
    (void)state;
    if (system("command -v ffmpeg > /dev/null") != 0) skip();
    const char *size = "--set render.width=160 --set render.height=90";
    char args[256];
    write_text("pool.yaml", pool);
    remove_all("film");
    snprintf(args, sizeof args, "run pool.yaml -o film --film --frames 3 %s", size);
    expect(args, 0, "film/film.mp4");
    assert_true(exists("film/film.mp4"));
    assert_int_equal(unlink("film/film.mp4"), 0);
    expect("run film --resume --film --frames 6", 0, "film/film.mp4"); // made from all frames
    assert_true(exists("film/film.mp4"));
    expect("render film -o other.gif --frames 2-4", 0, "other.gif");
    assert_true(exists("other.gif"));
}

// An ffmpeg that fails on the way stands before the real one, and what PATH was comes back.
static char *break_ffmpeg(void)
{
    char path[4096];
    assert_int_equal(system("mkdir -p bin && printf '#!/bin/sh\\nhead -c 60000 >/dev/null\\n"
                            "echo no space for films >&2\\nexit 1\\n' > bin/ffmpeg && chmod +x "
                            "bin/ffmpeg"),
                     0);
    char *const before = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "bin:%s", before);
    setenv("PATH", path, 1);
    return before;
}

static void mend_ffmpeg(char *before)
{
    setenv("PATH", before, 1);
    free(before);
}

// A renderer or an ffmpeg that fails on the way ends the film, not the simulation.
static void test_film_that_fails(void **state)
{
    (void)state;
    write_text("pool.yaml", pool);
    remove_all("broken");
    char *const before = break_ffmpeg();
    expect("run pool.yaml -o broken --film --frames 5 --set render.width=160 --set "
           "render.height=90",
           1, "the film is incomplete, nothing was drawn from frame");
    mend_ffmpeg(before);
    assert_true(exists("broken/frames/frame_0005.ply"));
    assert_false(exists("broken/film.mp4"));
    assert_false(exists("broken/film.mp4.part"));
    expect("run pool.yaml -o broken --resume --frames 6", 0, "7 frames");
}

// The film fails, and then the run does or is stopped: both are told.
static void test_film_fails_first(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    char line[2048];
    write_text("pool.yaml", pool);
    remove_all("wild");
    remove_all("halted");
    char *const before = break_ffmpeg();
    // a picture is larger than a pipe holds: one of the first two fails
    CHECK_NEAR(ondine("run pool.yaml -o wild --film --quiet --set render.width=640 --set "
                      "render.height=360 --set method.step_rule=fixed --set "
                      "method.time_step=0.025 --set method.sound_speed=1e5",
                      text),
               1, 0, "exit code");
    CHECK_SAYS(text, "went wrong at step", "where");
    CHECK_SAYS(text, "are kept", "what is left");
    CHECK_SAYS(text, "the film is incomplete, nothing was drawn from frame", "the film");
    snprintf(line, sizeof line,
             "'%s' run pool.yaml -o halted --film --set duration=100 --set render.width=640 --set "
             "render.height=360 >halted.txt 2>&1 & for k in $(seq 400); do grep -q 'no more "
             "pictures' halted.txt && break; sleep 0.05; done; kill -TERM $!; wait $!; code=$?; "
             "tail -n 2 halted.txt; exit $code",
             OND_COMMAND);
    CHECK_NEAR(run_line(line, text), 143, 0, "exit code");
    mend_ffmpeg(before);
    CHECK_SAYS(text, "the film is incomplete, nothing was drawn from frame", "at the end");
    CHECK_SAYS(text, "go on with: ondine run", "and how to go on");
}

// As much poured all the time, early or late: a half, 7/8 or 1/8 of it is there on the mean.
static void test_forecast_of_emitters(void **state)
{
    (void)state;
    static const char *const times[] = {"rate: 0.025", "rate: 0.1, to: 0.25",
                                        "rate: 0.1, from: 0.75"};
    double disk[3];
    for (int c = 0; c < OND_COUNT(times); ++c) {
        static char text[TEXT_ROOM];
        char scene[512];
        snprintf(scene, sizeof scene,
                 "duration: 1\nframe_rate: 50\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                 "fluid: [{spacing: 0.05}]\n"
                 "emitter: [{center: [0.5, 0.8, 0.5], radius: 0.1, %s}]\n",
                 times[c]);
        write_text("pours.yaml", scene);
        assert_int_equal(ondine_output("check pours.yaml --json", text), 0);
        CHECK_NEAR(json_number(text, "poured"), 200, 0.5, times[c]);
        disk[c] = json_number(text, "disk_bytes");
    }
    assert_true(disk[0] > disk[2]);
    CHECK_NEAR((disk[1] - disk[2]) / (disk[0] - disk[2]), 2, 0.01, "early, beside all the time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_scenes),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_small_run),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_falls_and_bursts),
        cmocka_unit_test(test_reference_is_current),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_damaged_checkpoint),
        cmocka_unit_test(test_resumed_pictures),
        cmocka_unit_test(test_advice_can_be_pasted),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unstable),
        cmocka_unit_test(test_render),
        cmocka_unit_test(test_film),
        cmocka_unit_test(test_film_without_ffmpeg),
        cmocka_unit_test(test_film_that_fails),
        cmocka_unit_test(test_film_fails_first),
        cmocka_unit_test(test_forecast_of_emitters),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
