// SPDX-License-Identifier: MIT
#include "app/run_probes.h"

#include "io/table_log.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct OndProbeTables {
    int count;
    char note[1024];      // about rows that are not there any more
    OndTableLog *table[]; // one a probe
};

static OndStatus remove_old(const char *folder, OndError *err)
{
    OndStatus status = OND_OK;
    DIR *const dir = opendir(folder);
    if (!dir) return errno == ENOENT ? OND_OK : ond_file_fail(err, "read", folder, errno);
    for (const struct dirent *e; status == OND_OK && (e = readdir(dir));) {
        char path[OND_PATH_MAX];
        const char *const dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".csv") != 0) continue;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (length >= (int)sizeof path) continue;
        if (unlink(path) != 0) status = ond_file_fail(err, "remove", path, errno);
    }
    closedir(dir);
    return status;
}

static void count_row(void *context, const char *line, const char *end)
{
    (void)line, (void)end;
    *(double *)context += 1.0;
}

// A table that was cut or deleted goes on all the same; but it is told.
static void note_lost(OndProbeTables *t, const OndSim *sim, const OndProbe *probe, double kept)
{
    const double lost = probe->rows - kept;
    const size_t used = strlen(t->note);
    if (!(lost > 0.0)) return;
    snprintf(t->note + used, sizeof t->note - used,
             "%s%.0f rows of probes/%s.csv before t = %.6g s are lost", used > 0 ? "; " : "", lost,
             ond_probe_name(probe), ond_sim_time(sim));
}

static OndStatus open_table(OndProbeTables *t, const char *folder, const OndSim *sim, int which,
                            bool resume, OndError *err)
{
    const OndProbe *const probe = &ond_sim_probes(sim)->probe[which];
    char path[OND_PATH_MAX];
    double kept = 0.0;
    const OndTableResume go_on = {ond_sim_time(sim), count_row, &kept};
    const int length = snprintf(path, sizeof path, "%s/%s.csv", folder, ond_probe_name(probe));
    if (length >= (int)sizeof path)
        return ond_fail(err, OND_BAD_VALUE, "the path of probe '%.60s' is too long",
                        ond_probe_name(probe));
    t->table[which] = ond_table_log_open(
        path, ond_probe_header(probe, ond_sim_scene(sim)->dimension), resume ? &go_on : NULL, err);
    if (!t->table[which]) return err->status;
    if (resume) note_lost(t, sim, probe, kept);
    return OND_OK;
}

OndStatus ond_probe_tables_open(const OndRunFolder *folder, const OndSim *sim, bool resume,
                                OndProbeTables **out, OndError *err)
{
    const OndProbes *const probes = ond_sim_probes(sim);
    char path[OND_PATH_MAX];
    *out = NULL;
    snprintf(path, sizeof path, "%s/probes", folder->path);
    OndStatus status = resume ? OND_OK : remove_old(path, err);
    if (status != OND_OK || probes->count == 0) return status;
    status = ond_run_make_folders(path, err);
    if (status != OND_OK) return status;
    OndProbeTables *const t = ond_alloc(sizeof *t + (size_t)probes->count * sizeof t->table[0]);
    if (!t) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the probes");
    t->count = probes->count;
    for (int k = 0; k < t->count && status == OND_OK; ++k)
        status = open_table(t, path, sim, k, resume, err);
    *out = t;
    if (status == OND_OK) return status;
    ond_probe_tables_close(t, NULL);
    *out = NULL;
    return status;
}

static OndStatus add_row(OndTableLog *table, const OndProbe *probe, double time, OndError *err)
{
    const int columns = ond_probe_columns(probe);
    ond_table_log_begin(table, "%.17g", time);
    for (int c = 0; c + 1 < columns; ++c)
        ond_table_log_begin(table, ",%.9g", probe->row[c]);
    return ond_table_log_add(table, err, ",%.9g", probe->row[columns - 1]);
}

OndStatus ond_probe_tables_add(OndProbeTables *t, const OndSim *sim, OndError *err)
{
    const OndProbes *const probes = ond_sim_probes(sim);
    OndStatus status = OND_OK;
    for (int k = 0; t && k < t->count && status == OND_OK; ++k)
        if (probes->probe[k].due)
            status = add_row(t->table[k], &probes->probe[k], ond_sim_time(sim), err);
    return status;
}

OndStatus ond_probe_tables_flush(OndProbeTables *t, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; t && k < t->count && status == OND_OK; ++k)
        status = ond_table_log_flush(t->table[k], err);
    return status;
}

const char *ond_probe_tables_note(const OndProbeTables *t)
{
    return t ? t->note : "";
}

OndStatus ond_probe_tables_close(OndProbeTables *t, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; t && k < t->count; ++k) {
        const OndStatus one = ond_table_log_close(t->table[k], status == OND_OK ? err : NULL);
        if (status == OND_OK) status = one;
    }
    ond_free(t);
    return status;
}
