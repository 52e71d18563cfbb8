// SPDX-License-Identifier: MIT
// ondine bench smoke: a plume round a sphere at 64^3, 128^3 and 256^3 cells, by phase of a step.
//
// The plume is let rise for some steps first, so that there is something to carry; of the steps
// after that the quickest counts: noise only ever adds time.
#include "app/bench.h"
#include "app/bench_machine.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

#define WARM_UP 4
#define STEPS   4

typedef struct Row {
    int side; // cells
    double step_ms, bytes;
    int iterations;
    OndStepRecord record; // of the quickest step
} Row;

static const char plume[] =
    "duration: 100\nframe_rate: 4\n"
    "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: +y, kind: open}]}\n"
    "method: {type: smoke, cell: %.17g}\n"
    "fluid: [{name: smoke, temperature: 300, shape: {type: sphere, center: [0.5, 0.2, 0.5], "
    "radius: 0.12}}]\n"
    "emitter: [{center: [0.5, 0.05, 0.5], direction: [0, 1, 0], radius: 0.1, rate: 0.03}]\n"
    "solid: [{shape: {type: sphere, center: [0.5, 0.55, 0.5], radius: 0.12}}]\n";

static OndStatus open_plume(int side, OndScene *scene, OndError *err)
{
    char text[1024];
    OndTree tree = {0};
    const int length = snprintf(text, sizeof text, plume, 1.0 / side);
    const OndStatus status = ond_yaml_parse("plume.yaml", text, (size_t)length, &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, scene, err) : status;
}

static OndStatus measure(Row *row, int steps, OndError *err)
{
    OndScene scene = {0};
    OndSim *sim = NULL;
    OndStatus status = open_plume(row->side, &scene, err);
    if (status == OND_OK && !(sim = ond_sim_create(&scene, NULL, err))) status = err->status;
    row->step_ms = HUGE_VAL;
    for (int k = 0; k < WARM_UP + steps && status == OND_OK; ++k) {
        OndStepRecord record;
        const double before = ond_now_ms();
        status = ond_sim_step(sim, err);
        const double took = ond_now_ms() - before;
        if (status != OND_OK || k < WARM_UP || took >= row->step_ms) continue;
        ond_sim_record(sim, &record);
        row->step_ms = took;
        row->record = record;
        row->iterations = record.iterations;
    }
    if (status == OND_OK) row->bytes = (double)ond_sim_bytes(sim) / (double)ond_sim_cell_count(sim);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    return status;
}

static double cost_ns(const Row *row)
{
    return row->step_ms * 1e6 / ((double)row->side * row->side * row->side);
}

static void print_markdown(const Row *rows, int count)
{
    OndMachine machine;
    ond_machine_measure(&machine);
    fputs("## smoke\n\n", stdout);
    ond_machine_print(&machine);
    printf("\n\nA plume round a sphere, the default method (maccormack, mgpcg to 1e-4), %d "
           "thread%s.\n\n| cells | ms a step | ns a cell | bytes a cell | iterations |",
           ond_threads(), ond_threads() == 1 ? "" : "s");
    for (int p = 0; p < rows[0].record.phase_count; ++p)
        printf(" %s ms |", rows[0].record.phase_names[p]);
    fputs("\n|--:|--:|--:|--:|--:|", stdout);
    for (int p = 0; p < rows[0].record.phase_count; ++p)
        fputs("--:|", stdout);
    for (int k = 0; k < count; ++k) {
        printf("\n| %d^3 | %.0f | %.0f | %.1f | %d |", rows[k].side, rows[k].step_ms,
               cost_ns(&rows[k]), rows[k].bytes, rows[k].iterations);
        for (int p = 0; p < rows[k].record.phase_count; ++p)
            printf(" %.0f |", rows[k].record.phase_ms[p]);
    }
    putchar('\n');
}

static void print_json(const Row *rows, int count)
{
    OndMachine machine;
    ond_machine_measure(&machine);
    fputs("{\"bench\":\"smoke\",\"machine\":", stdout);
    ond_machine_json(&machine);
    printf(",\"threads\":%d,\"rows\":[", ond_threads());
    for (int k = 0; k < count; ++k) {
        printf("%s{\"case\":\"%d^3\",\"ms\":%.2f,\"ns_per_cell\":%.2f,\"bytes_per_cell\":%.2f,"
               "\"iterations\":%d",
               k ? "," : "", rows[k].side, rows[k].step_ms, cost_ns(&rows[k]), rows[k].bytes,
               rows[k].iterations);
        for (int p = 0; p < rows[k].record.phase_count; ++p)
            printf(",\"%s_ms\":%.2f", rows[k].record.phase_names[p], rows[k].record.phase_ms[p]);
        putchar('}');
    }
    puts("]}");
}

OndStatus ond_bench_smoke(const OndBenchSettings *settings, OndError *err)
{
    Row rows[] = {{.side = 64}, {.side = 128}, {.side = 256}};
    const int count = settings->quick ? 1 : OND_COUNT(rows);
    OndStatus status = OND_OK;
    for (int k = 0; k < count && status == OND_OK; ++k) {
        char name[16];
        snprintf(name, sizeof name, "%d^3", rows[k].side);
        ond_bench_show("smoke", name);
        status = measure(&rows[k], settings->quick ? 1 : STEPS, err);
    }
    ond_bench_show(NULL, NULL);
    if (status == OND_OK) (settings->json ? print_json : print_markdown)(rows, count);
    return status;
}
