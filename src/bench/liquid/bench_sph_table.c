// SPDX-License-Identifier: MIT
// The table of bench_sph.c, beside what the machine could do at best.
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "bench/liquid/bench_sph.h"

#include <math.h>

// ---- the limit

// What a step must do at least, per particle, counted from the fields and the lists.
typedef struct Need {
    double bytes, flops;
} Need;

#define LIST_PASSES 3.0   // lists: written by the search, read for pressure and for viscosity
#define PASS_BYTES  216.0 // see print_limits
#define CANDIDATES  216.0 // 27 cells of side h = 2 spacings
#define TEST_FLOPS  8.0   // a squared distance
#define PAIR_FLOPS  68.0  // density 6, pressure 30, viscosity 32

static Need need_of(const OndBenchRow *row)
{
    const double listed = 8.0 * ceil(row->neighbours / 8.0); // lists are filled up to whole vectors
    return (Need){2.0 * row->sorted_bytes + LIST_PASSES * 4.0 * listed + PASS_BYTES,
                  CANDIDATES * TEST_FLOPS + PAIR_FLOPS * row->neighbours};
}

static void print_limits(const OndMachine *machine, const OndBenchRow *row)
{
    const Need need = need_of(row);
    const double move_ns = need.bytes / machine->triad_gb_s,
                 count_ns = need.flops / machine->fma_gflop_s;
    const double limit = fmax(move_ns, count_ns);
    printf("\nLimits for %d particles: at least %.0f bytes must move per particle and step, which "
           "takes "
           "%.1f ns at the triad rate, and about %.0f operations are needed, which take %.1f ns at "
           "the "
           "multiply-add rate. The larger is the limit; %d thread%s took %.1f ns, %.1f times as "
           "long.\n",
           row->particles, need.bytes, move_ns, need.flops, count_ns, row->threads,
           row->threads > 1 ? "s" : "", row->ns, row->ns / limit);
    printf(
        "\nHow it is counted. Bytes: sorting reads and writes the %.0f bytes that follow a "
        "particle; its "
        "list of neighbours (4 bytes each, filled up to a multiple of 8) is written once and read "
        "twice; "
        "the passes read and write %.0f bytes of fields (search 16, density 16, pressure 52, "
        "viscosity "
        "56, integration 76); neighbours' values are taken to come from the cache. Operations: 216 "
        "distances (27 cells of side h) at 8, and 68 for each neighbour.\n",
        row->sorted_bytes, PASS_BYTES);
}

// ---- tables

static void print_row(const OndBenchRow *row)
{
    printf("| %d | %d | %.1f | %.1f | %.0f |", row->particles, row->threads, row->ns,
           row->neighbours, row->bytes);
    for (int p = 0; p < row->phase_count; ++p)
        printf(" %.0f %% |", 100.0 * row->share[p]);
    putchar('\n');
}

static void print_markdown(const OndMachine *machine, const OndBenchRow *rows, int count)
{
    fputs("## sph\n\n", stdout);
    ond_machine_print(machine);
    fputs("\n\n", stdout);
    printf("| particles | threads | ns per particle and step | neighbours | bytes per particle |");
    for (int p = 0; p < rows[0].phase_count; ++p)
        printf(" %s |", rows[0].phase_names[p]);
    printf("\n|--:|--:|--:|--:|--:|");
    for (int p = 0; p < rows[0].phase_count; ++p)
        printf("--:|");
    putchar('\n');
    for (int k = 0; k < count; ++k)
        print_row(&rows[k]);
    print_limits(machine, &rows[count - 1]);
}

static void print_json_row(const OndBenchRow *row)
{
    printf("{\"particles\":%d,\"threads\":%d,\"ns_per_particle_step\":%.2f,\"phases\":{",
           row->particles, row->threads, row->ns);
    for (int p = 0; p < row->phase_count; ++p) {
        if (p) putchar(',');
        ond_cli_json_text(stdout, row->phase_names[p]);
        printf(":%.4f", row->share[p]);
    }
    printf("},\"neighbours\":%.2f,\"bytes_per_particle\":%.1f}", row->neighbours, row->bytes);
}

static void print_json(const OndMachine *machine, const OndBenchRow *rows, int count)
{
    fputs("{\"bench\":\"sph\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0; k < count; ++k) {
        if (k) putchar(',');
        print_json_row(&rows[k]);
    }
    puts("]}");
}

OndStatus ond_bench_sph_table(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    OndBenchRow rows[OND_BENCH_ROWS];
    int count = 0;
    ond_machine_measure(&machine);
    const OndStatus status = ond_bench_sph(settings->quick, rows, &count, err);
    if (status != OND_OK) return status;
    if (settings->json)
        print_json(&machine, rows, count);
    else
        print_markdown(&machine, rows, count);
    return OND_OK;
}
