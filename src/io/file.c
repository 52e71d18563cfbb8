// SPDX-License-Identifier: MIT
#include "io/file.h"

#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256 * 1024) // few system calls for small writes; large ones pass by it

struct OndFile {
    FILE *stream;
    char path[OND_PATH_MAX], part[OND_PATH_MAX + 8];
    bool direct; // not a regular file: no renaming
    int failed;  // errno of the first failure
};

OndStatus ond_file_fail(OndError *err, const char *doing, const char *path, int reason)
{
    if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG)
        return ond_fail(err, OND_IO,
                        "no space left on the device: %s; free some space and resume, the files "
                        "written earlier are whole",
                        path);
    return ond_fail(err, OND_IO, "cannot %s %s: %s", doing, path, strerror(reason));
}

// A link is followed, so that the file it points at is replaced and not the link.
static OndStatus choose_names(OndFile *file, const char *path, OndError *err)
{
    struct stat info;
    const bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return ond_fail(err, OND_IO, "cannot write %s: it is a folder; give a file's name", path);
    file->direct = exists && !S_ISREG(info.st_mode);
    char real[PATH_MAX];
    const bool followed = exists && !file->direct && realpath(path, real);
    const char *target = followed ? real : path;
    const bool fits = strlen(target) < sizeof file->path;
    if (fits) {
        strcpy(file->path, target);
        snprintf(file->part, sizeof file->part, "%s%s", file->path, file->direct ? "" : ".part");
    }
    if (fits) return OND_OK;
    return ond_fail(err, OND_IO,
                    "cannot write a file whose path has %zu characters (at most %d): %s",
                    strlen(path), OND_PATH_MAX - 1, path);
}

OndFile *ond_file_create(const char *path, OndError *err)
{
    OndFile *file = OND_NEW(OndFile);
    if (!file) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to write %s", path);
        return NULL;
    }
    if (choose_names(file, path, err) != OND_OK) {
        ond_free(file);
        return NULL;
    }
    file->stream = fopen(file->part, "wb");
    if (!file->stream) {
        ond_file_fail(err, "write", path, errno);
        ond_free(file);
        return NULL;
    }
    setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
    return file;
}

const char *ond_path_extension(const char *path)
{
    const char *const name = strrchr(path, '/');
    const char *const dot = strrchr(name ? name + 1 : path, '.');
    return dot ? dot + 1 : "";
}

OndStatus ond_file_status(const OndError *err)
{
    return err && err->status != OND_OK ? err->status : OND_IO;
}

// errno may be left at 0 by a C library that fails for reasons of its own.
static void note_failure(OndFile *file)
{
    if (!file->failed) file->failed = errno ? errno : EIO;
}

void ond_file_write(OndFile *file, const void *bytes, size_t size)
{
    if (file->failed || size == 0) return;
    errno = 0;
    if (fwrite(bytes, 1, size, file->stream) != size) note_failure(file);
}

// A program around this library may have set a locale whose numbers have commas. Only this thread
// changes, and only for a moment.
typedef struct PlainNumbers {
    locale_t plain, before;
} PlainNumbers;

static PlainNumbers plain_numbers_begin(void)
{
    PlainNumbers p = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (p.plain) p.before = uselocale(p.plain);
    return p;
}

static void plain_numbers_end(PlainNumbers p)
{
    if (!p.plain) return;
    uselocale(p.before);
    freelocale(p.plain);
}

void ond_file_print(OndFile *file, const char *format, ...)
{
    if (file->failed) return;
    const PlainNumbers numbers = plain_numbers_begin();
    va_list args;
    va_start(args, format);
    errno = 0;
    if (vfprintf(file->stream, format, args) < 0) note_failure(file);
    va_end(args);
    plain_numbers_end(numbers);
}

bool ond_file_good(const OndFile *file)
{
    return file->failed == 0;
}

// Pipes and terminals cannot be synced, and need not be.
static void finish_stream(OndFile *file)
{
    errno = 0;
    if (fflush(file->stream) != 0) note_failure(file);
    if (!file->failed && !file->direct && fsync(fileno(file->stream)) != 0) note_failure(file);
    errno = 0;
    if (fclose(file->stream) != 0) note_failure(file);
    file->stream = NULL;
}

