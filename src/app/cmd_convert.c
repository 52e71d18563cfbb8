// SPDX-License-Identifier: MIT
// ondine convert: particle frames from one format to another, by extension.
//
//   ondine convert frame_0040.ply frame_0040.vtp
//   ondine convert out/frames/frame_%04d.ply out/vtk/frame_%04d.vtp
//
// A pattern stands for all files whose number fits, in order. Patterns are read here by hand: a
// format from the command line is never given to printf.
#include "app/cli.h"
#include "app/progress.h"
#include "base/memory.h"
#include "io/formats/formats.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_ROOM 4096

// "out/frame_%04d.ply" in its parts.
typedef struct PathPattern {
    char folder[PATH_ROOM]; // "out/", or "" for here
    char before[256];       // "frame_"
    char after[256];        // ".ply"
    int width;              // digits at least
    bool numbered;          // false: no number in it, a plain file
} PathPattern;

typedef struct Numbers {
    int *item;
    int count, room;
} Numbers;

// ---- patterns
// -------------------------------------------------------------------------------------

static bool copy_part(char *out, size_t room, const char *from, size_t length)
{
    if (length >= room) return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

// Reads "%d" or "%04d" at `text`; returns its length, 0 when it is something else.
static size_t read_number_mark(const char *text, int *width)
{
    size_t n = 1;
    *width = 0;
    if (text[n] == '0') ++n;
    if (text[n] >= '1' && text[n] <= '9') *width = text[n++] - '0';
    return text[n] == 'd' ? n + 1 : 0;
}

static OndStatus read_pattern(const char *path, PathPattern *out, OndError *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *mark = strchr(name, '%');
    size_t length = 0;
    memset(out, 0, sizeof *out);
    if (mark) length = read_number_mark(mark, &out->width);
    if ((mark && (length == 0 || strchr(mark + length, '%'))) || (!mark && strchr(path, '%')))
        return ond_fail(
            err, OND_BAD_VALUE,
            "the pattern '%s' is not understood; the file's name may hold one %%d or %%04d", path);
    out->numbered = mark != NULL;
    const size_t before = mark ? (size_t)(mark - name) : strlen(name);
    if (!copy_part(out->folder, sizeof out->folder, path, (size_t)(name - path)) ||
        !copy_part(out->before, sizeof out->before, name, before) ||
        !copy_part(out->after, sizeof out->after, name + before + length,
                   strlen(name + before + length)))
        return ond_fail(err, OND_BAD_VALUE, "the path '%.60s...' is too long", path);
    return OND_OK;
}

static void make_path(const PathPattern *p, int number, char *out, size_t room)
{
    if (p->numbered)
        snprintf(out, room, "%s%s%0*d%s", p->folder, p->before, p->width, number, p->after);
    else
        snprintf(out, room, "%s%s", p->folder, p->before);
}

// The number in `name` if the name is exactly what the pattern makes of it, else -1.
static int match(const PathPattern *p, const char *name)
{
    const size_t before = strlen(p->before);
    if (strncmp(name, p->before, before) != 0) return -1;
    if (name[before] < '0' || name[before] > '9') return -1;
    char *end = NULL;
    errno = 0;
    const long number = strtol(name + before, &end, 10);
    if (errno || number > INT_MAX || strcmp(end, p->after) != 0) return -1;
    char again[64];
    snprintf(again, sizeof again, "%0*d", p->width, (int)number);
    const size_t digits = (size_t)(end - (name + before));
    return strlen(again) == digits ? (int)number : -1;
}

// ---- the frames there are
// -------------------------------------------------------------------------

static OndStatus add_number(Numbers *list, int number, OndError *err)
{
    if (list->count == list->room) {
        const int room = list->room ? list->room * 2 : 256;
        int *bigger = realloc(list->item, (size_t)room * sizeof *bigger);
        if (!bigger) return ond_fail(err, OND_NO_MEMORY, "no memory for %d frame numbers", room);
        list->item = bigger;
        list->room = room;
    }
    list->item[list->count++] = number;
    return OND_OK;
}

static int by_size(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static OndStatus list_frames(const PathPattern *p, Numbers *list, OndError *err)
{
    const char *folder = p->folder[0] ? p->folder : ".";
    DIR *dir = opendir(folder);
    if (!dir)
        return ond_fail(err, OND_IO, "the folder '%.500s' cannot be read: %s", folder,
                        strerror(errno));
    OndStatus status = OND_OK;
    for (struct dirent *entry; status == OND_OK && (entry = readdir(dir));) {
        const int number = match(p, entry->d_name);
        if (number >= 0) status = add_number(list, number, err);
    }
    closedir(dir);
    if (list->count > 0) qsort(list->item, (size_t)list->count, sizeof(int), by_size);
    return status;
}

// ---- the work
// -------------------------------------------------------------------------------------

static OndStatus convert_one(const PathPattern *in, const PathPattern *out, int number,
                             OndError *err)
{
    char from[PATH_ROOM + 600], to[PATH_ROOM + 600];
    make_path(in, number, from, sizeof from);
    make_path(out, number, to, sizeof to);
    OndFrame frame = {0};
    OndStatus status = ond_frame_read(from, &frame, err);
    if (status != OND_OK) return status;
    // a file that does not know its number takes it from its name
    if (in->numbered && frame.index == 0) frame.index = number;
    status = ond_frame_write(to, &frame, err);
    ond_frame_free(&frame);
    return status;
}

// One level only: a mistyped path should not grow a tree of folders.
static OndStatus make_folder(const PathPattern *out, OndError *err)
{
    if (!out->folder[0] || mkdir(out->folder, 0777) == 0 || errno == EEXIST) return OND_OK;
    return ond_fail(err, OND_IO, "the folder '%.500s' cannot be made: %s", out->folder,
                    strerror(errno));
}

static OndStatus convert_all(const PathPattern *in, const PathPattern *out, const Numbers *list,
                             bool quiet, OndError *err)
{
    OndProgress progress;
    OndStatus status = OND_OK;
    ond_progress_begin(&progress, stderr, quiet ? OND_PROGRESS_QUIET : OND_PROGRESS_AUTO);
    for (int k = 0; k < list->count && status == OND_OK; ++k) {
        status = convert_one(in, out, list->item[k], err);
        const OndProgressNow now = {
            .label = "convert", .frame = k + 1, .frames = list->count, .frame_done = true};
        if (status == OND_OK) ond_progress_show(&progress, &now);
    }
    ond_progress_end(&progress);
    return status;
}

static OndStatus convert(const char *from, const char *to, bool quiet, OndError *err)
{
    PathPattern in, out;
    Numbers list = {0};
    OndStatus status = read_pattern(from, &in, err);
    if (status == OND_OK) status = read_pattern(to, &out, err);
    if (status == OND_OK && in.numbered != out.numbered)
        status = ond_fail(err, OND_BAD_VALUE,
                          "IN and OUT must both be files, or both have a number "
                          "like %%04d; given: '%.300s' and '%.300s'",
                          from, to);
    if (status == OND_OK)
        status = in.numbered ? list_frames(&in, &list, err) : add_number(&list, 0, err);
    if (status == OND_OK && list.count == 0)
        status = ond_fail(err, OND_IO, "no file is called like '%.500s'", from);
    if (status == OND_OK) status = make_folder(&out, err);
    if (status == OND_OK) status = convert_all(&in, &out, &list, quiet || !in.numbered, err);
    free(list.item);
    return status;
}

// What it does, with the formats that the table has.
static const char *describe(char *out, size_t room)
{
    int count;
    const OndFormat *const *format = ond_formats(&count);
    size_t used = (size_t)snprintf(
        out, room, "Converts a particle frame, or many, to the format of OUT's extension.\n\n");
    for (int k = 0; k < count && used < room; ++k)
        used += (size_t)snprintf(out + used, room - used, "  .%s  %s%s\n", format[k]->extension,
                                 format[k]->what, format[k]->read ? "" : "; only as OUT");
    if (used < room)
        snprintf(out + used, room - used,
                 "\nA number in both names, %%d or %%04d, stands for all the files there are:\n\n"
                 "  ondine convert frame_0040.ply frame_0040.vtp\n"
                 "  ondine convert frames/frame_%%04d.ply vtk/frame_%%04d.vtp");
    return out;
}

static int run(int argc, char **argv)
{
    bool quiet = false;
    char about[2048];
    const OndOpt opts[] = {
        OND_OPT_FLAG("-q, --quiet", "show no progress", &quiet),
    };
    const OndUsage usage = {"ondine convert IN OUT [options]", describe(about, sizeof about), 2, 2};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    OndError err = {0};
    if (convert(argv[rest], argv[rest + 1], quiet, &err) != OND_OK)
        return ond_cli_fail(argv[0], &err);
    return OND_EXIT_DONE;
}

const OndCommand ond_cmd_convert = {"convert", "particle frames between formats, by extension",
                                    run};
