// SPDX-License-Identifier: MIT
// What a solid in the liquid costs: a pool that sloshes with nothing in it, round a ball, and round
// a lump of 100k and 1M triangles.
//
// A solid takes the place of some liquid, so rows are compared by the time for a particle.
#include "bench/bench.h"
#include "bench/bench_machine.h"

#include "base/clock.h"
#include "base/parallel.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE   60 // particles along each side of the pool
#define RADIUS 0.3
#define BUMP   0.02 // of the lump
#define ROUNDS 10   // in which all rows are measured in turn: noise then hits all alike

typedef struct Case {
    const char *name, *solid; // the solid's shape
    int rings;                // of the lump: 4 rings^2 triangles
} Case;

static const Case cases[] = {
    {"nothing", NULL, 0},
    {"ball", "\"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0.5, 0.5], \"radius\": 0.3}", 0},
    {"lump of 100k triangles", "\"shape\": {\"type\": \"mesh\", \"file\": \"lump-158\"}", 158},
    {"lump of 1M triangles", "\"shape\": {\"type\": \"mesh\", \"file\": \"lump-500\"}", 500},
};

typedef struct SolidsRow {
    OndSim *sim;
    OndSceneDef scene;
    int particles, triangles;
    double ns, core_ns; // per particle and step: by the clock, and of all threads together
} SolidsRow;

// ---- the lump: a ball with bumps, its poles single corners

static OndVec lump_corner(double ring, double turn, int rings)
{
    const double theta = 3.14159265358979 * ring / rings, phi = 3.14159265358979 * turn / rings;
    const double r = RADIUS + BUMP * sin(9.0 * theta) * cos(11.0 * phi) * sin(theta);
    return ond_vec(0.5 + r * sin(theta) * cos(phi), 0.5 + r * cos(theta),
                   0.5 + r * sin(theta) * sin(phi));
}

static void set_corner(OndMesh *mesh, int corner, OndVec at)
{
    float *to = mesh->corner + 3 * (size_t)corner;
    to[0] = (float)at.x, to[1] = (float)at.y, to[2] = (float)at.z;
}

// Rows of 2 rings corners between the poles, which are the first and the last.
static uint32_t corner_at(int ring, int turn, int rings)
{
    if (ring == 0) return 0;
    if (ring == rings) return (uint32_t)(2 * rings * (rings - 1) + 1);
    return (uint32_t)(1 + (ring - 1) * 2 * rings + turn % (2 * rings));
}

static OndStatus make_lump(int rings, OndMesh *mesh, OndError *err)
{
    const int turns = 2 * rings;
    const OndStatus status =
        ond_mesh_make(mesh, (long long)turns * (rings - 1) + 2, 2LL * turns * (rings - 1), err);
    if (status != OND_OK) return status;
    for (int ring = 0; ring <= rings; ++ring)
        for (int turn = 0; turn < turns; ++turn)
            set_corner(mesh, (int)corner_at(ring, turn, rings), lump_corner(ring, turn, rings));
    uint32_t *to = mesh->triangle;
    for (int ring = 0; ring < rings; ++ring)
        for (int turn = 0; turn < turns; ++turn) {
            const uint32_t a = corner_at(ring, turn, rings), b = corner_at(ring, turn + 1, rings),
                           c = corner_at(ring + 1, turn, rings),
                           d = corner_at(ring + 1, turn + 1, rings);
            if (ring > 0) *to++ = a, *to++ = b, *to++ = d;
            if (ring + 1 < rings) *to++ = a, *to++ = d, *to++ = c;
        }
    return OND_OK;
}

static OndStatus load_lump(const char *path, OndMesh *out, OndError *err)
{
    const char *number = strrchr(path, '-');
    return make_lump(number ? atoi(number + 1) : 3, out, err);
}

static const OndAssets assets = {.mesh = load_lump};

// ---- a row

