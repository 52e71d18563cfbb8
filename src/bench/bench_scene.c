// SPDX-License-Identifier: MIT
#include "bench/bench.h"

#include "app/run_scene.h"
#include "base/clock.h"
#include "base/words.h"
#include "io/file.h"
#include "sim/sim.h"

#include <string.h>
#include <unistd.h>

const char *const ond_bench_solvers[] = {"global", "thesis", NULL};

// ---- against the clock

static double rigid_ms(const OndStepRecord *record)
{
    for (int p = 0; p < record->phase_count; ++p)
        if (strcmp(record->phase_names[p], "rigidity") == 0) return record->phase_ms[p];
    return 0.0;
}

static OndStatus step(OndSim *sim, OndSceneTimes *times, OndStepRecord *record, OndError *err)
{
    const double before = ond_now_ms();
    const OndStatus status = ond_sim_step(sim, err);
    if (status != OND_OK) return status;
    times->seconds += 1e-3 * (ond_now_ms() - before);
    ond_sim_record(sim, record);
    times->particles = record->particles;
    times->simulated += record->dt;
    times->rigid_s += 1e-3 * rigid_ms(record);
    times->iterations += record->iterations;
    times->rigid_iterations += record->rigid_iterations;
    times->unconverged += record->unconverged;
    times->unsettled += record->unsettled;
    ++times->steps;
    return OND_OK;
}

// One part of the plan: until its frames are done, its budget is spent, or the scene is over.
static OndStatus go(OndSim *sim, const OndBenchPlan *plan, bool measured, OndSceneTimes *times,
                    OndError *err)
{
    const int last = ond_sim_frame_index(sim) + (measured ? plan->frames : plan->warm_up);
    const double budget_s = measured ? plan->budget_s : plan->warm_up_s;
    OndStepRecord record;
    OndStatus status = OND_OK;
    *times = (OndSceneTimes){.start = ond_sim_time(sim)};
    while (status == OND_OK && !ond_sim_done(sim) && ond_sim_frame_index(sim) < last) {
        times->cut = times->steps > 0 && times->seconds >= budget_s;
        if (times->cut) break;
        status = step(sim, times, &record, err);
        if (status != OND_OK || !measured) continue;
        if (plan->watch) plan->watch(plan->context, &record);
        if (plan->look && ond_sim_at_frame(sim)) plan->look(plan->context, sim);
    }
    return status;
}

static OndStatus run(OndSim *sim, const OndBenchPlan *plan, OndSceneTimes *out, OndError *err)
{
    OndStatus status = go(sim, plan, false, out, err);
    if (status == OND_OK) status = go(sim, plan, true, out, err);
    if (status == OND_OK && out->steps == 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "the scene ends within the %d frames before the measured ones; give it a "
                        "longer duration",
                        plan->warm_up);
    return status;
}

static int count_moving(OndSim *sim)
{
    OndFrame frame;
    ond_sim_frame(sim, &frame);
    const OndField *const held = ond_fields_find(&frame.particles, "held");
    int moving = frame.particles.count;
    for (int i = 0; held && i < frame.particles.count; ++i)
        moving -= ((const uint32_t *)held->data[0])[i] != 0;
    return moving;
}

OndStatus ond_bench_scene(const OndSceneDef *scene, const OndBenchPlan *plan, OndSceneTimes *out,
                          OndError *err)
{
    OndError own = {0};
    memset(out, 0, sizeof *out);
    OndSim *sim = ond_sim_make(scene, &ond_scene_assets, err);
    if (!sim) return err->status;
    const int moving = count_moving(sim);
    const OndStatus status = run(sim, plan, out, &own);
    out->moving = moving;
    out->frames = out->simulated * scene->frame_rate;
    ond_sim_destroy(sim);
    if (status == OND_UNSTABLE)
        snprintf(out->error, sizeof out->error, "%.*s", (int)sizeof out->error - 1, own.text);
    else if (status != OND_OK)
        *err = own;
    return status == OND_UNSTABLE ? OND_OK : status;
}

