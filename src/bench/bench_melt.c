// SPDX-License-Identifier: MIT
// The first table of Dagenais 2012: what rigidity costs, for each of its scenes and both solvers;
// how the iterations of `global` grow with the number of particles, and what really melts
// (bench_melt_scenes.c).
#include "bench/bench_melt.h"

#include "base/memory.h"
#include "io/scene_sections.h"
#include "io/yaml.h"
#include "sim/scene/scene_missing.h"

#include <math.h>

#define WARM_UP      4   // frames
#define WARM_UP_S    5.0 // wall clock, s
#define FRAMES       24
#define BUDGET_S     20.0 // wall clock of a row, s
#define QUICK_S      2.0
#define SCALING_NAME "scaling"
#define ARMS_SPACING 0.0121 // m: 17.1k particles of the armadillo move

const OndThesisRow ond_thesis_table[OND_MELT_SCENES] = {
    {"blocks-s0.00", 52700, 17.0, 1.0, 16.2, 0.33, NULL, 0},
    {"blocks-s0.25", 52700, 88.1, 9.0, 9.7, 0.88, NULL, 0},
    {"blocks-s0.50", 52700, 90.2, 9.9, 9.0, 0.89, NULL, 0},
    {"blocks-s0.75", 52700, 56.8, 7.4, 7.6, 0.91, NULL, 0},
    {"blocks-s0.90", 52700, 94.5, 14.5, 6.4, 0.92, NULL, 0},
    {"blocks-s0.99", 52700, 65.5, 17.1, 3.8, 0.94, NULL, 0},
    {"blocks-s1.00", 52700, 23.5, 21.4, 1.1, 0.97, NULL, 0},
    {"bunny", 52400, 480.1, 50.3, 9.5, 0.97, NULL, 0},
    {"armadillo", 17100, 165.2, 14.1, 11.6, 0.92, NULL, 0},
    // only what is beyond the shoulders is simulated there: its 17.1k may be that alone
    {"armadillo-moving", 17100, 165.2, 14.1, 11.6, 0.92, "armadillo", ARMS_SPACING},
    {"h-a", 55700, 619.7, 49.3, 12.5, 0.97, NULL, 0},
    {"h-b", 55700, 848.7, 53.1, 15.9, 0.98, NULL, 0},
};

static const char *file_of(const OndThesisRow *row)
{
    return row->file ? row->file : row->scene;
}

static const char *scene_name(int row)
{
    return row < OND_MELT_SCENES ? ond_thesis_table[row].scene : NULL;
}

static const char *file_name(int row)
{
    return row < OND_MELT_SCENES ? file_of(&ond_thesis_table[row]) : NULL;
}

static const char *row_name(int row)
{
    if (row < OND_MELT_SCENES) return scene_name(row);
    return row == OND_MELT_SCENES ? SCALING_NAME : ond_melting_name(row - OND_MELT_SCENES - 1);
}

static OndBenchPlan plan_of(const OndBenchSettings *s)
{
    OndBenchPlan plan = {.warm_up = WARM_UP,
                         .frames = s->frames ? s->frames : FRAMES,
                         .warm_up_s = WARM_UP_S,
                         .budget_s = BUDGET_S};
    if (s->quick) plan.warm_up = 1, plan.warm_up_s = 0.25 * QUICK_S, plan.budget_s = QUICK_S;
    if (s->budget_s > 0.0) plan.budget_s = s->budget_s, plan.warm_up_s = 0.25 * s->budget_s;
    if (s->full) plan.warm_up_s = plan.budget_s = HUGE_VAL;
    return plan;
}

// ---- the scenes

static OndStatus load(const OndThesisRow *row, const char *solver, const OndBenchSettings *s,
                      OndSceneDef *out, OndError *err)
{
    char set[48];
    OndTexts sets = {.item = {set}, .count = row->spacing > 0.0};
    snprintf(set, sizeof set, "fluid.0.spacing=%.9g", row->spacing);
    return ond_bench_load(s->folder, file_of(row), &sets, solver, out, err);
}

