// SPDX-License-Identifier: MIT
// ondine bench: the measured tables of docs/benchmarks.md.
//
//   ondine bench list
//   ondine bench sph
//   ondine bench melt --scene bunny --solver global
//   ondine bench letters --json
//
// This file only reads the options; each bench has its own bench_NAME.c.
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"

#include <string.h>

typedef struct Bench {
    const char *name, *about;
    const char *scenes; // folder of the scenes whose rows --scene chooses; NULL: none
    bool solvers;       // of rigidity, compared
    OndStatus (*run)(const OndBenchSettings *settings, OndError *err);
} Bench;

#define THESIS "scenes/thesis"

static const Bench benches[] = {
    {"sph", "a 3D dam break at 50k, 200k and 1M particles, 1 and all threads", NULL, false,
     ond_bench_sph_table},
    {"dam", "a second of a 3D dam break by each pressure solver, at 50k, 200k and 1M particles",
     "scenes", false, ond_bench_dam},
    {"interactive", "how much of real time scenes reach that one plays with: water, wax, smoke",
     "scenes", false, ond_bench_interactive},
    {"melt", "Dagenais 2012, table 5.1, with both solvers of rigidity; what really melts", THESIS,
     true, ond_bench_melt},
    {"letters", "viscosity against rigidity: table 5.2 of Dagenais 2012", THESIS, true,
     ond_bench_letters},
    {"surface", "every field on a splash of 10k, 100k and 1M particles", NULL, false,
     ond_bench_surface_table},
    {"render",
     "a splash of 200k triangles as water, wax and steel; where a film's pictures take time", NULL,
     false, ond_bench_render},
    {"bumps", "how smooth each field leaves the surface of a pool at rest", NULL, false,
     ond_bench_bumps},
    {"hash", "six structures that find what is near: figures 2.4 to 2.9 of Pouchol 2010", NULL,
     false, ond_bench_hash_table},
    {"solids", "what a ball and lumps of 100k and 1M triangles cost a pool of 216k particles", NULL,
     false, ond_bench_solids},
    {"poisson", "seven linear solvers on grids of 256^2 to 256^3 cells", NULL, false,
     ond_bench_poisson_table},
    {"smoke", "a plume at 64^3, 128^3 and 256^3 cells; how well the ways of carrying do", NULL,
     false, ond_bench_smoke},
    {"physics", "the scenes of scenes/validation against theory and experiment",
     "scenes/validation", false, ond_bench_physics},
};

static int list(void)
{
    for (int k = 0; k < OND_COUNT(benches); ++k)
        printf("  %-11s %s\n", benches[k].name, benches[k].about);
    return OND_EXIT_DONE;
}

static int unknown(const char *name)
{
    const char *names[OND_COUNT(benches) + 1];
    for (int k = 0; k < OND_COUNT(benches); ++k)
        names[k] = benches[k].name;
    names[OND_COUNT(benches)] = "list";
    return ond_cli_unknown(" bench: no bench is called", name, names, OND_COUNT(names),
                           "ondine bench list");
}

static bool has_budget(const Bench *bench)
{
    return bench->solvers || bench->run == ond_bench_dam || bench->run == ond_bench_interactive;
}

// Options of another bench would be left out in silence.
static OndStatus check(const Bench *bench, const OndBenchSettings *s, OndError *err)
{
    const char *stray = NULL;
    if (!bench->scenes && s->scenes.count)
        stray = "--scene is an option of `bench dam`, `bench interactive`, `bench melt`, `bench "
                "letters` and `bench physics`";
    else if ((!bench->solvers && s->solver >= 0) || (!has_budget(bench) && s->full))
        stray = "--solver and --full are options of `bench melt` and `bench letters`";
    else if (!has_budget(bench) && s->budget_s > 0.0)
        stray = "--budget is an option of `bench dam`, `bench melt` and `bench letters`";
    else if (s->full && s->budget_s > 0.0)
        return ond_fail(err, OND_BAD_VALUE,
                        "--full is no budget at all; leave out --budget, or it");
    else if (s->stand_ins && bench->run != ond_bench_melt)
        stray = "--stand-ins is an option of `bench melt`";
    else if (s->frames && bench->run != ond_bench_melt)
        stray = "--frames is an option of `bench melt`";
    else if (s->seconds > 0.0 && bench->run != ond_bench_letters)
        stray = "--seconds is an option of `bench letters`";
    else if (s->picture && bench->run != ond_bench_hash_table)
        stray = "--picture is an option of `bench hash`";
    if (!stray) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "%s; `bench %s` has nothing like it", stray, bench->name);
}

static int measure(const char *name, const OndBenchSettings *settings)
{
    OndError err = {0};
    for (int k = 0; k < OND_COUNT(benches); ++k) {
        if (strcmp(benches[k].name, name) != 0) continue;
        OndBenchSettings own = *settings;
        if (!own.folder) own.folder = benches[k].scenes;
        OndStatus status = check(&benches[k], settings, &err);
        if (status == OND_OK) status = benches[k].run(&own, &err);
        return status == OND_OK ? OND_EXIT_DONE : ond_cli_fail("bench", &err);
    }
    return unknown(name);
}

static int run(int argc, char **argv)
{
    OndBenchSettings s = {.solver = -1};
    int threads = 0;
    const OndOpt opts[] = {
        OND_OPT_FLAG("--json", "print one JSON object", &s.json),
        OND_OPT_INT("--threads", "N", "what `all threads` means (default: one per core)", &threads,
                    1, 1024),
        OND_OPT_FLAG("--quick", "few steps: a rough look", &s.quick),
        OND_OPT_TEXTS("--scene", "NAME",
                      "dam, interactive, melt, letters, physics: only this row; may be repeated",
                      &s.scenes),
        OND_OPT_TEXT("--scenes", "DIR", "melt, letters, physics, render: where the scenes are",
                     &s.folder),
        OND_OPT_CHOICE("--solver", "NAME", "melt, letters: one instead of both", &s.solver,
                       ond_bench_solvers),
        OND_OPT_FLAG("--full", "dam, interactive, melt, letters: no budget of time for a row",
                     &s.full),
        OND_OPT_DOUBLE(
            "--budget", "S",
            "dam, interactive, melt, letters: wall-clock time of a row (default 60, 15, 20 and 30; "
            "120 of what really melts)",
            &s.budget_s, 0.1, 1e6),
        OND_OPT_FLAG(
            "--stand-ins",
            "melt: measure stand-ins where `make models` has not been run, under their own "
            "names",
            &s.stand_ins),
        OND_OPT_INT("--frames", "N",
                    "melt: frames to measure (default 24; of what really melts 2 to 12)", &s.frames,
                    1, 1e6),
        OND_OPT_DOUBLE("--seconds", "T", "letters: simulated time to measure (default 4)",
                       &s.seconds, 0.001, 1000),
        OND_OPT_TEXT("--picture", "FILE", "hash: draw the cells a question looks at (PNG)",
                     &s.picture),
    };
    const OndUsage usage = {
        "ondine bench NAME [options]",
        "Measures, and prints a table in Markdown with the machine it ran on. NAME "
        "`list` shows\nwhat there is. Let nothing else run meanwhile.",
        1, 1};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);
    if (strcmp(argv[rest], "list") == 0) return list();
    ond_threads_set(threads);
    return measure(argv[rest], &s);
}

const OndCommand ond_cmd_bench = {"bench", "the measured tables; `bench list` shows them", run};
