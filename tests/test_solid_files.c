// SPDX-License-Identifier: MIT
// Solids from mesh files: what is mended and said, what is refused and where; sequences; poses.
#include "command.h"
#include "io/solid_poses.h"
#include "scene_text.h"
#include "sim/sim.h"

// A box of 12 triangles; what is wrong with it is said by the rest.
typedef struct BoxFile {
    double size, shift;
    int without, flipped;     // triangles, from 1; 0: none
    bool nan, extra, crossed; // one corner is pushed out on the other side
} BoxFile;

static void write_box(const char *path, BoxFile b)
{
    static const int quad[6][4] = {{1, 5, 7, 3}, {2, 4, 8, 6}, {1, 2, 6, 5},
                                   {3, 7, 8, 4}, {1, 3, 4, 2}, {5, 6, 8, 7}};
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int c = 0; c < 8; ++c) {
        const double y = (c >> 1 & 1) * b.size + b.shift;
        if (b.nan && c == 3)
            fprintf(f, "v nan 0 0\n");
        else if (b.crossed && c == 7)
            fprintf(f, "v %g %g %g\n", -0.5 * b.size, 0.3 * b.size, 0.4 * b.size);
        else
            fprintf(f, "v %g %g %g\n", (c & 1) * b.size, y, (c >> 2 & 1) * b.size);
    }
    if (b.extra) fprintf(f, "v 0.5 0.5 0.5\nf 1 2 9\n");
    for (int t = 0; t < 12; ++t) {
        const int *q = quad[t / 2], *last = t % 2 ? &q[3] : &q[1];
        if (b.without == t + 1) continue;
        const bool odd = t % 2;
        const int a = q[0], m = odd ? q[2] : *last, e = odd ? q[3] : q[2];
        if (b.flipped == t + 1)
            fprintf(f, "f %d %d %d\n", a, e, m);
        else
            fprintf(f, "f %d %d %d\n", a, m, e);
    }
    assert_int_equal(fclose(f), 0);
}

#define FLUID                                                                                      \
    "fluid: [{name: w, spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}]\n"
#define SOLID FLUID "solid:\n  - {name: s, "

static OndSim *open_sim(const char *text, OndSceneDef *scene, OndError *err)
{
    if (load(text, scene, err) != OND_OK) fail_msg("%s", err->text);
    return ond_sim_make(scene, &assets, err);
}

static const struct {
    const char *name;
    BoxFile box;
    const char *solid, *fails, *notes;
    int left; // of 1000 particles
} meshes[] = {
    {"container", {.size = 1}, "use: container, ", NULL, NULL, 1000},
    {"moved container", {.size = 1}, "use: container, at: [0.5, 1, 0.5], ", NULL, "500 of", 500},
    {"obstacle", {.size = 1, .shift = -0.5}, "", NULL, "500 of 1000", 500},
    {"flipped triangle", {.size = 1, .flipped = 3}, "use: container, ", NULL, "solid 's'", 1000},
    {"not a number", {.size = 1, .nan = true}, "", "finite", NULL, 0},
    {"hole in an obstacle", {.size = 1, .shift = -0.55, .without = 1}, "", NULL, "solid 's'", -1},
    {"torn container", {.size = 1, .extra = true}, "use: container, ", "scene.yaml:3:", NULL, 0},
    {"heavy sheet",
     {.size = 1, .shift = -0.55, .without = 1},
     "density: 500, ",
     "it has no volume",
     NULL,
     0},
};

