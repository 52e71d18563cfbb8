// SPDX-License-Identifier: MIT
// The command line: tables of options, the progress line, and the command itself from outside.
#include "app/cli.h"
#include "app/progress.h"
#include "base/memory.h"
#include "command.h"
#include "io/formats/formats.h"

// ---- options
// --------------------------------------------------------------------------------------

typedef struct Values {
    const char *out;
    int frames, colour;
    double scale;
    bool json;
    OndTexts sets;
} Values;

static const char *const colours[] = {"speed", "density", "plain", NULL};

#define WORDS_MAX 12

// Reads `line`, cut at spaces; returns what ond_opts_read does and the plain arguments joined by
// '|'.
static int read_line(const char *line, Values *v, char *plain, OndError *err)
{
    static char text[512];
    char *argv[WORDS_MAX + 1];
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok(text, " "); w && argc < WORDS_MAX; w = strtok(NULL, " "))
        argv[argc++] = w;
    *v = (Values){.out = "out", .scale = 1.0};
    const OndOpt opts[] = {
        OND_OPT_TEXT("-o, --output", "DIR", "folder to write", &v->out),
        OND_OPT_INT("--frames", "N", "stop after N frames", &v->frames, 1, 1000),
        OND_OPT_DOUBLE("--scale", "X", "factor", &v->scale, 0, 0),
        OND_OPT_FLAG("--json", "print JSON", &v->json),
        OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key", &v->sets),
        OND_OPT_CHOICE("--colour", "FIELD", "what to colour by", &v->colour, colours),
    };
    const OndUsage usage = {"ondine run SCENE [options]", "Runs.", 1, 2};
    const int rest = ond_opts_read(argc, argv, &usage, opts, OND_COUNT(opts), err);
    plain[0] = '\0';
    for (int k = rest; rest >= 0 && k < argc; ++k) {
        strcat(plain, argv[k]);
        strcat(plain, "|");
    }
    return rest;
}

static void test_good_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *plain, *out;
        int frames, colour;
        double scale;
        bool json;
        int sets;
    } cases[] = {
        {"run a.yaml", "a.yaml|", "out", 0, 0, 1.0, false, 0},
        {"run a.yaml -o x --frames 12", "a.yaml|", "x", 12, 0, 1.0, false, 0},
        {"run --output=x a.yaml b", "a.yaml|b|", "x", 0, 0, 1.0, false, 0},
        {"run -o x a --json b --scale -2.5e-1", "a|b|", "x", 0, 0, -0.25, true, 0},
        {"run a --set k=1 --set=j=2", "a|", "out", 0, 0, 1.0, false, 2},
        {"run --json -- --frames -o", "--frames|-o|", "out", 0, 0, 1.0, true, 0},
        {"run - --colour plain", "-|", "out", 0, 2, 1.0, false, 0},
        {"run a --frames=1000", "a|", "out", 1000, 0, 1.0, false, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Values v;
        char plain[512];
        OndError err = {0};
        const int rest = read_line(cases[c].line, &v, plain, &err);
        if (rest < 0) fail_msg("%s: %s", cases[c].line, err.text);
        assert_string_equal(plain, cases[c].plain);
        assert_string_equal(v.out, cases[c].out);
        CHECK_NEAR(v.frames, cases[c].frames, 0, cases[c].line);
        CHECK_NEAR(v.colour, cases[c].colour, 0, cases[c].line);
        CHECK_NEAR(v.scale, cases[c].scale, 0, cases[c].line);
        CHECK_NEAR(v.json, cases[c].json, 0, cases[c].line);
        CHECK_NEAR(v.sets.count, cases[c].sets, 0, cases[c].line);
    }
}

static void test_bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"run", "something is missing; usage: ondine run SCENE"},
        {"run a b c", "unexpected 'c'"},
        {"run a --frame 3", "unknown option '--frame'; did you mean '--frames'?"},
        {"run a --ouptut=x", "unknown option '--ouptut'; did you mean '--output'?"},
        {"run a --zzzzzzzz", "unknown option '--zzzzzzzz'"},
        {"run a -x", "unknown option '-x'"},
        {"run a --frames", "--frames needs a value: --frames N"},
        {"run a --frames --json", "--frames needs a value"},
        {"run a --frames 0", "--frames takes a whole number from 1 to 1000, not '0'"},
        {"run a --frames 1001", "from 1 to 1000, not '1001'"},
        {"run a --frames 3.5", "not '3.5'"},
        {"run a --frames 3x", "not '3x'"},
        {"run a --frames=", "not ''"},
        {"run a --frames 99999999999999999999", "not '99999999999999999999'"},
        {"run a --scale nan", "--scale takes a number, not 'nan'"},
        {"run a --scale inf", "not 'inf'"},
        {"run a --scale 1m", "not '1m'"},
        {"run a --json=yes", "--json takes no value, but got 'yes'"},
        {"run a --output=", "--output got an empty value; it needs DIR"},
        {"run a --colour blue", "--colour takes speed, density or plain, not 'blue'"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        Values v;
        char plain[512];
        OndError err = {0};
        const int rest = read_line(cases[c].line, &v, plain, &err);
        CHECK_NEAR(rest, OND_OPTS_BAD, 0, cases[c].line);
        CHECK_SAYS(err.text, cases[c].says, cases[c].line);
    }
}

