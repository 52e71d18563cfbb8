// SPDX-License-Identifier: MIT
// ctest: slow
// The benches of melting: small scenes under the thesis's names, measured in a moment, and all that
// can be asked wrongly.
#include "base/memory.h"
#include "command.h"

static const char *const names[] = {
    "blocks-s0.00",
    "blocks-s0.25",
    "blocks-s0.50",
    "blocks-s0.75",
    "blocks-s0.90",
    "blocks-s0.99",
    "blocks-s1.00",
    "bunny",
    "armadillo",
    "h-a",
    "h-b",
    "letters-mu1000",
    "letters-mu10000",
    "letters-mu100000",
    "letters-s0.75",
    "letters-s0.92",
    "letters-s0.98",
    "letters-alike-mu1000",
    "letters-alike-mu10000",
    "letters-alike-mu100000",
    "letters-alike-s0.75",
    "letters-alike-s0.92",
    "letters-alike-s0.98",
};

static void write_scene(const char *name, const char *duration)
{
    char path[128];
    snprintf(path, sizeof path, "%s.yaml", name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "duration: %s\n"
            "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
            "fluid:\n"
            "  - {spacing: 0.1, rigidity: %s, shape: {type: box, min: [0, 0, 0],\n"
            "     max: [0.5, 0.5, 0.5]}}\n",
            duration, strstr(name, "0.9") ? "0.9" : "0");
    assert_int_equal(fclose(file), 0);
}

static int enter(void **state)
{
    if (enter_folder(state) != 0) return -1;
    for (int k = 0; k < OND_COUNT(names); ++k)
        write_scene(names[k], "4");
    return 0;
}

// `ondine bench ARGS`, with the error output when `errors`.
static int bench(const char *args, bool errors, char text[TEXT_ROOM])
{
    char line[1024];
    snprintf(line, sizeof line, "bench %s", args);
    return errors ? ondine(line, text) : ondine_output(line, text);
}

// Where python3 is, it must find `text` to be one JSON value.
static void check_json(const char *text)
{
    write_text("out.json", text);
    if (system("command -v python3 >/dev/null 2>&1") != 0) return;
    if (system("python3 -m json.tool out.json >/dev/null") != 0) fail_msg("no JSON:\n%s", text);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        ++count;
    return count;
}

// ---- melt

static void test_melt_json(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    assert_int_equal(
        bench("melt --json --scenes . --scene blocks-s0.00 --scene h-a --frames 3", false, text),
        0);
    check_json(text);
    CHECK_SAYS(text,
               "{\"scene\":\"blocks-s0.00\",\"solver\":\"global\",\"particles\":125,"
               "\"seconds_per_frame\":",
               "first row");
    CHECK_SAYS(text, "{\"scene\":\"h-a\",\"solver\":\"thesis\",", "last row");
    CHECK_NEAR(count_of(text, "\"scene\":"), 4, 0, "rows");
    CHECK_NEAR(number_after(text, "\"frames\":3,\"budget_s\":"), 20, 0, "budget");
    const char *row = strstr(text, "{\"scene\":\"h-a\"");
    CHECK_NEAR(number_after(row, "\"frames\":"), 3, 1e-4, "frames measured");
    CHECK_NEAR(number_after(row, "\"thesis_seconds_per_frame\":"), 619.7, 1e-9, "thesis");
    // the parts fit together
    CHECK_NEAR(number_after(row, "\"seconds_per_frame\":") /
                   (number_after(row, "\"seconds_per_step\":") *
                    number_after(row, "\"steps_per_frame\":")),
               1, 1e-4, "seconds per frame = seconds per step x steps per frame");
    assert_null(strstr(text, "\"scaling\""));
}

static void test_melt_table(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    assert_int_equal(bench("melt --quick --scenes . --frames 2 --solver global --scene "
                           "blocks-s0.00 --scene blocks-s0.90",
                           false, text),
                     0);
    CHECK_NEAR(count_of(text, "\n| blocks-s0."), 2, 0, "rows");
    CHECK_NEAR(count_of(text, "| thesis |"), 0, 0, "rows of the solver left out");
    CHECK_SAYS(text, "## melt\n", "title");
    CHECK_SAYS(text, "budget of 2 s (0.5 s to warm up) first: it leaves out the rest",
               "marked rows");
    CHECK_SAYS(text, "| 52.7k | 94.5 | 14.5 | 6.4 | 92 % |\n", "the thesis's figures");
    CHECK_SAYS(text, "\n`global`: at most ", "summary");
    CHECK_SAYS(text, "times the time at s = 0", "against the liquid");
}

