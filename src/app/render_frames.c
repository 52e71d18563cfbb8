// SPDX-License-Identifier: MIT
#include "app/render_frames.h"

#include "app/run_scene.h"
#include "io/formats/formats.h"
#include "lib/render_look.h"

#include <string.h>
#include <unistd.h>

#define RANGE_SAMPLES 20

static OndStatus no_memory(OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to list the frames");
}

static OndStatus make_lists(OndShots *shots, int count, OndError *err)
{
    shots->path = ond_arena_take(&shots->arena, (size_t)count * sizeof *shots->path);
    shots->index = ond_arena_take(&shots->arena, (size_t)count * sizeof *shots->index);
    return shots->path && shots->index ? OND_OK : no_memory(err);
}

static OndStatus add(OndShots *shots, const char *path, int index, OndError *err)
{
    const char *copy = ond_arena_text(&shots->arena, path, strlen(path));
    if (!copy) return no_memory(err);
    shots->path[shots->count] = copy;
    shots->index[shots->count++] = index;
    return OND_OK;
}

// ---- a run's folder

// The first format that frames are there in, of those that can be read back or of the others; -1:
// none.
static int format_there(const OndShots *shots, bool readable)
{
    int count = 0, next = 0;
    const OndFormat *const *const formats = ond_formats(&count);
    for (int k = 0; k < count; ++k) {
        if ((formats[k]->read != NULL) != readable) continue;
        ond_run_next(&shots->folder, ond_run_frame_item(k), &next, NULL);
        if (next > 0) return k;
    }
    return -1;
}

static OndStatus none_there(const OndShots *shots, OndError *err)
{
    int count = 0;
    const int format = format_there(shots, false);
    if (format >= 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s has frames in .%s only, which cannot be read back; run the scene with "
                        "output.format ply or both",
                        shots->folder.path, ond_formats(&count)[format]->extension);
    return ond_fail(err, OND_BAD_VALUE, "%s has no frames (frames/frame_0000.ply ...)",
                    shots->folder.path);
}

// ---- scenes

// A scene that cannot be read any more must not stop pictures of frames that can.
static void read_scene(OndShots *shots, const char *run)
{
    char file[OND_PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/scene.yaml", run);
    if (length < 0 || length >= (int)sizeof file || access(file, R_OK) != 0) return;
    shots->has_scene = ond_scene_load(file, NULL, &shots->scene, NULL) == OND_OK;
}

// DIR/frames/frame_0012.ply belongs to the run in DIR.
static void read_scene_of_file(OndShots *shots, const char *file)
{
    char run[OND_PATH_MAX];
    const char *slash = strrchr(file, '/');
    if (!slash || slash - file >= (int)sizeof run - 8) return;
    snprintf(run, sizeof run, "%.*s/..", (int)(slash - file), file);
    read_scene(shots, run);
    if (shots->has_scene && strlen(run) < sizeof shots->home.path) strcpy(shots->home.path, run);
}

// Of tracers in a grid there are two kinds of frames.
static OndRunItem item_of(const OndShots *shots, int as)
{
    const OndDrawn scene =
        shots->has_scene ? ond_look_of_scene(&shots->scene).as : OND_AS_PARTICLES;
    const OndDrawn drawn = as >= 0 ? (OndDrawn)as : scene;
    return drawn == OND_AS_PARTICLES || drawn == OND_AS_SURFACE ? OND_RUN_FRAME_PLY
                                                                : OND_RUN_FRAME_VTI;
}

static OndStatus find_run(const char *path, int as, OndShots *shots, OndError *err)
{
    char file[OND_PATH_MAX];
    OndRunFrames frames = {0};
    OndStatus status = ond_run_open(path, OND_RUN_READ, &shots->folder, err);
    if (status == OND_OK) read_scene(shots, shots->folder.path);
    OndRunItem item = item_of(shots, as);
    if (status == OND_OK) status = ond_run_frames(&shots->folder, item, &frames, err);
    const int other = status == OND_OK && frames.count == 0 ? format_there(shots, true) : -1;
    if (other >= 0) {
        item = ond_run_frame_item(other);
        ond_run_frames_free(&frames);
        status = ond_run_frames(&shots->folder, item, &frames, err);
    }
    shots->item = item;
    if (status == OND_OK && frames.count == 0) status = none_there(shots, err);
    if (status == OND_OK) status = make_lists(shots, frames.count, err);
    for (int k = 0; k < frames.count && status == OND_OK; ++k)
        status = add(shots, ond_run_path(&shots->folder, item, frames.index[k], file),
                     frames.index[k], err);
    ond_run_frames_free(&frames);
    return status;
}

OndStatus ond_shots_find(char *const *names, int count, int as, OndShots *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    if (count == 1 && ond_scene_is_folder(names[0])) {
        const OndStatus status = find_run(names[0], as, out, err);
        out->home = out->folder;
        return status;
    }
    OndStatus status = make_lists(out, count, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        if (ond_scene_is_folder(names[k]))
            return ond_fail(err, OND_BAD_VALUE, "%s: give one folder alone, or files", names[k]);
        status = add(out, names[k], k, err);
    }
    if (status == OND_OK) read_scene_of_file(out, names[0]);
    return status;
}

void ond_shots_free(OndShots *shots)
{
    ond_run_solids_close(shots->solids);
    if (shots->has_scene) ond_scene_free(&shots->scene);
    ond_arena_free(&shots->arena);
    memset(shots, 0, sizeof *shots);
}

OndStatus ond_shots_solids(OndShots *shots, OndError *err)
{
    if (!shots->has_scene || shots->solids_asked) return OND_OK;
    shots->solids_asked = true;
    return ond_run_solids_open(&shots->scene, &ond_scene_assets, &shots->home, &shots->solids, err);
}

// ---- choosing

OndStatus ond_shots_keep(OndShots *shots, int first, int last, OndError *err)
{
    int kept = 0;
    const int low = shots->count ? shots->index[0] : 0,
              high = shots->count ? shots->index[shots->count - 1] : 0;
    for (int k = 0; k < shots->count; ++k) {
        if (shots->index[k] < first || shots->index[k] > last) continue;
        shots->index[kept] = shots->index[k];
        shots->path[kept++] = shots->path[k];
    }
    shots->count = kept;
    if (kept) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "no frame from %d to %d; there are frames %d to %d", first,
                    last, low, high);
}

