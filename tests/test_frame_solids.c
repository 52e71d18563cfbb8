// SPDX-License-Identifier: MIT
// Solids in frames: of a simulation, of a run's folder and between two frames; and that a run with
// pictures reads nothing back of what it has written.
#include "command.h"
#include "frame_solids.h"
#include "io/run_solids.h"
#include "io/solid_poses.h"
#include "sim/sim.h"

#include <sys/inotify.h>

// A ball falls into a pool in which a paddle goes to and fro, over a floor.
#define SCENE                                                                                      \
    "duration: 1\nframe_rate: 20\ndomain: {min: [0, 0, 0], max: [1, 1.5, 1]}\n"                    \
    "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0.1, 0], max: [1, 0.5, 1]}}]\n"            \
    "solid:\n"                                                                                     \
    "  - {name: floor, shape: {type: plane, point: [0, 0.1, 0]}}\n"                                \
    "  - {name: ball, density: 500, spin: [1, 2, 3], velocity: [0.1, 0, 0],\n"                     \
    "     shape: {type: sphere, center: [0.5, 0.75, 0.5], radius: 0.2}}\n"                         \
    "  - {name: paddle, shape: {type: box, min: [0.1, 0.2, 0.2], max: [0.2, 0.6, 0.8]},\n"         \
    "     move: ['0.2 * sin(5 * t)', 0, 0]}\n"

typedef struct Run {
    OndSceneDef scene;
    OndSim *sim;
} Run;

// A simulation keeps to its scene's place.
static void open_run(Run *run, const char *text)
{
    OndError err = {0};
    run->sim = NULL;
    if (load(text, &run->scene, &err) == OND_OK)
        run->sim = ond_sim_make(&run->scene, &assets, &err);
    if (!run->sim) fail_msg("%s", err.text);
}

static void close_run(Run *run)
{
    ond_sim_destroy(run->sim);
    ond_scene_free(&run->scene);
}

static void go_to(Run *run, int frame)
{
    OndError err = {0};
    while (ond_sim_frame_index(run->sim) < frame)
        if (ond_sim_step(run->sim, &err) != OND_OK) fail_msg("%s", err.text);
}

// ---- frames of a simulation

static void test_live(void **state)
{
    (void)state;
    OndFrame frame;
    Run run;
    open_run(&run, SCENE);
    go_to(&run, 6);
    ond_sim_frame(run.sim, &frame);
    assert_int_equal(frame.solids.count, 3);
    const OndFrameSolid *const s = frame.solids.solid;
    assert_string_equal(s[0].name, "floor");
    assert_string_equal(s[1].name, "ball");
    assert_true(!s[0].moves && s[1].moves && s[1].body && s[2].moves && !s[2].body);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(s[k].index, k, 0, "its number");
        assert_true(s[k].known && !s[k].corner);
    }
    CHECK_NEAR(s[2].state.pose.at.x, 0.2 * sin(5 * 0.3), 1e-12, "the paddle's way");
    CHECK_NEAR(s[2].state.velocity.x, cos(5 * 0.3), 1e-12, "its speed");
    // at rest the floor would carry the water over it: 400 kg
    if (!(s[0].force.y < -0.5 * 400 * 9.81 && s[0].force.y > -2 * 400 * 9.81))
        fail_msg("the floor feels %g N", s[0].force.y);
    if (!(s[1].force.y > 0.0)) fail_msg("the water pushes the ball with %g N", s[1].force.y);
    assert_true(frame.solids.made == ond_sim_solids(run.sim));
    assert_true(frame.solids.placed == ond_sim_solids(run.sim)->solids);
    close_run(&run);
}

// ---- frames of a folder

static void put_poses(const OndRunFolder *of, const OndFrame *frame)
{
    OndError err = {0};
    char path[OND_PATH_MAX];
    ond_run_path(of, OND_RUN_SOLIDS, frame->index, path);
    if (ond_solid_poses_write(path, &frame->solids, &err) != OND_OK) fail_msg("%s", err.text);
}

