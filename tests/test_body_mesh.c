// SPDX-License-Identifier: MIT
// ctest: slow
// A mesh that falls and floats is like the closed form it was made from: it weighs and turns the
// same, floats as deep, rests at its own height. What has no volume is refused by its triangle.
#include "bodies.h"
#include "folder.h"
#include "scene_text.h"
#include "solid_meshes.h"

#define LOW  (-0.2), (-0.1), (-0.3)
#define HIGH 0.2, 0.1, 0.3
#define BOX  "type: box, min: [-0.2, -0.1, -0.3], max: [0.2, 0.1, 0.3]"

// The shapes as closed forms and as meshes; the second is written to the test's folder.
static const char *box_file(char path[256])
{
    OndMesh mesh = box_mesh(ond_vec(LOW), ond_vec(HIGH), 3, true);
    write_mesh(mesh, in_folder("box.off", path), 0);
    return path;
}

// Mass and inertia show in how it tumbles: a spin about its middle axis is not stable, so the least
// difference would grow.
static void test_tumbles_as_the_box(void **state)
{
    (void)state;
    char yaml[1200], path[256];
    snprintf(yaml, sizeof yaml,
             "gravity: [0, 0, 0]\nsolid:\n"
             "  - {shape: {" BOX "}, density: 700, velocity: [1, 0, 0], spin: [5, 0.01, 0.02]}\n"
             "  - {shape: {type: mesh, file: %s}, at: [9, 0, 0], density: 700,\n"
             "     velocity: [1, 0, 0], spin: [5, 0.01, 0.02]}\n" DRY,
             box_file(path));
    Stage *s = stage_open_with(yaml, &assets);
    double turned = 0;
    for (int k = 1; k <= 30; ++k) {
        stage_run(s, 0.1 * k);
        const OndSolidState a = body(s, 0), b = body(s, 1);
        check_vec(ond_sub(b.pose.at, a.pose.at), ond_vec(9, 0, 0), 1e-6, "place");
        check_vec(b.spin, a.spin, 1e-4, "spin");
        turned = fmax(turned, fabs(a.spin.y) + fabs(a.spin.z));
    }
    if (turned < 1) fail_msg("it never tumbled: %g rad/s", turned);
    stage_close(s);
    remove(path);
}

// On a wall, a plane, a mesh; and another mesh on it.
static void test_rests_as_the_box(void **state)
{
    (void)state;
    static const char *const floors[] = {
        "domain: {min: [-2, 0, -2], max: [50, 9, 2], friction: 0.5}\nsolid:\n",
        "solid:\n  - {name: floor, friction: 0.5, shape: {type: plane}}\n",
        "solid:\n  - {name: floor, friction: 0.5, shape: {type: mesh, file: %s, scale: 10},\n"
        "     at: [0, -1, 0]}\n",
    };
    char path[256];
    box_file(path);
    for (int f = 0; f < OND_COUNT(floors); ++f) {
        char yaml[2000], floor[600];
        snprintf(floor, sizeof floor, floors[f], path);
        snprintf(yaml, sizeof yaml,
                 "%s  - {name: low, shape: {type: mesh, file: %s}, at: [0, 0.3, 0], density: 500,\n"
                 "     friction: 0.5}\n"
                 "  - {name: high, shape: {type: mesh, file: %s}, at: [0.02, 0.55, 0.03],\n"
                 "     density: 500, friction: 0.5}\n" DRY,
                 floor, path, path);
        Stage *s = stage_open_with(yaml, &assets);
        const int low = ond_sim_solids(s->sim)->count - 2;
        stage_run(s, 1.5);
        const OndVec early = body(s, low + 1).pose.at;
        stage_run(s, 2);
        print_message("floor %d: %.5f m and %.5f m above their places\n", f,
                      body(s, low).pose.at.y - 0.1, body(s, low + 1).pose.at.y - 0.3);
        CHECK_NEAR(body(s, low).pose.at.y, 0.1, 0.006, "the lower");
        CHECK_NEAR(body(s, low + 1).pose.at.y, 0.3, 0.012, "the upper");
        check_vec(body(s, low + 1).pose.at, early, 1e-3, "stays");
        stage_close(s);
    }
    remove(path);
}

// ---- edges

