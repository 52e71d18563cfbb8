// SPDX-License-Identifier: MIT
#include "app/cli.h"

#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX  48 // of an unknown option shown back
#define NAMES_MAX 64 // option names looked at for a suggestion

// ---- values
// ---------------------------------------------------------------------------------------

static bool in_range(const OndOpt *opt, double value)
{
    return (opt->min == 0.0 && opt->max == 0.0) || (value >= opt->min && value <= opt->max);
}

static OndStatus bad_number(const OndOpt *opt, const char *kind, const char *text, OndError *err)
{
    if (opt->min == 0.0 && opt->max == 0.0)
        return ond_fail(err, OND_BAD_VALUE, "%s takes %s, not '%s'", opt->name, kind, text);
    return ond_fail(err, OND_BAD_VALUE, "%s takes %s from %.10g to %.10g, not '%s'", opt->name,
                    kind, opt->min, opt->max, text);
}

// The whole text must be used and begin with no space.
static bool whole(const char *text, const char *end)
{
    return end != text && *end == '\0' && !isspace((unsigned char)text[0]);
}

OndStatus ond_parse_text(const OndOpt *opt, const char *text, OndError *err)
{
    if (text[0] == '\0')
        return ond_fail(err, OND_BAD_VALUE, "%s got an empty value; it needs %s", opt->name,
                        opt->argument);
    *(const char **)opt->target = text;
    return OND_OK;
}

OndStatus ond_parse_int(const OndOpt *opt, const char *text, OndError *err)
{
    char *end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    const bool fits = errno == 0 && value >= INT_MIN && value <= INT_MAX;
    if (!whole(text, end) || !fits || !in_range(opt, (double)value))
        return bad_number(opt, "a whole number", text, err);
    *(int *)opt->target = (int)value;
    return OND_OK;
}

OndStatus ond_parse_double(const OndOpt *opt, const char *text, OndError *err)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (!whole(text, end) || !isfinite(value) || !in_range(opt, value))
        return bad_number(opt, "a number", text, err);
    *(double *)opt->target = value;
    return OND_OK;
}

OndStatus ond_parse_flag(const OndOpt *opt, const char *text, OndError *err)
{
    (void)text;
    (void)err;
    *(bool *)opt->target = true;
    return OND_OK;
}

OndStatus ond_parse_texts(const OndOpt *opt, const char *text, OndError *err)
{
    OndTexts *texts = opt->target;
    if (texts->count == OND_TEXTS_MAX)
        return ond_fail(err, OND_BAD_VALUE, "%s was given more than %d times", opt->name,
                        OND_TEXTS_MAX);
    texts->item[texts->count++] = text;
    return OND_OK;
}

OndStatus ond_parse_choice(const OndOpt *opt, const char *text, OndError *err)
{
    char list[256];
    int count = 0;
    for (; opt->choices[count]; ++count) {
        if (strcmp(opt->choices[count], text) != 0) continue;
        *(int *)opt->target = count;
        return OND_OK;
    }
    ond_words_list(opt->choices, count, list, sizeof list);
    return ond_fail(err, OND_BAD_VALUE, "%s takes %s, not '%s'", opt->name, list, text);
}

// ---- names
// ----------------------------------------------------------------------------------------

// Calls for each form in "-o, --output"; returns the length of the one at *from and moves on.
static size_t next_form(const char **from)
{
    while (**from == ' ' || **from == ',')
        ++*from;
    return strcspn(*from, ", ");
}

static bool is_called(const OndOpt *opt, const char *word, size_t length)
{
    const char *form = opt->name;
    for (size_t n = next_form(&form); n > 0; n = next_form(&form)) {
        if (n == length && strncmp(form, word, n) == 0) return true;
        form += n;
    }
    return false;
}

static const OndOpt *find(const OndOpt *opts, int count, const char *word, size_t length)
{
    for (int k = 0; k < count; ++k)
        if (is_called(&opts[k], word, length)) return &opts[k];
    return NULL;
}

// Only long forms are worth suggesting: every short one is near to every other.
static int long_forms(const OndOpt *opts, int count, char (*name)[WORD_MAX], const char **list)
{
    int n = 0;
    for (int k = 0; k < count && n < NAMES_MAX; ++k) {
        const char *form = strstr(opts[k].name, "--");
        if (!form) continue;
        snprintf(name[n], WORD_MAX, "%.*s", (int)strcspn(form, ", "), form);
        list[n] = name[n];
        ++n;
    }
    return n;
}

static OndStatus unknown(const OndOpt *opts, int count, const char *word, size_t length,
                         OndError *err)
{
    char given[WORD_MAX + 2], name[NAMES_MAX][WORD_MAX];
    const char *list[NAMES_MAX];
    snprintf(given, sizeof given, "%.*s", (int)(length > WORD_MAX ? WORD_MAX : length), word);
    const int names = long_forms(opts, count, name, list);
    const char *near = ond_word_nearest(given, list, names);
    if (near)
        return ond_fail(err, OND_BAD_VALUE, "unknown option '%s'; did you mean '%s'?", given, near);
    return ond_fail(err, OND_BAD_VALUE, "unknown option '%s'", given);
}

// ---- reading
// --------------------------------------------------------------------------------------

typedef struct OptionReader {
    int argc;
    char **argv;
    int at;       // next argument to look at
    int plain;    // plain arguments met; they wait in argv[1..plain]
    bool literal; // after "--"
} OptionReader;

