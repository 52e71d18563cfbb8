// SPDX-License-Identifier: MIT
// Read-outs: a pool's level and pressure, what flows out of a tap, what a floor carries; and that a
// resumed run has the same tables.
#include "command.h"
#include "stage.h"

#define POOL                                                                                       \
    "duration: 1\nmethod: {pressure: wcsph}\ndomain: {min: [0, 0, 0], max: [0.6, 1, 0.6]}\n"       \
    "fluid: [{spacing: 0.04, density: 1000, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.4, "   \
    "0.6]}}]\n"

static double row(const Stage *s, int probe, int column)
{
    return ond_sim_probes(s->sim)->probe[probe].row[column];
}

static void test_still_pool(void **state)
{
    (void)state;
    Stage *s = stage_open(POOL "probe:\n"
                               "  - {type: level, at: [0.3, 0, 0.3]}\n"
                               "  - {type: level, at: [0, 0, 0.3]}\n"
                               "  - {type: level, at: [0, 0, 0]}\n"
                               "  - {type: level, at: [3, 0, 0]}\n"
                               "  - {type: pressure, at: [0.3, 0, 0.3]}\n"
                               "  - {type: pressure, at: [0.3, 0.2, 0.3]}\n"
                               "  - {type: pressure, at: [0, 0.2, 0.3]}\n"
                               "  - {type: pressure, at: [0.3, 0.9, 0.3]}\n"
                               "  - {type: flow, center: [0.3, 0.2, 0.3], width: 1, height: 1}\n");
    double floor = 0.0, middle = 0.0, side = 0.0;
    int rows = 0;
    while (ond_sim_time(s->sim) < 0.8) {
        stage_step(s);
        if (!ond_sim_probes(s->sim)->probe[0].due || ond_sim_time(s->sim) < 0.4) continue;
        floor += row(s, 4, 0), middle += row(s, 5, 0), side += row(s, 6, 0);
        ++rows;
    }
    CHECK_NEAR(rows, 11, 1, "a row for each frame");
    CHECK_NEAR(row(s, 0, 0), 0.4, 0.008, "level, in the middle");
    CHECK_NEAR(row(s, 1, 0), 0.4, 0.016, "level, at a wall");
    CHECK_NEAR(row(s, 2, 0), 0.4, 0.02, "level, in a corner");
    assert_true(isnan(row(s, 3, 0)));
    CHECK_NEAR(floor / rows, 1000 * 9.81 * 0.4, 0.02 * 3924, "pressure on the floor");
    CHECK_NEAR(middle / rows, 1000 * 9.81 * 0.2, 0.05 * 3924, "pressure half way");
    CHECK_NEAR(side / rows, 1000 * 9.81 * 0.2, 0.05 * 3924, "pressure at a wall");
    assert_true(isnan(row(s, 7, 0)));
    CHECK_NEAR(row(s, 8, 1), 0, 1e-5, "nothing flows");
    stage_close(s);
}

// 0.01 m^3/s at 1 m/s: after 0.5 s it has passed a plane 0.1 m below for 0.4 s and fallen a little
// faster than it started.
static void test_flow(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "gravity: [0, 0, 0]\nduration: 1\nmethod: {pressure: wcsph}\nfluid: [{spacing: 0.02}]\n"
        "emitter: [{shape: rectangle, center: [0, 0, 0], direction: [0, -1, 0], "
        "width: 0.1, height: 0.1, rate: 0.01}]\n"
        "probe:\n"
        "  - {type: flow, center: [0, -0.1, 0], normal: [0, -2, 0], width: 1, "
        "height: 1}\n"
        "  - {type: flow, center: [0, -0.1, 0], normal: [0, 1, 0], width: 1, "
        "height: 1}\n"
        "  - {type: flow, center: [0.5, -0.1, 0], normal: [0, -1, 0], width: "
        "0.8, height: 1}\n"
        "  - {type: flow, center: [0, -0.005, 0], normal: [0, -1, 0], width: 1, "
        "height: 1}\n"
        "  - {type: flow, center: [0, 0.005, 0], normal: [0, -1, 0], width: 1, "
        "height: 1}\n");
    stage_run(s, 0.5);
    CHECK_NEAR(row(s, 0, 0), 0.01, 0.0008, "flow");
    CHECK_NEAR(row(s, 3, 1), 0.005, 0.0002, "total, close to the mouth");
    CHECK_NEAR(row(s, 4, 1), 0, 0.0002, "total, close behind the mouth");
    CHECK_NEAR(row(s, 0, 1), 0.004, 0.0003, "total");
    CHECK_NEAR(row(s, 1, 1), -row(s, 0, 1), 1e-12, "the other way");
    CHECK_NEAR(row(s, 2, 1), 0, 1e-12, "past the rectangle");
    stage_close(s);
}

