// SPDX-License-Identifier: MIT
#include "bench/liquid/bench_sph.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Particles along x, y, z of the column, steps before measuring, then batches of steps. The minimum
// over batches counts: noise only ever adds time.
typedef struct Size {
    int x, y, z, warm_up, batches, steps;
} Size;

static const Size sizes[] = {
    {32, 49, 32, 100, 8, 10},
    {51, 77, 51, 60, 6, 5},
    {87, 132, 87, 30, 4, 3},
};
static const Size quick_size = {32, 49, 32, 20, 3, 5};

// The scene of scenes/dam-break.yaml in as many particles as the size says.
static OndStatus make_scene(const Size *size, OndSceneDef *out, OndError *err)
{
    char text[512];
    const double spacing = 0.6 / size->x;
    const int length = snprintf(
        text, sizeof text,
        "{\"title\": \"bench\", \"duration\": 4, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, "
        "1.2, "
        "%.9g], \"slip\": 0.9}, \"method\": {\"type\": \"sph\", \"smoothing\": 2}, \"fluid\": "
        "[{\"spacing\": %.9g, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [%.9g, "
        "%.9g, "
        "%.9g]}}]}",
        size->z * spacing, spacing, size->x * spacing, size->y * spacing, size->z * spacing);
    OndTree tree = {0};
    const OndStatus status = ond_yaml_parse("bench", text, (size_t)length, &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

// One batch; better numbers replace those in `row`.
static OndStatus run_batch(OndSim *sim, int steps, OndBenchRow *row, OndError *err)
{
    double phase_ms[OND_PHASES_MAX] = {0}, all_ms = 0.0, particles = 0.0;
    OndStepRecord record = {0};
    for (int k = 0; k < steps; ++k) {
        const double before = ond_now_ms();
        const OndStatus status = ond_sim_step(sim, err);
        if (status != OND_OK) return status;
        all_ms += ond_now_ms() - before;
        ond_sim_record(sim, &record);
        particles += record.particles;
        for (int p = 0; p < record.phase_count; ++p)
            phase_ms[p] += record.phase_ms[p];
    }
    const double ns = all_ms * 1e6 / particles;
    if (!(ns < row->ns)) return OND_OK;
    row->ns = ns;
    row->phase_count = record.phase_count;
    row->phase_names = record.phase_names;
    for (int p = 0; p < record.phase_count; ++p)
        row->share[p] = phase_ms[p] / all_ms;
    return OND_OK;
}

static void weigh(OndSim *sim, OndBenchRow *row)
{
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    row->particles = frame.particles.count;
    row->neighbours = ond_sim_neighbours(sim);
    row->bytes = (double)ond_sim_bytes(sim) / frame.particles.count;
    row->field_bytes = ond_fields_bytes_each(&frame.particles);
    for (int f = 0; f < frame.particles.field_count; ++f)
        if (!(frame.particles.field[f].flags & OND_FIELD_TEMP))
            row->sorted_bytes += 4.0 * frame.particles.field[f].components;
}

static OndStatus measure(OndSim *sim, const Size *size, int threads, OndBenchRow *row,
                         OndError *err)
{
    *row = (OndBenchRow){.threads = threads, .ns = HUGE_VAL};
    ond_threads_set(threads);
    OndStatus status = OND_OK;
    for (int b = 0; b < size->batches && status == OND_OK; ++b)
        status = run_batch(sim, size->steps, row, err);
    weigh(sim, row);
    return status;
}

static OndStatus bench_size(const Size *size, int threads, OndBenchRow *rows, int *count,
                            OndError *err)
{
    OndSceneDef scene;
    OndStatus status = make_scene(size, &scene, err);
    if (status != OND_OK) return status;
    ond_threads_set(threads);
    OndSim *sim = ond_sim_make(&scene, NULL, err);
    status = sim ? OND_OK : OND_NO_MEMORY;
    for (int k = 0; k < size->warm_up && status == OND_OK; ++k)
        status = ond_sim_step(sim, err);
    if (status == OND_OK && threads > 1) status = measure(sim, size, 1, &rows[(*count)++], err);
    if (status == OND_OK) status = measure(sim, size, threads, &rows[(*count)++], err);
    ond_threads_set(threads);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    return status;
}

OndStatus ond_bench_sph(bool quick, OndBenchRow *rows, int *count, OndError *err)
{
    const int threads = ond_threads();
    OndStatus status = OND_OK;
    *count = 0;
    if (quick) return bench_size(&quick_size, threads, rows, count, err);
    for (int k = 0; k < OND_COUNT(sizes) && status == OND_OK; ++k)
        status = bench_size(&sizes[k], threads, rows, count, err);
    return status;
}
