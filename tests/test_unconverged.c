// SPDX-License-Identifier: MIT
// A solver that stops at its cap is never silent: in the log, at the end of a run, after a resume.
#include "base/memory.h"
#include "check.h"
#include "io/file.h"
#include "io/step_log.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_ROOM 16384

static char home[] = "/tmp/ondine-cap-XXXXXX";

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

static int enter(void **state)
{
    (void)state;
    if (!mkdtemp(home) || chdir(home) != 0) return -1;
    FILE *file = fopen("block.yaml", "w");
    if (!file) return -1;
    fputs(block, file);
    return fclose(file);
}

static int leave(void **state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "cd / && rm -r '%s'", home);
    return system(line);
}

// Runs `ondine ARGS`, both outputs together; returns the exit code.
static int ondine(const char *args, char text[TEXT_ROOM])
{
    char line[1024];
    snprintf(line, sizeof line, "exec 2>&1; '%s' %s", OND_COMMAND, args);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t got = fread(text, 1, TEXT_ROOM - 1, pipe);
    text[got] = '\0';
    while (fgetc(pipe) != EOF) {
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Steps in the log of `folder`, and those of them that are marked.
static int count_marked(const char *path, int *steps)
{
    FILE *file = fopen(path, "r");
    char line[2048];
    int marked = 0, step, particles, iterations, mark;
    double number;
    assert_non_null(file);
    for (*steps = 0; fgets(line, sizeof line, file);) {
        if (sscanf(line, "%d,%lf,%lf,%d,%lf,%lf,%lf,%lf,%d,%d", &step, &number, &number, &particles,
                   &number, &number, &number, &number, &iterations, &mark) != 10)
            continue;
        ++*steps;
        marked += mark;
    }
    fclose(file);
    return marked;
}

// Marks a step in the log of a run, as if its solver had stopped at its cap.
static void mark_step(const char *path, int wanted)
{
    char *text, *line, *mark;
    size_t size;
    assert_int_equal(ond_file_read_all(path, 1 << 24, &text, &size, NULL), OND_OK);
    line = text;
    for (int k = 0; k < wanted; ++k)
        line = strchr(line, '\n') + 1;
    mark = line;
    for (int k = 0; k < 9; ++k)
        mark = strchr(mark, ',') + 1;
    *mark = '1';
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    ond_free(text);
}

static void check_told(const char *args, const char *folder)
{
    char text[TEXT_ROOM], path[256], want[256];
    int steps;
    if (ondine(args, text) != 0) fail_msg("ondine %s:\n%s", args, text);
    snprintf(path, sizeof path, "%s/log.csv", folder);
    const int marked = count_marked(path, &steps);
    assert_true(marked > 0 && steps >= marked);
    if (strstr(args, "--json"))
        snprintf(want, sizeof want, "\"unconverged_steps\":%d,", marked);
    else
        snprintf(want, sizeof want, "did not converge in %d of %d steps (caps: ", marked, steps);
    CHECK_SAYS(text, want, args);
}

static void test_converged_run_says_nothing(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    int steps;
    assert_int_equal(ondine("run block.yaml -o calm --frames 2", text), 0);
    assert_null(strstr(text, "converge"));
    CHECK_NEAR(count_marked("calm/log.csv", &steps), 0, 0, "marked steps");
    assert_int_equal(ondine("run block.yaml -o calm --frames 2 --force --json", text), 0);
    CHECK_SAYS(text, "\"unconverged_steps\":0,", "json");
}

static void test_cap_is_told(void **state)
{
    (void)state;
    static const char *const solvers[] = {"global", "thesis"};
    static const char *const ends[] = {"", "--json", "--quiet"};
    for (int s = 0; s < OND_COUNT(solvers); ++s)
        for (int k = 0; k < OND_COUNT(ends); ++k) {
            char args[256];
            snprintf(args, sizeof args,
                     "run block.yaml -o cap --force --frames 2 --set method.rigidity.iterations=1 "
                     "--set method.rigidity.solver=%s %s",
                     solvers[s], ends[k]);
            check_told(args, "cap");
        }
}

// What was at the cap before a resume counts in the end, however quiet the run is.
static void test_earlier_steps_count(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    static const char *const ends[] = {"--frames 5", "--frames 6 --quiet", "--frames 7 --json"};
    assert_int_equal(ondine("run block.yaml -o again --frames 4 --quiet", text), 0);
    mark_step("again/log.csv", 1);
    mark_step("again/log.csv", 3);
    for (int k = 0; k < OND_COUNT(ends); ++k) {
        char args[128];
        snprintf(args, sizeof args, "run block.yaml -o again --resume %s", ends[k]);
        check_told(args, "again");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_converged_run_says_nothing),
        cmocka_unit_test(test_cap_is_told),
        cmocka_unit_test(test_earlier_steps_count),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
