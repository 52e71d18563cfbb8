// SPDX-License-Identifier: MIT
// ctest: slow
// Runs that are stopped and go on, and what is drawn of them on the way: pictures and films.
#include "base/memory.h"
#include "command.h"
#include "io/checkpoint_hdf5.h"
#include "io/formats/png.h"
#include "io/run_folder.h"
#include "run_scenes.h"

#include <fcntl.h>
#include <signal.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_damaged_checkpoint),
        cmocka_unit_test(test_resumed_pictures),
        cmocka_unit_test(test_advice_can_be_pasted),
        cmocka_unit_test(test_render),
        cmocka_unit_test(test_film),
        cmocka_unit_test(test_film_without_ffmpeg),
        cmocka_unit_test(test_film_that_fails),
        cmocka_unit_test(test_film_fails_first),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
