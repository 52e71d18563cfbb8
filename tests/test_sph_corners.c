// SPDX-License-Identifier: MIT
// ctest: slow
// Liquid at rest stays at rest where faces meet: at the foot of slopes that stand on the domain's
// floor or on another solid, and round an edge as sharp as a pyramid's.
#include "bodies.h"
#include "calm.h"
#include "folder.h"
#include "scene_text.h"
#include "solid_meshes.h"

#define POOL                                                                                       \
    "duration: 10\nframe_rate: 50\nmethod: {pressure: wcsph}\n"                                    \
    "domain: {min: [0, 0, 0], max: [0.6, 0.4, 0.2]}\n"                                             \
    "fluid: [{spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.25, 0.2]}}]\n"
#define SLOPE(turn, at)                                                                            \
    "  - {shape: {type: box, min: [-1, -0.5, -1], max: [1, 0, 1]}, pivot: [0, 0, 0],\n"            \
    "     turn: [0, 0, " turn "], at: " at "}\n"
#define FLOOR "  - {shape: {type: box, min: [-1, -1, -1], max: [2, 0.0625, 2]}}\n"

static void check_calm(const char *name, const char *yaml, double most, double mean)
{
    Stage *s = stage_open_with(yaml, &assets);
    double got_most, got_mean;
    watch(s, 0.0, 0.6, &got_most, &got_mean);
    print_message("%s: fastest %.2f m/s, %.3f in the mean\n", name, got_most, got_mean);
    if (!(got_most < most)) fail_msg("%s: %g m/s, want < %g", name, got_most, most);
    if (!(got_mean < mean)) fail_msg("%s: %g m/s in the mean, want < %g", name, got_mean, mean);
    stage_close(s);
}

static void test_foot_of_a_slope(void **state)
{
    static const struct {
        const char *name, *solids;
        double most, mean;
    } cases[] = {
        {"slope of 11 degrees", SLOPE("-11", "[0.4, 0, 0]"), 0.4, 0.15},
        {"slope of 20 degrees", SLOPE("-20", "[0.4, 0, 0]"), 0.4, 0.15},
        {"slope of 35 degrees", SLOPE("-35", "[0.4, 0, 0]"), 0.4, 0.15},
        {"slope of 51 degrees", SLOPE("-51", "[0.4, 0, 0]"), 0.4, 0.15},
        {"slope of 75 degrees", SLOPE("-75", "[0.3, 0, 0]"), 0.4, 0.15},
        {"slope on a solid floor", FLOOR SLOPE("-70", "[0.3, 0.06, 0]"), 0.4, 0.15},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char yaml[1500];
        snprintf(yaml, sizeof yaml, POOL "solid:\n%s", cases[c].solids);
        check_calm(cases[c].name, yaml, cases[c].most, cases[c].mean);
    }
}

static OndMesh pyramid_mesh(double side, double height)
{
    static const int round[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    OndMesh mesh;
    assert_int_equal(ond_mesh_make(&mesh, 5, 6, NULL), OND_OK);
    for (int c = 0; c < 4; ++c)
        set_corner(&mesh, c, ond_vec(0.5 * side * round[c][0], 0, 0.5 * side * round[c][1]));
    set_corner(&mesh, 4, ond_vec(0, height, 0));
    set_triangle(&mesh, 0, 0, 1, 2);
    set_triangle(&mesh, 1, 0, 2, 3);
    for (int c = 0; c < 4; ++c)
        set_triangle(&mesh, 2 + c, c, 4, (c + 1) % 4);
    return mesh;
}

// On the floor, a little in it, and free.
static void test_pyramid(void **state)
{
    static const struct {
        const char *name, *at;
        double most, mean;
    } cases[] = {
        {"pyramid on the floor", "[0.31, 0, 0.3]", 0.35, 0.25},
        {"pyramid a spacing deep", "[0.31, -0.025, 0.3]", 0.4, 0.25},
        {"pyramid under water", "[0.31, 0.1, 0.3]", 0.4, 0.25},
    };
    char path[256], yaml[1500];
    write_mesh(pyramid_mesh(0.3, 0.19), in_folder("pyramid.off", path), 0);
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        snprintf(yaml, sizeof yaml,
                 "duration: 10\nframe_rate: 50\nmethod: {pressure: wcsph}\ndomain: {min: [0, 0, "
                 "0], max: [0.6, 0.5, 0.6]}\n"
                 "fluid: [{spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.35, "
                 "0.6]}}]\nsolid: [{shape: {type: mesh, file: %s}, pivot: [0, 0, 0], at: %s}]\n",
                 path, cases[c].at);
        check_calm(cases[c].name, yaml, cases[c].most, cases[c].mean);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_foot_of_a_slope),
        cmocka_unit_test(test_pyramid),
    };
    return cmocka_run_group_tests_name("sph_corners", tests, make_folder, remove_folder);
}