// A crate as the mesh of a box whose sides are two triangles each: few corners, so that all depends
// on points between them.
static const char *crate_file(double size, char path[256])
{
    OndMesh mesh = box_mesh(ond_vec(0, 0, 0), ond_vec(size, size, size), 1, true);
    write_mesh(mesh, in_folder("crate.off", path), 0);
    return path;
}

// Energy of a cube's mass of 1, and where its middle is.
static double cube_energy(const OndSolidState *s, OndVec own, double size, OndVec *middle)
{
    const OndVec arm = ond_pose_turn(&s->pose, own);
    const OndVec v = ond_add(s->velocity, ond_cross(s->spin, arm));
    *middle = ond_add(s->pose.at, arm);
    return 0.5 * ond_dot(v, v) + 0.5 * size * size / 6 * ond_dot(s->spin, s->spin) +
           9.81 * middle->y;
}

// Put down on the edge of a table, a crate stays or falls off. It is not thrown, wherever its
// points happen to lie.
static void test_edge_of_a_table(void **state)
{
    (void)state;
    static const double spacings[] = {0.08, 0.05, 0.03, 0.02, 0.01};
    static const struct {
        OndVec from;
        double rest; // height at which it stays; 0: it falls off
    } cases[] = {
        {{0.6, 0.42, 0.6}, 0.4}, {{0.65, 0.42, 0.5}, 0.4}, {{0.5, 0.42, 0.5}, 0.4},
        {{0.3, 0.42, 0.62}, 0},  {{0.7, 0.42, 0.7}, 0},
    };
    char path[256], yaml[1000], what[100];
    crate_file(0.4, path);
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int k = 0; k < OND_COUNT(spacings); ++k) {
            const OndVec from = cases[c].from;
            snprintf(what, sizeof what, "at %g %g, spacing %g", from.x, from.z, spacings[k]);
            snprintf(yaml, sizeof yaml,
                     "fluid: [{spacing: %g}]\nduration: 0.8\nframe_rate: 50\n"
                     "domain: {min: [0, 0, 0], max: [2, 2, 2]}\nsolid:\n"
                     "  - {shape: {type: box, min: [0.5, 0, 0.5], max: [0.9, 0.4, 0.9]}}\n"
                     "  - {shape: {type: mesh, file: %s, move: [%g, %g, %g]}, density: 500}\n",
                     spacings[k], path, from.x, from.y, from.z);
            Stage *s = stage_open_with(yaml, &assets);
            const OndVec own = ond_add(from, ond_vec(0.2, 0.2, 0.2));
            OndSolidState now = body(s, 1);
            OndVec middle;
            const double start = cube_energy(&now, own, 0.4, &middle);
            while (!ond_sim_done(s->sim)) {
                stage_run(s, ond_sim_time(s->sim) + 1e-6);
                now = body(s, 1);
                const double energy = cube_energy(&now, own, 0.4, &middle);
                if (!(energy < start + 1e-3))
                    fail_msg("%s: t = %g s, energy %g of %g J/kg", what, ond_sim_time(s->sim),
                             energy, start);
            }
            if (cases[c].rest > 0) CHECK_NEAR(middle.y - 0.2, cases[c].rest, 0.006, what);
            if (cases[c].rest > 0)
                check_vec(middle, ond_vec(from.x + 0.2, middle.y, from.z + 0.2), 0.01, what);
            stage_close(s);
        }
    remove(path);
}