// Water that goes round, and water that leaves: as much goes through their edges as elsewhere.
static void test_flow_at_edges(void **state)
{
    (void)state;
    static const char body[] =
        "duration: 0.3\nframe_rate: 20\ngravity: [0, 0, 0]\n"
        "domain: {min: [0, 0, 0], max: [1.2, 0.4, 0.4], x: %s}\n"
        "fluid: [{spacing: 0.04, velocity: [1, 0, 0], shape: {type: box, min: [0, 0, 0], max: "
        "[1.2, "
        "0.4, 0.4]}}]\n"
        "probe:\n"
        "  - {type: flow, center: [0, 0.2, 0.2], width: 0.5, height: 0.5}\n"
        "  - {type: flow, center: [0.6, 0.2, 0.2], width: 0.5, height: 0.5}\n"
        "  - {type: flow, center: [1.2, 0.2, 0.2], width: 0.5, height: 0.5}\n"
        "  - {type: flow, center: [0.6, 0.2, 0.2], normal: [0.45, 1, 0], width: 0.24, height: 2}\n";
    char yaml[1200];
    snprintf(yaml, sizeof yaml, body, "periodic");
    Stage *s = stage_open(yaml);
    stage_run(s, 0.3);
    CHECK_NEAR(row(s, 0, 1), 0.048, 0.0005, "at the seam's one side");
    CHECK_NEAR(row(s, 1, 1), 0.048, 0.0005, "in the middle");
    CHECK_NEAR(row(s, 2, 1), 0.048, 0.0005, "at the seam's other side");
    CHECK_NEAR(row(s, 3, 1), 0.0288, 0.0006, "tilted, narrower than the channel");
    stage_close(s);
    snprintf(yaml, sizeof yaml, body, "open");
    s = stage_open(yaml);
    stage_run(s, 0.3);
    CHECK_NEAR(row(s, 1, 1), 0.048, 0.001, "in the middle");
    CHECK_NEAR(row(s, 2, 1), 0.048, 0.002, "where it leaves");
    stage_close(s);
}

// A thin wall with 0.8 m of water on its left and 0.32 m on its right, and a stone under water:
// pressures are those of the probe's own side, and there is none inside.
static void test_pressure_beside_solids(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "duration: 0.6\nframe_rate: 20\ndomain: {min: [-0.52, 0, -0.16], max: [0.52, 1.5, 0.16]}\n"
        "fluid: [{spacing: 0.04, density: 1000, shape: {type: union, parts: [{type: box, min: "
        "[-0.52, 0, -0.16], max: [0, 0.8, 0.16]}, {type: box, min: [0, 0, -0.16], max: [0.52, "
        "0.32, "
        "0.16]}]}}]\n"
        "solid:\n"
        "  - {name: plate, shape: {type: box, min: [-0.002, -1, -1], max: [0.002, 3, 1]}}\n"
        "  - {name: stone, shape: {type: sphere, center: [0.3, 0.1, 0], radius: 0.08}}\n"
        "probe:\n"
        "  - {type: pressure, at: [0.03, 0.1, 0]}\n"
        "  - {type: pressure, at: [0.002, 0.1, 0]}\n"
        "  - {type: pressure, at: [-0.03, 0.1, 0]}\n"
        "  - {type: pressure, at: [-0.002, 0.1, 0]}\n"
        "  - {type: pressure, at: [0.03, 0.5, 0]}\n"
        "  - {type: pressure, at: [0.3, 0.03, 0]}\n"
        "  - {type: pressure, at: [0, 0.1, 0]}\n"
        "  - {type: level, at: [0.03, 0, 0]}\n"
        "  - {type: level, at: [-0.03, 0, 0]}\n"
        "  - {type: level, at: [0.3, 0, 0]}\n");
    double sum[4] = {0};
    int rows = 0;
    while (!ond_sim_done(s->sim)) {
        stage_step(s);
        if (!ond_sim_probes(s->sim)->probe[0].due || ond_sim_time(s->sim) < 0.28) continue;
        for (int k = 0; k < 4; ++k)
            sum[k] += row(s, k, 0);
        ++rows;
    }
    print_message("%g %g %g %g Pa\n", sum[0] / rows, sum[1] / rows, sum[2] / rows, sum[3] / rows);
    CHECK_NEAR(sum[0] / rows, 9810 * 0.22, 0.08 * 2158, "near the wall, shallow");
    CHECK_NEAR(sum[1] / rows, 9810 * 0.22, 0.12 * 2158, "on the wall, shallow");
    CHECK_NEAR(sum[2] / rows, 9810 * 0.7, 0.05 * 6867, "near the wall, deep");
    CHECK_NEAR(sum[3] / rows, 9810 * 0.7, 0.1 * 6867, "on the wall, deep");
    CHECK_NEAR(row(s, 7, 0), 0.32, 0.02, "level near the wall, shallow");
    CHECK_NEAR(row(s, 8, 0), 0.8, 0.02, "level near the wall, deep");
    CHECK_NEAR(row(s, 9, 0), 0.32, 0.03, "level above the stone");
    for (int k = 4; k < 7; ++k)
        if (!isnan(row(s, k, 0))) fail_msg("probe %d: %g Pa, not nan", k, row(s, k, 0));
    stage_close(s);
}

