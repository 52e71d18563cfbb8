// SPDX-License-Identifier: MIT
// OpenEXR files: half floats, and pictures that another program reads.
#include "check.h"

#include "base/memory.h"
#include "io/formats/exr.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_half(void **state)
{
    static const struct {
        float value;
        unsigned want;
    } cases[] = {
        {0.0f, 0x0000},
        {-0.0f, 0x8000},
        {1.0f, 0x3C00},
        {-2.0f, 0xC000},
        {0.5f, 0x3800},
        {65504.0f, 0x7BFF},
        {1e9f, 0x7BFF},
        {INFINITY, 0x7BFF},
        {NAN, 0x0000},
        {0.333333343f, 0x3555},
        {6.103515625e-5f, 0x0400},
        {5.9604645e-8f, 0x0001},
        {1e-9f, 0x0000},
        {1.00048828f, 0x3C00},
        {1.00146484f, 0x3C02},
        {6.0975552e-5f, 0x03FF},
        {2047.5f, 0x6800},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        if (ond_half(cases[c].value) != cases[c].want)
            fail_msg("%.9g: got %04x, want %04x", (double)cases[c].value, ond_half(cases[c].value),
                     cases[c].want);
}

static OndLinear pattern(int width, int height)
{
    OndLinear p = {0};
    assert_int_equal(ond_linear_resize(&p, width, height, NULL), OND_OK);
    for (int i = 0; i < width * height; ++i) {
        p.rgb[3 * i] = (float)(i % width) / (float)width;
        p.rgb[3 * i + 1] = (float)(i / width) / (float)height;
        p.rgb[3 * i + 2] = 0.25f;
        p.depth[i] = i % 7 ? 2.0f : INFINITY;
    }
    return p;
}

// ffmpeg reads it back as three planes of floats: G, B, R.
static void test_read_by_other(void **state)
{
    if (system("command -v ffmpeg > /dev/null 2>&1") != 0) skip();
    char folder[] = "/tmp/ondine-exr-XXXXXX", path[64], command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.exr", folder);
    const int sizes[][2] = {{64, 48}, {33, 17}, {1, 1}};
    for (int s = 0; s < OND_COUNT(sizes); ++s) {
        const int w = sizes[s][0], h = sizes[s][1];
        OndLinear p = pattern(w, h);
        OndError err = {0};
        if (ond_exr_write(path, &p, &err) != OND_OK) fail_msg("%s", err.text);
        snprintf(command, sizeof command,
                 "ffmpeg -v error -i %s -f rawvideo -pix_fmt gbrpf32le - 2>&1", path);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        float *plane = OND_NEW_ARRAY(float, 3 * w * h + 1);
        const size_t got = fread(plane, 4, (size_t)(3 * w * h) + 1, pipe);
        pclose(pipe);
        CHECK_NEAR((double)got, 3 * w * h, 0, "numbers that ffmpeg reads");
        for (int i = 0; i < w * h; ++i) {
            CHECK_NEAR(plane[2 * w * h + i], p.rgb[3 * i], 1e-3, "red");
            CHECK_NEAR(plane[i], p.rgb[3 * i + 1], 1e-3, "green");
            CHECK_NEAR(plane[w * h + i], p.rgb[3 * i + 2], 1e-3, "blue");
        }
        ond_free(plane);
        ond_linear_free(&p);
    }
    unlink(path);
    rmdir(folder);
}

static void test_failures(void **state)
{
    OndError err = {0};
    OndLinear p = pattern(8, 8);
    const OndLinear none = {0};
    assert_int_equal(ond_exr_write("/tmp/none.exr", &none, &err), OND_BAD_VALUE);
    assert_int_equal(ond_exr_write("/nowhere/at/all.exr", &p, &err), OND_IO);
    CHECK_SAYS(err.text, "/nowhere/at/all.exr", "names the file");
    ond_linear_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_read_by_other),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
