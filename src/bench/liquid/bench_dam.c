// SPDX-License-Identifier: MIT
// What a simulated second of water costs by each pressure solver: one dam break in three sizes, from
// the fall of the column to the wave that comes back, with the error of its density beside.
//
// The tank is 3.22 x 1 x 1 m, the column 1.228 x 0.55 x 1 m (Kleefsman et al. 2005, without the box).
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <math.h>

#define BUDGET_S 60.0 // wall clock of a row: it ends there, or after the simulated second
#define QUICK_S  2.0

typedef struct Dam {
    const char *row, *solver;
    double spacing; // m
} Dam;

#define SIZES(solver)                                                                              \
    {solver "-50k", solver, 0.0238}, {solver "-200k", solver, 0.015},                              \
    {                                                                                              \
        solver "-1M", solver, 0.00878                                                              \
    }

static const Dam table[] = {
    SIZES("cg"), SIZES("wcsph"), SIZES("dfsph"), SIZES("iisph"), SIZES("pcisph"),
};

// What its steps were like.
typedef struct DamRow {
    OndSceneTimes times;
    double error;      // mean density error, over the time measured
    double worst;      // of a step's means
    int most;          // iterations of a step
    double bytes_each; // of a particle
} DamRow;

static const char *name_of(int row)
{
    return row < OND_COUNT(table) ? table[row].row : NULL;
}

static OndStatus make_scene(const Dam *dam, OndSceneDef *out, OndError *err)
{
    char text[400];
    const int length = snprintf(
        text, sizeof text,
        "{\"title\": \"dam\", \"duration\": 1, \"domain\": {\"min\": [0, 0, 0], \"max\": [3.22, 1, "
        "1]}, "
        "\"method\": {\"type\": \"sph\", \"pressure\": \"%s\"}, \"fluid\": [{\"spacing\": %g, "
        "\"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1.228, 0.55, 1]}}]}",
        dam->solver, dam->spacing);
    OndTree tree = {0};
    const OndStatus status = ond_yaml_parse("bench dam", text, (size_t)length, &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

static void count_step(void *context, const OndStepRecord *record)
{
    DamRow *row = context;
    row->error += record->dt * record->density_error;
    row->worst = fmax(row->worst, record->density_error);
    row->most = record->iterations > row->most ? record->iterations : row->most;
}

static void weigh(void *context, OndSim *sim)
{
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    ((DamRow *)context)->bytes_each = (double)ond_sim_bytes(sim) / frame.particles.count;
}

static OndStatus measure(const Dam *dam, const OndBenchSettings *s, DamRow *row, OndError *err)
{
    const double budget = s->quick ? QUICK_S : s->budget_s > 0.0 ? s->budget_s : BUDGET_S;
    OndSceneDef scene;
    *row = (DamRow){0};
    OndStatus status = make_scene(dam, &scene, err);
    if (status != OND_OK) return status;
    const OndBenchPlan plan = {.frames = 1 << 20,
                               .budget_s = s->full ? HUGE_VAL : budget,
                               .watch = count_step,
                               .look = weigh,
                               .context = row};
    ond_bench_show(dam->row, NULL);
    status = ond_bench_scene(&scene, &plan, &row->times, err);
    ond_bench_show(NULL, NULL);
    ond_scene_free(&scene);
    if (row->times.simulated > 0.0) row->error /= row->times.simulated;
    return status;
}

// ---- the table

static void print_head(const OndMachine *machine)
{
    fputs("## dam\n\n", stdout);
    ond_machine_print(machine);
    printf(
        "\n\nA 3D dam break (tank 3.22 x 1 x 1 m, column 1.228 x 0.55 x 1 m) for a second, %d "
        "thread%s; where a * stands, a budget of time ended it before, at the time that is told. "
        "Density error: how much denser than at rest, mean over particles and time, and of the "
        "worst step.\n\n",
        ond_threads(), ond_threads() > 1 ? "s" : "");
    fputs(
        "| solver | particles | to, s | wall s per simulated s | ns per particle and step | steps "
        "per s | iterations | most | density error | worst | steps at the cap | bytes per "
        "particle |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        stdout);
}

static void print_row(const Dam *dam, const DamRow *row)
{
    const OndSceneTimes *t = &row->times;
    if (t->error[0]) {
        printf("| %s | %d | %.3g | it went wrong: %s |||||||||\n", dam->solver, t->particles,
               t->simulated, t->error);
        return;
    }
    const double steps = (double)t->steps;
    printf("| %s | %d | %.3f%s | %.3g | %.0f | %.0f | %.1f | %d | %.3f %% | %.3f %% | %lld | ",
           dam->solver, t->particles, t->simulated, t->cut ? " *" : "", t->seconds / t->simulated,
           1e9 * t->seconds / (steps * t->particles), steps / t->simulated,
           (double)t->iterations / steps, row->most, 100.0 * row->error, 100.0 * row->worst,
           t->unconverged);
    if (row->bytes_each > 0.0)
        printf("%.0f |\n", row->bytes_each);
    else
        puts("- |");
}

static void print_json_row(const Dam *dam, const DamRow *row, bool first)
{
    const OndSceneTimes *t = &row->times;
    printf("%s{\"row\":\"%s\",\"solver\":\"%s\",\"particles\":%d,\"simulated_s\":%.6g,"
           "\"seconds\":%.6g,\"steps\":%lld,\"iterations\":%lld,\"most_iterations\":%d,"
           "\"density_error\":%.6g,\"worst_density_error\":%.6g,\"unconverged\":%lld,"
           "\"bytes_per_particle\":%.1f,\"cut\":%s,\"error\":",
           first ? "" : ",", dam->row, dam->solver, t->particles, t->simulated, t->seconds,
           t->steps, t->iterations, row->most, row->error, row->worst, t->unconverged,
           row->bytes_each, t->cut ? "true" : "false");
    if (t->error[0])
        ond_cli_json_text(stdout, t->error);
    else
        fputs("null", stdout);
    putchar('}');
}

OndStatus ond_bench_dam(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    int rows = 0, wrong = 0;
    OndStatus status = ond_bench_check_names(settings, name_of, err);
    if (status != OND_OK) return status;
    ond_machine_measure(&machine);
    if (settings->json) {
        fputs("{\"bench\":\"dam\",\"machine\":", stdout);
        ond_machine_json(&machine);
        fputs(",\"rows\":[", stdout);
    } else
        print_head(&machine);
    for (int k = 0; k < OND_COUNT(table) && status == OND_OK; ++k) {
        DamRow row;
        if (!ond_bench_wants(settings, table[k].row)) continue;
        status = measure(&table[k], settings, &row, err);
        if (status != OND_OK) break;
        wrong += row.times.error[0] != '\0';
        if (settings->json)
            print_json_row(&table[k], &row, rows++ == 0);
        else
            print_row(&table[k], &row);
        fflush(stdout);
    }
    if (settings->json) puts("]}");
    return status == OND_OK ? ond_bench_wrong_rows(wrong, err) : status;
}
