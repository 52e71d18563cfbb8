// SPDX-License-Identifier: MIT
#include "io/solid_poses.h"

#include "base/memory.h"
#include "io/file.h"

#include <string.h>

#define FILE_LIMIT ((size_t)64 << 20) // bytes
#define VALUES     13

static void write_name(OndFile *file, const char *name)
{
    ond_file_print(file, "\"");
    for (; *name; ++name)
        if (*name == '"')
            ond_file_print(file, "\"\"");
        else if ((unsigned char)*name >= ' ')
            ond_file_write(file, name, 1);
    ond_file_print(file, "\"");
}

static void write_line(OndFile *file, int index, const char *name, const OndSolidState *s)
{
    const double value[VALUES] = {
        s->pose.at.x,  s->pose.at.y,  s->pose.at.z,  s->pose.w, s->pose.x, s->pose.y, s->pose.z,
        s->velocity.x, s->velocity.y, s->velocity.z, s->spin.x, s->spin.y, s->spin.z};
    ond_file_print(file, "%d,", index);
    write_name(file, name);
    for (int k = 0; k < VALUES; ++k)
        ond_file_print(file, ",%.17g", value[k]);
    ond_file_print(file, "\n");
}

OndStatus ond_solid_poses_write(const char *path, const OndFrameSolids *solids, OndError *err)
{
    OndFile *const file = ond_file_create(path, err);
    if (!file) return OND_IO;
    ond_file_print(file, "solid,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,"
                         "wy_rad_s,wz_rad_s\n");
    for (int k = 0; k < solids->count; ++k) {
        const OndFrameSolid *const s = &solids->solid[k];
        if (s->moves) write_line(file, s->index, s->name, &s->state);
    }
    return ond_file_commit(file, err);
}

// ---- reading

// The next field of a line as a number; false when it is none.
static bool next_number(const char **at, const char *end, double *out)
{
    const char *const comma = memchr(*at, ',', (size_t)(end - *at));
    const char *const stop = comma ? comma : end;
    if (!ond_text_number(*at, (size_t)(stop - *at), out) || !isfinite(*out)) return false;
    *at = comma ? comma + 1 : end;
    return true;
}

static bool skip_name(const char **at, const char *end)
{
    const char *c = *at;
    if (c >= end || *c != '"') return false;
    for (++c; c < end; ++c) {
        if (*c != '"') continue;
        if (c + 1 < end && c[1] == '"') {
            ++c;
            continue;
        }
        if (c + 1 >= end || c[1] != ',') return false;
        *at = c + 2;
        return true;
    }
    return false;
}

static bool read_line(const char *line, const char *end, OndSolidState *state, bool *known,
                      int count)
{
    double index, v[VALUES];
    if (!next_number(&line, end, &index) || !skip_name(&line, end)) return false;
    for (int k = 0; k < VALUES; ++k)
        if (!next_number(&line, end, &v[k])) return false;
    if (!(index >= 0 && index < count)) return false;
    const double length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (!(fabs(length - 1.0) < 1e-6)) return false;
    state[(int)index] = (OndSolidState){.pose = {{v[0], v[1], v[2]}, v[3], v[4], v[5], v[6]},
                                        .velocity = {v[7], v[8], v[9]},
                                        .spin = {v[10], v[11], v[12]}};
    known[(int)index] = true;
    return true;
}

OndStatus ond_solid_poses_read(const char *path, OndSolidState *state, bool *known, int count,
                               OndError *err)
{
    char *text = NULL;
    size_t size = 0;
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &text, &size, err);
    if (status != OND_OK) return status;
    const char *const all = text + size;
    const char *line = memchr(text, '\n', size);
    for (int number = 2; line && ++line < all && status == OND_OK; ++number) {
        const char *end = memchr(line, '\n', (size_t)(all - line));
        if (!read_line(line, end ? end : all, state, known, count))
            status = ond_fail(err, OND_BAD_VALUE,
                              "%s:%d: this line is no pose of one of the scene's %d solids", path,
                              number, count);
        line = end;
    }
    ond_free(text);
    return status;
}