static void test_too_many_texts(void **state)
{
    (void)state;
    OndTexts texts = {0};
    const OndOpt opt = OND_OPT_TEXTS("--set", "KEY=VALUE", "", &texts);
    OndError err = {0};
    for (int k = 0; k < OND_TEXTS_MAX; ++k)
        assert_int_equal(ond_parse_texts(&opt, "a=1", &err), OND_OK);
    assert_int_equal(ond_parse_texts(&opt, "a=1", &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "more than 64 times", "full");
}

static void test_unknown_option_of_any_length(void **state)
{
    (void)state;
    char word[300];
    for (int length = 3; length < 299; ++length) {
        memset(word, 'x', sizeof word);
        memcpy(word, "--", 2);
        word[length] = '\0';
        char name[] = "run";
        char *argv[] = {name, word};
        bool flag = false;
        const OndOpt opts[] = {OND_OPT_FLAG("--json", "", &flag)};
        const OndUsage usage = {"ondine run", "", 0, 0};
        OndError err = {0};
        assert_int_equal(ond_opts_read(2, argv, &usage, opts, 1, &err), OND_OPTS_BAD);
    }
}

// ---- progress
// -------------------------------------------------------------------------------------

static void test_clock(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0, "0 ms"},  {0.85, "850 ms"}, {12.4, "12 s"},
                 {59.6, "1:00"}, {185.0, "3:05"},  {7800.0, "2:10:00"},
                 {-1.0, "?"},    {NAN, "?"},       {INFINITY, "?"}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[32];
        ond_progress_clock(text, sizeof text, cases[c].seconds);
        assert_string_equal(text, cases[c].text);
    }
}

static void test_progress_text(void **state)
{
    (void)state;
    const OndProgressNow now = {.label = "run",
                                .frame = 24,
                                .frames = 96,
                                .time = 1.0,
                                .duration = 4.0,
                                .particles = 96000,
                                .dt = 0.0005,
                                .steps = 2000};
    OndProgress p = {.mode = OND_PROGRESS_LINES};
    char text[256];
    ond_progress_text(text, sizeof text, &p, &now, 20.0, -1);
    assert_string_equal(text, "run  25%  frame 24/96  t 1.000 s  96000 particles  dt 0.0005 s  "
                              "100 steps/s  1:00 left");
    // a resumed run: what was done before does not count as speed
    p.start_share = 0.125;
    p.start_steps = 1000;
    ond_progress_text(text, sizeof text, &p, &now, 20.0, -1);
    CHECK_SAYS(text, "50 steps/s  2:00 left", "resumed");
    p.mode = OND_PROGRESS_LIVE;
    ond_progress_text(text, sizeof text, &p, &now, 20.0, 40);
    assert_string_equal(text, "run  25%  frame 24/96  2:00 left");
    ond_progress_text(text, sizeof text, &p, &now, 20.0, 120);
    CHECK_SAYS(text, "run [#####...............]  25%  frame 24/96", "room for the bar");
    const OndProgressNow broken = {.time = NAN, .duration = 1.0};
    ond_progress_text(text, sizeof text, &p, &broken, 0.0, -1);
    CHECK_SAYS(text, "  0%", "NaN");
}

// A long run at 80 columns: what matters least is left out, and nothing is cut in the middle.
static void test_progress_in_80_columns(void **state)
{
    (void)state;
    static const struct {
        int width;
        const char *says, *not_said;
    } cases[] = {
        {79, "run  50%  frame 1200/2400  t 50.000 s  1234567 particles", "dt"},
        {60, "run  50%  frame 1200/2400  t 50.000 s", "steps/s"},
        {40, "run  50%  frame 1200/2400", "t 50"},
        {-1, "  dt 0.00012 s  5.56e+03 steps/s  1:00:00 left", "["},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[256];
        const OndProgress p = {.mode = OND_PROGRESS_LIVE};
        const OndProgressNow now = {.label = "run",
                                    .frame = 1200,
                                    .frames = 2400,
                                    .time = 50,
                                    .duration = 100,
                                    .particles = 1234567,
                                    .dt = 1.2e-4,
                                    .steps = 20000000};
        const OndProgress lines = {.mode = OND_PROGRESS_LINES};
        ond_progress_text(text, sizeof text, cases[c].width < 0 ? &lines : &p, &now, 3600.0,
                          cases[c].width);
        CHECK_SAYS(text, cases[c].says, "progress");
        CHECK_SAYS(text, "1:00:00 left", "progress");
        if (strstr(text, cases[c].not_said)) fail_msg("too much: %s", text);
        if (cases[c].width > 0) CHECK_NEAR(strlen(text) <= (size_t)cases[c].width, 1, 0, text);
    }
}

