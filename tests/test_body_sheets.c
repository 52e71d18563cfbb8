// SPDX-License-Identifier: MIT
// Bodies on sheets, which have no inside, and against walls thinner than a step is long: they rest,
// and none goes through.
#include "bodies.h"
#include "folder.h"
#include "scene_text.h"
#include "solid_meshes.h"

#define BODIES 6

// Each 0.2 m high about its own origin.
static const struct {
    const char *name, *shape;
} forms[BODIES] = {
    {"ball", "{type: sphere, center: [0, 0, 0], radius: 0.1}"},
    {"box", "{type: box, min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1]}"},
    {"cylinder", "{type: cylinder, from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.08}"},
    {"capsule", "{type: capsule, from: [-0.02, 0, 0], to: [0.02, 0, 0], radius: 0.1}"},
    {"mesh", "{type: mesh, file: %s}"},
    {"union", "{type: union, parts: [{type: box, min: [-0.1, -0.1, -0.1], max: [0.1, 0, 0.1]},"
              " {type: sphere, center: [0, 0, 0], radius: 0.1}]}"},
};

typedef struct Files {
    char sheet[256], cube[256];
} Files;

// A sheet of 4 m by 1 m at y = 0, of two triangles, and a cube.
static Files write_files(void)
{
    Files f;
    write_mesh(sheet_mesh(ond_vec(-2, 0, -0.5), ond_vec(0, 0, 1), ond_vec(4, 0, 0), 1, 1),
               in_folder("sheet.off", f.sheet), 0);
    write_mesh(box_mesh(ond_vec(-0.1, -0.1, -0.1), ond_vec(0.1, 0.1, 0.1), 1, true),
               in_folder("cube.off", f.cube), 0);
    return f;
}

// One solid, and the six bodies above it in a row.
static Stage *open_show(const Files *files, const char *scene, const char *solid, double height,
                        double speed)
{
    char yaml[4000];
    int at =
        snprintf(yaml, sizeof yaml,
                 "%sduration: 9\nframe_rate: 25\nsolid:\n  - {name: sheet, friction: 0.5, %s}\n",
                 scene, solid);
    for (int k = 0; k < BODIES; ++k) {
        char shape[400];
        snprintf(shape, sizeof shape, forms[k].shape, files->cube);
        at += snprintf(yaml + at, sizeof yaml - (size_t)at,
                       "  - {name: %s, density: 500, shape: %s, pivot: [0, 0, 0],\n"
                       "     at: [%g, %g, 0.03], velocity: [0, %g, 0]}\n",
                       forms[k].name, shape, 0.5 * k - 1.25, height, speed);
    }
    return stage_open_with(yaml, &assets);
}

static void close_show(Stage *s, const Files *files)
{
    stage_close(s);
    remove(files->sheet), remove(files->cube);
}

static void check_rests(Stage *s, double time, double height, double within, const char *what)
{
    stage_run(s, time);
    for (int k = 0; k < BODIES; ++k) {
        const OndSolidState now = body(s, k + 1);
        print_message("%s, %s: %.4f m, %.1e m/s\n", what, forms[k].name, now.pose.at.y - height,
                      ond_length(now.velocity));
        CHECK_NEAR(now.pose.at.y, height, within, forms[k].name);
        CHECK_NEAR(ond_length(now.velocity), 0, 0.02, forms[k].name);
    }
}

// Dropped 0.4 m onto the sheet they rest for a second, whether it lies or was turned into place.
static void test_rest(void **state)
{
    static const double spacing[] = {0.05, 0.02};
    for (int c = 0; c < OND_COUNT(spacing); ++c) {
        const Files f = write_files();
        char scene[300], solid[600];
        snprintf(scene, sizeof scene,
                 "domain: {min: [-3, -1, -1], max: [3, 2, 1]}\nfluid: [{spacing: %g}]\n",
                 spacing[c]);
        snprintf(solid, sizeof solid, "%sshape: {type: mesh, file: %s}",
                 c ? "turn: [0, 180, 180], " : "", f.sheet);
        Stage *s = open_show(&f, scene, solid, 0.5, 0);
        check_rests(s, 1, 0.1, 0.2 * spacing[c], "early");
        check_rests(s, 2, 0.1, 0.2 * spacing[c], "a second later");
        close_show(s, &f);
    }
}