// A floor of its own under the pool carries its weight; the torque about its pivot is that of the
// weight on one half of it.
static void test_force(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "duration: 1\ndomain: {min: [0, -0.4, 0], max: [0.6, 1, 0.6]}\n"
        "fluid: [{spacing: 0.04, density: 1000, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.4, "
        "0.6]}}]\n"
        "solid: [{name: floor, pivot: [0, 0, 0.3], shape: {type: box, min: [-1, -0.8, -1], max: "
        "[2, 0, 2]}}]\n"
        "probe: [{type: force, solid: floor, rate: 5}]\n");
    const double weight = 1000 * 9.81 * 0.6 * 0.6 * 0.4;
    stage_run(s, 0.6);
    stage_run(s, 0.8);
    CHECK_NEAR(row(s, 0, 1), -weight, 0.04 * weight, "weight");
    CHECK_NEAR(row(s, 0, 0), 0, 0.01 * weight, "sideways");
    CHECK_NEAR(row(s, 0, 5), -0.3 * weight, 0.02 * weight, "torque about z, at x = 0");
    CHECK_NEAR(row(s, 0, 3), 0, 0.01 * weight, "torque about x, in the middle");
    stage_close(s);
}

// ---- tables

static const char scene[] =
    "duration: 0.3\nframe_rate: 40\ndomain: {min: [0, 0, 0], max: [0.6, 0.6, 0.2]}\n"
    "fluid: [{spacing: 0.04, shape: {type: box, min: [0, 0, 0], max: [0.28, 0.4, 0.2]}}]\n"
    "solid:\n"
    "  - {name: paddle, shape: {type: box, min: [0.4, 0, 0], max: [0.44, 0.4, 0.2]}, turn_by: [0, "
    "0, \"60*sin(8*t)\"], move: [\"0.05*sin(5*t)\", 0, 0]}\n"
    "  - {name: stone, shape: {type: sphere, center: [0.3, 0.5, 0.1], radius: 0.05}, keys: [{time: "
    "0}, {time: 0.3, at: [0.3, 0.2, 0.1], turn: [0, 90, 0]}]}\n"
    "probe:\n"
    "  - {type: force, solid: paddle, name: paddle, rate: 17}\n"
    "  - {type: force, solid: stone, name: stone, rate: 0}\n"
    "  - {type: level, at: [0.2, 0, 0.1], name: level}\n"
    "  - {type: flow, center: [0.3, 0.1, 0.1], width: 1, height: 1, name: flow, rate: 7}\n"
    "output: {checkpoint: 1000}\n";

static void same_files(const char *a, const char *b)
{
    char line[256], text[TEXT_ROOM];
    snprintf(line, sizeof line, "cmp %s %s 2>&1", a, b);
    if (run_line(line, text) != 0) fail_msg("%s", text);
}

