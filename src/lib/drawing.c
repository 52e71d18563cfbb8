// SPDX-License-Identifier: MIT
// What programs that draw a simulation by themselves are told (ondine/drawing.h).
#include "base/memory.h"
#include "geom/mesh_normals.h"
#include "lib/fluid_look.h"
#include "render/of_scene.h"
#include "render/stage/drawn_solids.h"
#include "render/trace/trace_look.h"
#include "sim/sim.h"

#include <ondine/drawing.h>

static const char *const look_names[] = {
#define LOOK_NAME(number, name) name,
    OND_LOOKS_OF_SOLIDS(LOOK_NAME)};

static const char *const smoke_names[] = {
#define SMOKE_NAME(number, name, ...) name,
    OND_SMOKE_STYLES(SMOKE_NAME)};

static const char *const colour_names[] = {
#define COLOUR_NAME(number, name, ...) name,
    OND_COLOURS(COLOUR_NAME)};

static void put(double out[3], OndVec v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

void ond_sim_drawing(const OndSim *sim, OndDrawing *out)
{
    const OndSceneDef *const scene = ond_sim_scene(sim);
    const OndCameraDef *const camera = ond_scene_camera(scene);
    const OndPictureDef *const picture = ond_scene_picture(scene);
    *out = (OndDrawing){.title = scene->title ? scene->title : "",
                        .dimension = scene->dimension,
                        .bounded = scene->has_domain,
                        .spacing = scene->spacing,
                        .grains = ond_scene_method(scene)->grains,
                        .has_camera = camera && camera->node,
                        .colour = "speed"};
    put(out->gravity, scene->gravity);
    if (scene->has_domain) put(out->min, scene->domain.min), put(out->max, scene->domain.max);
    if (out->has_camera) {
        put(out->camera_from, camera->from), put(out->camera_to, camera->to);
        out->camera_angle = camera->fov;
    }
    if (!picture) return;
    const bool says = ond_node_get(picture->node, "colour");
    if (says || !(out->grains || scene->has_grid)) out->colour = colour_names[picture->colour];
    if (!says && out->grains) out->colour = "plain";
    if (!says && scene->has_grid) out->colour = "density";
    out->low = picture->min, out->high = picture->max;
    out->backdrop = picture->backdrop == OND_BACKDROP_LIGHT  ? 1
                    : picture->backdrop == OND_BACKDROP_DARK ? 2
                                                             : 0;
}

const char *ond_sim_fluid_look(const OndSim *sim, int fluid)
{
    const OndSceneDef *const scene = ond_sim_scene(sim);
    if (fluid < 0 || fluid >= scene->fluids.count) return NULL;
    const OndFluidDef *const def = ond_scene_fluid(scene, fluid);
    if (!scene->has_grid)
        return ond_look(ond_fluid_look(def, ond_scene_method(scene)->grains))->name;
    const OndPictureDef *const picture = ond_scene_picture(scene);
    const int asked = picture ? picture->smoke.look : OND_SMOKE_AUTO;
    return smoke_names[asked == OND_SMOKE_AUTO ? ond_smoke_named(def->name) : (OndSmokeKind)asked];
}

// ---- triangles of solids

static void look_of(const OndDrawnSolid *solid, OndSolidTriangles *out)
{
    static const float own[][3] = {[OND_SOLID_LOOK_PLAIN] = {0.77f, 0.76f, 0.75f},
                                   [OND_SOLID_LOOK_GLASS] = {1, 1, 1},
                                   [OND_SOLID_LOOK_METAL] = {0.77f, 0.78f, 0.79f},
                                   [OND_SOLID_LOOK_CLAY] = {0.75f, 0.74f, 0.72f}};
    out->look = look_names[solid->look];
    out->has_colour = solid->has_colour;
    out->closed = solid->closed;
    out->endless = solid->endless;
    for (int a = 0; a < 3; ++a)
        out->colour[a] = own[solid->look][a];
    if (!solid->has_colour) return;
    out->colour[0] = (float)solid->colour.x;
    out->colour[1] = (float)solid->colour.y;
    out->colour[2] = (float)solid->colour.z;
}

static void put_float(float *out, OndVec v)
{
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

// From the solid's own frame to the coordinates in which its shape was written.
static OndStatus put_triangles(const OndMesh *mesh, const float *corner, const OndPose *base,
                               OndSolidTriangles *out, OndError *err)
{
    const size_t uses = 3 * (size_t)mesh->triangle_count;
    OndVec *const normal = OND_NEW_ARRAY(OndVec, uses + 1);
    OndStatus status = normal ? OND_OK : OND_NO_MEMORY;
    out->position = OND_NEW_ARRAY(float, 3 * uses + 1);
    out->normal = OND_NEW_ARRAY(float, 3 * uses + 1);
    if (!normal || !out->position || !out->normal)
        status = ond_fail(err, OND_NO_MEMORY, "no memory to draw a solid of %d triangles",
                          mesh->triangle_count);
    if (status == OND_OK) status = ond_mesh_normals(mesh, corner, normal, err);
    for (size_t i = 0; i < uses && status == OND_OK; ++i) {
        const float *const c = corner + 3 * (size_t)mesh->triangle[i];
        put_float(out->position + 3 * i, ond_pose_out(base, ond_vec(c[0], c[1], c[2])));
        put_float(out->normal + 3 * i, ond_pose_turn(base, normal[i]));
    }
    if (status == OND_OK) out->triangles = mesh->triangle_count;
    ond_free(normal);
    return status;
}

// The corners of a solid that bends are those of the simulation's present frame.
static OndStatus put_bent(const OndSim *sim, int solid, const OndMesh *mesh, const OndPose *base,
                          OndSolidTriangles *out, OndError *err)
{
    OndFrame frame;
    OndStatus status = ond_sim_look(sim, &frame, err);
    if (status != OND_OK) return status;
    const float *const corner = frame.solids.solid[solid].corner;
    status = put_triangles(mesh, corner ? corner : mesh->corner, base, out, err);
    ond_sim_look_free(&frame);
    return status;
}

OndStatus ond_sim_solid_triangles(const OndSim *sim, int solid, OndSolidTriangles *out,
                                  OndError *err)
{
    const OndSimSolids *const all = ond_sim_solids(sim);
    OndMesh room = {0};
    OndDrawnSolid drawn;
    *out = (OndSolidTriangles){.look = look_names[OND_SOLID_LOOK_PLAIN]};
    if (solid < 0 || solid >= all->count)
        return ond_fail(err, OND_BAD_VALUE, "there is no solid %d; the scene has %d", solid,
                        all->count);
    const OndSimSolid *const s = &all->solid[solid];
    if (!s->def->shown) return OND_OK;
    OndStatus status = ond_drawn_solid_make(all, solid, &room, &drawn, err);
    look_of(&drawn, out);
    out->bends = s->sequence.count > 0;
    if (status == OND_OK && out->bends)
        status = put_bent(sim, solid, drawn.mesh, &s->motion.base, out, err);
    else if (status == OND_OK)
        status = put_triangles(drawn.mesh, drawn.mesh->corner, &s->motion.base, out, err);
    ond_mesh_free(&room);
    return status;
}

void ond_solid_triangles_free(OndSolidTriangles *triangles)
{
    ond_free(triangles->position);
    ond_free(triangles->normal);
    *triangles = (OndSolidTriangles){0};
}
