// SPDX-License-Identifier: MIT
// The command as people use it: run, check, and everything that can go wrong. For stopping, going
// on and drawing see test_run_resume.c.
#include "base/memory.h"
#include "command.h"
#include "io/formats/formats.h"
#include "run_scenes.h"

#include <sys/resource.h>

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
    expect("run pool.yaml -o a --resume", 2, "or give the folder of the run (-o)");
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
    expect("run pool.yaml -o small", 2,
           "already holds a run; go on with it, replace it or give another folder (--resume, "
           "--force or -o)");
    expect("run pool.yaml -o small --force --frames 3", 0, "4 frames");
    assert_false(exists("small/frames/frame_0004.ply"));
    expect("run small --resume --frames 5 --quiet", 0, ""); // the folder stands for its scene
    assert_true(exists("small/frames/frame_0005.ply"));
    expect("convert small/frames/frame_0005.ply five.csv", 0, "");
    CHECK_NEAR(count_lines("five.csv") >= 601, 1, 0, "lines of the table");
}

// Every format of the register, and the two names that stand for others.
static void test_output_formats(void **state)
{
    (void)state;
    static const struct {
        const char *format, *files; // of two frames
        bool collection;
    } cases[] = {{"ply", "frame_0000.ply frame_0001.ply ", false},
                 {"vtk", "frame_0000.vtp frame_0001.vtp ", true},
                 {"vtp", "frame_0000.vtp frame_0001.vtp ", true},
                 {"both", "frame_0000.ply frame_0000.vtp frame_0001.ply frame_0001.vtp ", true},
                 {"csv", "frame_0000.csv frame_0001.csv ", false},
                 {"pov", "frame_0000.pov frame_0001.pov ", false}};
    static char text[TEXT_ROOM];
    write_text("pool.yaml", pool);
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char line[160];
        snprintf(line, sizeof line,
                 "run pool.yaml -o as --force --quiet --frames 1 --set output.format=%s",
                 cases[c].format);
        expect(line, 0, "");
        assert_int_equal(run_line("ls as/frames | tr '\\n' ' '", text), 0);
        assert_string_equal(text, cases[c].files);
        CHECK_NEAR(exists("as/frames.pvd"), cases[c].collection, 0, cases[c].format);
    }
    expect("render as", 2, "as has frames in .pov only, which cannot be read back");
    expect("run pool.yaml -o as --force --quiet --frames 1 --set output.format=csv", 0, "");
    expect("render as --size 64x64 -q", 0, "");
    expect("run as --resume -q --frames 2 --film", 0, ""); // which reads the first frame
    expect("check pool.yaml --set output.format=vti", 2, "vti files hold grids");
    expect("check pool.yaml --set output.format=vdb", 2, "vdb files hold grids");
    expect("check pool.yaml --set output.format=obj", 2,
           "ply, vtp, vti, vdb, csv, pov, vtk or both");
}

static void test_short_options(void **state)
{
    (void)state;
    static const char *const commands[] = {"run --help", "render --help", "mesh --help",
                                           "convert --help"};
    for (int k = 0; k < OND_COUNT(commands); ++k)
        expect(commands[k], 0, "-q, --quiet");
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
        cmocka_unit_test(test_bad_scenes),       cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_small_run),        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_output_formats),   cmocka_unit_test(test_short_options),
        cmocka_unit_test(test_falls_and_bursts), cmocka_unit_test(test_reference_is_current),
        cmocka_unit_test(test_unwritable),       cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unstable),         cmocka_unit_test(test_forecast_of_emitters),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
