// SPDX-License-Identifier: MIT
// The table of bench_poisson.c: every solver on the same systems at five sizes.
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "bench/bench_poisson.h"

#include <string.h>

#define BUDGET_MS    1000.0 // for a row; who needs longer is cut, and says so
#define QUICK_MS     100.0
#define SOLVERS_MOST 16

static const struct {
    int n;
    bool deep, quick;
} sizes[] = {{256, false, true},
             {1024, false, false},
             {64, true, true},
             {128, true, false},
             {256, true, false}};

static const double tolerances[2] = {1e-3, 1e-6};

typedef struct PoissonRows {
    OndPoissonRow row[2 * 2 * OND_COUNT(sizes) * SOLVERS_MOST];
    int count;
} PoissonRows;

static OndStatus measure_case(const OndBenchSettings *settings, int size, bool sphere,
                              PoissonRows *rows, OndError *err)
{
    OndPoissonCase c;
    OndStatus status = ond_bench_poisson_open(&c, sizes[size].n, sizes[size].deep, sphere, err);
    const char *const *names = ond_solver_names();
    for (int k = 0; names[k] && k < SOLVERS_MOST && status == OND_OK; ++k) {
        char what[64];
        snprintf(what, sizeof what, "%d^%d %s", sizes[size].n, sizes[size].deep ? 3 : 2,
                 sphere ? "with a sphere" : "empty");
        ond_bench_show(what, names[k]);
        status = ond_bench_poisson(&c, names[k], tolerances, settings->quick ? QUICK_MS : BUDGET_MS,
                                   &rows->row[rows->count], err);
        rows->count += 2;
    }
    ond_bench_show(NULL, NULL);
    ond_bench_poisson_close(&c);
    return status;
}

// ---- printing

// Bytes moved a second, at least; and as a share of what the triad moves.
static double gb_s(const OndPoissonRow *row)
{
    return row->bytes * row->solution.iterations / (row->ms * 1e6);
}

static void print_row(const OndPoissonRow *row, const OndMachine *machine)
{
    const OndSolution *s = &row->solution;
    printf("| %s | %s | %.0e | ", row->name, row->solver, row->tolerance);
    if (row->cut)
        printf("over %d: %.1e | over %.0f |", s->iterations, s->residual, row->ms);
    else if (s->residual > 1.02 * row->tolerance) // floats end here
        printf("%d: %.1e | %.1f |", s->iterations, s->residual, row->ms);
    else
        printf("%d | %.1f |", s->iterations, row->ms);
    printf(" %.0f | %.1f | %.2f | %.1f | %.0f %% |\n", row->core_ms, row->prepare_ms,
           row->bytes * 1e-6, row->bytes_a_cell, 100.0 * gb_s(row) / machine->triad_gb_s);
}

static void print_markdown(const OndMachine *machine, const PoissonRows *rows)
{
    fputs("## poisson\n\n", stdout);
    ond_machine_print(machine);
    fputs(
        "\n\nThe pressure of warm air that rises through stirred air, from a start of 0: in a "
        "closed "
        "empty box, and in one\nthat is open above, round a sphere with fractional faces. `over`: "
        "cut "
        "at its budget of time, with the residual it\nhad; a residual beside the iterations is "
        "where "
        "the rounding of a float solution ends them. `prepare` is what a\nchanged domain costs. "
        "`MB` "
        "moves an iteration at least, if caches keep nothing from sweep to sweep; the last\ncolumn "
        "compares that with the triad's rate.\n\n",
        stdout);
    fputs(
        "| case | solver | to | iterations | ms | ms of core | prepare ms | MB | bytes a cell | of "
        "triad |\n|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        stdout);
    for (int k = 0; k < rows->count; ++k)
        print_row(&rows->row[k], machine);
}

static void print_json_row(const OndPoissonRow *row, const OndMachine *machine)
{
    printf("{\"case\":\"%s\",\"solver\":\"%s\",\"tolerance\":%g,\"iterations\":%d,\"ms\":%.3f,"
           "\"core_ms\":%.3f,\"prepare_ms\":%.3f,\"residual\":%.4g,\"converged\":%s,\"cut\":%s,"
           "\"bytes_per_iteration\":%.0f,\"gb_s\":%.3f,\"of_triad\":%.4f,\"bytes_per_cell\":%.2f}",
           row->name, row->solver, row->tolerance, row->solution.iterations, row->ms, row->core_ms,
           row->prepare_ms, row->solution.residual,
           row->solution.residual <= 1.02 * row->tolerance ? "true" : "false",
           row->cut ? "true" : "false", row->bytes, gb_s(row), gb_s(row) / machine->triad_gb_s,
           row->bytes_a_cell);
}

static void print_json(const OndMachine *machine, const PoissonRows *rows)
{
    fputs("{\"bench\":\"poisson\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0; k < rows->count; ++k) {
        if (k) putchar(',');
        print_json_row(&rows->row[k], machine);
    }
    puts("]}");
}

OndStatus ond_bench_poisson_table(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    PoissonRows *rows = OND_NEW(PoissonRows);
    if (!rows) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a table");
    ond_machine_measure(&machine);
    OndStatus status = OND_OK;
    for (int size = 0; size < OND_COUNT(sizes) && status == OND_OK; ++size)
        for (int sphere = 0; sphere < 2 && status == OND_OK; ++sphere)
            if (sizes[size].quick || !settings->quick)
                status = measure_case(settings, size, sphere, rows, err);
    if (status == OND_OK && settings->json)
        print_json(&machine, rows);
    else if (status == OND_OK)
        print_markdown(&machine, rows);
    ond_free(rows);
    return status;
}
