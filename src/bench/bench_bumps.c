// SPDX-License-Identifier: MIT
// ondine bench bumps: how smooth each field leaves the surface of a pool at rest.
//
// Two pools of simulated particles: one that was filled and left alone, whose particles still
// stand nearly as they were laid, and one that has sloshed, whose particles have lost all order.
#include "app/run_scene.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"
#include "surface/bumps.h"

#include <string.h>

#define KINDS_MAX 16
#define MARGIN    4.0   // spacings from the walls
#define FLAT      0.005 // degrees: no bumps at all
#define AGAINST   "blobs"

typedef struct Pool {
    const char *name, *about;
    double time, quick_time; // s of simulation before it is looked at
    const char *scene;
} Pool;

static const Pool pools[] = {
    {"laid", "filled and left alone", 0.5, 0.1,
     "dimension: 3\n"
     "duration: 100\n"
     "gravity: [0, -9.81, 0]\n"
     "domain: {min: [0, 0, 0], max: [0.6, 0.4, 0.6]}\n"
     "fluid:\n"
     "  - {name: water, spacing: 0.025, shape: {type: box, min: [0, 0, 0], max: [0.6, 0.2, "
     "0.6]}}\n"},
    {"sloshed", "let go from two heights", 6.0, 1.5,
     "dimension: 3\n"
     "duration: 100\n"
     "gravity: [0, -9.81, 0]\n"
     "domain: {min: [0, 0, 0], max: [0.6, 0.4, 0.6]}\n"
     "fluid:\n"
     "  - {name: high, spacing: 0.025, viscosity: 0.02,\n"
     "     shape: {type: box, min: [0, 0, 0], max: [0.3, 0.225, 0.6]}}\n"
     "  - {name: low, spacing: 0.025, viscosity: 0.02,\n"
     "     shape: {type: box, min: [0.3, 0, 0], max: [0.6, 0.2, 0.6]}}\n"},
};

typedef struct BumpsRow {
    const char *field;
    OndBumps bumps[OND_COUNT(pools)];
    char error[192]; // why there is no result; "": there is one
} BumpsRow;

typedef struct BumpsTable {
    BumpsRow row[KINDS_MAX];
    int count, particles[OND_COUNT(pools)];
    double time[OND_COUNT(pools)]; // simulated, s
} BumpsTable;

static void measure_field(const OndFrame *frame, int pool, BumpsRow *row)
{
    OndSurfaceDef def = ond_surface_default_def();
    OndSurface surface = {0};
    OndError err = {0};
    def.field = row->field;
    if (ond_surface_make(&surface, frame, &def, NULL, &err) == OND_OK)
        row->bumps[pool] = ond_bumps_measure(&surface, ond_vec(0, 1, 0), MARGIN * surface.spacing);
    else
        snprintf(row->error, sizeof row->error, "%.*s", (int)sizeof row->error - 1, err.text);
    ond_surface_free(&surface);
}

static OndStatus run_pool(OndSim *sim, int pool, bool quick, BumpsTable *table, OndError *err)
{
    const double until = quick ? pools[pool].quick_time : pools[pool].time;
    OndStatus status = OND_OK;
    OndFrame frame = {0};
    ond_bench_show(pools[pool].name, NULL);
    while (status == OND_OK && ond_sim_time(sim) < until)
        status = ond_sim_step(sim, err);
    if (status != OND_OK) return status;
    ond_sim_frame(sim, &frame);
    table->particles[pool] = frame.particles.count;
    table->time[pool] = until;
    for (int k = 0; k < table->count; ++k) {
        ond_bench_show(pools[pool].name, table->row[k].field);
        measure_field(&frame, pool, &table->row[k]);
    }
    return OND_OK;
}

static OndStatus measure_pool(int pool, bool quick, BumpsTable *table, OndError *err)
{
    const char *text = pools[pool].scene;
    OndTree tree = {0};
    OndSceneDef scene = {0};
    OndStatus status = ond_yaml_parse(pools[pool].name, text, strlen(text), &tree, err);
    if (status == OND_OK) status = ond_scene_read(&tree, &scene, err);
    if (status != OND_OK) return status;
    OndSim *sim = ond_sim_make(&scene, &ond_scene_assets, err);
    status = sim ? run_pool(sim, pool, quick, table, err) : err->status;
    ond_bench_show(NULL, NULL);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    return status;
}

