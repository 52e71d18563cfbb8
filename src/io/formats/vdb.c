// SPDX-License-Identifier: MIT
#include "io/formats/vdb.h"

#include "base/memory.h"
#include "io/file.h"
#include "io/formats/formats.h"
#include "io/formats/vdb_shim.h"

#include <limits.h>
#include <string.h>

#ifndef OND_HAVE_OPENVDB

bool ond_vdb_here(void)
{
    return false;
}

static OndStatus missing(const char *doing, const char *path, OndError *err)
{
    return ond_fail(err, OND_MISSING,
                    "cannot %s %s: this build has no OpenVDB; install libopenvdb-dev and build "
                    "again, or use .vti",
                    doing, path);
}

OndStatus ond_vdb_write(const char *path, const OndFrame *frame, OndError *err)
{
    return missing("write", path, err);
}

OndStatus ond_vdb_read(const char *path, OndFrame *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    return missing("read", path, err);
}

#else

#define FILE_LIMIT ((uint64_t)16 << 30)
#define CELLS_MOST 1e9
#define WHY        160

bool ond_vdb_here(void)
{
    return true;
}

// ---- writing

typedef struct Writing {
    const OndFrame *frame;
    OndFile *file;
    OndVdbField field[OND_FIELDS_MAX];
    const OndField *from[OND_FIELDS_MAX];
    int count;
} Writing;

static void give_row(void *own, int field, int j, int k, float *out)
{
    const Writing *const w = own;
    const OndGrid *const g = &w->frame->grid;
    const OndField *const f = w->from[field];
    const size_t at = ond_grid_at(g, 0, j, k);
    for (int c = 0; c < f->components; ++c) {
        const float *const data = f->data[c];
        const bool faces = (f->flags & OND_FIELD_FACES) && (c < 2 || g->deep);
        const size_t next = faces ? (size_t)ond_grid_stride(g, c) : 0;
        for (int i = 0; i < g->n[0]; ++i) {
            const size_t cell = at + (size_t)i;
            out[i * f->components + c] =
                next ? 0.5f * (data[cell] + data[cell + next]) : data[cell];
        }
    }
}

static void give_bytes(void *own, const void *bytes, size_t size)
{
    ond_file_write(((Writing *)own)->file, bytes, size);
}

static float coldest(const OndGrid *g, const OndField *field)
{
    const float *const v = field->data[0];
    float least = INFINITY;
    for (int r = 0; r < g->rows; ++r)
        for (int i = 0; i < g->n[0]; ++i)
            least = fminf(least, v[ond_grid_row(g, r) + (size_t)i]);
    return least < INFINITY ? least : 0.0f;
}

static void list_fields(Writing *w)
{
    const OndFields *const set = &w->frame->cells;
    for (int f = 0; f < set->field_count; ++f) {
        const OndField *const field = &set->field[f];
        if (!(field->flags & OND_FIELD_FRAME) || field->type != OND_F32) continue;
        const bool warm = strcmp(field->name, "temperature") == 0;
        w->from[w->count] = field;
        w->field[w->count++] =
            (OndVdbField){.name = field->name,
                          .components = field->components,
                          .background = warm ? coldest(&w->frame->grid, field) : 0.0f,
                          .tolerance = warm ? 1e-2f : 1e-5f};
    }
}

static OndVdbShape shape_of(const OndFrame *f)
{
    const OndGrid *const g = &f->grid;
    const OndVec a = f->domain.min, b = f->domain.max;
    return (OndVdbShape){.n = {g->n[0], g->n[1], g->n[2]},
                         .h = g->h,
                         .origin = {g->origin.x, g->origin.y, g->origin.z},
                         .time = f->time,
                         .frame = f->index,
                         .domain = {a.x, a.y, a.z, b.x, b.y, b.z}};
}