static void test_progress_modes(void **state)
{
    (void)state;
    static const struct {
        OndProgressMode mode;
        int lines;
    } cases[] = {{OND_PROGRESS_AUTO, 3}, {OND_PROGRESS_QUIET, 0}, {OND_PROGRESS_LINES, 3}};
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        FILE *file = tmpfile(); // no terminal
        assert_non_null(file);
        OndProgress p;
        ond_progress_begin(&p, file, cases[c].mode);
        for (int step = 0; step < 300; ++step) { // one line a frame, not one a step
            const OndProgressNow now = {
                .frame = step / 100, .frames = 3, .frame_done = step % 100 == 0, .steps = step};
            ond_progress_show(&p, &now);
            ond_progress_show(&p, &now);
        }
        ond_progress_end(&p);
        rewind(file);
        int lines = 0;
        for (int ch; (ch = getc(file)) != EOF;)
            lines += ch == '\n';
        fclose(file);
        CHECK_NEAR(lines, cases[c].lines, 0, "lines in a log");
    }
}

// ---- the command
// ----------------------------------------------------------------------------------

static void test_command(void **state)
{
    (void)state;
    static const Said cases[] = {
        {"", 2, "Usage: ondine COMMAND"},
        {"help", 0, "Usage: ondine COMMAND"},
        {"--help", 0, "info"},
        {"-h", 0, "convert"},
        {"--version", 0, "ondine 0."},
        {"help info", 0, "Usage: ondine info [options]"},
        {"help convert", 0, "Usage: ondine convert IN OUT"},
        {"help inof", 2, "unknown command 'inof'; did you mean 'info'?"},
        {"inffo", 2, "unknown command 'inffo'; did you mean 'info'?"},
        {"simulate-everything", 2, "unknown command 'simulate-everything'\nSee: ondine help"},
        {"info", 0, "instructions"},
        {"info --help", 0, "--json"},
        {"info --jsno", 2, "did you mean '--json'?\nSee: ondine info --help"},
        {"info extra", 2, "unexpected 'extra'"},
        {"info --json", 0, "{\"version\":\"0."},
        {"info --help", 0, "a page or a schema: markdown or json\n"},
        {"render --help", 0,
         "show: speed, temperature, density, rigidity, plain, pressure or vorticity\n"},
        {"bench --help", 0, "instead of both: global or thesis\n"},
        {"info >/dev/full", 1, "the output could not be written"},
    };
    expect_all(cases, OND_COUNT(cases));
}

static void test_help_names_formats(void **state)
{
    (void)state;
    int count = 0;
    const OndFormat *const *formats = ond_formats(&count);
    for (int k = 0; k < count; ++k) {
        char name[32];
        snprintf(name, sizeof name, ".%s", formats[k]->extension);
        expect("convert --help", 0, name);
    }
}

// ---- convert
// --------------------------------------------------------------------------------------

static const char two_points[] =
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
    "property float z\nend_header\n0 0 0\n1 2 3\n";

static void test_convert(void **state)
{
    (void)state;
    // the last three do not fit frame_%04d.ply
    static const char *const names[] = {"frame_0000.ply", "frame_0007.ply",  "frame_12345.ply",
                                        "frame_8.ply",    "frame_00009.ply", "frame_0003.ply.bak"};
    for (int k = 0; k < OND_COUNT(names); ++k)
        write_text(names[k], two_points);
    static const struct {
        const char *in, *out;
        int code;
        const char *says;
    } cases[] = {
        {"frame_0000.ply", "one.vtp", 0, ""},
        {"frame_0000.ply", "one.xyz", 2, "xyz"},
        {"missing.ply", "two.vtp", 1, "missing.ply"},
        {"frame_%04d.ply", "two.vtp", 2, "must both be files, or both have a number"},
        {"frame_%s.ply", "%d.vtp", 2, "is not understood"},
        {"frame_%d%d.ply", "%d.vtp", 2, "is not understood"},
        {"frame_%n.ply", "%n.vtp", 2, "is not understood"},
        {"nothing_%d.ply", "%d.vtp", 1, "no file is called like"},
        {"nowhere/%d.ply", "%d.vtp", 1, "cannot be read"},
        {"frame_%04d.ply", "a/b/%04d.vtp", 1, "cannot be made"},
        {"frame_%04d.ply", "vtk/f_%03d.vtp", 0, "frame 3/3"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char args[1024];
        snprintf(args, sizeof args, "convert '%s' '%s'", cases[c].in, cases[c].out);
        expect(args, cases[c].code, cases[c].says);
    }
    assert_true(exists("one.vtp"));
    assert_true(exists("vtk/f_000.vtp") && exists("vtk/f_007.vtp"));
    assert_true(exists("vtk/f_12345.vtp"));
    assert_false(exists("vtk/f_008.vtp") || exists("vtk/f_009.vtp"));
    assert_false(exists("vtk/f_003.vtp") || exists("two.vtp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_lines),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_too_many_texts),
        cmocka_unit_test(test_unknown_option_of_any_length),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_progress_text),
        cmocka_unit_test(test_progress_in_80_columns),
        cmocka_unit_test(test_progress_modes),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_help_names_formats),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
