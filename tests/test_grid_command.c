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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_wrong), cmocka_unit_test(test_tracers),
                                       cmocka_unit_test(test_shipped)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
