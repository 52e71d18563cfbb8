// SPDX-License-Identifier: MIT
#include "app/between.h"

#include "io/formats/formats.h"
#include "io/run_foam.h"
#include "surface/morph.h"

#include <string.h>

// ---- the list

static OndStatus take_lists(OndShots *longer, size_t room, OndError *err)
{
    longer->path = ond_arena_take(&longer->arena, room * sizeof *longer->path);
    longer->index = ond_arena_take(&longer->arena, room * sizeof *longer->index);
    longer->moment = ond_arena_take(&longer->arena, room * sizeof *longer->moment);
    if (longer->path && longer->index && longer->moment) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to list %zu frames", room);
}

static bool all_made(const OndShots *shots)
{
    char path[OND_PATH_MAX];
    for (int k = 0; k < shots->count; ++k)
        if (!ond_shot_is_older(shots, k, ond_shot_path(shots, k, OND_RUN_SURFACE_PLY, path)))
            return false;
    return true;
}

OndStatus ond_shots_between(OndShots *shots, int count, OndError *err)
{
    const OndShots frames = *shots;
    if (count == 0) return OND_OK;
    if (count < 0 || count > OND_BETWEEN_MOST)
        return ond_fail(err, OND_BAD_VALUE, "%d moments between two frames; accepted: 0 to %d",
                        count, OND_BETWEEN_MOST);
    if (frames.count < 2)
        return ond_fail(err, OND_BAD_VALUE,
                        "nothing lies between a frame and itself: --between needs two or more");
    if (frames.count > INT32_MAX / (count + 1))
        return ond_fail(err, OND_BAD_VALUE, "%d moments between each two of %d frames are too many",
                        count, frames.count);
    const OndStatus status = take_lists(shots, (size_t)frames.count * (size_t)(count + 1), err);
    if (status != OND_OK) return status;
    shots->count = 0;
    for (int k = 0; k < frames.count; ++k)
        for (int j = 0; j <= (k + 1 < frames.count ? count : 0); ++j) {
            const int at = shots->count++;
            shots->path[at] = frames.path[k];
            shots->index[at] = frames.index[k];
            shots->moment[at] = (OndMoment){0};
            if (j > 0)
                shots->moment[at] =
                    (OndMoment){frames.path[k + 1], frames.index[k + 1], (double)j / (count + 1)};
        }
    shots->anew = shots->folder.path[0] && !all_made(shots);
    return OND_OK;
}

OndMoment ond_shot_moment(const OndShots *shots, int shot)
{
    return shots->moment ? shots->moment[shot] : (OndMoment){0};
}

int ond_shot_thousandth(const OndShots *shots, int shot)
{
    return (int)(1000.0 * ond_shot_moment(shots, shot).share + 0.5);
}

double ond_shot_number(const OndShots *shots, int shot)
{
    const OndMoment m = ond_shot_moment(shots, shot);
    const double from = shots->index[shot];
    return m.next ? from + m.share * (m.next_index - from) : from;
}

// ---- files

char *ond_shot_path(const OndShots *shots, int shot, OndRunItem item, char out[OND_PATH_MAX])
{
    return ond_run_path_between(&shots->folder, item, shots->index[shot],
                                ond_shot_thousandth(shots, shot), out);
}

bool ond_shot_is_older(const OndShots *shots, int shot, const char *path)
{
    const OndMoment m = ond_shot_moment(shots, shot);
    return ond_file_is_newer(path, shots->path[shot]) &&
           (!m.next || ond_file_is_newer(path, m.next));
}

// ---- frames

// With its solids as in the run's frame of its number: of a loose file, the one that it says.
static OndStatus read_frame(const OndShots *shots, const char *path, int index, OndFrame *out,
                            OndError *err)
{
    OndStatus status = ond_frame_read(path, out, err);
    if (status != OND_OK) return status;
    if (shots->folder.path[0]) out->index = index;
    status = ond_run_solids_read(shots->solids, out->index, out, err);
    if (status == OND_OK) status = ond_run_foam_read(&shots->home, out->index, out, err);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}

OndStatus ond_shot_read_both(const OndShots *shots, int shot, OndFrame both[2], OndError *err)
{
    const OndMoment m = ond_shot_moment(shots, shot);
    memset(both, 0, 2 * sizeof *both);
    OndStatus status = read_frame(shots, shots->path[shot], shots->index[shot], &both[0], err);
    if (status == OND_OK) status = read_frame(shots, m.next, m.next_index, &both[1], err);
    if (status != OND_OK) ond_frame_free(&both[0]);
    return status;
}

OndStatus ond_shot_read(const OndShots *shots, int shot, OndFrame *out, OndError *err)
{
    const OndMoment m = ond_shot_moment(shots, shot);
    OndFrame both[2];
    memset(out, 0, sizeof *out);
    if (!m.next) return read_frame(shots, shots->path[shot], shots->index[shot], out, err);
    OndStatus status = ond_shot_read_both(shots, shot, both, err);
    if (status != OND_OK) return status;
    status = ond_morph_between(&both[0], &both[1], m.share, out, err);
    if (status == OND_OK)
        status = ond_run_solids_between(shots->solids, &both[0], &both[1], m.share, out, err);
    if (status == OND_OK) status = ond_run_foam_between(&both[0], &both[1], m.share, out, err);
    if (status != OND_OK) ond_frame_free(out);
    ond_frame_free(&both[0]);
    ond_frame_free(&both[1]);
    return status;
}

OndStatus ond_shot_read_solids(const OndShots *shots, int shot, int number, double time,
                               OndFrame *out, OndError *err)
{
    const OndMoment m = ond_shot_moment(shots, shot);
    const OndFrame empty = {.time = time, .owned = true};
    const OndRunFolder *const home = &shots->home;
    OndFrame both[2] = {empty, empty};
    *out = empty;
    if (!m.next) {
        const OndStatus status = ond_run_solids_read(shots->solids, number, out, err);
        return status == OND_OK ? ond_run_foam_read(home, number, out, err) : status;
    }
    OndStatus status = ond_run_solids_read(shots->solids, number, &both[0], err);
    if (status == OND_OK) status = ond_run_solids_read(shots->solids, m.next_index, &both[1], err);
    if (status == OND_OK) status = ond_run_foam_read(home, number, &both[0], err);
    if (status == OND_OK) status = ond_run_foam_read(home, m.next_index, &both[1], err);
    if (status == OND_OK)
        status = ond_run_solids_between(shots->solids, &both[0], &both[1], m.share, out, err);
    const double rate = shots->has_scene ? shots->scene.frame_rate : 24.0;
    both[0].time = number / rate, both[1].time = m.next_index / rate;
    if (status == OND_OK) status = ond_run_foam_between(&both[0], &both[1], m.share, out, err);
    ond_frame_free(&both[0]);
    ond_frame_free(&both[1]);
    return status;
}