OndStatus ond_vdb_write(const char *path, const OndFrame *frame, OndError *err)
{
    char why[WHY] = "";
    if (!ond_frame_has_grid(frame))
        return ond_fail(err, OND_BAD_VALUE,
                        "cannot write %s: the frame has no grid; particles go into .ply or .vtp",
                        path);
    Writing w = {.frame = frame, .file = ond_file_create(path, err)};
    if (!w.file) return ond_file_status(err);
    list_fields(&w);
    const OndVdbSource source = {shape_of(frame), w.field, w.count, give_row, give_bytes, &w};
    const int status = ond_vdb_shim_write(&source, why, sizeof why);
    if (status == OND_VDB_OK) return ond_file_commit(w.file, err);
    ond_file_abandon(w.file);
    return ond_fail(err, status == OND_VDB_NO_MEMORY ? OND_NO_MEMORY : OND_IO,
                    "cannot write %s: %s", path, why);
}

// ---- reading

static OndStatus read_shape(const OndVdbShape *s, OndFrame *out, OndError *err)
{
    const OndVec origin = ond_vec(s->origin[0], s->origin[1], s->origin[2]);
    const OndStatus status = ond_grid_set(&out->grid, s->n, s->h, origin, NULL, err);
    if (status != OND_OK) return status;
    if (out->grid.length > INT_MAX - 1024)
        return ond_fail(err, OND_BAD_VALUE, "the file has too many cells: %d x %d x %d", s->n[0],
                        s->n[1], s->n[2]);
    out->cells.count = out->cells.capacity = (int)out->grid.length;
    out->dimension = out->grid.deep ? 3 : 2;
    out->spacing = s->h;
    out->time = isfinite(s->time) ? s->time : 0.0;
    out->index = s->frame;
    out->domain = (OndBox){{s->domain[0], s->domain[1], s->domain[2]},
                           {s->domain[3], s->domain[4], s->domain[5]}};
    return OND_OK;
}

static const char *unit_of(const char *name)
{
    if (strcmp(name, "velocity") == 0) return "m/s";
    return strcmp(name, "temperature") == 0 ? "C" : "";
}

static OndStatus read_field(const OndVdbFile *file, int field, float *row, OndFrame *out,
                            OndError *err)
{
    int components;
    const char *const name = ond_vdb_shim_name(file, field, &components);
    if (!name[0] || strlen(name) > 63 || ond_fields_find(&out->cells, name)) return OND_OK;
    const char *const kept = ond_fields_keep_text(&out->cells, name);
    const int index = kept ? ond_fields_add(&out->cells, kept, unit_of(name), OND_F32, components,
                                            OND_FIELD_FRAME)
                           : -1;
    if (index < 0) return ond_fail(err, OND_NO_MEMORY, "not enough memory for grid '%s'", name);
    const OndGrid *const g = &out->grid;
    for (int r = 0; r < g->rows; ++r) {
        ond_vdb_shim_row(file, field, r % g->n[1], r / g->n[1], row);
        for (int i = 0; i < g->n[0]; ++i)
            for (int c = 0; c < components; ++c)
                ((float *)out->cells.field[index].data[c])[ond_grid_row(g, r) + (size_t)i] =
                    row[i * components + c];
    }
    return OND_OK;
}

static OndStatus read_fields(const OndVdbFile *file, OndFrame *out, OndError *err)
{
    float *const row = OND_NEW_ARRAY(float, 3 * (size_t)out->grid.n[0]);
    OndStatus status = row ? OND_OK : ond_fail(err, OND_NO_MEMORY, "not enough memory for a grid");
    for (int f = 0; f < ond_vdb_shim_fields(file) && f < OND_FIELDS_MAX && status == OND_OK; ++f)
        status = read_field(file, f, row, out, err);
    ond_free(row);
    return status;
}

OndStatus ond_vdb_read(const char *path, OndFrame *out, OndError *err)
{
    char *bytes = NULL, why[WHY] = "";
    size_t size = 0;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &bytes, &size, err);
    if (status != OND_OK) return status;
    OndVdbFile *const file = ond_vdb_shim_open(bytes, size, CELLS_MOST, why, sizeof why);
    ond_free(bytes);
    if (!file) return ond_fail(err, OND_BAD_VALUE, "cannot read %s: %s", path, why);
    out->owned = true;
    status = read_shape(ond_vdb_shim_shape(file), out, err);
    if (status == OND_OK) status = read_fields(file, out, err);
    ond_vdb_shim_close(file);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}

#endif

const OndFormat ond_format_vdb = {
    .extension = "vdb",
    .what = "OpenVDB: a grid (Blender, Houdini)",
    .write = ond_vdb_write,
    .grid = true,
};
