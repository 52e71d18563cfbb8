// SPDX-License-Identifier: MIT
// ondine info: what this program is and what it runs on.
//
//   ondine info
//   ondine info --json
#include "app/cli.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/libraries.h"

#include <unistd.h>

#ifndef OND_VERSION
#define OND_VERSION "unknown"
#endif
#ifndef OND_BUILD
#define OND_BUILD "unknown"
#endif

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

#define LIBRARIES_MAX 16

typedef struct Facts {
    const char *instructions;
    int threads;
    double memory_bytes;
    OndLibrary library[LIBRARIES_MAX];
    int library_count;
} Facts;

static void gather(Facts *facts)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    facts->instructions = ond_cpu_name();
    facts->threads = ond_threads();
    facts->memory_bytes = pages > 0 && page > 0 ? (double)pages * (double)page : 0.0;
    const int count = ond_libraries(facts->library, LIBRARIES_MAX);
    facts->library_count = count < LIBRARIES_MAX ? count : LIBRARIES_MAX;
}

static void print_text(const Facts *facts)
{
    printf("ondine        %s\n", OND_VERSION);
    printf("build         %s, %s\n", OND_BUILD, COMPILER);
    printf("instructions  %s\n", facts->instructions);
    printf("threads       %d\n", facts->threads);
    printf("memory        %.1f GiB\n", facts->memory_bytes / 1073741824.0);
    printf("GPU           none in this version\n");
    for (int k = 0; k < facts->library_count; ++k)
        printf("%-13s %s\n", facts->library[k].name, facts->library[k].version);
}

static void json_pair(const char *name, const char *text)
{
    ond_cli_json_text(stdout, name);
    putchar(':');
    ond_cli_json_text(stdout, text);
}

static void print_json(const Facts *facts)
{
    putchar('{');
    json_pair("version", OND_VERSION);
    putchar(',');
    json_pair("build", OND_BUILD);
    putchar(',');
    json_pair("compiler", COMPILER);
    putchar(',');
    json_pair("instructions", facts->instructions);
    printf(",\"threads\":%d,\"memory_bytes\":%.0f,\"gpu\":null,\"libraries\":{", facts->threads,
           facts->memory_bytes);
    for (int k = 0; k < facts->library_count; ++k) {
        if (k) putchar(',');
        json_pair(facts->library[k].name, facts->library[k].version);
    }
    puts("}}");
}

static int run(int argc, char **argv)
{
    bool json = false;
    const OndOpt opts[] = {
        OND_OPT_FLAG("--json", "print one JSON object", &json),
    };
    const OndUsage usage = {"ondine info [options]",
                            "Shows the version, the build and the machine as Ondine sees it.", 0,
                            0};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    Facts facts = {0};
    gather(&facts);
    if (json)
        print_json(&facts);
    else
        print_text(&facts);
    return OND_EXIT_DONE;
}

const OndCommand ond_cmd_info = {"info", "version, build, instruction set, threads, libraries",
                                 run};