// Frames that are read have the bits that a simulation gave; one between has the told exactly and
// bodies half the way.
static void test_folder(void **state)
{
    (void)state;
    OndError err = {0};
    OndRunFolder folder_of_run;
    OndRunSolids *reader;
    Run run;
    open_run(&run, SCENE);
    OndSolidState live[2][3];
    OndFrame read[2] = {{.owned = true}, {.owned = true}}, between = {.owned = true}, now;
    assert_int_equal(ond_run_open("poses", OND_RUN_NEW, &folder_of_run, &err), OND_OK);
    for (int f = 0; f < 2; ++f) {
        go_to(&run, 5 + f);
        ond_sim_frame(run.sim, &now);
        put_poses(&folder_of_run, &now);
        for (int k = 0; k < 3; ++k)
            live[f][k] = now.solids.solid[k].state;
        read[f].time = now.time;
    }
    if (ond_run_solids_open(&run.scene, &assets, &folder_of_run, &reader, &err) != OND_OK)
        fail_msg("%s", err.text);
    for (int f = 0; f < 2; ++f) {
        if (ond_run_solids_read(reader, 5 + f, &read[f], &err) != OND_OK) fail_msg("%s", err.text);
        for (int k = 0; k < 3; ++k) {
            const OndSolidState *const there = &read[f].solids.solid[k].state;
            assert_memory_equal(there, &live[f][k], sizeof *there);
            assert_memory_equal(ond_solids_state(read[f].solids.placed, k), there, sizeof *there);
        }
    }
    between.time = 0.5 * (read[0].time + read[1].time);
    if (ond_run_solids_between(reader, &read[0], &read[1], 0.5, &between, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndPose *const ball = &between.solids.solid[1].state.pose,
                         *const placed = &ond_solids_state(between.solids.placed, 1)->pose;
    CHECK_NEAR(ball->at.y, 0.5 * (live[0][1].pose.at.y + live[1][1].pose.at.y), 1e-15, "the ball");
    CHECK_NEAR(ball->w * ball->w + ball->x * ball->x + ball->y * ball->y + ball->z * ball->z, 1,
               1e-15, "its quaternion");
    assert_memory_equal(ball, placed, sizeof *ball);
    CHECK_NEAR(between.solids.solid[2].state.pose.at.x, 0.2 * sin(5 * between.time), 1e-12,
               "the paddle, by its formula");
    // a body whose file is gone is not known, and stands where it began
    OndFrame lost = {.time = 0.5, .owned = true};
    assert_int_equal(ond_run_solids_read(reader, 7, &lost, &err), OND_OK);
    assert_true(!lost.solids.solid[1].known && lost.solids.solid[2].known);
    ond_frame_free(&read[0]), ond_frame_free(&read[1]);
    ond_frame_free(&between), ond_frame_free(&lost);
    ond_run_solids_close(reader);
    ond_run_close(&folder_of_run);
    close_run(&run);
}

// ---- a run with pictures

// Fails when a file in one of the watched folders was read, or opened for it alone. A checkpoint is
// checked for damage on the disk before a new one takes its place; that is no way for data.
static void check_no_reads(int watch, int folders, const char *const *names)
{
    _Alignas(struct inotify_event) char room[65536];
    int written = 0;
    ssize_t got;
    while ((got = read(watch, room, sizeof room)) > 0)
        for (char *at = room; at < room + got;) {
            const struct inotify_event *const e = (const struct inotify_event *)at;
            at += sizeof *e + e->len;
            assert_false(e->mask & IN_Q_OVERFLOW);
            if (e->mask & IN_ISDIR || strncmp(e->name, "checkpoint", 10) == 0) continue;
            written += (e->mask & IN_CLOSE_WRITE) != 0;
            if (e->mask & (IN_ACCESS | IN_CLOSE_NOWRITE))
                fail_msg("the run read %s/%s", e->wd <= folders ? names[e->wd - 1] : "?", e->name);
        }
    if (!(written > 10)) fail_msg("the watch saw only %d files written", written);
}

static void test_nothing_read(void **state)
{
    (void)state;
    static const char *const names[] = {"run", "run/frames", "run/pictures", "run/solids"};
    char text[TEXT_ROOM];
    write_text("scene.yaml",
               SCENE "output: {format: both}\nrender: {as: surface, quality: preview, "
                     "width: 96, height: 72, motion_blur: 0.5}\n");
    const int watch = inotify_init1(IN_NONBLOCK);
    if (watch < 0) skip(); // a system without
    assert_int_equal(system("mkdir -p run/frames run/pictures run/solids"), 0);
    for (int k = 0; k < OND_COUNT(names); ++k)
        assert_int_equal(
            inotify_add_watch(watch, names[k], IN_ACCESS | IN_CLOSE_NOWRITE | IN_CLOSE_WRITE),
            k + 1);
    expect("run scene.yaml -o run --pictures --quiet --frames 5", 0, "");
    check_no_reads(watch, OND_COUNT(names), names);
    assert_int_equal(close(watch), 0);
    // and what is drawn later of the folder is the same, byte for byte
    assert_int_equal(system("mv run/pictures first"), 0);
    expect("render run --pictures --quiet", 0, "");
    assert_int_equal(run_line("ls first | wc -l | grep -qx 6 && diff -r first run/pictures", text),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_nothing_read),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
