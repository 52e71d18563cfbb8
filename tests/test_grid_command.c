// SPDX-License-Identifier: MIT
// Grids from the command line: what is too large is said at once; tracers are frames like others.
#include "base/memory.h"
#include "command.h"

#include <time.h>

static void write_large(void)
{
    write_text("large.yaml", "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                             "method: {type: smoke, cell: 0.004}\n");
}

// A thousand million cells need 48 GiB: where that does not fit, it is said before anything is
// made.
static void test_memory(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    write_large();
    if (ondine("check large.yaml --set method.cell=0.001", text) == 0) skip(); // a large machine
    CHECK_SAYS(text, "a grid of 1e+03 million cells needs about 4", "the number");
    CHECK_SAYS(text, " GiB of memory, and this machine has ", "and what there is");
    expect("run large.yaml -o out --set method.cell=0.001", 2, "GiB of memory");
    assert_false(exists("out"));
}

// A large grid is looked at without making it.
static void test_large(void **state)
{
    (void)state;
    write_large();
    const time_t begin = time(NULL);
    expect("check large.yaml", 0, "so large a grid was not tried");
    expect("check large.yaml", 0, "250 x 250 x 250, 15.62 million of 0.004 m");
    expect("check large.yaml --json", 0, "\"tried\":false");
    expect("check large.yaml --json --set method.cell=0.1", 0, "\"tried\":true");
    CHECK_NEAR(difftime(time(NULL), begin) < 20.0, 1, 0, "in a moment");
}

static void test_wrong(void **state)
{
    (void)state;
    write_large();
    static const Said table[] = {
        {"check large.yaml --set method.solver=magic", 2, "there is no solver 'magic'"},
        {"check large.yaml --set method.cell=0.1 --set 'solid=[{shape: {type: sphere, center: "
         "[0.5, 0.5, 0.5], radius: 3}}]'",
         2, "fill"},
        {"check large.yaml --set method.cell=0.1 --set 'source=[{flow: 1, shape: {type: sphere, "
         "center: [0.5, 0.5, 0.5], radius: 0.2}}]'",
         2, "closed domain with net inflow"},
    };
    expect_all(table, OND_COUNT(table));
}

static void test_tracers(void **state)
{
    (void)state;
    write_text("stream.yaml",
               "duration: 0.4\nframe_rate: 10\n"
               "domain: {min: [0, 0, 0], max: [2, 1, 1], sides: [{side: -x, velocity: [1, 0, 0]}, "
               "{side: +x, kind: open}]}\n"
               "method: {type: current, cell: 0.125}\n"
               "tracer: [{rate: 100, count: 50, shape: {type: box, min: [0, 0, 0], max: [1, 1, "
               "1]}}]\n"
               "render: {width: 96, height: 64}\n");
    expect("check stream.yaml", 0, "tracers     50, and about 40 poured");
    expect("run stream.yaml -o stream", 0, "4");
    static const char *const files[] = {"stream/frames/frame_0004.ply",
                                        "stream/frames/frame_0004.vti"};
    for (int k = 0; k < OND_COUNT(files); ++k)
        if (!exists(files[k])) fail_msg("there is no %s", files[k]);
    static const Said table[] = {
        {"render stream -o tracers.png --frames 4-4 --sheet 1", 0, "tracers.png"},
        {"render stream -o flow.png --frames 4-4 --sheet 1 --as streamlines", 0, "flow.png"},
        {"render stream/frames/frame_0004.ply -o one.png", 0, ""},
        {"convert stream/frames/frame_0004.ply points.csv", 0, ""},
    };
    expect_all(table, OND_COUNT(table));
    static char text[TEXT_ROOM];
    run_line("head -1 points.csv", text);
    CHECK_SAYS(text, "age", "what a tracer carries");
    run_line("grep -c . points.csv", text);
    CHECK_NEAR(atof(text), 1 + 50 + 40, 0, "a head, and all that were due by then");
}

static double disk_of(const char *args)
{
    static char text[TEXT_ROOM];
    assert_int_equal(ondine(args, text), 0);
    const char *const at = strstr(text, "\"disk_bytes\":");
    assert_non_null(at);
    return atof(at + strlen("\"disk_bytes\":"));
}

// Tracers count on the disk, of grids that are not tried, too.
static void test_disk(void **state)
{
    (void)state;
    write_large();
    const double plain = disk_of("check large.yaml --json"),
                 more = disk_of("check large.yaml --json --set 'tracer=[{count: 100000, shape: "
                                "{type: box, min: [0, 0, 0], max: [1, 1, 1]}}]'");
    CHECK_NEAR((more - plain) / 100000, (97 + 2) * 36, 1, "in each frame and two checkpoints");
}

// As many lines as are asked for, and far more cells one way than the other.
static void test_narrow(void **state)
{
    (void)state;
    write_text("narrow.yaml", "dimension: 2\nduration: 0.1\nframe_rate: 10\ngravity: [0, 0]\n"
                              "domain: {min: [0, 0], max: [0.03, 200], sides: [{side: -y, "
                              "velocity: [0, 1]}, {side: +y, kind: open}]}\n"
                              "method: {type: smoke, cell: 0.01}\n"
                              "fluid: [{velocity: [0, 1], shape: {type: box, min: [0, 0, 0], max: "
                              "[0.03, 200, 0]}}]\n");
    static const Said table[] = {
        {"run narrow.yaml -o narrow", 0, ""},
        {"render narrow/frames/frame_0001.vti -o n.png --as streamlines --lines 1000", 0, "n.png"},
        {"render narrow/frames/frame_0001.vti -o n.png --as arrows --lines 1000", 0, "n.png"},
        {"render narrow/frames/frame_0001.vti -o n.png --as particles", 2, "holds a grid"},
        {"render narrow/frames/frame_0001.vti -o n.png --as surface", 2, "holds a grid"},
    };
    expect_all(table, OND_COUNT(table));
}

// Coarser than they ship, to be quick.
static void test_shipped(void **state)
{
    (void)state;
    static const char *const scenes[][2] = {
        {"ink", "0.006"}, {"smoke-house", "0.125"}, {"channel", "0.1"}};
    for (int k = 0; k < OND_COUNT(scenes); ++k) {
        char args[512];
        snprintf(args, sizeof args, "check '%s/scenes/%s.yaml' --set method.cell=%s",
                 OND_SOURCE_DIR, scenes[k][0], scenes[k][1]);
        expect(args, 0, "first step");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_large), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_tracers), cmocka_unit_test(test_disk),  cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_shipped)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
