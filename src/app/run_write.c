// SPDX-License-Identifier: MIT
// What a run writes: frames, pictures, checkpoints, the log.
#include "app/props.h"
#include "app/run_loop.h"
#include "base/clock.h"
#include "io/formats/formats.h"
#include "io/formats/vtk.h"
#include "io/run_foam.h"
#include "io/scene_sections.h"
#include "lib/render_look.h"

// A line in the collection for ParaView.
static OndStatus list_file(OndRunner *run, OndRunItem item, const OndFrame *frame, OndError *err)
{
    char path[OND_PATH_MAX], name[64];
    if (!run->collection)
        run->collection = ond_pvd_open(ond_run_path(&run->folder, OND_RUN_COLLECTION, 0, path),
                                       run->options.resume, err);
    if (!run->collection) return err->status;
    return ond_pvd_put(run->collection, ond_run_name(item, frame->index, name), frame->time, err);
}

typedef OndRunItem ItemFn(int format);

// Its particles or its grid, in every format that the scene asks for.
static OndStatus put_files(OndRunner *run, const OndFrame *frame, ItemFn *item_of, bool grid,
                           OndError *err)
{
    int count = 0;
    char path[OND_PATH_MAX];
    const OndFormat *const *const formats = ond_formats(&count);
    OndStatus status = OND_OK;
    for (int k = 0; k < count && status == OND_OK; ++k) {
        const OndFormat *const format = formats[k];
        const OndRunItem item = item_of(k);
        if (format->grid != grid || !ond_output_writes(ond_scene_output(&run->scene), format))
            continue;
        status = format->write(ond_run_path(&run->folder, item, frame->index, path), frame, err);
        if (status == OND_OK && format->listed) status = list_file(run, item, frame, err);
    }
    return status;
}

static OndStatus put_foam(OndRunner *run, const OndFrame *frame, OndError *err)
{
    const OndFrame foam = ond_run_foam_frame(frame);
    return put_files(run, &foam, ond_run_foam_item, false, err);
}

static OndStatus flush(OndRunner *run, OndError *err)
{
    const OndStatus status = ond_step_log_flush(run->log, err);
    return status == OND_OK ? ond_probe_tables_flush(run->probes, err) : status;
}

// Frames are what a run is for; pictures can be made of them later. So a renderer that fails ends
// the pictures, not the run.
static void put_picture(OndRunner *run, const OndFrame *frame)
{
    if (!run->pictures || run->no_pictures.status != OND_OK) return;
    if (ond_pictures_add(run->pictures, frame, &run->no_pictures) == OND_OK) return;
    run->pictures_end = frame->index;
    if (run->options.quiet) return; // the end tells it
    ond_progress_end(&run->progress);
    fprintf(stderr, "note: no more pictures from frame %d on: %s; the run goes on\n", frame->index,
            run->no_pictures.text);
}

// The frame itself comes last: whoever plays the run back meanwhile, and finds it, finds what belongs to it.
OndStatus ond_runner_put_frame(OndRunner *run, OndError *err)
{
    OndFrame frame;
    ond_sim_frame(run->sim, &frame);
    OndStatus status = flush(run, err);
    if (status == OND_OK) status = ond_props_write(&frame, &run->scene, &run->folder, err);
    if (status == OND_OK && frame.foam.field_count > 0) status = put_foam(run, &frame, err);
    if (status == OND_OK && frame.particles.field_count > 0)
        status = put_files(run, &frame, ond_run_frame_item, false, err);
    if (status == OND_OK && ond_frame_has_grid(&frame))
        status = put_files(run, &frame, ond_run_frame_item, true, err);
    if (status == OND_OK) put_picture(run, &frame);
    return status;
}

bool ond_runner_checkpoint_due(const OndRunner *run)
{
    const double every = ond_scene_output(&run->scene)->checkpoint;
    if (every > 0.0) return ond_now_ms() - run->kept_ms >= 1e3 * every;
    return ond_sim_at_frame(run->sim);
}

OndStatus ond_runner_put_checkpoint(OndRunner *run, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStepRecord now;
    ond_sim_record(run->sim, &now);
    if (now.step == run->kept_step) return OND_OK; // it is there
    OndStatus status = flush(run, err);
    if (status == OND_OK)
        status =
            ond_sim_save(run->sim, ond_run_path(&run->folder, OND_RUN_CHECKPOINT, 0, path), err);
    if (status != OND_OK) return status;
    run->kept_step = now.step;
    run->kept_frame = ond_sim_frame_index(run->sim);
    run->kept_ms = ond_now_ms();
    return OND_OK;
}

OndStatus ond_runner_open_log(OndRunner *run, long long resume_step, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStepRecord record;
    ond_sim_record(run->sim, &record); // for the names of the phases
    run->log = ond_step_log_open(ond_run_path(&run->folder, OND_RUN_LOG, 0, path),
                                 record.phase_names, record.phase_count, resume_step, err);
    return run->log ? OND_OK : err->status;
}

// By the first frame, also when the run goes on from a later one: the colours must not change on
// the way. A first frame that cannot be read back is no reason to have no pictures.
static void forecast_look(const OndRunner *run, OndRenderDef *look)
{
    char path[OND_PATH_MAX];
    OndFrame first;
    const bool grid = run->scene.has_grid && look->as != OND_AS_PARTICLES;
    const int format = ond_output_read_back(ond_scene_output(&run->scene));
    const OndRunItem item = grid          ? OND_RUN_FRAME_VTI
                            : format >= 0 ? ond_run_frame_item(format)
                                          : OND_RUN_FRAME_PLY;
    ond_run_path(&run->folder, item, 0, path);
    if (run->options.resume && ond_frame_read(path, &first, NULL) == OND_OK) {
        ond_look_forecast(&run->scene, &first, look);
        ond_frame_free(&first);
        return;
    }
    ond_sim_frame(run->sim, &first); // borrowed
    ond_look_forecast(&run->scene, &first, look);
}

OndStatus ond_runner_open_pictures(OndRunner *run, OndError *err)
{
    char film[OND_PATH_MAX];
    const bool film_now = run->options.film && !run->remake_film;
    if (!film_now && !run->options.pictures) return OND_OK;
    OndRenderDef look = ond_look_of_scene(&run->scene);
    forecast_look(run, &look);
    ond_run_path(&run->folder, OND_RUN_FILM, 0, film);
    run->pictures =
        ond_pictures_open(&look, run->options.pictures ? &run->folder : NULL,
                          film_now ? film : NULL, ond_look_fps(run->scene.frame_rate), err);
    return run->pictures ? OND_OK : err->status;
}