// A budget that is spent cuts a row short, and the row says so.
static void test_budget(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_scene("bunny", "10000");
    assert_int_equal(bench("melt --json --quick --scenes . --scene bunny --solver global --frames "
                           "1000000",
                           false, text),
                     0);
    write_scene("bunny", "4");
    check_json(text);
    CHECK_SAYS(text, "\"cut_by_budget\":true", "cut");
    const char *row = strstr(text, "{\"scene\":");
    const double frames = number_after(row, "\"frames\":");
    assert_true(frames > 0.0 && frames < 1000000.0);
    CHECK_NEAR(frames * number_after(row, "\"seconds_per_frame\":"), 2.0, 0.5, "seconds spent");
}

// A budget of one's own, for what the bench's would cut.
static void test_own_budget(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_scene("h-a", "10000");
    assert_int_equal(bench("melt --json --quick --scenes . --scene h-a --solver global --frames "
                           "1000000 --budget 0.5",
                           false, text),
                     0);
    const char *row = strstr(text, "{\"scene\":");
    CHECK_NEAR(number_after(row, "\"frames\":") * number_after(row, "\"seconds_per_frame\":"), 0.5,
               0.2, "seconds spent");
    write_scene("h-a", "4");
}

// ---- meshes that are not there

static void write_meshed(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s.yaml", name);
    write_text(path,
               "duration: 4\n"
               "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
               "fluid:\n"
               "  - {spacing: 0.1, rigidity: 0.9, fixed: true,\n"
               "     shape: {type: mesh, file: none.off, stand_in: {type: box, min: [0, 0, 0],\n"
               "     max: [0.5, 0.5, 0.5]}},\n"
               "     regions: [{shape: {type: box, min: [0, 0, 0], max: [1, 0.1, 1]},\n"
               "     fixed: false}]}\n");
}

// A row whose mesh is missing is refused, in one sentence that says what to do; by name that is an
// error before anything is measured. With --stand-ins it is measured, and called what it is.
static void test_missing_mesh(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    const char *const why = "armadillo is not measured: its mesh is not there. `make models` "
                            "fetches it, and --stand-ins measures what stands in for it";
    write_meshed("armadillo");
    expect("bench melt --quick --scenes . --scene h-a --scene armadillo", 2, why);
    expect("bench melt --quick --scenes . --scene armadillo-moving", 2, "armadillo-moving is not");
    const char *const all = "melt --quick --scenes . --frames 1 --solver thesis";
    assert_int_equal(bench(all, false, text), 0);
    CHECK_SAYS(text, why, "refused");
    CHECK_NEAR(count_of(text, "\n| armadillo"), 0, 0, "rows of armadillos");
    CHECK_NEAR(count_of(text, "\n| h-"), 2, 0, "other rows");
    assert_int_equal(
        bench("melt --json --quick --scenes . --frames 1 --solver thesis", false, text), 0);
    check_json(text);
    CHECK_SAYS(text, "\"refused\":[\"armadillo\",\"armadillo-moving\"]", "refused");
    assert_int_equal(bench("melt --quick --scenes . --frames 1 --stand-ins --solver global "
                           "--scene armadillo",
                           false, text),
                     0);
    CHECK_SAYS(text, "\n| armadillo (stand-in) | global | 125 | 25 |", "its own name; 25 move");
    write_scene("armadillo", "4");
}

