// SPDX-License-Identifier: MIT
#include "io/formats/vtk.h"

#include "io/formats/formats.h"
#include "io/formats/vtk_arrays.h"

#include <string.h>

static bool is_point_data(const OndField *field)
{
    return (field->flags & OND_FIELD_FRAME) && strcmp(field->name, "position") != 0;
}

static void announce_field(OndVtkFile *vtk, const OndField *field, int count)
{
    const OndVtkArray array = ond_vtk_field(field, count);
    ond_vtk_announce(vtk, &array);
}

// start, start + 1, ...: which point a vertex is (from 0), and where its list ends (from 1).
static void announce_index(OndVtkFile *vtk, const char *name, int count, uint32_t start)
{
    const OndVtkArray array = {.name = name,
                               .unit = "",
                               .type = "Int32",
                               .components = 1,
                               .count = count,
                               .start = start,
                               .each = 1};
    ond_vtk_announce(vtk, &array);
}

static void write_xml(OndVtkFile *vtk, const OndFrame *frame, const OndField *position)
{
    const OndFields *set = &frame->particles;
    ond_vtk_begin(vtk, frame);
    ond_file_print(vtk->file,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
                   set->count, set->count);
    announce_field(vtk, position, set->count);
    ond_file_print(vtk->file, "</Points>\n<PointData>\n");
    for (int f = 0; f < set->field_count; ++f)
        if (is_point_data(&set->field[f])) announce_field(vtk, &set->field[f], set->count);
    ond_file_print(vtk->file, "</PointData>\n<Verts>\n");
    announce_index(vtk, "connectivity", set->count, 0);
    announce_index(vtk, "offsets", set->count, 1);
    ond_file_print(vtk->file, "</Verts>\n");
}

OndStatus ond_vtp_write(const char *path, const OndFrame *frame, OndError *err)
{
    const OndField *position = ond_fields_find(&frame->particles, "position");
    if (!position || position->components != 3)
        return ond_fail(err, OND_BAD_VALUE,
                        "cannot write %s: the frame's particles have no positions", path);
    OndVtkFile vtk = {.file = ond_file_create(path, err)};
    if (!vtk.file) return OND_IO;
    write_xml(&vtk, frame, position);
    ond_vtk_append(&vtk);
    return ond_file_commit(vtk.file, err);
}

const OndFormat ond_format_vtp = {
    .extension = "vtp",
    .what = "VTK PolyData (ParaView)",
    .write = ond_vtp_write,
    .listed = true,
};
