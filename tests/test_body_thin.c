// SPDX-License-Identifier: MIT
// ctest: slow
// Solids that are hollow: how thin their walls are, and that no body goes through them, however
// small and fast it is.
#include "folder.h"
#include "scene_text.h"
#include "sim/sim.h"
#include "solid_meshes.h"
#include "solids/bodies/body_thin.h"

#define OUTER 0.4
#define INNER 0.398

// Two meshes in one file, the second turned inside out: what is between them is solid.
static void write_shells(OndMesh outer, OndMesh inner, const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    const OndMesh *const both[] = {&outer, &inner};
    for (int m = 0; m < 2; ++m)
        for (int c = 0; c < both[m]->corner_count; ++c)
            fprintf(f, "v %.9g %.9g %.9g\n", both[m]->corner[3 * c], both[m]->corner[3 * c + 1],
                    both[m]->corner[3 * c + 2]);
    for (int m = 0; m < 2; ++m)
        for (int t = 0; t < both[m]->triangle_count; ++t) {
            const uint32_t *const c = both[m]->triangle + 3 * t;
            const uint32_t first = m ? (uint32_t)outer.corner_count + 1 : 1;
            fprintf(f, "f %u %u %u\n", c[0] + first, c[m ? 2 : 1] + first, c[m ? 1 : 2] + first);
        }
    assert_int_equal(fclose(f), 0);
    ond_mesh_free(&outer), ond_mesh_free(&inner);
}

static OndMesh cube(double half)
{
    return box_mesh(ond_vec(-half, -half, -half), ond_vec(half, half, half), 1, true);
}

typedef struct Show {
    OndSceneDef scene;
    OndSim *sim;
} Show;

static Show *start_show(const char *yaml)
{
    Show *s = calloc(1, sizeof *s);
    OndError err = {0};
    if (load(yaml, &s->scene, &err) != OND_OK) fail_msg("%s", err.text);
    s->sim = ond_sim_make(&s->scene, &assets, &err);
    if (!s->sim) fail_msg("%s", err.text);
    return s;
}

static void close_show(Show *s)
{
    ond_sim_destroy(s->sim);
    ond_scene_free(&s->scene);
    free(s);
}

#define EMPTY                                                                                      \
    "duration: 9\nframe_rate: 100\ngravity: [0, 0, 0]\nfluid: [{spacing: 0.05}]\n"                 \
    "domain: {min: [-3, -3, -3], max: [3, 3, 3]}\n"

// ---- how thin they are

static const struct {
    const char *name, *solid;
    double thickness;
} thins[] = {
    {"a hollow box", "shape: {type: mesh, file: %s/box.obj}", OUTER - INNER},
    {"a hollow box that is turned", "shape: {type: mesh, file: %s/box.obj}, turn: [20, 30, 40]",
     OUTER - INNER},
    {"a hollow ball", "shape: {type: mesh, file: %s/ball.obj}", 0.01},
    {"a box", "shape: {type: box, min: [-1, 0, -1], max: [1, 0.004, 1]}, note: %s", 0.004},
    {"a thick box", "shape: {type: mesh, file: %s/thick.obj}", 0.5},
    {"a shell of shapes",
     "shape: {type: difference, parts: [{type: sphere, center: [0, 0, 0], radius: 0.3},\n"
     "    {type: sphere, center: [0, 0, 0], radius: 0.294}]}, note: %s",
     0.006},
};

