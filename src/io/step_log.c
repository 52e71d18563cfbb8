// SPDX-License-Identifier: MIT
#include "io/step_log.h"

#include "base/memory.h"
#include "io/table_log.h"

#include <stdio.h>
#include <string.h>

struct OndStepLog {
    OndTableLog *table;
    int phase_count;
    OndStepFaults faults; // those of the kept lines included
};

static const char columns[] =
    "step,time_s,dt_s,particles,max_speed,density_error,kinetic_J,potential_J,iterations,"
    "unconverged,unsettled,solves,iterations_rigidity,asleep";
#define FAULTS_COLUMN 9

static void make_header(const char *const *names, int count, char out[OND_TABLE_LINE])
{
    size_t used = (size_t)snprintf(out, OND_TABLE_LINE, "%s", columns);
    for (int k = 0; k < count; ++k)
        used += (size_t)snprintf(out + used, OND_TABLE_LINE - used, ",ms_%.64s", names[k]);
}

static void count_faults(void *context, const char *line, const char *end)
{
    OndStepFaults *const faults = context;
    for (int k = 0; k < FAULTS_COLUMN && line; ++k) {
        line = memchr(line, ',', (size_t)(end - line));
        if (line) ++line;
    }
    if (!line || end - line < 3) return; // two digits and a comma
    faults->unconverged += line[0] == '1';
    faults->unsettled += line[2] == '1';
}

OndStepLog *ond_step_log_open(const char *path, const char *const *phase_names, int phase_count,
                              long long resume_step, OndError *err)
{
    char header[OND_TABLE_LINE];
    OndStepLog *log = OND_NEW(OndStepLog);
    if (!log) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory to open %s", path);
        return NULL;
    }
    log->phase_count = phase_count < OND_PHASES_MAX ? phase_count : OND_PHASES_MAX;
    make_header(phase_names, log->phase_count, header);
    const OndTableResume resume = {(double)resume_step, count_faults, &log->faults};
    log->table = ond_table_log_open(path, header, resume_step >= 0 ? &resume : NULL, err);
    if (log->table) return log;
    ond_free(log);
    return NULL;
}

OndStatus ond_step_log_add(OndStepLog *log, const OndStepRecord *r, OndError *err)
{
    ond_table_log_begin(log->table, "%d,%.17g,%.9g,%d,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%d,%d,%d",
                        r->step, r->time, r->dt, r->particles, r->max_speed, r->density_error,
                        r->kinetic, r->potential, r->iterations, r->unconverged, r->unsettled,
                        r->solves, r->rigid_iterations, r->asleep);
    for (int k = 0; k < log->phase_count; ++k)
        ond_table_log_begin(log->table, ",%.4g", k < r->phase_count ? r->phase_ms[k] : 0.0);
    log->faults.unconverged += r->unconverged;
    log->faults.unsettled += r->unsettled;
    return ond_table_log_add(log->table, err, "%s", "");
}

OndStepFaults ond_step_log_faults(const OndStepLog *log)
{
    return log ? log->faults : (OndStepFaults){0};
}

OndStatus ond_step_log_flush(OndStepLog *log, OndError *err)
{
    return ond_table_log_flush(log->table, err);
}

OndStatus ond_step_log_close(OndStepLog *log, OndError *err)
{
    if (!log) return OND_OK;
    const OndStatus status = ond_table_log_close(log->table, err);
    ond_free(log);
    return status;
}
