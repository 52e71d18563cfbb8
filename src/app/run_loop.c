// SPDX-License-Identifier: MIT
#include "app/run_loop.h"

#include "app/render_frames.h"
#include "app/run_scene.h"
#include "app/run_stop.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "io/film.h"
#include "lib/scene_notes.h"

#include <string.h>

// ---- starting

// out/dam-break for scenes/dam-break.yaml.
static OndStatus default_folder(const char *scene, char out[OND_PATH_MAX], OndError *err)
{
    const char *slash = strrchr(scene, '/');
    const char *name = slash ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (ond_scene_is_folder(scene)) {
        if (snprintf(out, OND_PATH_MAX, "%s", scene) < OND_PATH_MAX) return OND_OK;
    } else if (length > 0 && length < 256) {
        snprintf(out, OND_PATH_MAX, "out/%.*s", length, name);
        return OND_OK;
    }
    return ond_fail(err, OND_BAD_VALUE, "no folder can be named after '%.80s'; give one with -o",
                    scene);
}

OndStatus ond_runner_open_folder(OndRunner *run, const char *folder, OndRunMode mode, OndError *err)
{
    const OndStatus status = ond_run_open(folder, mode, &run->folder, err);
    if (status != OND_BAD_VALUE) return status;
    const size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, " (%s)",
             mode == OND_RUN_NEW ? "--resume, --force or -o" : "-o");
    return status;
}

static OndStatus start_new(OndRunner *run, const char *folder, OndError *err)
{
    char path[OND_PATH_MAX];
    run->sim = ond_sim_create(run->given, &ond_run_unasked, err);
    if (!run->sim) return err->status;
    ond_notes_of_sim(run->sim, run->options.quiet ? NULL : ond_print_note, stderr);
    OndStatus status =
        ond_runner_open_folder(run, folder, run->options.force ? OND_RUN_FORCE : OND_RUN_NEW, err);
    if (status == OND_OK)
        status = ond_scene_save(ond_run_path(&run->folder, OND_RUN_SCENE, 0, path), &run->scene,
                                &run->options.sets, err);
    if (status == OND_OK) status = ond_runner_open_log(run, -1, err);
    if (status == OND_OK)
        status = ond_probe_tables_open(&run->folder, run->sim, false, &run->probes, err);
    if (status == OND_OK) status = ond_runner_open_pictures(run, err);
    if (status == OND_OK) status = ond_runner_put_frame(run, err);
    return status == OND_OK ? ond_runner_put_checkpoint(run, err) : status;
}

static OndStatus load(OndRunner *run, char folder[OND_PATH_MAX], OndError *err)
{
    const OndRunOptions *o = &run->options;
    double start = 0.0, poured = 0.0;
    OndStatus status = ond_scene_open(o->scene, &o->sets, &run->given, err);
    if (status == OND_OK) status = ond_scene_definitions(run->given, &run->scene, err);
    if (status == OND_OK) status = ond_scene_count(&run->scene, 0, &start, &poured, err);
    if (status != OND_OK) return status;
    if (!o->quiet && !o->resume) ond_notes_of_scene(&run->scene, ond_print_note, stderr);
    run->last_frame = ond_sim_frame_count(&run->scene) - 1;
    if (o->frames > 0 && o->frames < run->last_frame) run->last_frame = o->frames;
    if (!o->folder) return default_folder(o->scene, folder, err);
    if (snprintf(folder, OND_PATH_MAX, "%s", o->folder) < OND_PATH_MAX) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "the folder's path is longer than %d characters",
                    OND_PATH_MAX - 1);
}

OndStatus ond_runner_start(OndRunner *run, OndError *err)
{
    char folder[OND_PATH_MAX];
    const bool silent = run->options.json || run->options.quiet;
    run->kept_step = -1;
    run->start_ms = ond_now_ms();
    ond_threads_set(run->options.threads);
    ond_progress_begin(&run->progress, stderr, silent ? OND_PROGRESS_QUIET : OND_PROGRESS_AUTO);
    OndStatus status = run->options.film ? ond_film_here(err) : OND_OK;
    if (status == OND_OK) status = load(run, folder, err);
    if (status != OND_OK) return status;
    return run->options.resume ? ond_runner_resume(run, folder, err) : start_new(run, folder, err);
}

// ---- going

