// SPDX-License-Identifier: MIT
#include "io/step_log.h"

#include "base/memory.h"
#include "io/file.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 2048
#define BUFFER_BYTES   65536
#define FILE_LIMIT     ((size_t)4 << 30) // bytes

struct OndStepLog {
    FILE *stream;
    locale_t plain; // numbers with a decimal point
    int phase_count;
    OndStepFaults faults; // those of the kept lines included
    char path[OND_PATH_MAX];
};

static const char columns[] =
    "step,time_s,dt_s,particles,max_speed,density_error,kinetic_J,potential_J,iterations,"
    "unconverged,unsettled";
#define FAULTS_COLUMN 9

static void make_header(const char *const *names, int count, char out[LINE_MAX_BYTES])
{
    size_t used = (size_t)snprintf(out, LINE_MAX_BYTES, "%s", columns);
    for (int k = 0; k < count; ++k)
        used += (size_t)snprintf(out + used, LINE_MAX_BYTES - used, ",ms_%.64s", names[k]);
    snprintf(out + used, LINE_MAX_BYTES - used, "\n");
}

static void count_faults(OndStepFaults *faults, const char *line, const char *end)
{
    for (int k = 0; k < FAULTS_COLUMN && line; ++k) {
        line = memchr(line, ',', (size_t)(end - line));
        if (line) ++line;
    }
    if (!line || end - line < 3) return; // two digits and a comma
    faults->unconverged += line[0] == '1';
    faults->unsettled += line[2] == '1';
}

// Where the line of the step after `step` begins. Half a line at the end does not count.
static size_t end_of_step(OndStepLog *log, const char *text, size_t size, size_t from,
                          long long step)
{
    while (from < size) {
        const char *end = memchr(text + from, '\n', size - from);
        if (!end || strtoll(text + from, NULL, 10) > step) break;
        count_faults(&log->faults, text + from, end);
        from = (size_t)(end - text) + 1;
    }
    return from;
}

// How many bytes of the file stay; 0 when there is nothing to go on from.
static OndStatus bytes_to_keep(OndStepLog *log, const char *header, long long step, size_t *keep,
                               OndError *err)
{
    const char *path = log->path;
    char *text = NULL;
    size_t size = 0;
    *keep = 0;
    if (access(path, F_OK) != 0) return OND_OK;
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &text, &size, err);
    const size_t length = strlen(header);
    if (status == OND_OK) { // a killed run may have left half of the names: it begins anew
        if (memcmp(text, header, size < length ? size : length) == 0)
            *keep = size < length ? 0 : end_of_step(log, text, size, length, step);
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

static OndStatus open_stream(OndStepLog *log, size_t keep, const char *header, OndError *err)
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

static OndStatus begin(OndStepLog *log, const char *path, const char *const *names, long long step,
                       OndError *err)
{
    char header[LINE_MAX_BYTES];
    size_t keep = 0;
    if (strlen(path) >= sizeof log->path)
        return ond_fail(err, OND_IO, "the path of the log is too long: %s", path);
    strcpy(log->path, path);
    make_header(names, log->phase_count, header);
    OndStatus status = step >= 0 ? bytes_to_keep(log, header, step, &keep, err) : OND_OK;
    if (status == OND_OK) status = open_stream(log, keep, header, err);
    if (status == OND_OK) status = ond_step_log_flush(log, err);
    return status;
}

OndStepLog *ond_step_log_open(const char *path, const char *const *phase_names, int phase_count,
                              long long resume_step, OndError *err)
{
    OndStepLog *log = OND_NEW(OndStepLog);
    if (!log) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to open %s", path);
        return NULL;
    }
    log->phase_count = phase_count < OND_PHASES_MAX ? phase_count : OND_PHASES_MAX;
    log->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (begin(log, path, phase_names, resume_step, err) == OND_OK) return log;
    ond_step_log_close(log, NULL);
    return NULL;
}

static int format_line(const OndStepLog *log, const OndStepRecord *r, char out[LINE_MAX_BYTES])
{
    int used = snprintf(out, LINE_MAX_BYTES, "%d,%.17g,%.9g,%d,%.9g,%.9g,%.9g,%.9g,%d,%d,%d",
                        r->step, r->time, r->dt, r->particles, r->max_speed, r->density_error,
                        r->kinetic, r->potential, r->iterations, r->unconverged, r->unsettled);
    for (int k = 0; k < log->phase_count; ++k)
        used += snprintf(out + used, (size_t)(LINE_MAX_BYTES - used), ",%.4g",
                         k < r->phase_count ? r->phase_ms[k] : 0.0);
    out[used++] = '\n';
    return used;
}

OndStatus ond_step_log_add(OndStepLog *log, const OndStepRecord *record, OndError *err)
{
    char line[LINE_MAX_BYTES];
    const locale_t before = log->plain ? uselocale(log->plain) : (locale_t)0;
    const size_t length = (size_t)format_line(log, record, line);
    if (log->plain) uselocale(before);
    log->faults.unconverged += record->unconverged;
    log->faults.unsettled += record->unsettled;
    errno = 0;
    if (fwrite(line, 1, length, log->stream) != length)
        return ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    return OND_OK;
}

OndStepFaults ond_step_log_faults(const OndStepLog *log)
{
    return log ? log->faults : (OndStepFaults){0};
}

OndStatus ond_step_log_flush(OndStepLog *log, OndError *err)
{
    errno = 0;
    if (fflush(log->stream) != 0 || ferror(log->stream))
        return ond_file_fail(err, "write", log->path, errno ? errno : EIO);
    return OND_OK;
}

OndStatus ond_step_log_close(OndStepLog *log, OndError *err)
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