// Crates that fall on a step and on each other lose energy at every touch.
static void test_pile(void **state)
{
    (void)state;
    static const OndVec from[] = {
        {0.3, 0.6, 0.3}, {0.85, 0.6, 0.3}, {0.8, 0.6, 0.9}, {0.82, 1, 0.95}};
    char path[256], yaml[2000];
    crate_file(0.3, path);
    int n = snprintf(yaml, sizeof yaml,
                     "fluid: [{spacing: 0.04}]\nduration: 1.2\nframe_rate: 50\n"
                     "domain: {min: [0, 0, 0], max: [2, 2, 2]}\nsolid:\n"
                     "  - {shape: {type: box, min: [0, 0, 0], max: [1, 0.4, 2]}}\n");
    for (int k = 0; k < 4; ++k)
        n += snprintf(yaml + n, sizeof yaml - (size_t)n,
                      "  - {density: 500, friction: 0.4, turn: [%d, %d, 0], shape: {type: mesh,"
                      " file: %s, move: [%g, %g, %g]}}\n",
                      k == 2 ? 20 : 0, k > 1 ? 35 : 0, path, from[k].x, from[k].y, from[k].z);
    Stage *s = stage_open_with(yaml, &assets);
    double last = INFINITY;
    while (!ond_sim_done(s->sim)) {
        double energy = 0;
        stage_run(s, ond_sim_time(s->sim) + 1e-6);
        for (int k = 0; k < 4; ++k) {
            OndVec middle;
            const OndSolidState now = body(s, k + 1);
            energy += cube_energy(&now, ond_add(from[k], ond_vec(0.15, 0.15, 0.15)), 0.3, &middle);
        }
        if (!(energy < last + 0.02))
            fail_msg("t = %g s: from %g to %g J/kg", ond_sim_time(s->sim), last, energy);
        last = energy;
    }
    stage_close(s);
    remove(path);
}

// Both float side by side in one pool, and as deep as they must.
static void test_floats_as_the_box(void **state)
{
    (void)state;
    char yaml[1600], path[256];
    snprintf(yaml, sizeof yaml,
             "duration: 2\nframe_rate: 50\nmethod: {artificial: 0.3}\n"
             "domain: {min: [-0.6, 0, -0.5], max: [0.6, 3, 0.5]}\n"
             "fluid: [{spacing: 0.04, density: 1000,\n"
             "  shape: {type: box, min: [-0.6, 0, -0.5], max: [0.6, 0.32, 0.5]}}]\n"
             "solid:\n"
             "  - {shape: {" BOX "}, at: [-0.3, 0.325, 0], density: 500}\n"
             "  - {shape: {type: mesh, file: %s}, at: [0.3, 0.325, 0], density: 500}\n",
             box_file(path));
    Stage *s = stage_open_with(yaml, &assets);
    const double water = ond_sim_particle_count(s->sim) * pow(0.04, 3);
    const double level = (water + 0.5 * 2 * 0.4 * 0.2 * 0.6) / 1.2; // half of each under
    double mean[2] = {0, 0};
    stage_run(s, 1);
    for (int k = 1; k <= 50; ++k) {
        stage_run(s, 1 + 0.02 * k);
        mean[0] += body(s, 0).pose.at.y / 50, mean[1] += body(s, 1).pose.at.y / 50;
    }
    print_message("box %.4f m, mesh %.4f m, level %.4f m\n", mean[0], mean[1], level);
    CHECK_NEAR(mean[1], mean[0], 0.05 * 0.04, "mesh and box");
    CHECK_NEAR(mean[1], level, 0.2 * 0.04, "half under");
    stage_close(s);
    remove(path);
}

static void test_refused(void **state)
{
    (void)state;
    char path[256], yaml[800];
    static const struct {
        const char *name, *says[3];
        int squares, left_out; // of the box's sides; triangles
    } cases[] = {
        {"a side is missing", {"has no volume", "triangle", "holes.off"}, 1, 2},
        {"a small flat hole is closed", {NULL}, 40, 1},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndMesh mesh = box_mesh(ond_vec(LOW), ond_vec(HIGH), cases[c].squares, true);
        write_mesh(mesh, in_folder("holes.off", path), cases[c].left_out);
        snprintf(yaml, sizeof yaml, "solid: [{shape: {type: mesh, file: %s}, density: 500}]\n" DRY,
                 path);
        OndSceneDef scene;
        OndError err = {0};
        if (load(yaml, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        OndSim *sim = ond_sim_make(&scene, &assets, &err);
        if (!cases[c].says[0] && !sim) fail_msg("%s: %s", cases[c].name, err.text);
        if (cases[c].says[0] && sim) fail_msg("%s: it was taken", cases[c].name);
        for (int k = 0; k < 3 && cases[c].says[k]; ++k)
            CHECK_SAYS(err.text, cases[c].says[k], cases[c].name);
        if (err.text[0]) print_message("%s: %s\n", cases[c].name, err.text);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
        remove(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tumbles_as_the_box), cmocka_unit_test(test_rests_as_the_box),
        cmocka_unit_test(test_edge_of_a_table),    cmocka_unit_test(test_pile),
        cmocka_unit_test(test_floats_as_the_box),  cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