static void count_one(const char *path, void *count)
{
    (void)path;
    ++*(int *)count;
}

// How many of its meshes are not there, so that others stand in for them.
static OndStatus count_missing(const OndThesisRow *row, const OndBenchSettings *s, int *out,
                               OndError *err)
{
    OndSceneDef scene;
    *out = 0;
    const OndStatus status = load(row, NULL, s, &scene, err);
    if (status != OND_OK) return status;
    ond_scene_missing(&scene, count_one, out);
    ond_scene_free(&scene);
    return OND_OK;
}

static OndStatus measure(OndMelt *melt, const OndThesisRow *thesis, const char *solver,
                         const OndBenchSettings *s, OndError *err)
{
    OndMeltRow *row = &melt->row[melt->count];
    OndSceneDef scene;
    int missing = 0;
    *row = (OndMeltRow){.solver = solver, .thesis = thesis};
    OndStatus status = load(thesis, solver, s, &scene, err);
    if (status != OND_OK) return status;
    ond_scene_missing(&scene, count_one, &missing);
    snprintf(row->scene, sizeof row->scene, "%s%s", thesis->scene, missing ? " (stand-in)" : "");
    ond_bench_show(row->scene, solver);
    status = ond_bench_scene(&scene, &melt->plan, &row->times, err);
    ond_bench_show(NULL, NULL);
    ond_scene_free(&scene);
    if (status != OND_OK) return status;
    if (melt->count++ == 0 && !s->json) ond_melt_print_columns();
    if (!s->json) ond_melt_print_row(row);
    return OND_OK;
}

// Not a figure of balls under the bunny's name.
static OndStatus measure_or_refuse(OndMelt *melt, int r, const OndBenchSettings *s, OndError *err)
{
    const OndThesisRow *const row = &ond_thesis_table[r];
    int missing;
    OndStatus status = count_missing(row, s, &missing, err);
    if (status == OND_OK && missing && !s->stand_ins) {
        melt->refused[melt->refused_count++] = row->scene;
        return OND_OK;
    }
    for (int k = 0; ond_bench_solvers[k] && status == OND_OK; ++k)
        if (s->solver < 0 || s->solver == k)
            status = measure(melt, row, ond_bench_solvers[k], s, err);
    return status;
}

static OndStatus measure_scenes(OndMelt *melt, const OndBenchSettings *s, OndError *err)
{
    OndStatus status = OND_OK;
    for (int r = 0; r < OND_MELT_SCENES && status == OND_OK; ++r)
        if (ond_bench_wants(s, scene_name(r))) status = measure_or_refuse(melt, r, s, err);
    return status;
}

// Before anything is measured: rows that were asked for by name have their files and meshes.
static OndStatus check_scenes(const OndBenchSettings *s, OndError *err)
{
    OndStatus status = ond_bench_check_files(s, scene_name, file_name, err);
    for (int r = 0; r < OND_MELT_SCENES && status == OND_OK; ++r) {
        int missing = 0;
        if (s->scenes.count == 0 || !ond_bench_wants(s, scene_name(r)) || s->stand_ins) continue;
        status = count_missing(&ond_thesis_table[r], s, &missing, err);
        if (missing) return ond_fail(err, OND_BAD_VALUE, OND_MELT_REFUSED, scene_name(r));
    }
    return status;
}

// ---- scaling