static void test_scaling(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    assert_int_equal(bench("melt --json --quick --frames 1 --scene scaling", false, text), 0);
    check_json(text);
    const char *rows = strstr(text, "\"scaling\":{\"rows\":[");
    assert_non_null(rows);
    CHECK_NEAR(number_after(rows, "\"particles\":"), 6975, 0, "particles");
    CHECK_NEAR(number_after(strstr(rows, "},{"), "\"particles\":"), 8 * 6975, 0, "eight times");
    assert_true(number_after(text, "\"iterations_ratio\":") >= 0.0);
    assert_int_equal(bench("melt --quick --frames 1 --scene scaling", false, text), 0);
    CHECK_SAYS(text, "in eight times the particles.", "two rows are there");
    assert_null(strstr(text, "64 times"));
}

// ---- what really melts

// A block under the demo's name that stands on a held foot and softens towards its top.
static void write_melting(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("duration: 4\n"
          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
          "fluid:\n"
          "  - {spacing: 0.1, rigidity: 1, fixed: true, shape: {type: box, min: [0.2, 0, 0.2],\n"
          "     max: [0.6, 0.1, 0.6]}}\n"
          "  - {spacing: 0.1, T_solid: 0, T_liquid: 100, shape: {type: box, min: [0.2, 0.1, 0.2],\n"
          "     max: [0.6, 0.5, 0.6]}, regions: [{shape: {type: box, min: [0, 0, 0],\n"
          "     max: [1, 1, 1]}, temperature: 1, to_temperature: 30, from: [0, 0.1, 0],\n"
          "     to: [0, 0.5, 0]}]}\n",
          file);
    assert_int_equal(fclose(file), 0);
}

static void test_melting_json(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_melting("melting-letters.yaml");
    assert_int_equal(bench("melt --json --quick --scenes . --frames 2 --scene melting-letters "
                           "--scene melting-letters-8x",
                           false, text),
                     0);
    check_json(text);
    CHECK_SAYS(text, "\"rows\":[],\"refused\":[],\"melting\":[{\"scene\":\"melting-letters\",",
               "only those rows");
    const char *row = strstr(text, "{\"scene\":\"melting-letters\"");
    const char *finer = strstr(text, "{\"scene\":\"melting-letters-8x\"");
    assert_non_null(finer);
    CHECK_NEAR(number_after(row, "\"particles\":"), 80, 0, "particles");
    CHECK_NEAR(number_after(finer, "\"particles\":"), 8 * 80, 0, "eight times");
    const double steps = number_after(row, "\"steps\":"), frames = number_after(row, "\"frames\":"),
                 us = number_after(row, "\"us_per_particle_step\":"),
                 water = number_after(row, "\"water_us_per_particle_step\":");
    CHECK_NEAR(number_after(row, "\"window_end_s\":") - number_after(row, "\"window_start_s\":"),
               frames / 24, 1e-4, "the window is as long as its frames");
    CHECK_NEAR(1e-6 * us * 80 * steps / (frames * number_after(row, "\"seconds_per_frame\":")), 1,
               1e-3, "microseconds per particle and step make the time of the frames");
    CHECK_NEAR(number_after(row, "\"times_water\":"), us / water, 1e-3 * us / water, "ratio");
    const double mean = number_after(row, "\"iterations_per_step\":"),
                 most = number_after(row, "\"most_iterations\":"),
                 tail = number_after(row, "\"iterations_99th_percentile\":");
    assert_true(mean > 0.0 && mean <= most);
    assert_true(steps < 100);
    CHECK_NEAR(tail, most, 0, "of fewer than 100 steps the 99th percentile is the largest");
    assert_true(number_after(row, "\"solves_per_step\":") >= 1.0);
    assert_true(number_after(row, "\"most_solves\":") >= 1.0);
}

// In a folder beside, the scene is found one above; where there is none, a row that was asked for
// by name is an error.
static void test_melting_table(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_melting("melting-letters.yaml");
    assert_int_equal(system("mkdir -p beside"), 0);
    assert_int_equal(
        bench("melt --quick --scenes beside --frames 1 --scene melting-letters", false, text), 0);
    CHECK_SAYS(text, "### what really melts\n", "title");
    CHECK_SAYS(text, "\n| melting-letters | 80 | ", "row");
    CHECK_SAYS(text, "times what water does (melting-letters).\n", "summary");
    expect("bench melt --quick --scenes . --scene chocolate-8x", 2, "there is no scene ./../choc");
}