static void test_thickness(void **state)
{
    (void)state;
    char path[3][256];
    write_shells(cube(OUTER), cube(INNER), in_folder("box.obj", path[0]));
    write_shells(ball_mesh(ond_vec(0, 0, 0), 0.3, 40), ball_mesh(ond_vec(0, 0, 0), 0.29, 40),
                 in_folder("ball.obj", path[1]));
    write_shells(cube(0.25), cube(0.05), in_folder("thick.obj", path[2]));
    for (int c = 0; c < OND_COUNT(thins); ++c) {
        char solid[600], yaml[1200];
        snprintf(solid, sizeof solid, thins[c].solid, folder);
        char *const note = strstr(solid, ", note");
        if (note) *note = 0;
        snprintf(yaml, sizeof yaml,
                 EMPTY "solid:\n  - {name: hollow, %s}\n  - {name: ball, density: 500,"
                       " shape: {type: sphere, center: [2, 2, 2], radius: 0.05}}\n",
                 solid);
        Show *s = start_show(yaml);
        double thickness = -1;
        OndError err = {0};
        assert_int_equal(ond_body_thickness(ond_sim_solids(s->sim), 0, false, &thickness, &err),
                         OND_OK);
        print_message("%s: %.5f m\n", thins[c].name, thickness);
        CHECK_NEAR(thickness, thins[c].thickness, 0.03 * thins[c].thickness, thins[c].name);
        close_show(s);
    }
    for (int k = 0; k < 3; ++k)
        remove(path[k]);
}

// ---- that nothing passes

#define LANES 5

static const char *const forms[] = {
    "{type: sphere, center: [0, 0, 0], radius: 0.02}",
    "{type: box, min: [-0.02, -0.02, -0.02], max: [0.02, 0.02, 0.02]}",
    "{type: cylinder, from: [0, -0.02, 0], to: [0, 0.02, 0], radius: 0.016}",
    "{type: capsule, from: [-0.005, 0, 0], to: [0.005, 0, 0], radius: 0.02}",
    "{type: mesh, file: %s/cube.obj}",
    "{type: union, parts: [{type: box, min: [-0.02, -0.02, -0.02], max: [0.02, 0, 0.02]},"
    " {type: sphere, center: [0, 0, 0], radius: 0.02}]}",
};

// Each form several times, from different places, so that steps end differently before the wall.
static int write_bodies(char *yaml, int size, double outside, double apart)
{
    int at = snprintf(yaml, (size_t)size,
                      EMPTY "solid:\n  - {shape: {type: mesh, file: "
                            "%s/box.obj}}\n",
                      folder);
    for (int k = 0; k < OND_COUNT(forms) * LANES; ++k) {
        const int form = k / LANES, lane = k % LANES, side = (form + lane) % 2 ? -1 : 1;
        char shape[400];
        snprintf(shape, sizeof shape, forms[form], folder);
        at += snprintf(yaml + at, (size_t)(size - at),
                       "  - {density: 1000, velocity: [%d, %d, 1], spin: [%d, %d, 5], shape: %s,\n"
                       "     pivot: [0, 0, 0], at: [%g, %g, %g]}\n",
                       50 * side, lane - 2, 25 * lane, 20 - 7 * form, shape,
                       -(outside + apart * lane) * side, -0.3 + 0.12 * form, -0.28 + 0.14 * lane);
    }
    return at;
}

static bool is_inside(OndVec p)
{
    return fabs(p.x) < OUTER && fabs(p.y) < OUTER && fabs(p.z) < OUTER;
}

static void test_nothing_passes(void **state)
{
    (void)state;
    static const struct {
        double outside, apart;
    } cases[] = {{0, 0.023}, {0, 0.007}, {0.6, 0.013}};
    char path[2][256], yaml[16000];
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        write_shells(cube(OUTER), cube(INNER), in_folder("box.obj", path[0]));
        write_shells(cube(0.02), cube(0.002), in_folder("cube.obj", path[1]));
        assert_true(write_bodies(yaml, sizeof yaml, cases[c].outside, cases[c].apart) <
                    (int)sizeof yaml);
        Show *s = start_show(yaml);
        OndError err = {0};
        while (ond_sim_time(s->sim) < 0.02 - 1e-9)
            if (ond_sim_step(s->sim, &err) != OND_OK) fail_msg("%s", err.text);
        for (int k = 0; k < OND_COUNT(forms) * LANES; ++k) {
            const OndVec p = ond_solids_state(ond_sim_solids(s->sim)->solids, k + 1)->pose.at;
            if (is_inside(p) != (cases[c].outside == 0))
                fail_msg("case %d: body %d is at %g, %g, %g", c, k, p.x, p.y, p.z);
        }
        close_show(s);
        remove(path[0]), remove(path[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_nothing_passes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
