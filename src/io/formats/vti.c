// SPDX-License-Identifier: MIT
// A grid as VTK image data, and back.
#include "io/formats/vtk.h"
#include "io/formats/vtk_arrays.h"

#include "base/memory.h"
#include "io/formats/formats.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT  ((uint64_t)64 << 30)
#define HEADER_MOST 65536 // bytes before the arrays

// ---- writing

static void announce(OndVtkFile *vtk, const OndFrame *frame, const OndField *field)
{
    OndVtkArray array = ond_vtk_field(field, (int)ond_grid_cells(&frame->grid));
    array.grid = &frame->grid;
    array.faces = field->flags & OND_FIELD_FACES;
    ond_vtk_announce(vtk, &array);
}

OndStatus ond_vti_write(const char *path, const OndFrame *frame, OndError *err)
{
    const OndFields *const set = &frame->cells;
    const int *const n = frame->grid.n;
    if (!ond_frame_has_grid(frame))
        return ond_fail(err, OND_BAD_VALUE,
                        "cannot write %s: the frame has no grid; particles go into .ply or .vtp",
                        path);
    OndVtkFile vtk = {.file = ond_file_create(path, err), .dataset = "ImageData"};
    if (!vtk.file) return OND_IO;
    ond_vtk_begin(&vtk, frame);
    ond_file_print(vtk.file, "<Piece Extent=\"0 %d 0 %d 0 %d\">\n<CellData>\n", n[0], n[1], n[2]);
    for (int f = 0; f < set->field_count; ++f)
        if ((set->field[f].flags & OND_FIELD_FRAME) && set->field[f].type == OND_F32)
            announce(&vtk, frame, &set->field[f]);
    ond_file_print(vtk.file, "</CellData>\n");
    ond_vtk_append(&vtk);
    return ond_file_commit(vtk.file, err);
}

// ---- reading

typedef struct VtiReader {
    const char *name;
    const char *bytes;
    size_t size, body; // `body`: where the arrays begin
    char *header;      // what is before, ended by a zero
    OndFrame *out;
    OndError *err;
} VtiReader;

static OndStatus refuse(const VtiReader *r, const char *why)
{
    return ond_fail(r->err, OND_BAD_VALUE, "%s: %s; only image data written by ondine is read",
                    r->name, why);
}

// The numbers behind `key`, up to `count` of them. False when there are fewer.
static bool numbers(const char *text, const char *key, double *out, int count)
{
    const char *at = text ? strstr(text, key) : NULL;
    if (!at) return false;
    at += strlen(key);
    for (int k = 0; k < count; ++k) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, " \"<>");
        if (length > 64 || !ond_text_number(at, length, &out[k]) || !isfinite(out[k])) return false;
        at += length;
    }
    return true;
}

static OndStatus split_header(VtiReader *r)
{
    static const char mark[] = "<AppendedData encoding=\"raw\">\n_";
    const size_t most = r->size < HEADER_MOST ? r->size : HEADER_MOST;
    r->header = ond_alloc(most + 1);
    if (!r->header) return ond_fail(r->err, OND_NO_MEMORY, "not enough memory to read %s", r->name);
    memcpy(r->header, r->bytes, most);
    char *const end = strstr(r->header, mark);
    if (!end || !strstr(r->header, "type=\"ImageData\"")) return refuse(r, "it is no such file");
    r->body = (size_t)(end - r->header) + sizeof mark - 1;
    *end = 0;
    return OND_OK;
}

