// SPDX-License-Identifier: MIT
// ctest: slow
// A solver that stops at its cap is never silent, and neither are contacts that did not settle: in
// the log, at the end of a run, after a resume, each with the advice that helps.
#include "base/memory.h"
#include "command.h"
#include "io/file.h"
#include "io/step_log.h"

// A soft block on a held base, whose weight must be carried down in every step.
static const char block[] = "duration: 0.5\n"
                            "frame_rate: 40\n"
                            "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                            "method: {type: sph, rigidity: {tolerance: 1.0e-6}}\n"
                            "fluid:\n"
                            "  - {spacing: 0.05, rigidity: 0.9, fixed: true, shape: {type: box,\n"
                            "     min: [0.3, 0, 0.3], max: [0.7, 0.1, 0.7]}}\n"
                            "  - {spacing: 0.05, rigidity: 0.9, shape: {type: box,\n"
                            "     min: [0.3, 0.1, 0.3], max: [0.7, 0.6, 0.7]}}\n";

// Heavy on light, thrown and turning: more contacts change than a step has rounds for.
static const char heap[] =
    "duration: 0.5\n"
    "frame_rate: 40\n"
    "domain: {min: [0, 0, 0], max: [1, 1, 1], friction: 0.3}\n"
    "fluid:\n"
    "  - {spacing: 0.05, density: 20000, rigidity: 1, velocity: [0, -3, 0], spin: [5, 0, 3],\n"
    "     shape: {type: box, min: [0.3, 0.3, 0.3], max: [0.6, 0.5, 0.5]}}\n"
    "  - {spacing: 0.05, density: 500, rigidity: 1, shape: {type: box, min: [0.2, 0, 0.2],\n"
    "     max: [0.5, 0.2, 0.5]}}\n"
    "  - {spacing: 0.05, density: 500, rigidity: 1, shape: {type: box, min: [0.6, 0, 0.2],\n"
    "     max: [0.8, 0.2, 0.5]}}\n"
    "  - {spacing: 0.05, density: 5000, rigidity: 1, shape: {type: box, min: [0.2, 0.6, 0.2],\n"
    "     max: [0.8, 0.8, 0.5]}}\n";

enum { UNCONVERGED = 9, UNSETTLED = 10, SOLVES = 11 }; // columns of the log

static int enter(void **state)
{
    if (enter_folder(state) != 0) return -1;
    write_text("block.yaml", block);
    write_text("heap.yaml", heap);
    return 0;
}

// Column `column` of a line of the log; NULL when it has fewer.
static char *find_column(char *line, int column)
{
    for (int k = 0; k < column && line; ++k) {
        line = strchr(line, ',');
        if (line) ++line;
    }
    return line;
}

// Steps in the log at `path`, and those of them that are marked in the column.
static int count_marked(const char *path, int column, int *steps)
{
    FILE *file = fopen(path, "r");
    char line[2048];
    int marked = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); // names
    CHECK_SAYS(find_column(line, UNCONVERGED),
               "unconverged,unsettled,solves,iterations_rigidity,asleep,", "names of the columns");
    for (*steps = 0; fgets(line, sizeof line, file); ++*steps) {
        const char *mark = find_column(line, column);
        assert_non_null(mark);
        marked += *mark == '1';
    }
    fclose(file);
    return marked;
}

// Marks a step in the log of a run, as if it had not gone as asked.
static void mark_step(const char *path, int wanted, int column)
{
    char *text, *line;
    size_t size;
    assert_int_equal(ond_file_read_all(path, 1 << 24, &text, &size, NULL), OND_OK);
    line = text;
    for (int k = 0; k < wanted; ++k)
        line = strchr(line, '\n') + 1;
    *find_column(line, column) = '1';
    write_text(path, text);
    ond_free(text);
}

// The run tells in its last words what its log has marked.
static void check_told(const char *args, const char *out, int column)
{
    static char text[TEXT_ROOM];
    char path[256], want[256];
    int steps;
    if (ondine(args, text) != 0) fail_msg("ondine %s:\n%s", args, text);
    snprintf(path, sizeof path, "%s/log.csv", out);
    const int marked = count_marked(path, column, &steps);
    assert_true(marked > 0 && steps >= marked);
    if (strstr(args, "--json"))
        snprintf(want, sizeof want, "\"%s_steps\":%d,",
                 column == UNSETTLED ? "unsettled" : "unconverged", marked);
    else
        snprintf(want, sizeof want,
                 column == UNSETTLED
                     ? "did not settle in %d of %d steps"
                     : "in %d of %d steps viscosity, rigidity or heat did not converge",
                 marked, steps);
    CHECK_SAYS(text, want, args);
}