// A column that stands on a held base, `layers` particles to the width, softer towards the top (s
// from 0.99 to 0.7): where rigidity is the same everywhere, the answer is known and nothing would
// be measured. The finer ones are the same column in eight and 64 times the particles.
static OndStatus make_column(int layers, OndSceneDef *out, OndError *err)
{
    char text[1024];
    const double width = 0.3, height = 0.62, base = 0.06, spacing = width / layers;
    const int length = snprintf(
        text, sizeof text,
        "{duration: 4, domain: {min: [0, 0, 0], max: [1, 1, 1]}, fluid: ["
        "{spacing: %.9g, rigidity: 1, fixed: true, shape: {type: box, min: [0.35, 0, 0.35], "
        "max: [%.9g, %.9g, %.9g]}}, "
        "{spacing: %.9g, T_solid: 0, T_liquid: 100, shape: {type: box, min: [0.35, %.9g, 0.35], "
        "max: [%.9g, %.9g, %.9g]}, regions: [{shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}, "
        "temperature: 1, to_temperature: 30, from: [0, %.9g, 0], to: [0, %.9g, 0]}]}]}",
        spacing, 0.35 + width, base, 0.35 + width, spacing, base, 0.35 + width, height,
        0.35 + width, base, height);
    OndTree tree = {0};
    const OndStatus status = ond_yaml_parse("column", text, (size_t)length, &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

// All columns over the same simulated time: that of one frame, which the finest takes minutes for.
static OndBenchPlan column_plan(const OndBenchSettings *s)
{
    const OndBenchPlan plan = {.warm_up = 1,
                               .frames = s->frames ? s->frames : 1,
                               .warm_up_s = HUGE_VAL,
                               .budget_s = HUGE_VAL};
    const OndBenchPlan rough = {.frames = 1, .budget_s = QUICK_S};
    return s->quick && !s->full ? rough : plan;
}

static OndStatus measure_column(OndMelt *melt, int layers, const OndBenchPlan *plan, OndError *err)
{
    OndMeltRow *row = &melt->scaling[melt->scaling_count];
    OndSceneDef scene;
    *row = (OndMeltRow){.scene = "column", .solver = ond_bench_solvers[0]};
    OndStatus status = make_column(layers, &scene, err);
    if (status != OND_OK) return status;
    ond_bench_show(row->scene, row->solver);
    status = ond_bench_scene(&scene, plan, &row->times, err);
    ond_bench_show(NULL, NULL);
    ond_scene_free(&scene);
    if (status == OND_OK) ++melt->scaling_count;
    return status;
}

static OndStatus measure_scaling(OndMelt *melt, const OndBenchSettings *s, OndError *err)
{
    if (!ond_bench_wants(s, SCALING_NAME) || s->solver > 0) return OND_OK;
    const OndBenchPlan plan = column_plan(s);
    OndStatus status = measure_column(melt, 15, &plan, err);
    if (status == OND_OK) status = measure_column(melt, 30, &plan, err);
    if (status == OND_OK && !s->quick) status = measure_column(melt, 60, &plan, err);
    return status;
}

// ---- all of it

static int count_wrong(const OndMelt *melt)
{
    int count = 0;
    for (int k = 0; k < melt->count; ++k)
        count += melt->row[k].times.error[0] != '\0';
    for (int k = 0; k < melt->scaling_count; ++k)
        count += melt->scaling[k].times.error[0] != '\0';
    for (int k = 0; k < melt->melting_count; ++k)
        count += melt->melting[k].times.error[0] != '\0';
    return count;
}

OndStatus ond_bench_melt(const OndBenchSettings *settings, OndError *err)
{
    OndMelt melt = {.plan = plan_of(settings)};
    OndStatus status = ond_bench_check_names(settings, row_name, err);
    if (status == OND_OK) status = check_scenes(settings, err);
    if (status == OND_OK) status = ond_melting_check(settings, err);
    if (status != OND_OK) return status;
    ond_machine_measure(&melt.machine);
    if (!settings->json) ond_melt_print_head(&melt);
    status = measure_scenes(&melt, settings, err);
    if (status == OND_OK) status = measure_scaling(&melt, settings, err);
    if (status == OND_OK && !settings->json) ond_melt_print_end(&melt);
    if (status == OND_OK)
        status = ond_melting_measure(settings, melt.melting, &melt.melting_count, err);
    if (status != OND_OK) return status;
    if (settings->json)
        ond_melt_json(&melt);
    else
        ond_melting_print_end(melt.melting, melt.melting_count);
    return ond_bench_wrong_rows(count_wrong(&melt), err);
}
