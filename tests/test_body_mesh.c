// SPDX-License-Identifier: MIT
// ctest: slow
// A mesh that falls and floats is like the closed form it was made from: it weighs and turns the
// same, floats as deep, rests at its own height. What has no volume is refused by its triangle.
#include "folder.h"
#include "scene_text.h"
#include "sim/sim.h"
#include "solid_meshes.h"

#define DRY                                                                                        \
    "fluid: [{spacing: 0.05, shape: {type: box, min: [40, 0, 0], max: [40.06, 0.06, 0.06]}}]\n"    \
    "method: {type: dem, largest_step: 0.002}\nframe_rate: 50\nduration: 20\n"

// Writes a mesh as OFF, all but its last `left_out` triangles.
static void write_mesh(const OndMesh *mesh, const char *path, int left_out)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "OFF\n%d %d 0\n", mesh->corner_count, mesh->triangle_count - left_out);
    for (int c = 0; c < mesh->corner_count; ++c)
        fprintf(f, "%.9g %.9g %.9g\n", mesh->corner[3 * c], mesh->corner[3 * c + 1],
                mesh->corner[3 * c + 2]);
    for (int t = 0; t < mesh->triangle_count - left_out; ++t)
        fprintf(f, "3 %u %u %u\n", mesh->triangle[3 * t], mesh->triangle[3 * t + 1],
                mesh->triangle[3 * t + 2]);
    assert_int_equal(fclose(f), 0);
}

typedef struct Play {
    OndScene scene;
    OndSim *sim;
} Play;

static Play *open_play(const char *yaml)
{
    Play *p = calloc(1, sizeof *p);
    OndError err = {0};
    if (load(yaml, &p->scene, &err) != OND_OK) fail_msg("%s", err.text);
    p->sim = ond_sim_create(&p->scene, &assets, &err);
    if (!p->sim) fail_msg("%s", err.text);
    return p;
}

static void run_play(Play *p, double until)
{
    OndError err = {0};
    while (ond_sim_time(p->sim) < until - 1e-9)
        if (ond_sim_step(p->sim, &err) != OND_OK) fail_msg("%s", err.text);
}

static OndSolidState body(const Play *p, int which)
{
    return *ond_solids_state(ond_sim_solids(p->sim)->solids, which);
}

static void close_play(Play *p)
{
    ond_sim_destroy(p->sim);
    ond_scene_free(&p->scene);
    free(p);
}

static void check_vec(OndVec got, OndVec want, double within, const char *what)
{
    CHECK_NEAR(got.x, want.x, within, what);
    CHECK_NEAR(got.y, want.y, within, what);
    CHECK_NEAR(got.z, want.z, within, what);
}

#define LOW  (-0.2), (-0.1), (-0.3)
#define HIGH 0.2, 0.1, 0.3
#define BOX  "type: box, min: [-0.2, -0.1, -0.3], max: [0.2, 0.1, 0.3]"

// The shapes as closed forms and as meshes; the second is written to the test's folder.
static const char *box_file(char path[256])
{
    OndMesh mesh = box_mesh(ond_vec(LOW), ond_vec(HIGH), 3, true);
    write_mesh(&mesh, in_folder("box.off", path), 0);
    ond_mesh_free(&mesh);
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
    Play *p = open_play(yaml);
    double turned = 0;
    for (int k = 1; k <= 30; ++k) {
        run_play(p, 0.1 * k);
        const OndSolidState a = body(p, 0), b = body(p, 1);
        check_vec(ond_sub(b.pose.at, a.pose.at), ond_vec(9, 0, 0), 1e-6, "place");
        check_vec(b.spin, a.spin, 1e-4, "spin");
        turned = fmax(turned, fabs(a.spin.y) + fabs(a.spin.z));
    }
    if (turned < 1) fail_msg("it never tumbled: %g rad/s", turned);
    close_play(p);
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
        Play *p = open_play(yaml);
        const int low = ond_sim_solids(p->sim)->count - 2;
        run_play(p, 1.5);
        const OndVec early = body(p, low + 1).pose.at;
        run_play(p, 2);
        print_message("floor %d: %.5f m and %.5f m above their places\n", f,
                      body(p, low).pose.at.y - 0.1, body(p, low + 1).pose.at.y - 0.3);
        CHECK_NEAR(body(p, low).pose.at.y, 0.1, 0.006, "the lower");
        CHECK_NEAR(body(p, low + 1).pose.at.y, 0.3, 0.012, "the upper");
        check_vec(body(p, low + 1).pose.at, early, 1e-3, "stays");
        close_play(p);
    }
    remove(path);
}

