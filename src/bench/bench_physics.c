// SPDX-License-Identifier: MIT
// ondine bench physics: every scene of scenes/validation against its reference.
//
// A figure that is further off than it may be is a failure of the command, so that it can stand
// guard; so is a scene that goes wrong on the way.
#include "bench/bench_physics.h"

#include "app/run_scene.h"
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"

#include <math.h>
#include <string.h>

typedef struct PhysicsRow {
    const OndPhysicsCase *of;
    double got[OND_PHYSICS_FIGURES];
    double seconds; // on the wall clock
    int particles;
    long long cells;
    char error[256]; // why it went wrong; "": it did not
} PhysicsRow;

// ---- a scene on its way

static const float *component(const OndTrial *t, const char *name, int axis)
{
    OndFieldView f;
    return ond_sim_find_field(t->sim, OND_PARTICLES, name, &f) ? f.data[axis] : NULL;
}

static void look(OndTrial *t)
{
    for (int a = 0; a < 3; ++a) {
        t->x[a] = component(t, "position", a);
        t->v[a] = component(t, "velocity", a);
    }
    t->pressure = component(t, "pressure", 0);
    t->temperature = component(t, "temperature", 0);
    t->rigidity = component(t, "rigidity", 0);
    t->count = ond_sim_particle_count(t->sim);
}

OndStatus ond_trial_step(OndTrial *t, OndError *err)
{
    const OndStatus status = ond_sim_step(t->sim, err);
    if (status == OND_OK) look(t);
    return status;
}

OndStatus ond_trial_run(OndTrial *t, double time, OndError *err)
{
    OndStatus status = OND_OK;
    while (status == OND_OK && ond_sim_time(t->sim) < time - 1e-9 * t->duration)
        status = ond_trial_step(t, err);
    return status;
}

OndStatus ond_trial_period(OndTrial *t, double from, OndSwing *swing, double *period, OndError *err)
{
    double crossing[3] = {0.0, 0.0, 0.0};
    int found = 0;
    OndStatus status = ond_trial_run(t, from, err);
    double before = swing(t);
    while (status == OND_OK && found < 3 && !ond_sim_done(t->sim)) {
        const double then = ond_sim_time(t->sim);
        status = ond_trial_step(t, err);
        const double now = swing(t), step = ond_sim_time(t->sim) - then;
        if (before * now < 0.0) crossing[found++] = then + step * before / (before - now);
        before = now;
    }
    *period = found == 3 ? crossing[2] - crossing[0] : 0.0;
    return status;
}

static OndStatus open_scene(const OndBenchSettings *settings, const char *name, OndTrial *trial,
                            OndScene **scene, OndError *err)
{
    char path[OND_PATH_MAX];
    OndSceneInfo info = {0};
    OndEstimate has = {0};
    OndStatus status = ond_bench_path(settings->folder, name, path, err);
    if (status == OND_OK) status = ond_scene_open(path, NULL, scene, err);
    if (status == OND_OK) status = ond_scene_described(*scene, &info, err);
    if (status == OND_OK) status = ond_scene_estimate(*scene, &has, err);
    trial->duration = info.duration;
    trial->spacing = has.spacing;
    return status;
}

static OndStatus measure(const OndBenchSettings *settings, PhysicsRow *row, OndError *err)
{
    OndScene *scene = NULL;
    OndTrial trial = {.sim = NULL};
    OndError own = {0};
    const double start = ond_now_ms();
    OndStatus status = open_scene(settings, row->of->scene, &trial, &scene, err);
    if (status == OND_OK) trial.sim = ond_sim_create(scene, NULL, &own);
    ond_scene_destroy(scene);
    if (status != OND_OK) return status;
    status = trial.sim ? OND_OK : own.status;
    if (trial.sim) look(&trial);
    if (status == OND_OK) status = row->of->measure(&trial, row->got, &own);
    if (status != OND_OK) snprintf(row->error, sizeof row->error, "%.255s", own.text);
    row->seconds = 1e-3 * (ond_now_ms() - start);
    row->particles = trial.sim ? ond_sim_particle_count(trial.sim) : 0;
    row->cells = trial.sim ? ond_sim_cell_count(trial.sim) : 0;
    ond_sim_destroy(trial.sim);
    return status == OND_NO_MEMORY ? ond_fail(err, status, "%s", own.text) : OND_OK;
}

// ---- what a row says

static bool holds(const OndFigure *f, double got)
{
    return fabs(got - f->want) <= f->within; // written so that NaN fails
}

// As a share of the reference where there is one, else in the figure's own unit.
static void print_off(const OndFigure *f, double off, bool sign)
{
    if (f->want != 0.0)
        printf(sign ? "%+.1f %%" : "%.1f %%", 100.0 * off / fabs(f->want));
    else
        printf(sign ? "%+.2g" : "%.2g", off);
}