// When all is measured, a scene that is not there is a note.
static void test_melting_missing(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_melting("melting-letters.yaml");
    assert_int_equal(bench("melt --quick --scenes . --frames 1 --solver global", true, text), 0);
    CHECK_SAYS(text, "note: lava-8x is not measured: there is no scene ./../lava.yaml", "note");
    CHECK_NEAR(count_of(text, " is not measured: "), 8, 0, "notes");
    CHECK_NEAR(count_of(text, "\n| melting-letters"), 2, 0, "rows");
    CHECK_NEAR(count_of(text, "\n| blocks-s"), 7, 0, "rows of the thesis");
}

// ---- letters

static void test_letters(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    assert_int_equal(bench("letters --json --scenes . --seconds 0.25", false, text), 0);
    check_json(text);
    CHECK_NEAR(count_of(text, "\"scene\":"), 9, 0, "rows: viscosity once, rigidity twice");
    CHECK_NEAR(count_of(text, "\"pair\":"), 9, 0, "three pairs of three");
    CHECK_NEAR(count_of(text, "\"solver\":\"viscosity\""), 3, 0, "viscosity");
    CHECK_NEAR(count_of(text, "\"scaled\":true"), 9, 0, "a quarter of a second is not 4");
    const char *row = strstr(text, "{\"scene\":\"letters-s0.92\",\"solver\":\"thesis\"");
    assert_non_null(row);
    CHECK_NEAR(number_after(row, "\"simulated_s\":"), 0.25, 1e-6, "simulated");
    CHECK_NEAR(number_after(row, "\"mean_step_s\":") * number_after(row, "\"steps\":"), 0.25, 1e-5,
               "mean step");
    CHECK_NEAR(number_after(row, "\"minutes_for_4_s\":") /
                   number_after(row, "\"seconds_per_simulated_second\":"),
               4.0 / 60, 1e-6, "minutes");
    assert_int_equal(bench("letters --scenes . --scene letters-mu1000 --seconds 4", false, text),
                     0);
    CHECK_SAYS(text, "| letters-mu1000 | viscosity | 125 | 4 |", "all of it: no mark");
    CHECK_SAYS(text, "| 0.00061 | 47.8 |\n", "the thesis's figures");
}

// Heights over time: boxes of 0.5 m that rest, and one that falls in; what a budget did not reach
// is left out.
static void test_pairs(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    write_text(
        "letters-alike-mu1000.yaml",
        "duration: 4\n"
        "gravity: [0, 0, 0]\n"
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n");
    write_text(
        "letters-alike-s0.75.yaml",
        "duration: 4\n"
        "gravity: [0, 0, 0]\n"
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.4, 0.5]}}]\n");
    const char *const args = "letters --json --scenes . --scene pair-1000 --seconds 1";
    assert_int_equal(bench(args, false, text), 0);
    check_json(text);
    CHECK_SAYS(text, "\"rows\":[],\"pairs\":[{\"pair\":\"pair-1000\",\"letters\":\"1000 Pa s\"",
               "only that pair");
    CHECK_NEAR(count_of(text, "\"pair\":"), 3, 0, "rows");
    CHECK_NEAR(number_after(text, "\"heights_m\":["), 0.45, 0.01, "height of the first");
    CHECK_SAYS(text, ",null,null],\"difference\":null", "2 s and 4 s were not reached");
    const char *const last = strstr(text, "s = 0.75, ended early");
    assert_non_null(last);
    CHECK_NEAR(number_after(last, "\"heights_m\":["), 0.35, 0.01, "height of the last");
    CHECK_NEAR(number_after(last, "\"difference\":"), 0.1 / 0.45, 0.03, "difference");
    assert_int_equal(bench("letters --scenes . --scene pair-1000 --seconds 1", false, text), 0);
    CHECK_SAYS(text, "### pairs\n", "title");
    CHECK_NEAR(count_of(text, "| letters-"), 0, 0, "no row of the other table");
    CHECK_SAYS(text, "| – | – | 2", "difference of some 20 %");
    write_text(
        "letters-alike-mu1000.yaml",
        "duration: 4\n"
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "method: {type: sph, step_rule: fixed, time_step: 0.04}\n"
        "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}]\n");
    CHECK_NEAR(bench("letters --scenes . --scene pair-1000 --seconds 1", true, text), 1, 0, "code");
    CHECK_SAYS(text, "\npair-1000 (1000 Pa s) went wrong: a particle's speed", "why");
    write_scene("letters-alike-mu1000", "4");
    write_scene("letters-alike-s0.75", "4");
}

