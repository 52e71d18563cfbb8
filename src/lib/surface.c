// SPDX-License-Identifier: MIT
// The surface of a simulation as it is now, for programs around the library.
#include "surface/surface.h"

#include "base/memory.h"
#include "io/formats/surface_files.h"
#include "sim/sim.h"
#include "surface/of_scene.h"

#include <ondine/surface.h>

struct OndSurfaceMesh {
    OndSurface surface;
};

OndSurfaceMesh *ond_sim_surface(const OndSim *sim, OndError *err)
{
    OndFrame frame;
    OndSurfaceMesh *const mesh = OND_NEW(OndSurfaceMesh);
    if (!mesh) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a surface");
        return NULL;
    }
    const OndSurfaceDef def = ond_surface_def_of_scene(ond_sim_scene(sim));
    OndStatus status = ond_sim_look(sim, &frame, err);
    if (status != OND_OK) {
        ond_free(mesh);
        return NULL;
    }
    if (ond_frame_has_grid(&frame))
        status = ond_fail(err, OND_BAD_VALUE, "what fills a grid has no surface");
    else if (frame.particles.count > 0)
        status = ond_surface_make(&mesh->surface, &frame, &def, NULL, err);
    ond_sim_look_free(&frame);
    if (status == OND_OK) return mesh;
    ond_free(mesh);
    return NULL;
}

void ond_surface_mesh_destroy(OndSurfaceMesh *mesh)
{
    if (!mesh) return;
    ond_surface_free(&mesh->surface);
    ond_free(mesh);
}

int ond_surface_mesh_corner_count(const OndSurfaceMesh *mesh)
{
    return mesh->surface.mesh.corner_count;
}

const float *ond_surface_mesh_positions(const OndSurfaceMesh *mesh)
{
    return mesh->surface.mesh.corner;
}

const float *ond_surface_mesh_normals(const OndSurfaceMesh *mesh)
{
    return mesh->surface.normal;
}

int ond_surface_mesh_triangle_count(const OndSurfaceMesh *mesh)
{
    return mesh->surface.mesh.triangle_count;
}

const uint32_t *ond_surface_mesh_triangles(const OndSurfaceMesh *mesh)
{
    return mesh->surface.mesh.triangle;
}

bool ond_surface_mesh_field(const OndSurfaceMesh *mesh, const char *name, OndFieldView *out)
{
    const OndFields *const all = &mesh->surface.attributes;
    return ond_field_view(all, ond_fields_find(all, name), out);
}

OndStatus ond_surface_mesh_write(const OndSurfaceMesh *mesh, const char *path, OndError *err)
{
    const OndSurfaceAbout about = {0};
    return ond_surface_write(path, &mesh->surface, &about, err);
}