// ---- printing

static const BumpsRow *find_row(const BumpsTable *table, const char *field)
{
    for (int k = 0; k < table->count; ++k)
        if (strcmp(table->row[k].field, field) == 0) return &table->row[k];
    return NULL;
}

// How many times smoother than blobs, in words; `unknown` where that cannot be said.
static void print_ratio(const BumpsTable *table, const BumpsRow *row, int pool, const char *unknown)
{
    const BumpsRow *against = find_row(table, AGAINST);
    if (!against || against->error[0] || row->bumps[pool].mean < FLAT)
        fputs(unknown, stdout);
    else
        printf("%.1f", against->bumps[pool].mean / row->bumps[pool].mean);
}

static void print_row(const BumpsTable *table, const BumpsRow *row)
{
    printf("| %s |", row->field);
    for (int p = 0; p < OND_COUNT(pools) && !row->error[0]; ++p) {
        printf(" %.2f | %.2f | ", row->bumps[p].mean, row->bumps[p].most);
        print_ratio(table, row, p, "-");
        fputs(" |", stdout);
    }
    if (row->error[0]) printf(" %s ||||||", row->error);
    putchar('\n');
}

static void print_markdown(const OndMachine *machine, const BumpsTable *table)
{
    fputs("## bumps\n\n", stdout);
    ond_machine_print(machine);
    fputs(
        "\n\nAngle between the surface's normals and the upward direction, degrees, four spacings "
        "and more from the walls;\nand how many times less that is than with blobs.",
        stdout);
    for (int p = 0; p < OND_COUNT(pools); ++p)
        printf("%s %s: %s, %g s, %d particles", p ? ";" : " Pools:", pools[p].name, pools[p].about,
               table->time[p], table->particles[p]);
    fputs(".\n\n| field |", stdout);
    for (int p = 0; p < OND_COUNT(pools); ++p)
        printf(" %s: mean | most | times smoother |", pools[p].name);
    fputs("\n|:--|", stdout);
    for (int p = 0; p < OND_COUNT(pools); ++p)
        fputs("--:|--:|--:|", stdout);
    putchar('\n');
    for (int k = 0; k < table->count; ++k)
        print_row(table, &table->row[k]);
}

static void print_json_row(const BumpsTable *table, const BumpsRow *row)
{
    fputs("{\"field\":", stdout);
    ond_cli_json_text(stdout, row->field);
    for (int p = 0; p < OND_COUNT(pools) && !row->error[0]; ++p) {
        printf(",\"%s\":{\"mean_degrees\":%.4f,\"most_degrees\":%.4f,\"corners\":%d,"
               "\"times_smoother_than_blobs\":",
               pools[p].name, row->bumps[p].mean, row->bumps[p].most, row->bumps[p].corners);
        print_ratio(table, row, p, "null");
        putchar('}');
    }
    if (row->error[0]) {
        fputs(",\"error\":", stdout);
        ond_cli_json_text(stdout, row->error);
    }
    putchar('}');
}

static void print_json(const OndMachine *machine, const BumpsTable *table)
{
    fputs("{\"bench\":\"bumps\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0; k < table->count; ++k) {
        if (k) putchar(',');
        print_json_row(table, &table->row[k]);
    }
    puts("]}");
}

OndStatus ond_bench_bumps(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    BumpsTable table = {.count = 0};
    int kinds;
    const OndFieldKind *const *kind = ond_field_kinds(&kinds);
    while (table.count < kinds && table.count < KINDS_MAX) {
        table.row[table.count].field = kind[table.count]->name;
        ++table.count;
    }
    OndStatus status = OND_OK;
    for (int p = 0; p < OND_COUNT(pools) && status == OND_OK; ++p)
        status = measure_pool(p, settings->quick, &table, err);
    if (status != OND_OK) return status;
    ond_machine_measure(&machine);
    if (settings->json)
        print_json(&machine, &table);
    else
        print_markdown(&machine, &table);
    return OND_OK;
}
