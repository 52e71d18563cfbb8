// SPDX-License-Identifier: MIT
// The command `ondine`: finds the subcommand and hands over.
//
// A new subcommand is a file cmd_NAME.c with one `const OndCommand ond_cmd_NAME`, and two lines
// here.
#include "app/cli.h"
#include "base/memory.h"

#include <string.h>

#ifndef OND_VERSION
#define OND_VERSION "unknown"
#endif

extern const OndCommand ond_cmd_run, ond_cmd_view, ond_cmd_check, ond_cmd_mesh, ond_cmd_render,
    ond_cmd_convert, ond_cmd_bench, ond_cmd_info;

// In the order a newcomer meets them.
static const OndCommand *const commands[] = {
    &ond_cmd_run,    &ond_cmd_view,    &ond_cmd_check, &ond_cmd_mesh,
    &ond_cmd_render, &ond_cmd_convert, &ond_cmd_bench, &ond_cmd_info,
};

static void print_help(FILE *out)
{
    fputs(
        "Ondine turns a scene file into an animated fluid.\n\nUsage: ondine COMMAND [options]\n\n",
        out);
    for (int k = 0; k < OND_COUNT(commands); ++k)
        fprintf(out, "  %-9s %s\n", commands[k]->name, commands[k]->help);
    fputs("\n  ondine help COMMAND    options of a command\n"
          "  ondine --version       version\n",
          out);
}

static const OndCommand *find_command(const char *name)
{
    for (int k = 0; k < OND_COUNT(commands); ++k)
        if (strcmp(commands[k]->name, name) == 0) return commands[k];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[OND_COUNT(commands) + 1];
    for (int k = 0; k < OND_COUNT(commands); ++k)
        names[k] = commands[k]->name;
    names[OND_COUNT(commands)] = "help";
    return ond_cli_unknown(": unknown command", name, names, OND_COUNT(names), "ondine help");
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return OND_EXIT_DONE;
    }
    const OndCommand *command = find_command(argv[1]);
    if (!command) return unknown_command(argv[1]);
    char flag[] = "--help";
    char *words[] = {argv[1], flag, NULL};
    return command->run(2, words);
}

// Output that did not reach its file or pipe must not look like success.
static int finish(int code)
{
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || code != OND_EXIT_DONE) return code;
    fputs("ondine: the output could not be written\n", stderr);
    return OND_EXIT_FAILED;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return OND_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("ondine " OND_VERSION);
        return OND_EXIT_DONE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 1, argv + 1);
    const OndCommand *command = find_command(word);
    return command ? command->run(argc - 1, argv + 1) : unknown_command(word);
}

int main(int argc, char **argv)
{
    return finish(dispatch(argc, argv));
}
