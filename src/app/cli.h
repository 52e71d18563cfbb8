// SPDX-License-Identifier: MIT
// Commands and their options, as tables.
//
// A subcommand is one file with one OndCommand. It lists its options once, each with the variable
// that receives the value; the same table reads the command line, complains and prints the help:
//
//     const char *out = "out";
//     int frames = 0;
//     bool json = false;
//     OndTexts sets = {0};
//     const OndOpt opts[] = {
//         OND_OPT_TEXT("-o, --output", "DIR", "folder to write", &out),
//         OND_OPT_INT("--frames", "N", "stop after N frames", &frames, 1, 1e6),
//         OND_OPT_FLAG("--json", "print one JSON object", &json),
//         OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key", &sets),
//     };
//     const OndUsage usage = {"ondine run SCENE [options]", "Simulate a scene.", 1, 1};
//     const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
//     if (rest < 0) return ond_opts_exit(rest);
//     const char *scene = argv[rest];
//
// Options and plain arguments may stand in any order; `--` ends the options. `--name value` and
// `--name=value` are the same.
#ifndef OND_APP_CLI_H
#define OND_APP_CLI_H

#include <ondine/error.h>
#include <stdbool.h>
#include <stdio.h>

/// Exit codes of every command.
enum { OND_EXIT_DONE = 0, OND_EXIT_FAILED = 1, OND_EXIT_USAGE = 2 };

struct OndOpt;
/// Stores `text` (NULL for a flag) in opt->target, or says in `err` what is accepted.
typedef OndStatus OndOptParser(const struct OndOpt *opt, const char *text, OndError *err);

typedef struct OndOpt {
    const char *name;     ///< "--frames", or with a short form "-o, --output"
    const char *argument; ///< how the value is called in the help; NULL: a flag without a value
    const char *help;     ///< one line, no full stop; the choices are added to it
    void *target;
    OndOptParser *parse;
    double min, max;            ///< accepted range of numbers; both 0: any
    const char *const *choices; ///< for ond_parse_choice, NULL-terminated
} OndOpt;

#define OND_TEXTS_MAX 64
typedef struct OndTexts {
    const char *item[OND_TEXTS_MAX];
    int count;
} OndTexts;

OndOptParser ond_parse_text;   ///< const char **
OndOptParser ond_parse_int;    ///< int *
OndOptParser ond_parse_double; ///< double *, finite
OndOptParser ond_parse_flag;   ///< bool *, becomes true
OndOptParser ond_parse_texts;  ///< OndTexts *, one more each time
OndOptParser ond_parse_choice; ///< int *, index into `choices`

/// One line of a table each. `arg` is how the value is called in the help; a range of 0, 0 is any.
#define OND_OPT_TEXT(opt, arg, what, to)                                                           \
    {                                                                                              \
        .name = opt, .argument = arg, .help = what, .target = to, .parse = ond_parse_text          \
    }
#define OND_OPT_TEXTS(opt, arg, what, to)                                                          \
    {                                                                                              \
        .name = opt, .argument = arg, .help = what, .target = to, .parse = ond_parse_texts         \
    }
#define OND_OPT_FLAG(opt, what, to)                                                                \
    {                                                                                              \
        .name = opt, .help = what, .target = to, .parse = ond_parse_flag                           \
    }
#define OND_OPT_INT(opt, arg, what, to, from, upto)                                                \
    {                                                                                              \
        .name = opt, .argument = arg, .help = what, .target = to, .parse = ond_parse_int,          \
        .min = from, .max = upto                                                                   \
    }
#define OND_OPT_DOUBLE(opt, arg, what, to, from, upto)                                             \
    {                                                                                              \
        .name = opt, .argument = arg, .help = what, .target = to, .parse = ond_parse_double,       \
        .min = from, .max = upto                                                                   \
    }
#define OND_OPT_CHOICE(opt, arg, what, to, list)                                                   \
    {                                                                                              \
        .name = opt, .argument = arg, .help = what, .target = to, .parse = ond_parse_choice,       \
        .choices = list                                                                            \
    }

typedef struct OndUsage {
    const char *line;  ///< "ondine run SCENE [options]"
    const char *about; ///< sentences and examples for the help
    int min, max;      ///< how many plain arguments
} OndUsage;

/// What ond_opts_parse returns below zero: the help was printed, or a complaint was.
enum { OND_OPTS_HELP = -1, OND_OPTS_BAD = -2 };

/// Reads argv[1..]; argv[0] is the command's name. Plain arguments are moved to the end: they are
/// argv[result] to argv[argc - 1]. A negative result means that all is said; return
/// ond_opts_exit(result). `--help` and `-h` need no line in the table.
int ond_opts_parse(int argc, char **argv, const OndUsage *usage, const OndOpt *opts, int count);
int ond_opts_exit(int result);

/// The same without printing: index of the first plain argument, OND_OPTS_HELP, or OND_OPTS_BAD
/// with `err`.
int ond_opts_read(int argc, char **argv, const OndUsage *usage, const OndOpt *opts, int count,
                  OndError *err);

/// Prints "ondine NAME: text" and gives the exit code that belongs to the status: 2 for a bad value
/// or scene, 1 for all else. Scene errors, which begin with their file, are printed as they are.
int ond_cli_fail(const char *name, const OndError *err);

/// Prints "ondineWHAT 'name'" (`what` begins with a colon, or a space and a command), the nearest
/// of `names` and where to look; gives the exit code.
int ond_cli_unknown(const char *what, const char *name, const char *const *names, int count,
                    const char *see);

/// `text` as a JSON string with its quotes.
void ond_cli_json_text(FILE *out, const char *text);

typedef struct OndCommand {
    const char *name;
    const char *help;                  ///< one line
    int (*run)(int argc, char **argv); ///< argv[0] is the command's name; returns the exit code
} OndCommand;

#endif