// ---- from a file

OndStatus ond_bench_path(const char *folder, const char *name, char out[OND_PATH_MAX],
                         OndError *err)
{
    const int length = snprintf(out, OND_PATH_MAX, "%s/%s.yaml", folder, name);
    if (length >= 0 && length < OND_PATH_MAX) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "the path of --scenes is longer than %d characters",
                    OND_PATH_MAX - 1);
}

OndStatus ond_bench_load(const char *folder, const char *name, const OndTexts *sets,
                         const char *solver, OndSceneDef *out, OndError *err)
{
    char path[OND_PATH_MAX], set[64];
    OndTexts all = sets ? *sets : (OndTexts){0};
    snprintf(set, sizeof set, "method.rigidity.solver=%.30s", solver ? solver : "");
    // the type too: a scene without the section has no place for a solver
    if (solver) all.item[all.count++] = "method.type=sph", all.item[all.count++] = set;
    const OndStatus status = ond_bench_path(folder, name, path, err);
    return status == OND_OK ? ond_scene_load(path, &all, out, err) : status;
}

OndStatus ond_bench_scene_file(const char *folder, const char *name, const char *solver,
                               const OndBenchPlan *plan, OndSceneTimes *out, OndError *err)
{
    OndSceneDef scene;
    OndStatus status = ond_bench_load(folder, name, NULL, solver, &scene, err);
    if (status != OND_OK) return status;
    ond_bench_show(name, solver);
    status = ond_bench_scene(&scene, plan, out, err);
    ond_bench_show(NULL, NULL);
    ond_scene_free(&scene);
    return status;
}

// ---- choosing rows

bool ond_bench_wants(const OndBenchSettings *settings, const char *name)
{
    for (int k = 0; k < settings->scenes.count; ++k)
        if (strcmp(settings->scenes.item[k], name) == 0) return true;
    return settings->scenes.count == 0;
}

OndStatus ond_bench_check_names(const OndBenchSettings *settings, OndBenchName *name, OndError *err)
{
    const char *names[64];
    int count = 0;
    while (count < OND_COUNT(names) && name(count))
        names[count] = name(count), ++count;
    for (int k = 0; k < settings->scenes.count; ++k) {
        const char *typed = settings->scenes.item[k];
        bool known = false;
        for (int n = 0; n < count; ++n)
            known |= strcmp(names[n], typed) == 0;
        if (known) continue;
        const char *near = ond_word_nearest(typed, names, count);
        return ond_fail(err, OND_BAD_VALUE,
                        "no row of this table is called '%.60s'; %s '%s', and leaving out --scene "
                        "measures all",
                        typed, near ? "did you mean" : "the first is", near ? near : names[0]);
    }
    return OND_OK;
}

OndStatus ond_bench_check_files(const OndBenchSettings *settings, OndBenchName *name,
                                OndBenchName *file, OndError *err)
{
    char path[OND_PATH_MAX];
    for (int k = 0; name(k); ++k) {
        if (!ond_bench_wants(settings, name(k))) continue;
        const OndStatus status = ond_bench_path(settings->folder, file(k), path, err);
        if (status != OND_OK) return status;
        if (access(path, R_OK) == 0) continue;
        return ond_fail(err, OND_BAD_VALUE,
                        "there is no scene %.300s; run this in Ondine's source folder, or say "
                        "where that folder is with --scenes DIR",
                        path);
    }
    return OND_OK;
}

OndStatus ond_bench_wrong_rows(int count, OndError *err)
{
    if (count == 0) return OND_OK;
    return ond_fail(err, OND_UNSTABLE, "%d of the scenes went wrong on the way; the table says why",
                    count);
}

void ond_bench_show(const char *scene, const char *solver)
{
    if (!isatty(STDERR_FILENO)) return;
    if (scene)
        fprintf(stderr, "\r\033[Kmeasuring %s%s%s", scene, solver ? ", " : "",
                solver ? solver : "");
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}
