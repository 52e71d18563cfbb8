// SPDX-License-Identifier: MIT
// The two tables of `ondine bench smoke`: what a step of a plume costs at 64^3, 128^3 and 256^3
// cells, and how well the ways of carrying do.
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "bench/bench_smoke.h"

#define STEPS 4 // of which the quickest counts

#define PLUMES  3
#define SCHEMES 5

typedef struct Tables {
    OndPlumeRow plume[PLUMES];
    int plumes;
    OndSchemeRow scheme[SCHEMES];
} Tables;

static double cost_ns(const OndPlumeRow *row)
{
    return row->ms * 1e6 / ((double)row->side * row->side * row->side);
}

// ---- Markdown

static void print_plumes(const Tables *t)
{
    const OndStepRecord *const record = &t->plume[0].record;
    printf("A plume round a sphere, the default method (maccormack, mgpcg to 1e-4), %d thread%s; "
           "the quickest of %d steps.\n`ms of core` is the time of all cores together.\n\n"
           "| cells | ms a step | ms of core | ns a cell | bytes a cell | iterations |",
           ond_threads(), ond_threads() == 1 ? "" : "s", STEPS);
    for (int p = 0; p < record->phase_count; ++p)
        printf(" %s ms |", record->phase_names[p]);
    fputs("\n|--:|--:|--:|--:|--:|--:|", stdout);
    for (int p = 0; p < record->phase_count; ++p)
        fputs("--:|", stdout);
    for (int k = 0; k < t->plumes; ++k) {
        const OndPlumeRow *const row = &t->plume[k];
        printf("\n| %d^3 | %.0f | %.0f | %.0f | %.1f | %d |", row->side, row->ms, row->core_ms,
               cost_ns(row), row->bytes, row->record.iterations);
        for (int p = 0; p < row->record.phase_count; ++p)
            printf(" %.0f |", row->record.phase_ms[p]);
    }
    putchar('\n');
}

static void print_schemes(const Tables *t, bool quick)
{
    printf("\nThe ways of carrying. `disc`: Zalesak's disc after a turn of 200 steps on 100 x 100 "
           "cells, its L1 error as a share of its\narea, and the area, 582.2 at the start. "
           "`drift`: Taylor-Green vortices (Re 100) that drift through %s cells for a\nsecond, "
           "root of the mean square error, m/s. `cavity`: largest error of 14 points of the centre "
           "lines, %s cells,\ncourant 4. The last column is a step of the plume at %s.\n\n"
           "| advection | trace | disc | area | drift | cavity, Re 100 | cavity, Re 1000 | ns of "
           "core a cell |\n|:--|:--|--:|--:|--:|--:|--:|--:|\n",
           quick ? "16 x 16" : "64 x 64", quick ? "16 x 16" : "128 x 128", quick ? "32^3" : "64^3");
    for (int k = 0; k < SCHEMES; ++k) {
        const OndSchemeRow *const row = &t->scheme[k];
        printf("| %s | %s | %.3f | %.1f | %.2e | %.4f | %.4f | %.0f |\n", row->advection,
               row->trace, row->disc_error, row->disc_area, row->drift_error, row->cavity_error[0],
               row->cavity_error[1], row->core_ns);
    }
}

static void print_markdown(const OndMachine *machine, const Tables *t, bool quick)
{
    fputs("## smoke\n\n", stdout);
    ond_machine_print(machine);
    fputs("\n\n", stdout);
    print_plumes(t);
    print_schemes(t, quick);
}

// ---- JSON

static void print_plume_json(const OndPlumeRow *row)
{
    printf("{\"case\":\"%d^3\",\"ms\":%.2f,\"core_ms\":%.2f,\"ns_per_cell\":%.2f,"
           "\"bytes_per_cell\":%.2f,\"iterations\":%d",
           row->side, row->ms, row->core_ms, cost_ns(row), row->bytes, row->record.iterations);
    for (int p = 0; p < row->record.phase_count; ++p)
        printf(",\"%s_ms\":%.2f", row->record.phase_names[p], row->record.phase_ms[p]);
    putchar('}');
}

static void print_scheme_json(const OndSchemeRow *row)
{
    printf("{\"case\":\"scheme\",\"advection\":\"%s\",\"trace\":\"%s\",\"disc_error\":%.5f,"
           "\"disc_area\":%.3f,\"drift_error\":%.4e,\"cavity_100_error\":%.5f,"
           "\"cavity_1000_error\":%.5f,\"core_ns_per_cell\":%.1f}",
           row->advection, row->trace, row->disc_error, row->disc_area, row->drift_error,
           row->cavity_error[0], row->cavity_error[1], row->core_ns);
}

static void print_json(const OndMachine *machine, const Tables *t)
{
    fputs("{\"bench\":\"smoke\",\"machine\":", stdout);
    ond_machine_json(machine);
    printf(",\"threads\":%d,\"rows\":[", ond_threads());
    for (int k = 0; k < t->plumes; ++k) {
        if (k) putchar(',');
        print_plume_json(&t->plume[k]);
    }
    for (int k = 0; k < SCHEMES; ++k) {
        putchar(',');
        print_scheme_json(&t->scheme[k]);
    }
    puts("]}");
}

// ---- all

static OndStatus measure(Tables *t, bool quick, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < t->plumes && status == OND_OK; ++k) {
        char name[16];
        snprintf(name, sizeof name, "%d^3", t->plume[k].side);
        ond_bench_show("smoke", name);
        status = ond_bench_plume(&t->plume[k], "", quick ? 1 : STEPS, err);
    }
    for (int k = 0; k < SCHEMES && status == OND_OK; ++k) {
        ond_bench_show("smoke", t->scheme[k].advection);
        status = ond_bench_scheme(&t->scheme[k], quick, err);
    }
    ond_bench_show(NULL, NULL);
    return status;
}

OndStatus ond_bench_smoke(const OndBenchSettings *settings, OndError *err)
{
    Tables t = {.plume = {{.side = 64}, {.side = 128}, {.side = 256}},
                .plumes = settings->quick ? 1 : PLUMES,
                .scheme = {{.advection = "linear", .trace = "taylor"},
                           {.advection = "maccormack", .trace = "taylor"},
                           {.advection = "cubic", .trace = "taylor"},
                           {.advection = "cubic", .trace = "rk2"},
                           {.advection = "cubic", .trace = "rk3"}}};
    const OndStatus status = measure(&t, settings->quick, err);
    if (status != OND_OK) return status;
    OndMachine machine;
    ond_machine_measure(&machine);
    if (settings->json)
        print_json(&machine, &t);
    else
        print_markdown(&machine, &t, settings->quick);
    return OND_OK;
}