static void test_good_run_says_nothing(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    int steps;
    assert_int_equal(ondine("run block.yaml -o calm --frames 2", text), 0);
    assert_null(strstr(text, "note: "));
    CHECK_NEAR(count_marked("calm/log.csv", UNCONVERGED, &steps), 0, 0, "steps at the cap");
    CHECK_NEAR(count_marked("calm/log.csv", UNSETTLED, &steps), 0, 0, "restless steps");
    expect("run block.yaml -o calm --frames 2 --force --json", 0,
           "\"unconverged_steps\":0,\"unsettled_steps\":0,");
}

// What is soft is solved at least once in every step.
static void test_solves_are_counted(void **state)
{
    (void)state;
    FILE *file = fopen("calm/log.csv", "r");
    char line[2048];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); // names
    for (int step = 1; fgets(line, sizeof line, file); ++step)
        if (atoi(find_column(line, SOLVES)) < 1) fail_msg("step %d: %s", step, line);
    fclose(file);
}

static void test_cap_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *solver, *says;
    } solvers[] = {
        {"global, tolerance: 1e-6", "raise `iterations` or loosen `tolerance` of method.rigidity"},
        {"thesis", "raise `iterations` or loosen `stop` of method.rigidity"}};
    static const char *const ends[] = {"--json", ""};
    for (int s = 0; s < OND_COUNT(solvers); ++s) {
        char args[256];
        for (int k = 0; k < OND_COUNT(ends); ++k) {
            snprintf(args, sizeof args,
                     "run block.yaml -o cap --force --frames 2 "
                     "--set 'method.rigidity={iterations: 1, solver: %s}' %s",
                     solvers[s].solver, ends[k]);
            check_told(args, "cap", UNCONVERGED);
        }
        expect(args, 0, solvers[s].says);
        expect(args, 0, "(caps: 500, 1 and 2000 iterations)");
        static char text[TEXT_ROOM];
        strcat(args, " --quiet"); // the log tells it all the same
        assert_int_equal(ondine(args, text), 0);
        assert_string_equal(text, "");
    }
}

static void test_restless_contacts_are_told(void **state)
{
    (void)state;
    static char text[TEXT_ROOM];
    int steps;
    check_told("run heap.yaml -o heap", "heap", UNSETTLED);
    CHECK_NEAR(count_marked("heap/log.csv", UNCONVERGED, &steps), 0, 0, "steps at the cap");
    assert_int_equal(ondine("run heap.yaml -o heap --force", text), 0);
    assert_null(strstr(text, "iterations"));
}

// Few are nothing to worry about; many ask for shorter steps, by the key that is in force.
static void test_advice_on_contacts(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        int marks;
        const char *says;
    } cases[] = {
        {"", 1, "so few are nothing to worry about (column unsettled"},
        {"", 20, "give it less time: lower method.largest_step (column unsettled"},
        {"--set method.step_rule=fixed --set method.time_step=0.0005", 20,
         "give it less time: lower method.time_step (column unsettled"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char args[256];
        snprintf(args, sizeof args, "run block.yaml -o few --force --frames 12 --quiet %s",
                 cases[c].more);
        expect(args, 0, "");
        for (int k = 0; k < cases[c].marks; ++k)
            mark_step("few/log.csv", 1 + k, UNSETTLED);
        snprintf(args, sizeof args, "run block.yaml -o few --resume --frames 13 %s", cases[c].more);
        expect(args, 0, cases[c].says);
    }
}

// What was at fault before a resume counts in the end, however quiet the run is.
static void test_earlier_steps_count(void **state)
{
    (void)state;
    static const char *const ends[] = {"--frames 5", "--frames 6", "--frames 7 --json"};
    expect("run block.yaml -o again --frames 4 --quiet", 0, "");
    mark_step("again/log.csv", 1, UNCONVERGED);
    mark_step("again/log.csv", 3, UNCONVERGED);
    mark_step("again/log.csv", 2, UNSETTLED);
    for (int k = 0; k < OND_COUNT(ends); ++k) {
        char args[128];
        snprintf(args, sizeof args, "run block.yaml -o again --resume %s", ends[k]);
        check_told(args, "again", UNCONVERGED);
        check_told(args, "again", UNSETTLED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_run_says_nothing),
        cmocka_unit_test(test_solves_are_counted),
        cmocka_unit_test(test_cap_is_told),
        cmocka_unit_test(test_restless_contacts_are_told),
        cmocka_unit_test(test_advice_on_contacts),
        cmocka_unit_test(test_earlier_steps_count),
    };
    return cmocka_run_group_tests(tests, enter, leave_folder);
}