// The value of an option: after its '=', or the next argument.
static OndStatus take_value(OptionReader *r, const OndOpt *opt, const char *equals,
                            const char **value, OndError *err)
{
    *value = NULL;
    if (!opt->argument) {
        if (!equals) return OND_OK;
        return ond_fail(err, OND_BAD_VALUE, "%s takes no value, but got '%s'", opt->name,
                        equals + 1);
    }
    if (equals) {
        *value = equals + 1;
        return OND_OK;
    }
    // "--frames --json" is a forgotten value, "--offset -3" is not
    if (r->at >= r->argc || strncmp(r->argv[r->at], "--", 2) == 0)
        return ond_fail(err, OND_BAD_VALUE, "%s needs a value: %s %s", opt->name, opt->name,
                        opt->argument);
    *value = r->argv[r->at++];
    return OND_OK;
}

static bool is_option(const OptionReader *r, const char *word)
{
    return !r->literal && word[0] == '-' && word[1] != '\0';
}

static OndStatus read_option(OptionReader *r, const char *word, const OndOpt *opts, int count,
                             OndError *err)
{
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const OndOpt *opt = find(opts, count, word, length);
    if (!opt) return unknown(opts, count, word, length, err);
    const char *value = NULL;
    const OndStatus status = take_value(r, opt, equals, &value, err);
    return status != OND_OK ? status : opt->parse(opt, value, err);
}

// argv[1..plain] go to the end, so that they are argv[argc - plain ..].
static int plain_to_end(OptionReader *r)
{
    memmove(r->argv + r->argc - r->plain, r->argv + 1, (size_t)r->plain * sizeof r->argv[0]);
    return r->argc - r->plain;
}

static int check_plain(const OptionReader *r, const OndUsage *usage, OndError *err)
{
    if (r->plain < usage->min) {
        ond_fail(err, OND_BAD_VALUE, "something is missing; usage: %s", usage->line);
        return OND_OPTS_BAD;
    }
    if (r->plain > usage->max) {
        ond_fail(err, OND_BAD_VALUE, "unexpected '%s'; usage: %s", r->argv[1 + usage->max],
                 usage->line);
        return OND_OPTS_BAD;
    }
    return 0;
}

int ond_opts_read(int argc, char **argv, const OndUsage *usage, const OndOpt *opts, int count,
                  OndError *err)
{
    OptionReader r = {argc, argv, 1, 0, false};
    while (r.at < argc) {
        char *word = argv[r.at++];
        if (!is_option(&r, word)) {
            argv[1 + r.plain++] = word; // never ahead of r.at, so nothing unread is lost
        } else if (strcmp(word, "--") == 0) {
            r.literal = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            return OND_OPTS_HELP;
        } else if (read_option(&r, word, opts, count, err) != OND_OK) {
            return OND_OPTS_BAD;
        }
    }
    const int bad = check_plain(&r, usage, err);
    return bad ? bad : plain_to_end(&r);
}

// ---- saying
// ---------------------------------------------------------------------------------------

static int left_width(const OndOpt *opt)
{
    return (int)(strlen(opt->name) + (opt->argument ? strlen(opt->argument) + 1 : 0));
}

// Choices are named from the table that reads them, so that none is left out.
static void help_line(FILE *out, const OndOpt *opt, int width)
{
    char list[256] = "";
    int count = 0;
    while (opt->choices && opt->choices[count])
        ++count;
    if (count) ond_words_list(opt->choices, count, list, sizeof list);
    fprintf(out, "  %s%s%s", opt->name, opt->argument ? " " : "",
            opt->argument ? opt->argument : "");
    fprintf(out, "%*s%s%s%s\n", width + 2 - left_width(opt), "", opt->help, count ? ": " : "",
            list);
}

static void print_help(FILE *out, const OndUsage *usage, const OndOpt *opts, int count)
{
    static const OndOpt help = {.name = "-h, --help", .help = "show this"};
    int width = left_width(&help);
    for (int k = 0; k < count; ++k)
        if (left_width(&opts[k]) > width) width = left_width(&opts[k]);
    fprintf(out, "Usage: %s\n\n%s\n\nOptions:\n", usage->line, usage->about);
    for (int k = 0; k < count; ++k)
        help_line(out, &opts[k], width);
    help_line(out, &help, width);
}

int ond_opts_parse(int argc, char **argv, const OndUsage *usage, const OndOpt *opts, int count)
{
    OndError err = {0};
    const int rest = ond_opts_read(argc, argv, usage, opts, count, &err);
    if (rest == OND_OPTS_HELP) print_help(stdout, usage, opts, count);
    if (rest == OND_OPTS_BAD)
        fprintf(stderr, "ondine %s: %s\nSee: ondine %s --help\n", argv[0], err.text, argv[0]);
    return rest;
}

int ond_opts_exit(int result)
{
    return result == OND_OPTS_HELP ? OND_EXIT_DONE : OND_EXIT_USAGE;
}

int ond_cli_fail(const char *name, const OndError *err)
{
    if (strstr(err->text, ": error: ")) // file:line:column comes first, as editors expect
        fprintf(stderr, "%s\n", err->text);
    else
        fprintf(stderr, "ondine %s: %s\n", name, err->text);
    if (err->untold > 0) fprintf(stderr, "... and %d more\n", err->untold);
    return err->status == OND_BAD_VALUE ? OND_EXIT_USAGE : OND_EXIT_FAILED;
}

int ond_cli_unknown(const char *what, const char *name, const char *const *names, int count,
                    const char *see)
{
    const char *near = ond_word_nearest(name, names, count);
    fprintf(stderr, "ondine%s '%s'", what, name);
    if (near) fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\nSee: %s\n", see);
    return OND_EXIT_USAGE;
}

void ond_cli_json_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}