// ---- mistakes

static void test_mistakes(void **state)
{
    (void)state;
    static const Said cases[] = {
        {"bench list", 0, "letters"},
        {"bench mlet", 2, "did you mean 'melt'?"},
        {"bench melt", 2, "there is no scene scenes/thesis/blocks-s0.00.yaml; run this in"},
        {"bench melt --scenes nowhere --scene h-b", 2, "no scene nowhere/h-b.yaml"},
        {"bench melt --scene buny", 2,
         "no row of this table is called 'buny'; did you mean 'bunny'"},
        {"bench letters --scene bunny", 2, "no row of this table is called 'bunny'"},
        {"bench melt --solver fast", 2, "--solver takes global or thesis, not 'fast'"},
        {"bench melt --frames 0", 2, "--frames takes"},
        {"bench melt --seconds 2", 2, "--seconds is an option of `bench letters`"},
        {"bench letters --frames 2", 2, "--frames is an option of `bench melt`"},
        {"bench sph --solver global", 2, "--solver and --full are options of"},
        {"bench sph --budget 5", 2,
         "--budget is an option of `bench dam`, `bench melt` and `bench letters`"},
        {"bench melt --full --budget 5", 2, "--full is no budget at all"},
        {"bench letters --stand-ins", 2, "--stand-ins is an option of `bench melt`"},
        {"bench melt --quick --scenes . --scene broken", 2, "no row"},
    };
    expect_all(cases, OND_COUNT(cases));
}

static void test_bad_scenes(void **state)
{
    (void)state;
    write_scene("h-b", "0.02"); // over before the first measured frame
    expect("bench melt --quick --scenes . --scene h-b", 2, "give it a longer duration");
    write_scene("h-b", "long");
    expect("bench melt --quick --scenes . --scene h-b", 2, "h-b.yaml:1:");
    write_scene("h-b", "4");
}

// A scene that bursts is a row that says so, and the other rows are still measured.
static void test_burst(void **state)
{
    (void)state;
    char text[TEXT_ROOM];
    FILE *file = fopen("h-a.yaml", "w");
    assert_non_null(file);
    fputs("duration: 4\n"
          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
          "method: {type: sph, step_rule: fixed, time_step: 0.04}\n"
          "fluid:\n"
          "  - {spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}\n",
          file);
    assert_int_equal(fclose(file), 0);
    const char *args = "melt --quick --scenes . --frames 2 --solver global --scene h-a --scene h-b";
    CHECK_NEAR(bench(args, true, text), 1, 0, "exit code");
    CHECK_SAYS(text, "| h-a | global | 125 | 125 | went wrong after ", "row");
    CHECK_SAYS(text, "h-a with `global` went wrong: a particle's speed", "why");
    CHECK_SAYS(text, "\n| h-b | global | 125 | 125 | ", "the next row");
    CHECK_SAYS(text, "1 of the scenes went wrong", "end");
    char json[256];
    snprintf(json, sizeof json, "%s --json", args);
    CHECK_NEAR(bench(json, false, text), 1, 0, "exit code");
    check_json(text);
    CHECK_SAYS(text, "\"error\":\"a particle's speed", "json");
    write_scene("h-a", "4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_melt_json),       cmocka_unit_test(test_melt_table),
        cmocka_unit_test(test_budget),          cmocka_unit_test(test_scaling),
        cmocka_unit_test(test_letters),         cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_bad_scenes),      cmocka_unit_test(test_burst),
        cmocka_unit_test(test_melting_json),    cmocka_unit_test(test_melting_table),
        cmocka_unit_test(test_melting_missing), cmocka_unit_test(test_missing_mesh),
        cmocka_unit_test(test_own_budget),      cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, enter, leave_folder);
}
