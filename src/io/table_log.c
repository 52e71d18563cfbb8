// SPDX-License-Identifier: MIT
#include "io/table_log.h"

#include "base/memory.h"
#include "io/file.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 65536
#define FILE_LIMIT   ((uint64_t)4 << 30) // bytes

struct OndTableLog {
    FILE *stream;
    locale_t plain; // numbers with a decimal point
    size_t used;    // of the line
    char line[OND_TABLE_LINE];
    char path[OND_PATH_MAX];
};

// The first column of a line; a line without a number goes.
static bool is_up_to(const char *line, const char *end, double last)
{
    const char *const comma = memchr(line, ',', (size_t)(end - line));
    double value;
    return ond_text_number(line, (size_t)((comma ? comma : end) - line), &value) && value <= last;
}

// Where the first line begins that does not stay. Half a line at the end does not count.
static size_t end_of_kept(const OndTableResume *resume, const char *text, size_t size, size_t from)
{
    while (from < size) {
        const char *end = memchr(text + from, '\n', size - from);
        if (!end || !is_up_to(text + from, end, resume->last)) break;
        if (resume->kept) resume->kept(resume->context, text + from, end);
        from = (size_t)(end - text) + 1;
    }
    return from;
}

// How many bytes of the file stay; 0 when there is nothing to go on from.
static OndStatus bytes_to_keep(const char *path, const char *header, const OndTableResume *resume,
                               size_t *keep, OndError *err)
{
    char *text = NULL;
    size_t size = 0;
    *keep = 0;
    if (access(path, F_OK) != 0) return OND_OK;
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &text, &size, err);
    const size_t length = strlen(header);
    if (status == OND_OK) { // a killed run may have left half of the names: it begins anew
        if (memcmp(text, header, size < length ? size : length) == 0)
            *keep = size < length ? 0 : end_of_kept(resume, text, size, length);
        else
            status =
                ond_fail(err, OND_BAD_VALUE,
                         "cannot go on with %s: its columns are not those of this version; move it "
                         "away and resume again",
                         path);
    }
    ond_free(text);
    return status;
}

static OndStatus open_stream(OndTableLog *log, size_t keep, const char *header, OndError *err)
{
    log->stream = fopen(log->path, keep ? "r+b" : "wb");
    if (!log->stream) return ond_file_fail(err, "write", log->path, errno);
    setvbuf(log->stream, NULL, _IOFBF, BUFFER_BYTES);
    errno = 0;
    if (keep) {
        if (ftruncate(fileno(log->stream), (off_t)keep) != 0 ||
            fseek(log->stream, 0, SEEK_END) != 0)
            return ond_file_fail(err, "shorten", log->path, errno);
    } else if (fputs(header, log->stream) < 0) {
        return ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    }
    return OND_OK;
}

static OndStatus begin(OndTableLog *log, const char *path, const char *names,
                       const OndTableResume *resume, OndError *err)
{
    char header[OND_TABLE_LINE];
    size_t keep = 0;
    if (strlen(path) >= sizeof log->path)
        return ond_fail(err, OND_IO, "the path of the table is too long: %s", path);
    strcpy(log->path, path);
    snprintf(header, sizeof header, "%.*s\n", (int)sizeof header - 2, names);
    OndStatus status = resume ? bytes_to_keep(path, header, resume, &keep, err) : OND_OK;
    if (status == OND_OK) status = open_stream(log, keep, header, err);
    if (status == OND_OK) status = ond_table_log_flush(log, err);
    return status;
}

OndTableLog *ond_table_log_open(const char *path, const char *header, const OndTableResume *resume,
                                OndError *err)
{
    OndTableLog *log = OND_NEW(OndTableLog);
    if (!log) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to open %s", path);
        return NULL;
    }
    log->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (begin(log, path, header, resume, err) == OND_OK) return log;
    ond_table_log_close(log, NULL);
    return NULL;
}

static void append(OndTableLog *log, const char *format, va_list arguments)
{
    const locale_t before = log->plain ? uselocale(log->plain) : (locale_t)0;
    const size_t room = sizeof log->line - 1 - log->used; // one is for the end
    const int length = vsnprintf(log->line + log->used, room, format, arguments);
    if (length > 0) log->used += (size_t)length < room ? (size_t)length : room - 1;
    if (log->plain) uselocale(before);
}

void ond_table_log_begin(OndTableLog *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(log, format, arguments);
    va_end(arguments);
}

OndStatus ond_table_log_add(OndTableLog *log, OndError *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(log, format, arguments);
    va_end(arguments);
    log->line[log->used++] = '\n';
    const size_t length = log->used;
    log->used = 0;
    errno = 0;
    if (fwrite(log->line, 1, length, log->stream) != length)
        return ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    return OND_OK;
}

OndStatus ond_table_log_flush(OndTableLog *log, OndError *err)
{
    errno = 0;
    if (fflush(log->stream) != 0 || ferror(log->stream))
        return ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    return OND_OK;
}

OndStatus ond_table_log_close(OndTableLog *log, OndError *err)
{
    OndStatus status = OND_OK;
    if (!log) return status;
    errno = 0;
    if (log->stream && fclose(log->stream) != 0)
        status = ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    if (log->plain) freelocale(log->plain);
    ond_free(log);
    return status;
}
