// SPDX-License-Identifier: MIT
#include "io/run_folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME(name, NAME)   [OND_RUN_FRAME_##NAME] = {"frames", "." #name, "frame_"},
#define FOAM(name, NAME)    [OND_RUN_FOAM_##NAME] = {"frames", "." #name, "foam_"},
#define SURFACE(name, NAME) [OND_RUN_SURFACE_##NAME] = {"surfaces", "." #name, "surface_"},
static const struct {
    const char *folder; // NULL: the run's own; numbered items have one
    const char *name;   // or the extension of numbered items
    const char *start;  // of the names of numbered items
} items[OND_RUN_ITEMS] = {[OND_RUN_SCENE] = {NULL, "scene.yaml", NULL},
                          [OND_RUN_LOG] = {NULL, "log.csv", NULL},
                          [OND_RUN_CHECKPOINT] = {NULL, "checkpoint.h5", NULL},
                          [OND_RUN_CHECKPOINT_PREVIOUS] = {NULL, "checkpoint.prev.h5", NULL},
                          [OND_RUN_COLLECTION] = {NULL, "frames.pvd", NULL},
                          [OND_RUN_FILM] = {NULL, "film.mp4", NULL},
                          [OND_RUN_SURFACES_COLLECTION] = {NULL, "surfaces.pvd", NULL},
                          [OND_RUN_PICTURE] = {"pictures", ".png", "frame_"},
                          [OND_RUN_SOLIDS] = {"frames", ".csv", "solids_"},
                          OND_FORMATS(FRAME) OND_FORMATS(FOAM) OND_SURFACE_FORMATS(SURFACE)};

char *ond_run_name_between(OndRunItem item, int index, int thousandth, char out[64])
{
    char moment[16] = "";
    if (thousandth > 0) snprintf(moment, sizeof moment, "t%03d", thousandth);
    if (items[item].folder)
        snprintf(out, 64, "%s/%s%04d%s%s", items[item].folder, items[item].start, index, moment,
                 items[item].name);
    else
        snprintf(out, 64, "%s", items[item].name);
    return out;
}

char *ond_run_name(OndRunItem item, int index, char out[64])
{
    return ond_run_name_between(item, index, 0, out);
}

char *ond_run_path_between(const OndRunFolder *folder, OndRunItem item, int index, int thousandth,
                           char out[OND_PATH_MAX])
{
    char name[64];
    ond_run_name_between(item, index, thousandth, name);
    snprintf(out, OND_PATH_MAX, "%s/%s", folder->path, name);
    return out;
}

char *ond_run_path(const OndRunFolder *folder, OndRunItem item, int index, char out[OND_PATH_MAX])
{
    return ond_run_path_between(folder, item, index, 0, out);
}

static OndStatus make_folder(const char *path, OndError *err)
{
    struct stat info;
    if (mkdir(path, 0777) == 0) return OND_OK;
    const int reason = errno;
    if (reason != EEXIST) return ond_file_fail(err, "make the folder", path, reason);
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return OND_OK;
    return ond_fail(err, OND_IO, "cannot make the folder %s: a file has that name", path);
}

OndStatus ond_run_make_folders(const char *path, OndError *err)
{
    char part[OND_PATH_MAX];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return ond_fail(err, OND_BAD_VALUE,
                        "the folder's path has %zu characters; give one of 1 to %zu", length,
                        sizeof part - 1);
    for (size_t k = 1; k < length; ++k) {
        if (path[k] != '/' || path[k - 1] == '/') continue;
        memcpy(part, path, k);
        part[k] = 0;
        const OndStatus status = make_folder(part, err);
        if (status != OND_OK) return status;
    }
    return make_folder(path, err);
}

// A file of a numbered item.
typedef struct Numbered {
    int index;      // -1: the name is of something else
    int thousandth; // 0: of the frame itself
} Numbered;

static Numbered number_of(const char *name, OndRunItem item)
{
    const Numbered none = {-1, 0};
    const size_t skip = strlen(items[item].start);
    if (strncmp(name, items[item].start, skip) != 0) return none;
    const size_t digits = strspn(name + skip, "0123456789");
    const char *rest = name + skip + digits;
    if (digits < 4 || digits > 9) return none;
    const bool between = rest[0] == 't' && strspn(rest + 1, "0123456789") == 3;
    if (strcmp(rest + (between ? 4 : 0), items[item].name) != 0) return none;
    return (Numbered){atoi(name + skip), between ? atoi(rest + 1) : 0};
}

