// SPDX-License-Identifier: MIT
// The command from outside: runs `ondine`, reads what it says, works in a folder of its own.
#ifndef OND_TESTS_COMMAND_H
#define OND_TESTS_COMMAND_H

#include "folder.h"

#include <stdbool.h>
#include <sys/wait.h>

#define TEXT_ROOM 65536

// ---- a folder to work in

static inline int enter_folder(void **state)
{
    return make_folder(state) == 0 ? chdir(folder) : -1;
}

static inline void remove_all(const char *path)
{
    char line[256];
    snprintf(line, sizeof line, "rm -rf '%s'", path);
    assert_int_equal(system(line), 0);
}

static inline int leave_folder(void **state)
{
    (void)state;
    if (chdir("/") != 0) return -1;
    remove_all(folder);
    return 0;
}

static inline bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// ---- running the command

// A line for the shell; what it prints goes to `text`. Returns the exit code, -1 after a signal.
static inline int run_line(const char *line, char text[TEXT_ROOM])
{
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t got = fread(text, 1, TEXT_ROOM - 1, pipe);
    text[got] = '\0';
    while (fgetc(pipe) != EOF) {
    }
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// `ondine ARGS`, both outputs together.
static inline int ondine(const char *args, char text[TEXT_ROOM])
{
    char line[2048];
    snprintf(line, sizeof line, "exec 2>&1; '%s' %s", OND_COMMAND, args);
    return run_line(line, text);
}

// The same without what goes to the error output.
static inline int ondine_output(const char *args, char text[TEXT_ROOM])
{
    char line[2048];
    snprintf(line, sizeof line, "'%s' %s", OND_COMMAND, args);
    return run_line(line, text);
}

// `ondine ARGS` ends with that code and says that.
static inline void expect(const char *args, int code, const char *says)
{
    static char text[TEXT_ROOM];
    const int got = ondine(args, text);
    if (got != code) fail_msg("ondine %s: exit code %d, want %d:\n%s", args, got, code, text);
    CHECK_SAYS(text, says, args);
}

typedef struct Said {
    const char *args;
    int code;
    const char *says;
} Said;

// The same for a table.
static inline void expect_all(const Said *table, int count)
{
    for (int k = 0; k < count; ++k)
        expect(table[k].args, table[k].code, table[k].says);
}

// ---- reading what it says

static inline double number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    if (!at) fail_msg("no %s in:\n%s", key, text);
    return at ? strtod(at + strlen(key), NULL) : 0.0;
}

// The first value of that name in JSON text.
static inline double json_number(const char *text, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    return number_after(text, key);
}

#endif