// ---- edges

// A crate as the mesh of a box whose sides are two triangles each: few corners, so that all depends
// on points between them.
static const char *crate_file(double size, char path[256])
{
    OndMesh mesh = box_mesh(ond_vec(0, 0, 0), ond_vec(size, size, size), 1, true);
    write_mesh(&mesh, in_folder("crate.off", path), 0);
    ond_mesh_free(&mesh);
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
            Play *p = open_play(yaml);
            const OndVec own = ond_add(from, ond_vec(0.2, 0.2, 0.2));
            OndSolidState now = body(p, 1);
            OndVec middle;
            const double start = cube_energy(&now, own, 0.4, &middle);
            while (!ond_sim_done(p->sim)) {
                run_play(p, ond_sim_time(p->sim) + 1e-6);
                now = body(p, 1);
                const double energy = cube_energy(&now, own, 0.4, &middle);
                if (!(energy < start + 1e-3))
                    fail_msg("%s: t = %g s, energy %g of %g J/kg", what, ond_sim_time(p->sim),
                             energy, start);
            }
            if (cases[c].rest > 0) CHECK_NEAR(middle.y - 0.2, cases[c].rest, 0.006, what);
            if (cases[c].rest > 0)
                check_vec(middle, ond_vec(from.x + 0.2, middle.y, from.z + 0.2), 0.01, what);
            close_play(p);
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
    Play *p = open_play(yaml);
    double last = INFINITY;
    while (!ond_sim_done(p->sim)) {
        double energy = 0;
        run_play(p, ond_sim_time(p->sim) + 1e-6);
        for (int k = 0; k < 4; ++k) {
            OndVec middle;
            const OndSolidState now = body(p, k + 1);
            energy += cube_energy(&now, ond_add(from[k], ond_vec(0.15, 0.15, 0.15)), 0.3, &middle);
        }
        if (!(energy < last + 0.02))
            fail_msg("t = %g s: from %g to %g J/kg", ond_sim_time(p->sim), last, energy);
        last = energy;
    }
    close_play(p);
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
    Play *p = open_play(yaml);
    const double water = ond_sim_particle_count(p->sim) * pow(0.04, 3);
    const double level = (water + 0.5 * 2 * 0.4 * 0.2 * 0.6) / 1.2; // half of each under
    double mean[2] = {0, 0};
    run_play(p, 1);
    for (int k = 1; k <= 50; ++k) {
        run_play(p, 1 + 0.02 * k);
        mean[0] += body(p, 0).pose.at.y / 50, mean[1] += body(p, 1).pose.at.y / 50;
    }
    print_message("box %.4f m, mesh %.4f m, level %.4f m\n", mean[0], mean[1], level);
    CHECK_NEAR(mean[1], mean[0], 0.05 * 0.04, "mesh and box");
    CHECK_NEAR(mean[1], level, 0.2 * 0.04, "half under");
    close_play(p);
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
        write_mesh(&mesh, in_folder("holes.off", path), cases[c].left_out);
        ond_mesh_free(&mesh);
        snprintf(yaml, sizeof yaml, "solid: [{shape: {type: mesh, file: %s}, density: 500}]\n" DRY,
                 path);
        OndScene scene;
        OndError err = {0};
        if (load(yaml, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        OndSim *sim = ond_sim_create(&scene, &assets, &err);
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