static OndStatus append(OndRunFrames *list, int *room, int value, OndError *err)
{
    if (list->count == *room) {
        const int more = *room ? 2 * *room : 256;
        int *const larger = OND_NEW_ARRAY(int, more);
        if (!larger) return ond_fail(err, OND_NO_MEMORY, "not enough memory to list the frames");
        if (list->count) memcpy(larger, list->index, (size_t)list->count * sizeof(int));
        ond_free(list->index);
        list->index = larger;
        *room = more;
    }
    list->index[list->count++] = value;
    return OND_OK;
}

static int by_number(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// What a list takes up.
typedef enum Wanted { FRAMES, MOMENTS } Wanted;

static OndStatus read_names(DIR *dir, OndRunItem item, Wanted wanted, OndRunFrames *out,
                            OndError *err)
{
    int room = 0;
    OndStatus status = OND_OK;
    for (const struct dirent *e; status == OND_OK && (e = readdir(dir));) {
        const Numbered n = number_of(e->d_name, item);
        if (n.index < 0 || (n.thousandth > 0) != (wanted == MOMENTS)) continue;
        status = append(out, &room, n.index, err);
        if (wanted == MOMENTS && status == OND_OK) status = append(out, &room, n.thousandth, err);
    }
    return status;
}

// Moments come as pairs of index and thousandth, in no order.
static OndStatus list(const OndRunFolder *folder, OndRunItem item, Wanted wanted, OndRunFrames *out,
                      OndError *err)
{
    char path[OND_PATH_MAX];
    *out = (OndRunFrames){NULL, 0};
    snprintf(path, sizeof path, "%s/%s", folder->path,
             items[item].folder ? items[item].folder : "");
    DIR *dir = opendir(path);
    if (!dir) return errno == ENOENT ? OND_OK : ond_file_fail(err, "list", path, errno);
    const OndStatus status = read_names(dir, item, wanted, out, err);
    closedir(dir);
    if (status != OND_OK) ond_run_frames_free(out);
    return status;
}

OndStatus ond_run_frames(const OndRunFolder *folder, OndRunItem item, OndRunFrames *out,
                         OndError *err)
{
    const OndStatus status = list(folder, item, FRAMES, out, err);
    if (out->count) qsort(out->index, (size_t)out->count, sizeof(int), by_number);
    return status;
}

void ond_run_frames_free(OndRunFrames *frames)
{
    ond_free(frames->index);
    *frames = (OndRunFrames){NULL, 0};
}

OndStatus ond_run_next(const OndRunFolder *folder, OndRunItem item, int *next, OndError *err)
{
    OndRunFrames frames;
    const OndStatus status = ond_run_frames(folder, item, &frames, err);
    *next = frames.count ? frames.index[frames.count - 1] + 1 : 0;
    ond_run_frames_free(&frames);
    return status;
}

static OndStatus remove_file(const char *path, OndError *err)
{
    if (unlink(path) == 0 || errno == ENOENT) return OND_OK;
    return ond_file_fail(err, "remove", path, errno);
}

static OndStatus remove_moments(const OndRunFolder *folder, OndRunItem item, int first,
                                OndError *err)
{
    OndRunFrames moments;
    char path[OND_PATH_MAX];
    OndStatus status = list(folder, item, MOMENTS, &moments, err);
    for (int k = 0; k + 1 < moments.count && status == OND_OK; k += 2) {
        const int index = moments.index[k], thousandth = moments.index[k + 1];
        if (index + 1 >= first) // it leads to a frame that goes
            status = remove_file(ond_run_path_between(folder, item, index, thousandth, path), err);
    }
    ond_run_frames_free(&moments);
    return status;
}

OndStatus ond_run_remove_from(const OndRunFolder *folder, OndRunItem item, int first, OndError *err)
{
    OndRunFrames frames;
    char path[OND_PATH_MAX];
    OndStatus status = ond_run_frames(folder, item, &frames, err);
    for (int k = 0; k < frames.count && status == OND_OK; ++k)
        if (frames.index[k] >= first)
            status = remove_file(ond_run_path(folder, item, frames.index[k], path), err);
    ond_run_frames_free(&frames);
    return status == OND_OK ? remove_moments(folder, item, first, err) : status;
}

static OndStatus remove_run(const OndRunFolder *folder, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = OND_OK;
    for (int item = 0; item < OND_RUN_ITEMS && status == OND_OK; ++item)
        status = items[item].folder ? ond_run_remove_from(folder, item, 0, err)
                                    : remove_file(ond_run_path(folder, item, 0, path), err);
    return status;
}

static bool is_there(const OndRunFolder *folder, OndRunItem item)
{
    char path[OND_PATH_MAX];
    return access(ond_run_path(folder, item, 0, path), F_OK) == 0;
}

// The film and the pictures alone do not make a run: they can be made again.
static bool holds_run(const OndRunFolder *folder)
{
    int next = 0;
    for (int item = OND_RUN_SCENE; item <= OND_RUN_COLLECTION; ++item)
        if (is_there(folder, item)) return true;
    for (int item = OND_RUN_NUMBERED; item < OND_RUN_PICTURE && next == 0; ++item)
        ond_run_next(folder, item, &next, NULL);
    return next > 0;
}

static OndStatus check_old_run(const OndRunFolder *folder, OndRunMode mode, OndError *err)
{
    if (mode == OND_RUN_NEW && holds_run(folder))
        return ond_fail(err, OND_BAD_VALUE,
                        "%s already holds a run; go on with it, replace it or give another folder",
                        folder->path);
    if (mode == OND_RUN_RESUME && !is_there(folder, OND_RUN_CHECKPOINT) &&
        !is_there(folder, OND_RUN_CHECKPOINT_PREVIOUS))
        return ond_fail(
            err, OND_BAD_VALUE,
            "nothing to resume: %s has no checkpoint.h5; begin anew, or give the folder of the run",
            folder->path);
    return OND_OK;
}

// The folder may exist and yet refuse files: another owner, a full or read-only disk.
static OndStatus try_writing(const OndRunFolder *folder, OndError *err)
{
    char path[OND_PATH_MAX];
    snprintf(path, sizeof path, "%s/frames/.try", folder->path);
    OndFile *file = ond_file_create(path, err);
    if (!file) return OND_IO;
    ond_file_print(file, "ondine\n");
    const OndStatus status = ond_file_commit(file, err);
    unlink(path);
    return status;
}

// Two runs in one folder would write each other's files. A disk that knows no locks is trusted.
static OndStatus lock(OndRunFolder *folder, OndError *err)
{
    folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0) return ond_file_fail(err, "read the folder", folder->path, errno);
    folder->locked = true;
    if (flock(folder->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return OND_OK;
    ond_run_close(folder);
    return ond_fail(err, OND_BAD_VALUE,
                    "another run is writing into %s; wait for its end, or give another folder",
                    folder->path);
}

void ond_run_close(OndRunFolder *folder)
{
    if (folder->locked) close(folder->lock);
    folder->locked = false;
}

static OndStatus prepare(OndRunFolder *folder, OndRunMode mode, OndError *err)
{
    char path[OND_PATH_MAX];
    OndStatus status = check_old_run(folder, mode, err);
    if (status == OND_OK) status = ond_run_make_folders(folder->path, err);
    if (status == OND_OK) status = lock(folder, err);
    if (status == OND_OK) status = check_old_run(folder, mode, err); // none came in between
    snprintf(path, sizeof path, "%s/frames", folder->path);
    if (status == OND_OK) status = make_folder(path, err);
    snprintf(path, sizeof path, "%s/pictures", folder->path);
    if (status == OND_OK) status = make_folder(path, err);
    if (status == OND_OK) status = try_writing(folder, err);
    if (status == OND_OK && mode == OND_RUN_FORCE) status = remove_run(folder, err);
    if (status != OND_OK) ond_run_close(folder);
    return status;
}

OndStatus ond_run_open(const char *path, OndRunMode mode, OndRunFolder *out, OndError *err)
{
    size_t length = strlen(path);
    struct stat info;
    while (length > 1 && path[length - 1] == '/')
        --length;
    if (length == 0 || length >= sizeof out->path)
        return ond_fail(err, OND_BAD_VALUE,
                        "the folder's path has %zu characters; give one of 1 to %zu", length,
                        sizeof out->path - 1);
    memcpy(out->path, path, length);
    out->path[length] = 0;
    out->locked = false;
    if (mode != OND_RUN_READ) return prepare(out, mode, err);
    if (stat(out->path, &info) != 0) return ond_file_fail(err, "read the folder", out->path, errno);
    if (!S_ISDIR(info.st_mode))
        return ond_fail(err, OND_BAD_VALUE, "%s is not a folder; give the folder of a run",
                        out->path);
    return OND_OK;
}