static void print_row(const PhysicsRow *row)
{
    char size[48];
    if (row->cells > 0)
        snprintf(size, sizeof size, "%lld cells", row->cells);
    else
        snprintf(size, sizeof size, "%d particles", row->particles);
    for (int k = 0; k < ond_physics_figures(row->of); ++k) {
        const OndFigure *const f = &row->of->figure[k];
        printf("| %s | %s | %s%s%s | ", k ? "" : row->of->scene, k ? "" : size, f->name,
               f->unit ? ", " : "", f->unit ? f->unit : "");
        if (row->error[0]) {
            printf("%.4g | went wrong | | | no |\n", f->want);
            continue;
        }
        printf("%.4g | %.4g | ", f->want, row->got[k]);
        print_off(f, row->got[k] - f->want, true);
        fputs(" | ", stdout);
        print_off(f, f->within, false);
        printf(" | %s |\n", holds(f, row->got[k]) ? "yes" : "**no**");
    }
}

static void print_markdown(const OndMachine *machine, const PhysicsRow *row, int count)
{
    fputs("## physics\n\n", stdout);
    ond_machine_print(machine);
    fputs("\n\n| scene | size | figure | reference | Ondine | error | accepted | holds |\n"
          "|:--|--:|:--|--:|--:|--:|--:|:--|\n",
          stdout);
    for (int k = 0; k < count; ++k)
        print_row(&row[k]);
    double seconds = 0.0;
    for (int k = 0; k < count; ++k)
        seconds += row[k].seconds;
    printf("\nAll of it took %.0f s. References: ", seconds);
    for (int k = 0; k < count; ++k)
        printf("%s%s: %s", k ? "; " : "", row[k].of->scene, row[k].of->source);
    puts(".");
    for (int k = 0; k < count; ++k)
        if (row[k].error[0]) printf("\n%s went wrong: %s\n", row[k].of->scene, row[k].error);
}

static void print_json(const OndMachine *machine, const PhysicsRow *row, int count)
{
    fputs("{\"bench\":\"physics\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0, rows = 0; k < count; ++k)
        for (int f = 0; f < ond_physics_figures(row[k].of); ++f) {
            const OndFigure *const figure = &row[k].of->figure[f];
            const bool good = !row[k].error[0] && isfinite(row[k].got[f]);
            printf("%s{\"scene\":\"%s\",\"figure\":\"%s\",\"unit\":\"%s\",\"reference\":%.9g,",
                   rows++ ? "," : "", row[k].of->scene, figure->name,
                   figure->unit ? figure->unit : "", figure->want);
            if (good)
                printf("\"ondine\":%.9g,", row[k].got[f]);
            else
                fputs("\"ondine\":null,", stdout);
            printf("\"accepted\":%.9g,\"holds\":%s,\"seconds\":%.3f}", figure->within,
                   good && holds(figure, row[k].got[f]) ? "true" : "false", row[k].seconds);
        }
    puts("]}");
}

// ---- all

static const char *case_name(int k)
{
    return k < ond_physics_case_count ? ond_physics_cases[k].scene : NULL;
}

static bool wanted(const OndBenchSettings *settings, const OndPhysicsCase *c)
{
    return ond_bench_wants(settings, c->scene) &&
           (c->quick || !settings->quick || settings->scenes.count > 0);
}

static int figures_off(const PhysicsRow *row, int count)
{
    int off = 0;
    for (int k = 0; k < count; ++k)
        for (int f = 0; f < ond_physics_figures(row[k].of); ++f)
            off += row[k].error[0] || !holds(&row[k].of->figure[f], row[k].got[f]);
    return off;
}

static OndStatus measure_all(const OndBenchSettings *settings, PhysicsRow *row, int *count,
                             OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < ond_physics_case_count && status == OND_OK; ++k) {
        if (!wanted(settings, &ond_physics_cases[k])) continue;
        row[*count].of = &ond_physics_cases[k];
        ond_bench_show(ond_physics_cases[k].scene, NULL);
        status = measure(settings, &row[(*count)++], err);
    }
    ond_bench_show(NULL, NULL);
    return status;
}

OndStatus ond_bench_physics(const OndBenchSettings *settings, OndError *err)
{
    int count = 0;
    OndMachine machine;
    OndStatus status = ond_bench_check_names(settings, case_name, err);
    if (status == OND_OK) status = ond_bench_check_files(settings, case_name, case_name, err);
    if (status != OND_OK) return status;
    PhysicsRow *const row = OND_NEW_ARRAY(PhysicsRow, ond_physics_case_count);
    if (!row) return ond_fail(err, OND_NO_MEMORY, "no memory for the table");
    status = measure_all(settings, row, &count, err);
    if (status == OND_OK) {
        ond_machine_measure(&machine);
        if (settings->json)
            print_json(&machine, row, count);
        else
            print_markdown(&machine, row, count);
        const int off = figures_off(row, count);
        if (off > 0)
            status =
                ond_fail(err, OND_UNSTABLE,
                         "%d figure%s of the table %s further from the reference than accepted",
                         off, off == 1 ? "" : "s", off == 1 ? "is" : "are");
    }
    ond_free(row);
    return status;
}