OndStatus ond_file_commit_keeping(OndFile *file, const char *previous, OndError *err)
{
    finish_stream(file);
    if (!file->failed && !file->direct) {
        if (previous && rename(file->path, previous) != 0 && errno != ENOENT) note_failure(file);
        if (!file->failed && rename(file->part, file->path) != 0) note_failure(file);
    }
    OndStatus status = OND_OK;
    if (file->failed) {
        status = ond_file_fail(err, "write", file->path, file->failed);
        if (!file->direct) unlink(file->part);
    }
    ond_free(file);
    return status;
}

OndStatus ond_file_commit(OndFile *file, OndError *err)
{
    return ond_file_commit_keeping(file, NULL, err);
}

void ond_file_abandon(OndFile *file)
{
    if (!file) return;
    fclose(file->stream);
    if (!file->direct) unlink(file->part);
    ond_free(file);
}

// One byte more than announced and the final zero, so that the end is met without growing.
static OndStatus first_room(FILE *stream, const char *path, uint64_t limit, size_t *room,
                            OndError *err)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0) return ond_file_fail(err, "read", path, errno);
    if (S_ISDIR(info.st_mode))
        return ond_fail(err, OND_IO, "cannot read %s: it is a folder, not a file", path);
    const uintmax_t size = S_ISREG(info.st_mode) ? (uintmax_t)info.st_size : 0;
    if (size > limit)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s is too large: %.1f MB, at most %.1f MB are accepted", path,
                        (double)size * 1e-6, (double)limit * 1e-6);
    if (size > SIZE_MAX / 2)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory to read %s", path);
    *room = size ? (size_t)size + 2 : 65536;
    return OND_OK;
}

static OndStatus grow(char **bytes, size_t size, size_t *room, const char *path, OndError *err)
{
    char *larger = *room <= SIZE_MAX / 4 ? ond_alloc(*room * 2) : NULL;
    if (!larger) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read %s", path);
    memcpy(larger, *bytes, size);
    ond_free(*bytes);
    *bytes = larger;
    *room *= 2;
    return OND_OK;
}

static OndStatus read_stream(FILE *stream, const char *path, uint64_t limit, char **bytes,
                             size_t *size, OndError *err)
{
    size_t room = 0, have = 0;
    OndStatus status = first_room(stream, path, limit, &room, err);
    if (status != OND_OK) return status;
    *bytes = ond_alloc(room);
    if (!*bytes) return ond_fail(err, OND_NO_MEMORY, "not enough memory to read %s", path);
    for (;;) {
        errno = 0;
        have += fread(*bytes + have, 1, room - 1 - have, stream);
        if (ferror(stream)) return ond_file_fail(err, "read", path, errno ? errno : EIO);
        if (have > limit)
            return ond_fail(err, OND_BAD_VALUE, "%s is too large: at most %.1f MB are accepted",
                            path, (double)limit * 1e-6);
        if (feof(stream)) break;
        status = grow(bytes, have, &room, path, err);
        if (status != OND_OK) return status;
    }
    (*bytes)[have] = 0;
    *size = have;
    return OND_OK;
}

OndStatus ond_file_read_all(const char *path, uint64_t limit, char **bytes, size_t *size,
                            OndError *err)
{
    *bytes = NULL;
    *size = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return ond_file_fail(err, "read", path, errno);
    const OndStatus status = read_stream(stream, path, limit, bytes, size, err);
    fclose(stream);
    if (status != OND_OK) {
        ond_free(*bytes);
        *bytes = NULL;
        *size = 0;
    }
    return status;
}

bool ond_file_is_newer(const char *path, const char *than)
{
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0) return false;
    if (a.st_mtim.tv_sec != b.st_mtim.tv_sec) return a.st_mtim.tv_sec > b.st_mtim.tv_sec;
    return a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec;
}

bool ond_text_number(const char *text, size_t length, double *out)
{
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    const PlainNumbers numbers = plain_numbers_begin();
    *out = strtod(copy, &end);
    plain_numbers_end(numbers);
    return end == copy + length;
}