static OndStatus read_grid(VtiReader *r)
{
    double extent[6], origin[3], h, value;
    int n[3];
    if (!numbers(r->header, " WholeExtent=\"", extent, 6) ||
        !numbers(r->header, " Origin=\"", origin, 3) || !numbers(r->header, " Spacing=\"", &h, 1))
        return refuse(r, "its size, origin or spacing is missing");
    for (int a = 0; a < 3; ++a) {
        if (extent[2 * a] != 0.0 || !(extent[2 * a + 1] >= 1.0 && extent[2 * a + 1] <= 65536.0))
            return refuse(r, "its extent is not one of cells from 0 on");
        n[a] = (int)extent[2 * a + 1];
    }
    const double cells = (double)n[0] * n[1] * n[2];
    if (cells * 4.0 > (double)(r->size - r->body)) return refuse(r, "it is cut off");
    OndFrame *const f = r->out;
    const OndStatus status =
        ond_grid_set(&f->grid, n, h, ond_vec(origin[0], origin[1], origin[2]), NULL, r->err);
    if (status != OND_OK) return status;
    if (f->grid.length > INT_MAX - 1024) return refuse(r, "it has too many cells");
    f->cells.count = f->cells.capacity = (int)f->grid.length;
    double box[6];
    f->dimension = n[2] > 1 ? 3 : 2;
    f->spacing = h;
    if (numbers(r->header, "Name=\"TimeValue\">", &value, 1)) f->time = value;
    if (numbers(r->header, "Name=\"frame\">", &value, 1) && fabs(value) < 1e9)
        f->index = (int)value;
    if (numbers(r->header, "Name=\"domain\">", box, 6))
        f->domain = (OndBox){{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
    return OND_OK;
}

static float number_at(const char *at)
{
    uint32_t bits = 0;
    float value;
    for (int b = 0; b < 4; ++b)
        bits |= (uint32_t)(unsigned char)at[b] << 8 * b;
    memcpy(&value, &bits, 4);
    return value;
}

static void copy_cells(const OndGrid *g, const char *from, const OndField *to)
{
    const int each = to->components;
    for (int row = 0; row < g->rows; ++row)
        for (int i = 0; i < g->n[0]; ++i) {
            const size_t cell = (size_t)row * (size_t)g->n[0] + (size_t)i;
            for (int c = 0; c < each; ++c)
                ((float *)to->data[c])[ond_grid_row(g, row) + (size_t)i] =
                    number_at(from + 4 * (cell * (size_t)each + (size_t)c));
        }
}

// The text between `from` and a quote or bracket, kept with the frame.
static const char *keep(VtiReader *r, const char *line, const char *from)
{
    char text[64];
    const char *at = strstr(line, from);
    if (!at) return "";
    at += strlen(from);
    const size_t length = strcspn(at, "\"<>");
    if (length >= sizeof text) return "";
    memcpy(text, at, length);
    text[length] = 0;
    return ond_fields_keep_text(&r->out->cells, text);
}

static OndStatus read_array(VtiReader *r, char *line)
{
    double components, offset;
    if (!numbers(line, " NumberOfComponents=\"", &components, 1) ||
        !numbers(line, " offset=\"", &offset, 1) || (components != 1.0 && components != 3.0))
        return refuse(r, "an array has no size or place");
    const OndGrid *const g = &r->out->grid;
    const double bytes = 4.0 * components * (double)ond_grid_cells(g);
    const double room = (double)(r->size - r->body);
    if (!(offset >= 0.0 && offset + 8.0 + bytes <= room)) return refuse(r, "it is cut off");
    const char *const name = keep(r, line, " Name=\"");
    if (!name[0] || ond_fields_find(&r->out->cells, name)) return refuse(r, "an array has no name");
    const int index = ond_fields_add(&r->out->cells, name, keep(r, line, "\"vtkDataArray\">"),
                                     OND_F32, (int)components, OND_FIELD_FRAME);
    if (index < 0) return ond_fail(r->err, OND_NO_MEMORY, "not enough memory to read %s", r->name);
    copy_cells(g, r->bytes + r->body + (size_t)offset + 8, &r->out->cells.field[index]);
    return OND_OK;
}

static OndStatus read_arrays(VtiReader *r)
{
    OndStatus status = OND_OK;
    char *line = strstr(r->header, "<CellData");
    if (!line) return refuse(r, "it has no values of cells");
    while (status == OND_OK && (line = strstr(line, "<DataArray type=\"Float32\""))) {
        char *const next = strchr(line, '\n');
        if (next) *next = 0;
        status = read_array(r, line);
        if (!next) break;
        line = next + 1;
    }
    return status;
}

OndStatus ond_vti_parse(const char *name, const char *bytes, size_t size, OndFrame *out,
                        OndError *err)
{
    VtiReader r = {name, bytes, size, 0, NULL, out, err};
    memset(out, 0, sizeof *out);
    out->owned = true;
    OndStatus status = split_header(&r);
    if (status == OND_OK) status = read_grid(&r);
    if (status == OND_OK) status = read_arrays(&r);
    ond_free(r.header);
    if (status != OND_OK) ond_frame_free(out);
    return status;
}

OndStatus ond_vti_read(const char *path, OndFrame *out, OndError *err)
{
    char *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    OndStatus status = ond_file_read_all(path, FILE_LIMIT, &bytes, &size, err);
    if (status == OND_OK) status = ond_vti_parse(path, bytes, size, out, err);
    ond_free(bytes);
    return status;
}

const OndFormat ond_format_vti = {
    .extension = "vti",
    .what = "VTK image data: a grid (ParaView)",
    .read = ond_vti_read,
    .write = ond_vti_write,
    .grid = true,
    .listed = true,
};
