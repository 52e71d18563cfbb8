// SPDX-License-Identifier: MIT
#include "io/formats/vtk_arrays.h"

#include <string.h>

#define BLOCK 8190 // numbers put together before they are written: whole triples

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

OndVtkArray ond_vtk_field(const OndField *field, int count)
{
    OndVtkArray array = {.name = field->name,
                         .unit = field->unit,
                         .type = field->type == OND_U32 ? "UInt32" : "Float32",
                         .components = field->components,
                         .step = 1,
                         .count = count};
    memcpy(array.data, field->data, sizeof array.data);
    return array;
}

static uint64_t bytes_of(const OndVtkArray *array)
{
    return (uint64_t)array->count * (uint64_t)array->components * 4;
}

static void print_meta(OndFile *file, const OndFrame *f)
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

static const char *dataset(const OndVtkFile *vtk)
{
    return vtk->dataset ? vtk->dataset : "PolyData";
}

static void print_extent(OndFile *file, const OndGrid *g)
{
    ond_file_print(file,
                   " WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.17g %.17g %.17g\" "
                   "Spacing=\"%.17g %.17g %.17g\"",
                   g->n[0], g->n[1], g->n[2], g->origin.x, g->origin.y, g->origin.z, g->h, g->h,
                   g->h);
}

void ond_vtk_begin(OndVtkFile *vtk, const OndFrame *meta)
{
    const char *kind = dataset(vtk);
    ond_file_print(vtk->file,
                   "<?xml version=\"1.0\"?>\n"
                   "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
                   "header_type=\"UInt64\">\n<%s",
                   kind, kind);
    if (vtk->dataset) print_extent(vtk->file, &meta->grid);
    ond_file_print(vtk->file, ">\n");
    print_meta(vtk->file, meta);
}

void ond_vtk_announce(OndVtkFile *vtk, const OndVtkArray *array)
{
    if (vtk->arrays == OND_VTK_ARRAYS_MAX) return;
    vtk->array[vtk->arrays++] = *array;
    ond_file_print(vtk->file, "<DataArray type=\"%s\" Name=\"", array->type);
    print_escaped(vtk->file, array->name);
    ond_file_print(vtk->file, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\">",
                   array->components, (unsigned long long)vtk->offset);
    if (array->unit[0]) {
        ond_file_print(vtk->file,
                       "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
        print_escaped(vtk->file, array->unit);
        ond_file_print(vtk->file, "</InformationKey>");
    }
    ond_file_print(vtk->file, "</DataArray>\n");
    vtk->offset += 8 + bytes_of(array);
}

static void write_numbers(OndFile *file, const uint32_t *value, int count)
{
    unsigned char bytes[4 * BLOCK];
    for (int k = 0; k < count; ++k)
        for (int b = 0; b < 4; ++b)
            bytes[4 * k + b] = (unsigned char)(value[k] >> 8 * b);
    ond_file_write(file, bytes, (size_t)count * 4);
}

static void fill(uint32_t *block, const OndVtkArray *array, int component, int first, int rows)
{
    const int stride = array->components;
    const size_t step = (size_t)array->step * 4;
    const char *from = array->data[component];
    for (int k = 0; k < rows; ++k)
        if (from)
            memcpy(&block[k * stride + component], from + (size_t)(first + k) * step, 4);
        else
            block[k * stride + component] = array->start + (uint32_t)(first + k) * array->each;
}

static void fill_cells(uint32_t *block, const OndVtkArray *array, int component, int first,
                       int rows)
{
    const OndGrid *const g = array->grid;
    const float *const from = array->data[component];
    const bool faces = array->faces && (component < 2 || g->deep); // in 2D there are none along z
    const size_t next = faces ? (size_t)ond_grid_stride(g, component) : 0;
    for (int k = 0; k < rows; ++k) {
        const int cell = first + k, row = cell / g->n[0];
        const size_t at = ond_grid_row(g, row) + (size_t)(cell - row * g->n[0]);
        const float value = next ? 0.5f * (from[at] + from[at + next]) : from[at];
        memcpy(&block[k * array->components + component], &value, 4);
    }
}

static void write_array(OndFile *file, const OndVtkArray *array)
{
    uint32_t block[BLOCK];
    const int each = BLOCK / array->components;
    const uint64_t length = bytes_of(array);
    const uint32_t halves[2] = {(uint32_t)length, (uint32_t)(length >> 32)};
    write_numbers(file, halves, 2);
    for (int first = 0; first < array->count && ond_file_good(file); first += each) {
        const int rows = array->count - first < each ? array->count - first : each;
        for (int c = 0; c < array->components; ++c)
            (array->grid ? fill_cells : fill)(block, array, c, first, rows);
        write_numbers(file, block, rows * array->components);
    }
}

void ond_vtk_append(OndVtkFile *vtk)
{
    ond_file_print(vtk->file, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", dataset(vtk));
    for (int k = 0; k < vtk->arrays; ++k)
        write_array(vtk->file, &vtk->array[k]);
    ond_file_print(vtk->file, "\n</AppendedData>\n</VTKFile>\n");
}
