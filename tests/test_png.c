// SPDX-License-Identifier: MIT
// Pictures and films on disk: whole or absent, and a sentence when it cannot be.
#include "check.h"

#include "base/memory.h"
#include "io/film.h"
#include "io/formats/png.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/ondine-png-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    return rmdir(folder); // fails when a test left something behind
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static OndImage pattern(int width, int height, int shift)
{
    OndImage image = {0};
    assert_int_equal(ond_image_resize(&image, width, height, NULL), OND_OK);
    for (int i = 0; i < 3 * width * height; ++i)
        image.rgb[i] = (uint8_t)(i * 7 + i / 256 + shift * 20);
    return image;
}

static void test_round_trip(void **state)
{
    const int sizes[][2] = {{1, 1}, {3, 2}, {257, 129}, {1, 300}};
    for (int s = 0; s < OND_COUNT(sizes); ++s) {
        OndError err = {0};
        OndImage image = pattern(sizes[s][0], sizes[s][1], s), back = {0};
        const char *path = in_folder("picture.png");
        if (ond_png_write(path, &image, &err) != OND_OK) fail_msg("%s", err.text);
        if (ond_png_read(path, &back, &err) != OND_OK) fail_msg("%s", err.text);
        assert_int_equal(back.width, image.width);
        assert_int_equal(back.height, image.height);
        assert_memory_equal(back.rgb, image.rgb, 3 * (size_t)image.width * (size_t)image.height);
        ond_image_free(&image), ond_image_free(&back);
        remove(path);
    }
}

static void test_unwritable(void **state)
{
    OndImage image = pattern(8, 8, 0), none = {0};
    OndError err = {0};
    assert_int_equal(ond_png_write("/no/such/folder/a.png", &image, &err), OND_IO);
    CHECK_SAYS(err.text, "/no/such/folder/a.png", "the path is named");
    assert_int_equal(ond_png_write("/dev/full", &image, &err), OND_IO);
    CHECK_SAYS(err.text, "no space left", "a full disk");
    assert_int_equal(ond_png_write(in_folder("none.png"), &none, &err), OND_BAD_VALUE);
    assert_false(exists(in_folder("none.png")));
    ond_image_free(&image);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// A picture cut anywhere, or with any byte changed, gives an error or a picture, and never a crash.
static void test_damaged(void **state)
{
    OndImage image = pattern(9, 7, 0), back = {0};
    OndError err = {0};
    char whole[4096], path[256];
    snprintf(path, sizeof path, "%s", in_folder("damaged.png"));
    assert_int_equal(ond_png_write(path, &image, &err), OND_OK);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t cut = 0; cut < size - 12; ++cut) { // the last twelve bytes only mark the end
        write_bytes(path, whole, cut);
        if (ond_png_read(path, &back, &err) == OND_OK) fail_msg("read a picture cut at %zu", cut);
    }
    for (size_t i = 0; i < size; ++i) {
        whole[i] ^= 0x55;
        write_bytes(path, whole, size);
        ond_png_read(path, &back, &err);
        whole[i] ^= 0x55;
    }
    assert_int_equal(ond_png_read("/no/such/picture.png", &back, &err), OND_IO);
    ond_image_free(&image), ond_image_free(&back);
    remove(path);
}

