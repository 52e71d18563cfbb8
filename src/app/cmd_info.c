// SPDX-License-Identifier: MIT
// ondine info: what this program is and what it runs on.
//
//   ondine info
//   ondine info --json
//   ondine info --keys markdown > docs/scene.md
#include "app/cli.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/libraries.h"
#include "io/scene_sections.h"
#include "sim/scene/scene.h"

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

// ---- the reference of scene files

static const char *const key_forms[] = {"markdown", "json", NULL};

static const char reference_head[] =
    "# Scene files\n\n"
    "This page is made from the tables that read and check scenes (`make docs`).\n\n"
    "A scene says what there is and what is to be seen: the box, the fluids in it, how long. It "
    "is\n"
    "written in YAML (JSON is YAML, so programs can write scenes too). Every key has a default\n"
    "unless it is required; a wrong one is refused with its line and the nearest right one.\n\n"
    "```yaml\n"
    "# yaml-language-server: $schema=../docs/scene.schema.json\n"
    "title: Dam break\n"
    "duration: 4\n"
    "domain: {min: [0, 0, 0], max: [2, 1.2, 0.6], slip: 0.9}\n"
    "fluid:\n"
    "  - name: water\n"
    "    spacing: 0.025\n"
    "    shape: {type: box, min: [0, 0, 0], max: [0.6, 0.9, 0.6]}\n"
    "```\n\n"
    "`ondine check FILE` says what it would simulate, `ondine run FILE --film` does it, and\n"
    "`--set fluid.0.spacing=0.02` overrides any key from the command line. The first line lets\n"
    "editors that know YAML schemas complete and explain the keys. More scenes: `scenes/`.\n\n";

static void print_keys(int form)
{
    OndKey keys[OND_SCENE_KEYS_MAX];
    const OndSchema schema = ond_scene_schema_with(ond_scene_sections, keys);
    if (form == 0) {
        fputs(reference_head, stdout);
        ond_schema_markdown(&schema, stdout);
    } else {
        ond_schema_json(&schema, stdout);
    }
}

static int run(int argc, char **argv)
{
    bool json = false;
    int keys = -1;
    const OndOpt opts[] = {
        OND_OPT_FLAG("--json", "print one JSON object", &json),
        OND_OPT_CHOICE("--keys", "FORM", "all keys of scene files, as a page or a schema", &keys,
                       key_forms),
    };
    const OndUsage usage = {"ondine info [options]",
                            "Shows the version, the build and the machine as Ondine sees it.", 0,
                            0};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    if (keys >= 0) {
        print_keys(keys);
        return OND_EXIT_DONE;
    }
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