// Thrown against a sheet from above and from below, and against a wall of 5 mm.
static void test_none_through(void **state)
{
    static const double speed[] = {3, 10, 20};
    for (int c = 0; c < 4 * OND_COUNT(speed); ++c) {
        const Files f = write_files();
        const double v = speed[c / 4], side = c % 2 ? -1 : 1;
        char solid[600];
        snprintf(solid, sizeof solid, "shape: {type: mesh, file: %s}", f.sheet);
        const char *const wall = "shape: {type: box, min: [-2, -0.0025, -0.5], max: [2, 0.0025, "
                                 "0.5]}";
        Stage *s = open_show(&f,
                             "gravity: [0, 0, 0]\ndomain: {min: [-3, -2, -1], max: [3, 2, 1]}\n"
                             "fluid: [{spacing: 0.05}]\n",
                             c % 4 < 2 ? solid : wall, 0.6 * side, -v * side);
        stage_run(s, 1.2 / v + 0.4);
        for (int k = 0; k < BODIES; ++k) {
            const double y = side * body(s, k + 1).pose.at.y;
            if (!(y > 0.05)) fail_msg("case %d: the %s is at %g m", c, forms[k].name, y);
        }
        close_show(s, &f);
    }
}

// On the sheet's end a body stays as long as its middle is above it, and what is beside does not
// feel it.
static void test_rim(void **state)
{
    static const struct {
        double x, y, rest;
    } cases[] = {{1.95, 0.15, 0.1}, {2.15, 0.15, -0.9}, {2.12, 0.02, -0.9}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const Files f = write_files();
        char yaml[1500];
        snprintf(yaml, sizeof yaml,
                 "domain: {min: [-3, -1, -1], max: [3, 2, 1]}\nfluid: [{spacing: 0.05}]\n"
                 "duration: 9\nframe_rate: 25\nsolid:\n"
                 "  - {shape: {type: mesh, file: %s}, friction: 0.5}\n"
                 "  - {shape: %s, density: 500, pivot: [0, 0, 0], at: [%g, %g, 0]}\n",
                 f.sheet, forms[1].shape, cases[c].x, cases[c].y);
        Stage *s = stage_open_with(yaml, &assets);
        stage_run(s, 1.5);
        print_message("rim: from %g to %.3f %.3f m\n", cases[c].x, body(s, 1).pose.at.x,
                      body(s, 1).pose.at.y);
        CHECK_NEAR(body(s, 1).pose.at.y, cases[c].rest, 0.012, "height at the rim");
        CHECK_NEAR(body(s, 1).pose.at.x, cases[c].x, 0.02, "place at the rim");
        close_show(s, &f);
    }
}

// A sheet that rises takes along what lies on it.
static void test_lift(void **state)
{
    const Files f = write_files();
    char solid[600];
    snprintf(solid, sizeof solid,
             "shape: {type: mesh, file: %s}, move: [0, \"0.5 - 0.5*cos(3*t)\", 0]", f.sheet);
    Stage *s =
        open_show(&f, "domain: {min: [-3, -1, -1], max: [3, 2, 1]}\nfluid: [{spacing: 0.05}]\n",
                  solid, 0.102, 0);
    stage_run(s, 1);
    const double lifted = 0.5 - 0.5 * cos(3);
    for (int k = 0; k < BODIES; ++k)
        CHECK_NEAR(body(s, k + 1).pose.at.y, 0.1 + lifted, 0.03, forms[k].name);
    close_show(s, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_none_through),
        cmocka_unit_test(test_rim),
        cmocka_unit_test(test_lift),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
