// SPDX-License-Identifier: MIT
// A surface for ParaView: points, polygons, and everything the corners carry as point data.
#include "io/formats/surface_files.h"
#include "io/formats/surface_parts.h"
#include "io/formats/vtk_arrays.h"

static OndVtkArray triples(const char *name, const char *unit, const float *data, int count)
{
    return (OndVtkArray){.name = name,
                         .unit = unit,
                         .type = "Float32",
                         .components = 3,
                         .data = {data, data + 1, data + 2},
                         .step = 3,
                         .count = count};
}

static void announce_point_data(OndVtkFile *vtk, const OndSurface *s)
{
    const OndFields *set = &s->attributes;
    ond_file_print(vtk->file, "</Points>\n<PointData%s>\n", s->normal ? " Normals=\"normal\"" : "");
    if (s->normal) {
        const OndVtkArray normal = triples("normal", "", s->normal, s->mesh.corner_count);
        ond_vtk_announce(vtk, &normal);
    }
    for (int f = 0; f < set->field_count; ++f) {
        const OndVtkArray array = ond_vtk_field(&set->field[f], s->mesh.corner_count);
        ond_vtk_announce(vtk, &array);
    }
}

static void announce_polygons(OndVtkFile *vtk, const OndMesh *mesh)
{
    const OndVtkArray corners = {.name = "connectivity",
                                 .unit = "",
                                 .type = "Int32",
                                 .components = 1,
                                 .data = {mesh->triangle},
                                 .step = 1,
                                 .count = 3 * mesh->triangle_count};
    const OndVtkArray ends = {.name = "offsets",
                              .unit = "",
                              .type = "Int32",
                              .components = 1,
                              .count = mesh->triangle_count,
                              .start = 3,
                              .each = 3};
    ond_file_print(vtk->file, "</PointData>\n<Polys>\n");
    ond_vtk_announce(vtk, &corners);
    ond_vtk_announce(vtk, &ends);
    ond_file_print(vtk->file, "</Polys>\n");
}

static OndStatus write_vtp(const char *path, const OndSurface *surface,
                           const OndSurfaceAbout *about, OndError *err)
{
    const OndMesh *mesh = &surface->mesh;
    const OndFrame meta = ond_surface_meta(surface);
    const OndVtkArray points = triples("position", "m", mesh->corner, mesh->corner_count);
    OndVtkFile vtk = {.file = ond_file_create(path, err)};
    if (!vtk.file) return ond_file_status(err);
    ond_vtk_begin(&vtk, &meta);
    ond_file_print(vtk.file, "<!-- " OND_RECIPE_FORMAT " -->\n", (unsigned long long)about->recipe);
    ond_file_print(vtk.file,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n<Points>\n",
                   mesh->corner_count, mesh->triangle_count);
    ond_vtk_announce(&vtk, &points);
    announce_point_data(&vtk, surface);
    announce_polygons(&vtk, mesh);
    ond_vtk_append(&vtk);
    return ond_file_commit(vtk.file, err);
}

const OndSurfaceFormat ond_surface_format_vtp = {"vtp", "VTK PolyData (ParaView)", NULL, write_vtp};