void ond_shots_thin(OndShots *shots, int count)
{
    const int all = shots->count;
    if (count >= all) return;
    for (int k = 0; k < count; ++k) {
        const int from = count > 1 ? (int)((long long)k * (all - 1) / (count - 1)) : all - 1;
        shots->index[k] = shots->index[from];
        shots->path[k] = shots->path[from];
        if (shots->moment) shots->moment[k] = shots->moment[from];
    }
    shots->count = count;
}

OndStatus ond_shots_range(const OndShots *shots, OndRenderDef *look, OndError *err)
{
    if (look->range_min != 0.0 || look->range_max != 0.0 || look->colour == OND_COLOUR_PLAIN)
        return OND_OK;
    if (look->as == OND_AS_SURFACE && !look->paint) return OND_OK; // no colours to range over
    if (look->as == OND_AS_VOLUME && shots->has_scene && shots->scene.dimension == 3) return OND_OK;
    double min = 1.0, max = 0.0; // none yet
    const int samples = shots->count < RANGE_SAMPLES ? shots->count : RANGE_SAMPLES;
    for (int k = 0; k < samples; ++k) {
        OndFrame frame;
        const int shot = samples > 1 ? (int)((long long)k * (shots->count - 1) / (samples - 1)) : 0;
        const OndStatus status = ond_frame_read(shots->path[shot], &frame, err);
        if (status != OND_OK) return status;
        double low = HUGE_VAL, high = -HUGE_VAL;
        if (ond_render_range(&frame, look->colour, &low, &high)) {
            min = min > max || low < min ? low : min;
            max = high > max || k == 0 ? high : max;
        }
        ond_frame_free(&frame);
    }
    if (!(max > min)) return OND_OK;
    look->range_min = min;
    look->range_max = max;
    return OND_OK;
}

OndStatus ond_render_run_film(const OndRunFolder *folder, const OndSceneDef *scene, bool quiet,
                              OndError *err)
{
    OndShots shots;
    char film[OND_PATH_MAX], path[OND_PATH_MAX];
    snprintf(path, sizeof path, "%s", folder->path);
    char *names[] = {path};
    OndFilming filming = {.look = ond_look_of_scene(scene),
                          .film = ond_run_path(folder, OND_RUN_FILM, 0, film),
                          .again = true,
                          .fps = ond_look_fps(scene->frame_rate),
                          .progress = quiet ? OND_PROGRESS_QUIET : OND_PROGRESS_AUTO};
    OndFrame first;
    OndStatus status = ond_shots_find(names, 1, -1, &shots, err);
    if (status == OND_OK) status = ond_frame_read(shots.path[0], &first, err);
    if (status == OND_OK) {
        shots.quiet = quiet;
        ond_look_forecast(scene, &first, &filming.look); // as in a run that never stopped
        ond_frame_free(&first);
        status = ond_shots_film(&shots, &filming, err);
    }
    ond_shots_free(&shots);
    return status;
}