static OndStatus make_scene(const Case *c, int side, OndSceneDef *out, OndError *err)
{
    char text[1024], solid[256] = "";
    if (c->solid) snprintf(solid, sizeof solid, ", \"solid\": [{%s}]", c->solid);
    const int length = snprintf(
        text, sizeof text,
        "{\"title\": \"bench\", \"duration\": 10, \"gravity\": [5, -9.81, 0], \"domain\": "
        "{\"min\": "
        "[0, 0, 0], \"max\": [1, 1.6, 1]}, \"method\": {\"type\": \"sph\"}, \"fluid\": "
        "[{\"spacing\": %.9g, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [1, 1, "
        "1]}}]%s}",
        1.0 / side, solid);
    OndTree tree = {0};
    const OndStatus status = ond_yaml_parse("bench", text, (size_t)length, &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

static OndStatus open_row(SolidsRow *row, const Case *c, const OndBenchSettings *settings,
                          OndError *err)
{
    *row = (SolidsRow){.ns = HUGE_VAL, .core_ns = HUGE_VAL};
    ond_bench_show(c->name, "start");
    row->triangles = c->rings ? 4 * c->rings * (c->rings - 1) : 0;
    OndStatus status = make_scene(c, settings->quick ? 16 : SIDE, &row->scene, err);
    if (status != OND_OK) return status;
    row->sim = ond_sim_make(&row->scene, &assets, err);
    status = row->sim ? OND_OK : err->status;
    for (int k = 0; k < (settings->quick ? 5 : 60) && status == OND_OK; ++k)
        status = ond_sim_step(row->sim, err);
    return status;
}

static OndStatus run_batch(SolidsRow *row, int steps, OndError *err)
{
    const double start = ond_now_ms(), core = (double)clock();
    double particles = 0.0;
    for (int k = 0; k < steps; ++k) {
        const OndStatus status = ond_sim_step(row->sim, err);
        if (status != OND_OK) return status;
        OndStepRecord record;
        ond_sim_record(row->sim, &record);
        row->particles = record.particles;
        particles += record.particles;
    }
    row->ns = fmin(row->ns, 1e6 * (ond_now_ms() - start) / particles);
    row->core_ns = fmin(row->core_ns, 1e9 * ((double)clock() - core) / CLOCKS_PER_SEC / particles);
    return OND_OK;
}

// The largest lump is left out of a rough look.
static int case_count(const OndBenchSettings *settings)
{
    return OND_COUNT(cases) - settings->quick;
}

static OndStatus measure(SolidsRow *rows, const OndBenchSettings *settings, OndError *err)
{
    OndStatus status = OND_OK;
    for (int c = 0; c < case_count(settings) && status == OND_OK; ++c)
        status = open_row(&rows[c], &cases[c], settings, err);
    for (int round = 0; round < (settings->quick ? 2 : ROUNDS); ++round)
        for (int c = 0; c < case_count(settings) && status == OND_OK; ++c) {
            ond_bench_show(cases[c].name, NULL);
            status = run_batch(&rows[c], settings->quick ? 2 : 10, err);
        }
    ond_bench_show(NULL, NULL);
    return status;
}

// ---- the table

static double more(const SolidsRow *row, const SolidsRow *without)
{
    return 100.0 * (row->core_ns / without->core_ns - 1.0);
}

static void print_markdown(const OndMachine *machine, const SolidsRow *rows, int count)
{
    fputs("## solids\n\n", stdout);
    ond_machine_print(machine);
    puts("\n\nA pool that sloshes in a box, with and without a solid of 0.3 m in its middle. `more`"
         " is by the processor time for a\nparticle and step, against the pool with nothing in it."
         "\n");
    puts("| solid | triangles | particles | ns per particle and step | of processor time | more |");
    puts("|:--|--:|--:|--:|--:|--:|");
    for (int c = 0; c < count; ++c)
        printf("| %s | %d | %d | %.1f | %.1f | %.1f %% |\n", cases[c].name, rows[c].triangles,
               rows[c].particles, rows[c].ns, rows[c].core_ns, more(&rows[c], &rows[0]));
}

static void print_json(const OndMachine *machine, const SolidsRow *rows, int count)
{
    fputs("{\"bench\":\"solids\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int c = 0; c < count; ++c)
        printf(
            "%s{\"solid\":\"%s\",\"triangles\":%d,\"particles\":%d,\"ns_per_particle_step\":%.2f,"
            "\"core_ns_per_particle_step\":%.2f,\"more_percent\":%.2f}",
            c ? "," : "", cases[c].name, rows[c].triangles, rows[c].particles, rows[c].ns,
            rows[c].core_ns, more(&rows[c], &rows[0]));
    puts("]}");
}

OndStatus ond_bench_solids(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    SolidsRow rows[OND_COUNT(cases)] = {{0}};
    ond_machine_measure(&machine);
    const OndStatus status = measure(rows, settings, err);
    if (status == OND_OK && settings->json)
        print_json(&machine, rows, case_count(settings));
    else if (status == OND_OK)
        print_markdown(&machine, rows, case_count(settings));
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        ond_sim_destroy(rows[c].sim);
        ond_scene_free(&rows[c].scene);
    }
    return status;
}
