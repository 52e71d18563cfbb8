// SPDX-License-Identifier: MIT
// What really melts: shipped scenes whose rigidity differs from place to place and whose contacts
// come and go, each as it is and in eight times its particles, over a window of frames in which it
// melts. A step is held against one of water, measured right after it.
#include "bench/bench_melt.h"

#include "app/run_scene.h"
#include "base/memory.h"
#include "bench/liquid/bench_sph.h"

#include <math.h>
#include <unistd.h>

// Wall clock, s, up to a window and within: room for a machine twice as slow as two idle cores.
#define APPROACH_S 300.0
#define BUDGET_S   120.0
#define QUICK_S    2.0 // each, for a rough look

typedef struct Melting {
    const char *row, *file;
    double finer;      // the scene's spacing is divided by this
    int first, frames; // the window: frames before it, and those in it
} Melting;

// Chosen from the logs of runs: as they are, where rigidity takes most of a step; in eight times
// the particles, as soon as something is soft, since the way there is sixteen times as long.
static const Melting table[OND_MELTING_ROWS] = {
    {"melting-letters", "melting-letters", 1, 84, 12},
    {"chocolate", "chocolate", 1, 60, 6},
    {"candle", "candle", 1, 96, 12},
    {"lava", "lava", 1, 72, 12},
    {"ice-cubes", "ice-cubes", 1, 36, 12},
    {"melting-letters-8x", "melting-letters", 2, 30, 4},
    {"chocolate-8x", "chocolate", 2, 6, 2},
    {"candle-8x", "candle", 2, 18, 4},
    {"lava-8x", "lava", 2, 12, 4},
    {"ice-cubes-8x", "ice-cubes", 2, 18, 4},
};

const char *ond_melting_name(int row)
{
    return row < OND_MELTING_ROWS ? table[row].row : NULL;
}

// Goes to the window as far as its budget of time takes it: what is measured says where it was.
static OndBenchPlan plan_of(const Melting *m, const OndBenchSettings *s)
{
    OndBenchPlan plan = {.warm_up = m->first,
                         .frames = s->frames ? s->frames : m->frames,
                         .warm_up_s = APPROACH_S,
                         .budget_s = BUDGET_S};
    if (s->quick) plan.warm_up_s = plan.budget_s = QUICK_S;
    if (s->budget_s > 0.0) plan.budget_s = s->budget_s;
    if (s->full) plan.warm_up_s = plan.budget_s = HUGE_VAL;
    return plan;
}

// ---- the scene

// These scenes are a folder above the thesis's; a folder that --scenes names may hold both.
static OndStatus find_scene(const char *folder, const char *file, char path[OND_PATH_MAX],
                            OndError *err)
{
    char above[64];
    OndStatus status = ond_bench_path(folder, file, path, err);
    if (status != OND_OK || access(path, R_OK) == 0) return status;
    snprintf(above, sizeof above, "../%.40s", file);
    status = ond_bench_path(folder, above, path, err);
    if (status != OND_OK || access(path, R_OK) == 0) return status;
    return ond_fail(
        err, OND_BAD_VALUE,
        "there is no scene %.300s; run this in Ondine's source folder, or say where its "
        "scenes/thesis is with --scenes DIR",
        path);
}

static OndStatus load(const char *path, double finer, OndSceneDef *out, OndError *err)
{
    char set[OND_TEXTS_MAX][48];
    OndTexts sets = {0};
    const OndStatus status = ond_scene_load(path, NULL, out, err);
    if (status != OND_OK || finer == 1.0) return status;
    for (; sets.count < out->fluids.count && sets.count < OND_TEXTS_MAX; ++sets.count) {
        snprintf(set[sets.count], sizeof *set, "fluid.%d.spacing=%.9g", sets.count,
                 out->spacing / finer);
        sets.item[sets.count] = set[sets.count];
    }
    ond_scene_free(out);
    return ond_scene_load(path, &sets, out, err);
}

// ---- measuring

#define BINS 2001 // iterations, each its own, up to the cap that scenes have if they name none

typedef struct StepTally {
    OndMeltingRow *row;
    int steps, steps_of[BINS]; // by their iterations; those beyond are in the last
} StepTally;

static void count_step(void *context, const OndStepRecord *record)
{
    StepTally *tally = context;
    OndMeltingRow *row = tally->row;
    ++tally->steps;
    const int iterations = record->rigid_iterations;
    ++tally->steps_of[iterations < BINS ? iterations : BINS - 1];
    row->particle_steps += record->particles;
    row->asleep += record->asleep;
    row->solves += record->solves;
    if (iterations > row->most_iterations) row->most_iterations = iterations;
    if (record->solves > row->most_solves) row->most_solves = record->solves;
}

// The fewest iterations that 99 of 100 steps did not exceed.
static int percentile_99(const StepTally *tally)
{
    int bin = 0, below = tally->steps_of[0];
    while (100.0 * below < 99.0 * tally->steps)
        below += tally->steps_of[++bin];
    return bin;
}

static OndStatus measure_water(double *us, OndError *err)
{
    OndBenchRow rows[OND_BENCH_ROWS];
    int count = 0;
    const OndStatus status = ond_bench_sph(true, rows, &count, err);
    if (status == OND_OK) *us = 1e-3 * rows[count - 1].ns; // the last is that of all threads
    return status;
}

static OndStatus measure(const Melting *m, const char *path, const OndBenchSettings *s,
                         OndMeltingRow *row, OndError *err)
{
    OndSceneDef scene;
    StepTally tally = {.row = row};
    OndBenchPlan plan = plan_of(m, s);
    plan.watch = count_step, plan.context = &tally;
    *row = (OndMeltingRow){.scene = m->row};
    OndStatus status = load(path, m->finer, &scene, err);
    if (status != OND_OK) return status;
    ond_bench_show(m->row, NULL);
    status = ond_bench_scene(&scene, &plan, &row->times, err);
    row->moved = row->times.cut || row->times.start < (m->first - 0.5) / scene.frame_rate;
    ond_scene_free(&scene);
    row->iterations_99 = percentile_99(&tally);
    if (status == OND_OK) status = measure_water(&row->water_us, err);
    ond_bench_show(NULL, NULL);
    return status;
}

OndStatus ond_melting_check(const OndBenchSettings *s, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = OND_OK;
    for (int r = 0; s->scenes.count && r < OND_MELTING_ROWS && status == OND_OK; ++r)
        if (ond_bench_wants(s, table[r].row))
            status = find_scene(s->folder, table[r].file, path, err);
    return status;
}

OndStatus ond_melting_measure(const OndBenchSettings *s, OndMeltingRow *rows, int *count,
                              OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = OND_OK;
    *count = 0;
    for (int r = 0; s->solver <= 0 && r < OND_MELTING_ROWS && status == OND_OK; ++r) {
        OndError why = {0};
        if (!ond_bench_wants(s, table[r].row)) continue;
        if (find_scene(s->folder, table[r].file, path, &why) != OND_OK) {
            fprintf(stderr, "note: %s is not measured: %s\n", table[r].row, why.text);
            continue;
        }
        status = measure(&table[r], path, s, &rows[*count], err);
        if (status != OND_OK) break;
        if (!s->json) ond_melting_print_row(&rows[*count], *count == 0);
        ++*count;
    }
    return status;
}
