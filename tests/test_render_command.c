// SPDX-License-Identifier: MIT
// `ondine render` of surfaces as people use it: what is drawn by default, from which surface, in
// which files.
#include "command.h"

#include "base/memory.h"
#include "io/file.h"

static const char dam[] =
    "duration: 0.1\n"
    "frame_rate: 20\n"
    "domain: {min: [0, 0, 0], max: [0.8, 0.5, 0.2]}\n"
    "render: {width: 96, height: 54}\n"
    "fluid:\n"
    "  - {spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.25, 0.35, 0.2]}}\n";

static int set_up(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("dam.yaml", dam);
    expect("run dam.yaml -o dam --quiet", 0, "");
    return 0;
}

static bool same_files(const char *a, const char *b)
{
    char *bytes[2];
    size_t size[2];
    OndError err = {0};
    if (ond_file_read_all(a, 1 << 24, &bytes[0], &size[0], &err) != OND_OK)
        fail_msg("%s", err.text);
    if (ond_file_read_all(b, 1 << 24, &bytes[1], &size[1], &err) != OND_OK)
        fail_msg("%s", err.text);
    const bool same = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    ond_free(bytes[0]);
    ond_free(bytes[1]);
    return same;
}

static void test_what_is_drawn(void **state)
{
    (void)state;
    expect("render dam --frames 1 -o plain.png", 0, "plain.png");
    expect("render dam --frames 1 -o surface.png --as surface", 0, "");
    expect("render dam --frames 1 -o particles.png --as particles", 0, "");
    assert_true(same_files("plain.png", "surface.png")); // 3D: the surface
    assert_false(same_files("plain.png", "particles.png"));
    expect("render dam --frames 1 -o painted.png --colour speed", 0, "");
    assert_false(same_files("plain.png", "painted.png"));
    expect("render dam --frames 1 -o dark.png --backdrop dark", 0, "");
    assert_false(same_files("plain.png", "dark.png"));
    expect("run dam.yaml -o balls --quiet --frames 1 --set render.as=particles", 0, "");
    expect("render balls --frames 1 -o balls.png", 0, "");
    expect("render balls --frames 1 -o balls2.png --as particles", 0, "");
    assert_true(same_files("balls.png", "balls2.png")); // as the scene says
}

// Grains are drawn as they are, not as a liquid's surface, and like sand unless told otherwise.
static void test_grains(void **state)
{
    (void)state;
    expect("run dam.yaml -o sand --quiet --frames 1 --set method.type=dem", 0, "");
    expect("render sand --frames 1 -o sand.png", 0, "");
    expect("render sand --frames 1 -o sand2.png --as particles --colour plain", 0, "");
    assert_true(same_files("sand.png", "sand2.png"));
    expect("render sand --frames 1 -o sand3.png --colour speed", 0, "");
    assert_false(same_files("sand.png", "sand3.png"));
    expect("render sand --frames 1 -o sand4.png --as surface", 0, "");
    assert_false(same_files("sand.png", "sand4.png"));
}

// Density is known of particles alone: asking for it draws those.
static void test_density(void **state)
{
    (void)state;
    expect("render dam --frames 1 -o density.png --colour density", 0, "");
    expect("render dam --frames 1 -o density2.png --colour density --as particles", 0, "");
    assert_true(same_files("density.png", "density2.png"));
    expect("render dam --frames 1 -o x.png --colour density --as surface", 2, "density");
    assert_false(exists("x.png"));
}

static void test_blur(void **state)
{
    (void)state;
    expect("render dam --frames 2 -o sharp.png", 0, "");
    expect("render dam --frames 2 -o moved.png --motion-blur 1", 0, "");
    expect("render dam --frames 2 -o lens.png --dof 0.5 --focus 0.3", 0, "");
    assert_false(same_files("sharp.png", "moved.png"));
    assert_false(same_files("sharp.png", "lens.png"));
}

static void test_exr(void **state)
{
    (void)state;
    expect("render dam --pictures --exr", 0, "3 pictures drawn");
    for (int k = 0; k < 3; ++k) {
        char path[64];
        snprintf(path, sizeof path, "dam/pictures/frame_%04d.exr", k);
        assert_true(exists(path));
        snprintf(path, sizeof path, "dam/pictures/frame_%04d.png", k);
        assert_true(exists(path));
    }
    expect("render dam --frames 0 -o alone.exr", 0, "alone.exr");
    assert_true(exists("alone.exr"));
    assert_false(exists("alone.png"));
    expect("render dam --frames 0 -o y.exr --as particles", 2, "EXR");
    expect("render dam --frames 0 -o y.png --exr --as particles", 2, "EXR");
    expect("render dam -o y.mp4 --exr", 2, "beside each PNG");
    expect("render dam --sheet 2 --exr", 2, "beside each PNG");
}

// Surfaces that are there are used, unless the frame is newer or they cannot be read.
static void test_made_surfaces(void **state)
{
    (void)state;
    expect("run dam.yaml -o meshed --quiet --frames 1", 0, "");
    expect("render meshed --frames 1 -o own.png", 0, "");
    expect("mesh meshed --cell 2", 0, "");
    expect("render meshed --frames 1 -o coarse.png", 0, "");
    assert_false(same_files("own.png", "coarse.png"));
    write_text("meshed/surfaces/surface_0001.ply", "not a surface");
    expect("render meshed --frames 1 -o again.png", 0, "");
    assert_true(same_files("own.png", "again.png"));
}

// Pictures are kept until the frame or the surface that they show is made anew.
static void test_kept_pictures(void **state)
{
    (void)state;
    expect("run dam.yaml -o kept --quiet --frames 1", 0, "");
    expect("render kept --pictures", 0, "2 pictures drawn");
    expect("render kept --pictures", 0, "0 pictures drawn, 2 kept");
    expect("mesh kept --cell 2 --frames 1", 0, "");
    expect("render kept --pictures", 0, "1 picture drawn, 1 kept");
    expect("render kept --pictures", 0, "0 pictures drawn, 2 kept");
}

static void test_loose_surfaces(void **state)
{
    (void)state;
    expect("mesh dam --frames 2 -o two.obj", 0, "");
    expect("mesh dam --frames 2 -o two.ply", 0, "");
    expect("render two.obj -o obj.png --size 96x54", 0, "obj.png");
    expect("render two.ply -o ply.png --size 96x54", 0, "ply.png");
    expect("render two.ply -o same.png --size 96x54 --as surface", 0, "");
    assert_true(same_files("ply.png", "same.png"));
    expect("render two.ply -o balls3.png --size 96x54 --as particles", 0, ""); // its corners
    assert_false(same_files("ply.png", "balls3.png"));
    expect("render two.obj two.obj --size 96x54", 0, "two.png");
    write_text("bad.obj", "v 1 2\nf 1 2 3\n");
    expect("render bad.obj -o bad.png", 2, "line 1");
    assert_false(exists("bad.png"));
}

static void test_wrong(void **state)
{
    (void)state;
    static const Said table[] = {
        {"render dam --quality fine", 2, "--quality"},
        {"render dam --as water", 2, "--as"},
        {"render dam --motion-blur -1", 2, "--motion-blur"},
        {"render dam --frames 1 -o z.png --dof 0.01", 2, "f-number"},
        {"render dam --focus near", 2, "--focus"},
    };
    expect_all(table, OND_COUNT(table));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_drawn),
        cmocka_unit_test(test_grains),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_blur),
        cmocka_unit_test(test_exr),
        cmocka_unit_test(test_made_surfaces),
        cmocka_unit_test(test_loose_surfaces),
        cmocka_unit_test(test_kept_pictures),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, leave_folder);
}