static void show(OndRunner *run, const OndStepRecord *record)
{
    const OndProgressNow now = {.label = "run",
                                .frame = ond_sim_frame_index(run->sim),
                                .frames = run->last_frame,
                                .frame_done = ond_sim_at_frame(run->sim),
                                .time = record->time,
                                .duration = run->last_frame / run->scene.frame_rate,
                                .particles = record->particles,
                                .cells = record->cells,
                                .dt = record->dt,
                                .steps = record->step};
    ond_progress_show(&run->progress, &now);
}

static OndStatus advance(OndRunner *run, OndStepRecord *record, OndError *err)
{
    const double before = ond_now_ms();
    const OndStatus status = ond_sim_step(run->sim, err);
    if (status != OND_OK) return status;
    run->step_ms += ond_now_ms() - before;
    ond_sim_record(run->sim, record);
    run->particle_steps += record->particles + (double)record->cells;
    const OndStatus rows = ond_probe_tables_add(run->probes, run->sim, err);
    return rows == OND_OK ? ond_step_log_add(run->log, record, err) : rows;
}

OndStatus ond_runner_go(OndRunner *run, OndError *err)
{
    OndStatus status = OND_OK;
    while (status == OND_OK && ond_sim_frame_index(run->sim) < run->last_frame) {
        OndStepRecord record;
        run->signal = ond_stop_asked();
        if (run->signal) break;
        status = advance(run, &record, err);
        if (status == OND_OK && ond_sim_at_frame(run->sim)) status = ond_runner_put_frame(run, err);
        if (status == OND_OK && ond_runner_checkpoint_due(run))
            status = ond_runner_put_checkpoint(run, err);
        if (status == OND_OK) show(run, &record);
    }
    // The end, or a place to go on from.
    if (status == OND_OK) status = ond_runner_put_checkpoint(run, err);
    ond_progress_end(&run->progress);
    return status;
}

// ---- ending

// A run that is whole, with pictures that are not: what happened and how to have them all.
static OndStatus say_incomplete(OndRunner *run, OndError *err)
{
    run->incomplete = true;
    return ond_fail(err, run->no_pictures.status,
                    "the simulation is done and all its frames are kept, but %s from frame %d on: "
                    "%.500s. When that is mended: ondine render %.200s",
                    run->options.film ? "the film is incomplete, nothing was drawn"
                                      : "no pictures were drawn",
                    run->pictures_end, run->no_pictures.text, run->folder.path);
}

// What is finished of a film is worth watching even if the run was not.
static OndStatus end_film(OndRunner *run, OndStatus status, OndError *err)
{
    if (status == OND_IO || !run->options.film) {
        ond_pictures_abandon(run->pictures);
        run->pictures = NULL;
        return status;
    }
    OndError own = {0};
    OndStatus film = ond_pictures_close(run->pictures, &own);
    run->pictures = NULL;
    if (film == OND_OK && run->remake_film && status == OND_OK && !run->signal)
        film = ond_render_run_film(&run->folder, &run->scene,
                                   run->options.json || run->options.quiet, &own);
    else if (run->remake_film)
        return status;
    run->film_made = film == OND_OK;
    if (status != OND_OK || film == OND_OK) return status;
    *err = own;
    return film;
}

OndStatus ond_runner_finish(OndRunner *run, OndStatus status, OndError *err)
{
    OndError own = {0};
    run->faults = ond_step_log_faults(run->log);
    OndStatus log = ond_step_log_close(run->log, &own);
    run->log = NULL;
    const OndStatus rows = ond_probe_tables_close(run->probes, log == OND_OK ? &own : NULL);
    run->probes = NULL;
    if (log == OND_OK) log = rows;
    if (status == OND_OK && log != OND_OK) {
        *err = own;
        status = log;
    }
    const OndStatus film = end_film(run, status, err);
    if (status != OND_OK || run->no_pictures.status == OND_OK) return film;
    return run->signal ? OND_OK : say_incomplete(run, err);
}

void ond_runner_free(OndRunner *run)
{
    ond_step_log_close(run->log, NULL);
    ond_pvd_close(run->collection);
    ond_probe_tables_close(run->probes, NULL);
    ond_pictures_abandon(run->pictures);
    ond_sim_destroy(run->sim);
    ond_scene_free(&run->scene);
    ond_scene_destroy(run->given);
    ond_run_close(&run->folder);
    run->log = NULL;
    run->collection = NULL;
    run->probes = NULL;
    run->pictures = NULL;
    run->sim = NULL;
    run->given = NULL;
}