static void test_meshes(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(meshes); ++c) {
        char text[1024];
        OndSceneDef scene;
        OndError err = {0};
        write_box("box.obj", meshes[c].box);
        snprintf(text, sizeof text, SOLID "%sshape: {type: mesh, file: box.obj}}\n",
                 meshes[c].solid);
        OndSim *sim = open_sim(text, &scene, &err);
        if (meshes[c].fails) {
            CHECK_NEAR(sim == NULL, 1, 0, meshes[c].name);
            CHECK_SAYS(err.text, meshes[c].fails, meshes[c].name);
            CHECK_SAYS(err.text, "scene.yaml:3:", meshes[c].name);
        } else {
            if (!sim) fail_msg("%s: %s", meshes[c].name, err.text);
            if (meshes[c].left >= 0)
                CHECK_NEAR(ond_sim_particle_count(sim), meshes[c].left, 0, meshes[c].name);
            const char *note = ond_sim_note(sim, 0);
            CHECK_NEAR(note != NULL, meshes[c].notes != NULL, 0, meshes[c].name);
            if (note) CHECK_SAYS(note, meshes[c].notes, meshes[c].name);
        }
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

// Sizes and places that are hardly meant are told.
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        BoxFile box;
        const char *note;
    } cases[] = {
        {"millimetres",
         {.size = 100, .shift = -100},
         "is its file in centimetres or millimetres? Then it needs scale: 0.01 or scale: 0.001"},
        {"tiny", {.size = 0.05, .shift = -0.5}, "smaller than two particles of 0.1 m"},
        {"outside", {.size = 1, .shift = -7}, "solid 's' stands outside the domain"},
        {"as meant", {.size = 1, .shift = -1}, NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        write_box("box.obj", cases[c].box);
        OndSim *sim = open_sim("domain: {min: [-1, -1, -1], max: [2, 3, 2]}\n" SOLID
                               "shape: {type: mesh, file: box.obj}}\n",
                               &scene, &err);
        if (!sim) fail_msg("%s: %s", cases[c].name, err.text);
        CHECK_NEAR(ond_sim_note(sim, 0) != NULL, cases[c].note != NULL, 0, cases[c].name);
        if (cases[c].note) CHECK_SAYS(ond_sim_note(sim, 0), cases[c].note, cases[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

// In 2D a mesh is cut: there must be something to cut.
static void test_cut(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    write_box("box.obj", (BoxFile){.size = 1, .shift = -0.9});
    assert_null(
        open_sim("dimension: 2\nfluid: [{spacing: 0.1, shape: {type: box, min: [0, 0], max: "
                 "[1, 1]}}]\nsolid: [{shape: {type: mesh, file: box.obj, move: [0, 0, "
                 "2]}}]\n",
                 &scene, &err));
    CHECK_SAYS(err.text,
               "box.obj: in 2D a mesh is cut by the plane z = 0, but this one reaches "
               "from z = 2 to 3; move it",
               "beside the plane");
    ond_scene_free(&scene);
}

// A run goes on with the mesh it began with.
static void test_resumed_mesh(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    OndCheckpoint *from = OND_NEW(OndCheckpoint);
    write_box("box.obj", (BoxFile){.size = 1, .shift = -0.5});
    OndSim *sim = open_sim(SOLID "shape: {type: mesh, file: box.obj}}\n", &scene, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_sim_checkpoint(sim, from);
    static const double shift[] = {-0.5, -0.4};
    for (int k = 0; k < OND_COUNT(shift); ++k) {
        write_box("box.obj", (BoxFile){.size = 1, .shift = shift[k]});
        OndSim *next = ond_sim_remake(&scene, &assets, from, &err);
        CHECK_NEAR(next != NULL, k == 0, 0, "resumes");
        ond_sim_destroy(next);
    }
    CHECK_SAYS(err.text, "box.obj is not the mesh that this run began with", "other mesh");
    CHECK_SAYS(err.text, "scene.yaml:3:", "place");
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    ond_free(from);
}

// ---- sequences

#define SEQUENCE FLUID "solid:\n  - {name: s, sequence: {files: s_%02d.obj, rate: 10"

static void test_sequence_faults(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    write_box("s_01.obj", (BoxFile){.size = 1, .shift = -2});
    write_box("s_03.obj", (BoxFile){.size = 1, .shift = -2});
    assert_null(open_sim(SEQUENCE "}}\n", &scene, &err));
    CHECK_SAYS(err.text, "s_02.obj is missing, but s_03.obj is there", "gap");
    ond_scene_free(&scene);
    write_box("s_02.obj", (BoxFile){.size = 1, .shift = -2, .extra = true});
    assert_null(open_sim(SEQUENCE "}}\n", &scene, &err));
    CHECK_SAYS(err.text, "s_02.obj has", "counts");
    CHECK_SAYS(err.text, "scene.yaml:3:", "place");
    ond_scene_free(&scene);
}

// A container is one in all its shapes; an obstacle may pass through itself.
static void test_sequence_crossed(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    write_box("s_01.obj", (BoxFile){.size = 1});
    write_box("s_02.obj", (BoxFile){.size = 1});
    write_box("s_03.obj", (BoxFile){.size = 1, .crossed = true});
    assert_null(open_sim(SEQUENCE "}, use: container}\n", &scene, &err));
    CHECK_SAYS(err.text, "s_03.obj: triangles ", "file and triangle");
    CHECK_SAYS(err.text, "pass through each other", "fault");
    CHECK_SAYS(err.text, "scene.yaml:3:", "place");
    ond_scene_free(&scene);
    write_box("s_03.obj", (BoxFile){.size = 1.1});
    OndSim *sim = open_sim(SEQUENCE "}, use: container}\n", &scene, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

// The lid rises by 0.5 in 0.1 s and stays, or begins anew.
static void test_sequence_motion(void **state)
{
    (void)state;
    static const struct {
        const char *loop;
        double time, y;
    } at[] = {{"", 0, 0},   {"", 0.025, 0.125},           {"", 0.1, 0.5},
              {"", 9, 0.5}, {", loop: true", 0.15, 0.25}, {", loop: true", 0.225, 0.125}};
    write_box("s_01.obj", (BoxFile){.size = 1, .shift = 0});
    write_box("s_02.obj", (BoxFile){.size = 1, .shift = 0.5});
    unlink("s_03.obj");
    for (int c = 0; c < OND_COUNT(at); ++c) {
        char text[512];
        float corner[3 * 64];
        OndSceneDef scene;
        OndError err = {0};
        OndSequence sequence;
        snprintf(text, sizeof text, "%s%s, scale: 2, move: [0, 1, 0]}}\n", SEQUENCE, at[c].loop);
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        const OndSequenceDef *def = &ond_scene_solid(&scene, 0)->sequence;
        if (ond_sequence_read(&scene, def, &assets, &sequence, &err) != OND_OK)
            fail_msg("%s", err.text);
        assert_true(sequence.mesh.corner_count <= 64);
        ond_sequence_at(&sequence, at[c].time, corner);
        double low = HUGE_VAL;
        for (int i = 0; i < sequence.mesh.corner_count; ++i)
            low = fmin(low, corner[3 * i + 1]);
        CHECK_NEAR(low, 1 + 2 * at[c].y, 1e-6, "height of the lowest corner");
        ond_sequence_free(&sequence);
        ond_scene_free(&scene);
    }
}

// A block that rises under a pool lifts it, at the speed of the files, and nothing gets into it.
static void test_sequence_run(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    write_box("r_0.obj", (BoxFile){.size = 1, .shift = -1});
    write_box("r_1.obj", (BoxFile){.size = 1, .shift = -0.9});
    OndSim *sim = open_sim("duration: 0.2\nframe_rate: 20\ndomain: {min: [0.2, -0.5, 0.2], max: "
                           "[0.8, 1, 0.8]}\nfluid: [{spacing: 0.05, shape: {type: box, min: [0.2, "
                           "0, 0.2], max: [0.8, 0.2, 0.8]}}]\nsolid: [{name: lift, sequence: "
                           "{files: r_%d.obj, rate: 5}}]\nprobe: [{type: level, at: [0.5, 0, "
                           "0.5]}, {type: force, solid: lift}]\n",
                           &scene, &err);
    if (!sim) fail_msg("%s", err.text);
    const double before = ond_sim_particle_count(sim);
    while (!ond_sim_done(sim))
        if (ond_sim_step(sim, &err) != OND_OK) fail_msg("%s", err.text);
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    const float *y = ond_fields_find(&frame.particles, "position")->data[1];
    double low = HUGE_VAL;
    for (int i = 0; i < frame.particles.count; ++i)
        low = fmin(low, y[i]);
    CHECK_NEAR(ond_sim_particle_count(sim), before, 0, "none is lost");
    if (!(low > 0.1)) fail_msg("a particle at y = %g is inside the block, which ends at 0.1", low);
    CHECK_NEAR(ond_sim_probes(sim)->probe[0].row[0], 0.3, 0.03, "level");
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

// ---- poses

static void test_poses(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    OndSim *sim = open_sim(FLUID "solid:\n  - {name: 'a \"b\", c', shape: {type: plane, point: [0, "
                                 "-1, 0]}, turn: [0, 30, 0], move: [t, 0, 0]}\n"
                                 "  - {name: d, shape: {type: plane, point: [0, -2, 0]}}\n",
                           &scene, &err);
    if (!sim) fail_msg("%s", err.text);
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    bool known[2] = {false, false};
    OndSolidState back[2];
    assert_int_equal(ond_solid_poses_write("poses.csv", &frame.solids, &err), OND_OK);
    assert_int_equal(ond_solid_poses_read("poses.csv", back, known, 2, &err), OND_OK);
    assert_true(known[0] && !known[1]);
    assert_memory_equal(&back[0], &frame.solids.solid[0].state, sizeof back[0]);
    CHECK_NEAR(back[0].velocity.x, 1, 1e-15, "velocity of the formula");
    assert_int_equal(ond_solid_poses_read("poses.csv", back, known, 0, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "poses.csv:2:", "a scene of fewer solids");
    write_text("poses.csv", "solid\n0,\"a\",1,2,3,1,0,0,0,0,0,0,0,0\n");
    assert_int_equal(ond_solid_poses_read("poses.csv", back, known, 2, &err), OND_BAD_VALUE);
    write_text("poses.csv", "solid\n0,\"a\",1,2,3,2,0,0,0,0,0,0,0,0,0\n");
    assert_int_equal(ond_solid_poses_read("poses.csv", back, known, 2, &err), OND_BAD_VALUE);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

// A body falls; a picture of a frame shows it where it was then, whether the frame is asked for by
// its run or by its file; and without the file of poses it shows something else.
static void test_bodies_in_pictures(void **state)
{
    (void)state;
    static const char small[] = "--as particles --size 160x90 --quiet";
    char args[256], text[TEXT_ROOM];
    write_text(
        "fall.yaml",
        "duration: 0.5\nframe_rate: 10\ndomain: {min: [0, 0, 0], max: [1, 2, 1]}\nfluid: "
        "[{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [1, 0.2, 1]}}]\nsolid: "
        "[{name: ball, density: 2000, shape: {type: sphere, center: [0.5, 1.6, 0.5], radius: "
        "0.2}}]\n");
    expect("run fall.yaml -o fall --quiet --frames 4", 0, "");
    snprintf(args, sizeof args, "render fall --frames 4-4 -o a.png %s", small);
    expect(args, 0, "");
    snprintf(args, sizeof args, "render fall/frames/frame_0004.ply -o b.png %s", small);
    expect(args, 0, "");
    assert_int_equal(run_line("cmp a.png b.png 2>&1", text), 0);
    assert_int_equal(unlink("fall/frames/solids_0004.csv"), 0);
    snprintf(args, sizeof args, "render fall/frames/frame_0004.ply -o c.png %s", small);
    expect(args, 0, "");
    assert_int_equal(run_line("cmp a.png c.png >/dev/null 2>&1", text), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_resumed_mesh),
        cmocka_unit_test(test_sequence_faults),
        cmocka_unit_test(test_sequence_crossed),
        cmocka_unit_test(test_sequence_motion),
        cmocka_unit_test(test_sequence_run),
        cmocka_unit_test(test_poses),
        cmocka_unit_test(test_bodies_in_pictures),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
