// SPDX-License-Identifier: MIT
// ctest: slow
// Shipped scenes can be run; those with solids, coarse and for a short time: what they show does
// happen.
#include "base/parallel.h"
#include "command.h"
#include "io/formats/formats.h"
#include "io/mesh_assimp.h"
#include "io/scene_sections.h"
#include "io/text_freetype.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <stdlib.h>

static const OndAssets readers = {ond_mesh_load, ond_text_outline, ond_frame_read};

typedef struct Shown {
    OndSceneDef scene;
    OndSim *sim;
    const float *x[3], *v[3];
    int count;
} Shown;

static void look(Shown *s)
{
    OndFrame frame;
    ond_sim_frame(s->sim, &frame);
    for (int a = 0; a < 3; ++a) {
        s->x[a] = ond_fields_find(&frame.particles, "position")->data[a];
        s->v[a] = ond_fields_find(&frame.particles, "velocity")->data[a];
    }
    s->count = frame.particles.count;
}

static Shown *open_shipped(const char *name, const char *change)
{
    Shown *const s = calloc(1, sizeof *s);
    char path[512];
    OndTree tree = {0};
    OndError err = {0};
    snprintf(path, sizeof path, OND_SOURCE_DIR "/scenes/%s.yaml", name);
    OndStatus status = ond_yaml_read(path, &tree, &err);
    if (status == OND_OK) status = ond_yaml_assign(&tree, "--set", change, &err);
    if (status == OND_OK) status = ond_scene_read(&tree, &s->scene, &err);
    if (status == OND_OK) s->sim = ond_sim_make(&s->scene, &readers, &err);
    if (!s->sim) fail_msg("%s: %s", name, err.text);
    look(s);
    return s;
}

static void close_shipped(Shown *s)
{
    ond_sim_destroy(s->sim);
    ond_scene_free(&s->scene);
    free(s);
}

// At each frame until `time` nobody may be inside a solid.
static void run_clear(Shown *s, double time, const char *name)
{
    OndError err = {0};
    while (ond_sim_time(s->sim) < time - 1e-9) {
        if (ond_sim_step(s->sim, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
        look(s);
        if (!ond_sim_at_frame(s->sim)) continue;
        for (int i = 0; i < s->count; ++i) {
            const OndVec at = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
            int which = -1;
            if (ond_sim_solids_block(ond_sim_solids(s->sim), at, 0.0, &which))
                fail_msg("%s: t = %g s: particle %d of %d is inside solid %d, at %g, %g, %g", name,
                         ond_sim_time(s->sim), i, s->count, which, at.x, at.y, at.z);
        }
    }
}

static double row(const Shown *s, int probe, int column)
{
    return ond_sim_probes(s->sim)->probe[probe].row[column];
}

static int within(const Shown *s, OndBox box)
{
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        count += s->x[0][i] >= box.min.x && s->x[0][i] <= box.max.x && s->x[1][i] >= box.min.y &&
                 s->x[1][i] <= box.max.y && s->x[2][i] >= box.min.z && s->x[2][i] <= box.max.z;
    return count;
}

// What is poured is in the glass, not in its wall, and none of it is beside it.
static void test_glass(void **state)
{
    (void)state;
    Shown *s = open_shipped("glass-filling", "fluid.0.spacing=0.005");
    const int before = s->count;
    run_clear(s, 0.45, "glass-filling");
    const OndSimSolid *const glass = &ond_sim_solids(s->sim)->solid[0];
    const int inside =
        within(s, (OndBox){glass->bounds.min, {glass->bounds.max.x, 9, glass->bounds.max.z}});
    print_message("glass: %d particles, %d at the start, level %g m\n", s->count, before,
                  row(s, 0, 0));
    assert_true(s->count > before + 300);
    CHECK_NEAR(inside, s->count, 0, "in the glass, or above it");
    close_shipped(s);
}

// The wave goes round the houses, and pushes the tower.
static void test_city(void **state)
{
    (void)state;
    Shown *s = open_shipped("city-wave", "fluid.0.spacing=0.06");
    run_clear(s, 1.5, "city-wave");
    print_message("city: %d particles, tower %g N, %g m^3 into town\n", s->count, row(s, 0, 0),
                  row(s, 3, 1));
    assert_true(row(s, 0, 0) > 1);
    assert_true(row(s, 3, 1) > 0.1 && row(s, 3, 1) < 0.9);
    assert_true(within(s, (OndBox){{2.7, 0, 0}, {4, 2, 2}}) > 50);
    close_shipped(s);
}

// The knot goes under and floats: what it weighs is what it displaces.
static void test_knot(void **state)
{
    (void)state;
    Shown *s = open_shipped("mesh-drop", "fluid.0.spacing=0.04");
    const OndSimSolids *const solids = ond_sim_solids(s->sim);
    double lowest = 9;
    for (double t = 0.1; t < 2.05; t += 0.1) {
        run_clear(s, t, "mesh-drop");
        const OndSolidState *const knot = ond_solids_state(solids->solids, 0);
        lowest = fmin(lowest, ond_motion_pivot(&solids->solid[0].motion, &knot->pose).y);
    }
    const OndSolidState *const knot = ond_solids_state(solids->solids, 0);
    const double now = ond_motion_pivot(&solids->solid[0].motion, &knot->pose).y;
    print_message("knot: lowest %g m, now %g m, level %g m, carried by %g N\n", lowest, now,
                  row(s, 1, 0), row(s, 0, 1));
    assert_true(lowest < 0.36);
    assert_true(now > lowest + 0.01 && now < 0.4);
    close_shipped(s);
}

// Grains come down between the spheres, and none is in one.
static void test_spheres(void **state)
{
    (void)state;
    Shown *s = open_shipped("hierarchy/spheres", "fluid.0.spacing=0.05");
    const int before = s->count;
    run_clear(s, 1.2, "hierarchy/spheres");
    const int low = within(s, (OndBox){{-2, 0, -2}, {2, 3, 2}});
    print_message("spheres: %d grains, %d came down\n", s->count, low);
    assert_int_equal(s->count, before);
    assert_true(low > before / 10);
    close_shipped(s);
}

// ---- all of them are looked at

static void test_checked(void **state)
{
    (void)state;
    static const char *const scenes[] = {"dam-break",
                                         "double-dam",
                                         "drop",
                                         "tap",
                                         "letters",
                                         "2d/dam-break",
                                         "2d/drop-tension",
                                         "candle",
                                         "dancing-candle",
                                         "melting-knot",
                                         "chocolate",
                                         "ice-cubes",
                                         "lava",
                                         "melting-letters",
                                         "clamped-bar",
                                         "glass-filling",
                                         "city-wave",
                                         "mesh-drop",
                                         "wave-tank",
                                         "leaping-fish",
                                         "sand-heap",
                                         "hierarchy/spheres",
                                         "2d/vortex-street"};
    for (int k = 0; k < OND_COUNT(scenes); ++k) {
        char args[512];
        snprintf(args, sizeof args, "check '%s/scenes/%s.yaml' --threads 1", OND_SOURCE_DIR,
                 scenes[k]);
        expect(args, 0, "first step");
    }
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checked), cmocka_unit_test(test_glass),   cmocka_unit_test(test_city),
        cmocka_unit_test(test_knot),    cmocka_unit_test(test_spheres),
    };
    return cmocka_run_group_tests_name("shipped", tests, enter_folder, leave_folder);
}