static int lines_of(const char *path)
{
    int lines = 0;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    return lines;
}

// Stopped between frames and between rows, half a line and one that will be made again behind the
// last: as if never.
static void test_resume(void **state)
{
    (void)state;
    static const char *const tables[] = {"paddle", "stone", "level", "flow"};
    char text[TEXT_ROOM], a[64], b[64];
    write_text("s.yaml", scene);
    expect("run s.yaml -o whole --quiet --threads 2", 0, "");
    expect("run s.yaml -o cut --quiet --frames 5 --threads 1", 0, "");
    expect("run s.yaml -o other --quiet --frames 3", 0, "");
    assert_int_equal(run_line("printf '0.2,5' >> cut/probes/paddle.csv; printf '0.2,5,6\\n0.3,' >> "
                              "cut/probes/flow.csv",
                              text),
                     0);
    assert_int_equal(ondine("run cut --resume --quiet --threads 2", text), 0);
    if (strstr(text, "lost")) fail_msg("nothing is lost, but: %s", text);
    for (int t = 0; t < 4; ++t) {
        snprintf(a, sizeof a, "whole/probes/%s.csv", tables[t]);
        snprintf(b, sizeof b, "cut/probes/%s.csv", tables[t]);
        same_files(a, b);
    }
    same_files("whole/frames/frame_0012.ply", "cut/frames/frame_0012.ply");
    same_files("whole/frames/solids_0012.csv", "cut/frames/solids_0012.csv");
    assert_int_equal(lines_of("whole/probes/level.csv"), 13); // names, and a row for each frame
    assert_int_equal(lines_of("whole/probes/paddle.csv"), 6); // at 1/17, ... 5/17
    assert_int_equal(lines_of("whole/probes/flow.csv"), 3);
    assert_int_equal(lines_of("whole/probes/stone.csv"), lines_of("whole/log.csv"));
}

// Tables that lost rows before the checkpoint go on, and that is said.
static void test_lost_rows(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    expect("run s.yaml -o lost --quiet --frames 8", 0, "");
    assert_int_equal(lines_of("lost/probes/level.csv"), 9);
    assert_int_equal(
        run_line("head -c -7 lost/probes/level.csv > x; mv x lost/probes/level.csv; rm "
                 "lost/probes/paddle.csv",
                 text),
        0);
    assert_int_equal(ondine("run lost --resume", text), 0);
    if (!strstr(text, "3 rows of probes/paddle.csv before t = 0.2 s are lost; 1 rows of "
                      "probes/level.csv before t = 0.2 s are lost"))
        fail_msg("%s", text);
    assert_int_equal(lines_of("lost/probes/level.csv"), 12); // of 13
    assert_int_equal(lines_of("lost/probes/paddle.csv"), 3); // of 6
}

// A run that replaces another leaves none of its tables.
static void test_replaced(void **state)
{
    (void)state;
    expect("run s.yaml -o other --quiet --frames 1 --force --set probe.2.name=height", 0, "");
    assert_true(exists("other/probes/height.csv"));
    assert_false(exists("other/probes/level.csv"));
}

// What was left out and mended is said by check and by run.
static void test_said(void **state)
{
    (void)state;
    write_text("n.yaml", "duration: 0.01\nfluid: [{name: w, spacing: 0.1, shape: {type: box, min: "
                         "[0, 0, 0], max: [1, 1, 1]}}]\nsolid: [{shape: {type: plane, point: [0, "
                         "0.5, 0]}}]\n");
    expect("check n.yaml", 0, "note: 500 of 1000 particles of fluid 'w'");
    expect("check n.yaml", 0, "particles   500");
    expect("run n.yaml -o n --frames 1", 0, "note: 500 of 1000 particles of fluid 'w'");
    assert_true(exists("n/solids/still.ply"));
    assert_false(exists("n/frames/solids_0000.csv")); // nothing moves
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_still_pool),    cmocka_unit_test(test_flow),
        cmocka_unit_test(test_flow_at_edges), cmocka_unit_test(test_pressure_beside_solids),
        cmocka_unit_test(test_force),         cmocka_unit_test(test_resume),
        cmocka_unit_test(test_lost_rows),     cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_said),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
