// SPDX-License-Identifier: MIT
#include "io/vtk.h"

#include "base/memory.h"
#include "io/file.h"

#include <string.h>

#define BLOCK 8192 // numbers put together before they are written

typedef struct Writer {
    OndFile *file;
    const OndFrame *frame;
    uint64_t offset; // of the next array in the appended data
    int count;
} Writer;

static void print_escaped(OndFile *file, const char *text)
{
    for (; *text; ++text) {
        const char *special = *text == '&'   ? "&amp;"
                              : *text == '<' ? "&lt;"
                              : *text == '>' ? "&gt;"
                              : *text == '"' ? "&quot;"
                                             : NULL;
        if (special)
            ond_file_print(file, "%s", special);
        else if ((unsigned char)*text >= ' ')
            ond_file_write(file, text, 1);
    }
}

// Announces an array and reserves its place.
static void open_array(Writer *w, const char *type, const char *name, int components)
{
    ond_file_print(w->file, "<DataArray type=\"%s\" Name=\"", type);
    print_escaped(w->file, name);
    ond_file_print(w->file, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\">",
                   components, (unsigned long long)w->offset);
    w->offset += 8 + (uint64_t)w->count * (uint64_t)components * 4;
}

static void announce_field(Writer *w, const OndField *field)
{
    open_array(w, field->type == OND_U32 ? "UInt32" : "Float32", field->name, field->components);
    if (field->unit[0]) {
        ond_file_print(w->file, "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
        print_escaped(w->file, field->unit);
        ond_file_print(w->file, "</InformationKey>");
    }
    ond_file_print(w->file, "</DataArray>\n");
}

static void announce_index(Writer *w, const char *name)
{
    open_array(w, "Int32", name, 1);
    ond_file_print(w->file, "</DataArray>\n");
}

static bool is_point_data(const OndField *field)
{
    return (field->flags & OND_FIELD_FRAME) && strcmp(field->name, "position") != 0;
}

static void write_meta(OndFile *file, const OndFrame *f)
{
    const OndVec a = f->domain.min, b = f->domain.max;
    const char *one = "<DataArray type=\"Float64\" NumberOfTuples=\"1\" format=\"ascii\" Name=";
    ond_file_print(file, "<FieldData>\n%s\"TimeValue\">%.17g</DataArray>\n", one, f->time);
    ond_file_print(file, "%s\"frame\">%d</DataArray>\n", one, f->index);
    ond_file_print(file, "%s\"dimension\">%d</DataArray>\n", one, f->dimension);
    ond_file_print(file, "%s\"spacing\">%.17g</DataArray>\n", one, f->spacing);
    ond_file_print(file, "<DataArray type=\"Float64\" NumberOfTuples=\"6\" format=\"ascii\" "
                         "Name=\"domain\">");
    ond_file_print(file, "%.17g %.17g %.17g %.17g %.17g %.17g</DataArray>\n</FieldData>\n", a.x,
                   a.y, a.z, b.x, b.y, b.z);
}

static void write_xml(Writer *w, const OndField *position)
{
    const OndFields *set = &w->frame->particles;
    ond_file_print(w->file,
                   "<?xml version=\"1.0\"?>\n"
                   "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                   "header_type=\"UInt64\">\n<PolyData>\n");
    write_meta(w->file, w->frame);
    ond_file_print(w->file,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
                   w->count, w->count);
    announce_field(w, position);
    ond_file_print(w->file, "</Points>\n<PointData>\n");
    for (int f = 0; f < set->field_count; ++f)
        if (is_point_data(&set->field[f])) announce_field(w, &set->field[f]);
    ond_file_print(w->file, "</PointData>\n<Verts>\n");
    announce_index(w, "connectivity");
    announce_index(w, "offsets");
    ond_file_print(w->file, "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_numbers(OndFile *file, const uint32_t *value, int count)
{
    unsigned char bytes[4 * BLOCK];
    for (int k = 0; k < count; ++k)
        for (int b = 0; b < 4; ++b)
            bytes[4 * k + b] = (unsigned char)(value[k] >> 8 * b);
    ond_file_write(file, bytes, (size_t)count * 4);
}

static void write_length(Writer *w, int components)
{
    const uint64_t length = (uint64_t)w->count * (uint64_t)components * 4;
    const uint32_t halves[2] = {(uint32_t)length, (uint32_t)(length >> 32)};
    write_numbers(w->file, halves, 2);
}

static void write_field(Writer *w, const OndField *field)
{
    uint32_t block[BLOCK];
    const int each = BLOCK / field->components;
    write_length(w, field->components);
    for (int first = 0; first < w->count && ond_file_good(w->file); first += each) {
        const int rows = w->count - first < each ? w->count - first : each;
        for (int c = 0; c < field->components; ++c) {
            const char *from = (const char *)field->data[c] + (size_t)first * 4;
            for (int k = 0; k < rows; ++k)
                memcpy(&block[k * field->components + c], from + (size_t)k * 4, 4);
        }
        write_numbers(w->file, block, rows * field->components);
    }
}

// start, start + 1, ...: which point a vertex is (from 0), and where its list ends (from 1).
static void write_index(Writer *w, uint32_t start)
{
    uint32_t block[BLOCK];
    write_length(w, 1);
    for (int first = 0; first < w->count && ond_file_good(w->file); first += BLOCK) {
        const int rows = w->count - first < BLOCK ? w->count - first : BLOCK;
        for (int k = 0; k < rows; ++k)
            block[k] = start + (uint32_t)(first + k);
        write_numbers(w->file, block, rows);
    }
}

static void write_appended(Writer *w, const OndField *position)
{
    const OndFields *set = &w->frame->particles;
    write_field(w, position);
    for (int f = 0; f < set->field_count; ++f)
        if (is_point_data(&set->field[f])) write_field(w, &set->field[f]);
    write_index(w, 0);
    write_index(w, 1);
    ond_file_print(w->file, "\n</AppendedData>\n</VTKFile>\n");
}

OndStatus ond_vtp_write(const char *path, const OndFrame *frame, OndError *err)
{
    const OndField *position = ond_fields_find(&frame->particles, "position");
    if (!position || position->components != 3)
        return ond_fail(err, OND_BAD_VALUE,
                        "cannot write %s: the frame's particles have no positions", path);
    Writer w = {ond_file_create(path, err), frame, 0, frame->particles.count};
    if (!w.file) return OND_IO;
    write_xml(&w, position);
    write_appended(&w, position);
    return ond_file_commit(w.file, err);
}
