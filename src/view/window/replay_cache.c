// SPDX-License-Identifier: MIT
// Frames in memory: the one that is shown, those after it as far as memory bears, and those before.
#include "base/memory.h"
#include "io/formats/formats.h"
#include "io/run_foam.h"
#include "view/window/replay_state.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// ---- which there are

static bool grow(OndReplay *r, int count)
{
    if (count <= r->room) return true;
    const int room = count + count / 2 + 16;
    int *const number = OND_NEW_ARRAY(int, room);
    OndKept *const kept = OND_NEW_ARRAY(OndKept, room);
    if (!number || !kept) {
        ond_free(number);
        ond_free(kept);
        return false;
    }
    if (r->count > 0) {
        memcpy(number, r->number, (size_t)r->count * sizeof *number);
        memcpy(kept, r->kept, (size_t)r->count * sizeof *kept);
    }
    ond_free(r->number);
    ond_free(r->kept);
    r->number = number;
    r->kept = kept;
    r->room = room;
    return true;
}

static void drop(OndReplay *r, int place);

static OndStamp stamp_of(const OndReplay *r, int number)
{
    char path[OND_PATH_MAX];
    struct stat info;
    ond_run_path(&r->shots.folder, r->shots.item, number, path);
    if (stat(path, &info) != 0) return (OndStamp){0};
    return (OndStamp){info.st_ino, info.st_size, info.st_mtim};
}

static bool same_stamp(const OndStamp *a, const OndStamp *b)
{
    return a->file == b->file && a->size == b->size && a->written.tv_sec == b->written.tv_sec &&
           a->written.tv_nsec == b->written.tv_nsec;
}

static void drop_changed(OndReplay *r, int place, int number)
{
    if (!r->kept[place].there) return;
    const OndStamp stamp = stamp_of(r, number);
    if (r->number[place] != number || !same_stamp(&stamp, &r->kept[place].stamp)) drop(r, place);
}

// A run that was started anew has other frames of the same names.
static bool take_numbers(OndReplay *r, const OndRunFrames *frames)
{
    const OndStamp first = frames->count > 0 ? stamp_of(r, frames->index[0]) : (OndStamp){0};
    if (r->count > 0 && (frames->count < r->count || !same_stamp(&first, &r->first))) {
        ond_replay_forget(r);
        ++r->anew;
    }
    r->first = first;
    if (!grow(r, frames->count)) return false;
    for (int k = 0; k < r->count; ++k)
        drop_changed(r, k, frames->index[k]);
    for (int k = 0; k < frames->count; ++k)
        r->number[k] = frames->index[k];
    r->count = frames->count;
    return true;
}

OndStatus ond_replay_list(OndReplay *r, OndError *err)
{
    OndRunFrames frames = {0};
    OndStatus status = ond_run_frames(&r->shots.folder, r->shots.item, &frames, err);
    pthread_mutex_lock(&r->lock); // ond_replay_find asks from the other thread
    if (status == OND_OK && !take_numbers(r, &frames))
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for the list of frames");
    pthread_mutex_unlock(&r->lock);
    ond_run_frames_free(&frames);
    return status;
}

int ond_replay_kept(const OndReplay *r)
{
    int kept = 0;
    for (int k = 0; k < r->count; ++k)
        kept += r->kept[k].there;
    return kept;
}

// ---- coming and going

static void drop(OndReplay *r, int place)
{
    OndKept *const kept = &r->kept[place];
    if (kept->there) r->bytes -= kept->bytes;
    ond_frame_free(&kept->frame);
    ond_free(kept->pose);
    ond_free(kept->bent);
    memset(kept, 0, sizeof *kept);
}

void ond_replay_forget(OndReplay *r)
{
    for (int k = 0; k < r->count; ++k)
        drop(r, k);
    ond_free(r->number);
    ond_free(r->kept);
    r->number = NULL;
    r->kept = NULL;
    r->count = r->room = 0;
    r->picked = false;
    for (int k = 0; k < OND_COUNT(r->low); ++k)
        r->low[k] = INFINITY, r->high[k] = -INFINITY;
}

// How long until a frame is wanted when `now` is shown: forwards and round.
static int pictures_until(const OndReplay *r, int place, int now)
{
    return place >= now ? place - now : place - now + r->count;
}

// The one that is wanted last goes. False when there is none but `now`.
static bool make_room(OndReplay *r, int now)
{
    int last = -1;
    for (int k = 0; k < r->count; ++k)
        if (r->kept[k].there && k != now &&
            (last < 0 || pictures_until(r, k, now) > pictures_until(r, last, now)))
            last = k;
    if (last >= 0) drop(r, last);
    return last >= 0;
}

static double bytes_of(const OndFrame *frame)
{
    const double cells = ond_frame_has_grid(frame) ? (double)frame->grid.length : 0.0;
    return (double)frame->particles.count * ond_fields_bytes_each(&frame->particles) +
           (double)frame->foam.count * ond_fields_bytes_each(&frame->foam) +
           cells * ond_fields_bytes_each(&frame->cells) + 4096.0;
}