static bool have(const char *program)
{
    char command[64];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void probe(const char *path, char *out, size_t size)
{
    char command[512];
    snprintf(command, sizeof command,
             "ffprobe -v error -count_frames -select_streams v -show_entries "
             "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 %s",
             path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    if (!fgets(out, (int)size, pipe)) out[0] = '\0';
    pclose(pipe);
}

static void test_film(void **state)
{
    if (!have("ffmpeg") || !have("ffprobe")) skip();
    static const struct {
        const char *name;
        int width, height;
        const char *says;
    } cases[] = {
        {"film.mp4", 64, 48, "h264,64,48,yuv420p,24/1,5"},
        {"odd.mp4", 33, 17, "h264,34,18,yuv420p,24/1,5"},
        {"film.webm", 64, 48, "vp9,64,48,yuv420p,24/1,5"},
        {"film.gif", 33, 17, "gif,33,17,bgra,"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndError err = {0};
        char path[256], said[256];
        snprintf(path, sizeof path, "%s", in_folder(cases[c].name));
        OndFilm *film = ond_film_open(path, cases[c].width, cases[c].height, 24, &err);
        if (!film) fail_msg("%s", err.text);
        for (int i = 0; i < 5; ++i) {
            OndImage image = pattern(cases[c].width, cases[c].height, i);
            if (ond_film_add(film, &image, &err) != OND_OK) fail_msg("%s", err.text);
            ond_image_free(&image);
        }
        assert_false(exists(path)); // whole or absent
        if (ond_film_close(film, &err) != OND_OK) fail_msg("%s", err.text);
        probe(path, said, sizeof said);
        CHECK_SAYS(said, cases[c].says, cases[c].name);
        assert_int_equal(remove(path), 0);
    }
}

static void test_no_ffmpeg(void **state)
{
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/no/programs/here", 1);
    OndError err = {0};
    assert_null(ond_film_open(in_folder("film.mp4"), 16, 16, 24, &err));
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(err.status, OND_MISSING);
    CHECK_SAYS(err.text, "install the package ffmpeg", "no ffmpeg");
}

// An ffmpeg that gives up at once: its words come back, SIGPIPE does not end us, nothing is left.
static void test_ffmpeg_gives_up(void **state)
{
    char fake[256], path[600];
    snprintf(fake, sizeof fake, "%s", in_folder("ffmpeg"));
    const char script[] = "#!/bin/sh\necho 'cannot open the door' >&2\nexit 1\n";
    write_bytes(fake, script, sizeof script - 1);
    chmod(fake, 0755);
    char *old = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s:%s", folder, old);
    setenv("PATH", path, 1);
    OndError err = {0};
    OndImage image = pattern(640, 480, 0);
    OndFilm *film = ond_film_open(in_folder("film.mp4"), 640, 480, 24, &err);
    assert_non_null(film);
    OndStatus status = OND_OK;
    for (int i = 0; i < 20 && status == OND_OK; ++i)
        status = ond_film_add(film, &image, &err);
    assert_int_equal(status, OND_IO);
    CHECK_SAYS(err.text, "cannot open the door", "ffmpeg's own words");
    assert_int_equal(ond_film_add(film, &image, &err), OND_IO);
    assert_int_equal(ond_film_close(film, &err), OND_IO);
    assert_false(exists(in_folder("film.mp4")) || exists(in_folder("film.mp4.part")));
    setenv("PATH", old, 1);
    free(old);
    ond_image_free(&image);
    remove(fake);
}

static void test_bad_films(void **state)
{
    static const struct {
        const char *path;
        int width;
        double fps;
        const char *says;
    } cases[] = {
        {"film.avi", 16, 24, ".mp4, .webm or .gif"},
        {".mp4", 16, 24, ".mp4, .webm or .gif"},
        {"film.mp4", 0, 24, "0 x 16"},
        {"film.mp4", 16, 0, "0 pictures a second"},
        {"film.mp4", 16, NAN, "nan pictures"},
        {"/no/such/folder/film.mp4", 16, 24, "/no/such/folder"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndError err = {0};
        assert_null(ond_film_open(cases[c].path, cases[c].width, 16, cases[c].fps, &err));
        CHECK_SAYS(err.text, cases[c].says, "bad film");
    }
    if (!have("ffmpeg")) skip();
    OndError err = {0};
    OndImage image = pattern(8, 8, 0);
    OndFilm *film = ond_film_open(in_folder("film.mp4"), 16, 16, 24, &err);
    assert_int_equal(ond_film_add(film, &image, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "8 x 8 pixels does not fit a film of 16 x 16", "another size");
    assert_int_equal(ond_film_close(film, &err), OND_BAD_VALUE); // and not one picture
    ond_film_abandon(ond_film_open(in_folder("film.mp4"), 16, 16, 24, &err));
    assert_false(exists(in_folder("film.mp4")) || exists(in_folder("film.mp4.part")));
    ond_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_damaged),    cmocka_unit_test(test_film),
        cmocka_unit_test(test_no_ffmpeg),  cmocka_unit_test(test_ffmpeg_gives_up),
        cmocka_unit_test(test_bad_films),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
