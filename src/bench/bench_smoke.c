// SPDX-License-Identifier: MIT
// The plume of `ondine bench smoke`: it is let rise for some steps first, so that there is
// something to carry; of the steps after that the quickest counts: noise only ever adds time.
#include "bench/bench_smoke.h"

#include "base/clock.h"
#include "io/scene_sections.h"
#include "io/yaml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WARM_UP 4

static const char plume[] =
    "duration: 100\nframe_rate: 4\n"
    "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: +y, kind: open}]}\n"
    "method: {type: smoke, cell: %.17g%s}\n"
    "fluid: [{name: smoke, temperature: 300, shape: {type: sphere, center: [0.5, 0.2, 0.5], "
    "radius: 0.12}}]\n"
    "emitter: [{center: [0.5, 0.05, 0.5], direction: [0, 1, 0], radius: 0.1, rate: 0.03}]\n"
    "solid: [{shape: {type: sphere, center: [0.5, 0.55, 0.5], radius: 0.12}}]\n";

OndSim *ond_bench_smoke_open(const char *text, OndSceneDef *scene, OndError *err)
{
    OndTree tree = {0};
    OndStatus status = ond_yaml_parse("bench.yaml", text, strlen(text), &tree, err);
    if (status == OND_OK) status = ond_scene_read(&tree, scene, err);
    return status == OND_OK ? ond_sim_make(scene, NULL, err) : NULL;
}

static OndStatus step(OndSim *sim, OndPlumeRow *row, bool counts, OndError *err)
{
    const double before = ond_now_ms(), cores = (double)clock();
    const OndStatus status = ond_sim_step(sim, err);
    const double ms = ond_now_ms() - before;
    if (!counts) return status;
    row->core_ms = fmin(row->core_ms, ((double)clock() - cores) * 1e3 / CLOCKS_PER_SEC);
    if (ms >= row->ms) return status;
    row->ms = ms;
    ond_sim_record(sim, &row->record);
    return status;
}

OndStatus ond_bench_plume(OndPlumeRow *row, const char *keys, int steps, OndError *err)
{
    char text[1024];
    OndSceneDef scene = {0};
    snprintf(text, sizeof text, plume, 1.0 / row->side, keys);
    OndSim *const sim = ond_bench_smoke_open(text, &scene, err);
    OndStatus status = sim ? OND_OK : err->status;
    row->ms = row->core_ms = HUGE_VAL;
    for (int k = 0; k < WARM_UP + steps && status == OND_OK; ++k)
        status = step(sim, row, k >= WARM_UP, err);
    if (status == OND_OK) row->bytes = (double)ond_sim_bytes(sim) / (double)ond_sim_cell_count(sim);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    return status;
}