static void put_pose(const OndPose *pose, float row[12])
{
    const OndVec x = ond_pose_turn(pose, ond_vec(1, 0, 0)),
                 y = ond_pose_turn(pose, ond_vec(0, 1, 0)),
                 z = ond_pose_turn(pose, ond_vec(0, 0, 1));
    for (int a = 0; a < 3; ++a) {
        row[4 * a] = (float)ond_axis(x, a);
        row[4 * a + 1] = (float)ond_axis(y, a);
        row[4 * a + 2] = (float)ond_axis(z, a);
        row[4 * a + 3] = (float)ond_axis(pose->at, a);
    }
}

// Corners of the solids that bend, one after the other.
static OndStatus keep_bent(const OndReplay *r, OndKept *kept, OndError *err)
{
    const OndSimSolids *const made = ond_run_solids_made(r->shots.solids);
    const OndFrameSolids *const solids = &kept->frame.solids;
    size_t count = 0, done = 0;
    for (int k = 0; k < solids->count; ++k)
        if (solids->solid[k].corner) count += 3 * (size_t)made->solid[k].mesh.corner_count;
    if (count == 0) return OND_OK;
    kept->bent = OND_NEW_ARRAY(float, count);
    if (!kept->bent) return ond_fail(err, OND_NO_MEMORY, "not enough memory for solids that bend");
    for (int k = 0; k < solids->count; ++k) {
        const size_t own = 3 * (size_t)made->solid[k].mesh.corner_count;
        if (!solids->solid[k].corner) continue;
        memcpy(kept->bent + done, solids->solid[k].corner, own * sizeof(float));
        done += own;
    }
    kept->bytes += (double)count * sizeof(float);
    return OND_OK;
}

// Where solids stand is borrowed until the next frame is read: it is kept as numbers.
static OndStatus keep_solids(const OndReplay *r, OndKept *kept, OndError *err)
{
    OndFrameSolids *const solids = &kept->frame.solids;
    kept->poses = solids->count;
    if (solids->count == 0) return OND_OK;
    kept->pose = ond_alloc((size_t)solids->count * sizeof *kept->pose);
    if (!kept->pose)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", solids->count);
    for (int k = 0; k < solids->count; ++k)
        put_pose(&solids->solid[k].state.pose, kept->pose[k]);
    const OndStatus status = keep_bent(r, kept, err);
    solids->made = NULL;
    solids->placed = NULL;
    return status;
}

// Of a grid in which something drifts there are two files. A run writes the grid, whose stamp is kept, after this one.
static OndStatus read_tracers(const OndReplay *r, int number, OndFrame *frame, OndError *err)
{
    char path[OND_PATH_MAX];
    OndFrame tracers = {0};
    ond_run_path(&r->shots.folder, OND_RUN_FRAME_PLY, number, path);
    if (!ond_frame_has_grid(frame) || frame->particles.count > 0 || access(path, R_OK) != 0)
        return OND_OK;
    const OndStatus status = ond_frame_read(path, &tracers, err);
    const OndFields none = frame->particles;
    frame->particles = tracers.particles;
    tracers.particles = none;
    ond_frame_free(&tracers);
    return status;
}

static OndStatus read_frame(OndReplay *r, int place, OndError *err)
{
    char path[OND_PATH_MAX];
    OndKept *const kept = &r->kept[place];
    const int number = r->number[place];
    ond_run_path(&r->shots.folder, r->shots.item, number, path);
    kept->stamp = stamp_of(r, number);
    OndStatus status = ond_frame_read(path, &kept->frame, err);
    if (status != OND_OK) return status;
    kept->there = true;
    status = read_tracers(r, number, &kept->frame, err);
    if (status == OND_OK) status = ond_run_foam_read(&r->shots.home, number, &kept->frame, err);
    if (status == OND_OK) status = ond_run_solids_read(r->shots.solids, number, &kept->frame, err);
    if (status == OND_OK) status = keep_solids(r, kept, err);
    kept->bytes += bytes_of(&kept->frame);
    r->bytes += kept->bytes;
    if (status != OND_OK) drop(r, place);
    return status;
}

const OndKept *ond_replay_keep(OndReplay *r, int place, OndError *err)
{
    if (place < 0 || place >= r->count) {
        ond_fail(err, OND_BAD_VALUE, "there is no such frame");
        return NULL;
    }
    if (r->kept[place].there) return &r->kept[place];
    if (read_frame(r, place, err) != OND_OK) return NULL;
    while (r->bytes > r->def.memory && make_room(r, place)) {
    }
    return &r->kept[place];
}

bool ond_replay_ahead(OndReplay *r, int place)
{
    const int now = place < r->count ? place : r->count - 1;
    double mean = 0.0;
    const int kept = ond_replay_kept(r);
    if (kept > 0) mean = r->bytes / kept;
    for (int k = 1; k < r->count; ++k) {
        const int next = (now + k) % r->count;
        if ((k + 2) * mean > r->def.memory) return false;
        if (r->kept[next].there) continue;
        return ond_replay_keep(r, next, NULL) != NULL;
    }
    return false;
}
