// SPDX-License-Identifier: MIT
#include "solids/scene/solid_make.h"

#include "geom/mesh_repair.h"
#include "sim/scene/scene_shape.h"

#include <string.h>

typedef struct SolidMaker {
    OndSimSolids *all;
    const OndSceneSolid *def;
    const OndAssets *assets;
    OndError *err;
} SolidMaker;

static OndStatus no_memory(const SolidMaker *m)
{
    return ond_fail(m->err, OND_NO_MEMORY, "not enough memory for solid '%.60s'", m->def->name);
}

// The file's name in the scene, at which its faults are told.
const OndNode *ond_solid_file_node(const OndSceneSolid *def)
{
    if (def->sequence.node) return ond_scene_at(def->sequence.node, "files");
    return ond_scene_at(def->shape.node, "file");
}

const char *ond_solid_file_name(const OndSceneSolid *def)
{
    if (def->sequence.node) return def->sequence.files;
    return ((const OndMeshDef *)def->shape.def)->file.file;
}

static OndStatus fail_file(const SolidMaker *m, const char *file, const OndError *why)
{
    if (why->status == OND_NO_MEMORY) return ond_fail(m->err, OND_NO_MEMORY, "%s", why->text);
    return ond_tree_fail(&m->all->scene->tree, ond_solid_file_node(m->def), m->err,
                         "%.200s: %.700s", file, why->text);
}

static OndStatus fail_mesh(const SolidMaker *m, const OndError *why)
{
    return fail_file(m, ond_solid_file_name(m->def), why);
}

// ---- meshes

static OndBox mesh_bounds(const OndMesh *mesh)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i)
        for (int a = 0; a < 3; ++a) {
            const double x = mesh->corner[3 * (size_t)mesh->triangle[i] + a];
            low[a] = fmin(low[a], x);
            high[a] = fmax(high[a], x);
        }
    const OndBox box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

// What was mended is told; corners keep their numbers, as sequences need.
static OndStatus mend(const SolidMaker *m, OndSimSolid *out, const OndMesh *given)
{
    OndError why = {0};
    OndMeshRepair *const report = OND_NEW(OndMeshRepair);
    if (!report) return no_memory(m);
    const OndMeshUse use = m->def->use == OND_USE_CONTAINER ? OND_MESH_CONTAINER
                           : ond_solid_is_body(m->def)      ? OND_MESH_BODY
                                                            : OND_MESH_SHEET;
    OndStatus status = ond_mesh_repair(given, use, &out->mesh, report, &why);
    out->solid.closed = report->closed;
    if (status == OND_OK && report->words[0])
        ond_sim_solids_note(m->all, "solid '%.60s', %.200s: %.700s", m->def->name,
                            ond_solid_file_name(m->def), report->words);
    ond_free(report);
    return status == OND_OK ? OND_OK : fail_mesh(m, &why);
}

// What tells inside from outside.
static OndStatus make_inside(const SolidMaker *m, OndSimSolid *out)
{
    if (!out->solid.closed) return OND_OK;
    OndError why = {0};
    out->inside = ond_shape_mesh(&m->all->arena, &out->mesh, 1.0, ond_vec(0, 0, 0), &why);
    return out->inside ? OND_OK : fail_mesh(m, &why);
}

static OndStatus finish_mesh(const SolidMaker *m, OndSimSolid *out)
{
    if (out->mesh.triangle_count == 0)
        return ond_tree_fail(&m->all->scene->tree, ond_solid_file_node(m->def), m->err,
                             "%.200s: no triangle of the mesh has an area",
                             ond_solid_file_name(m->def));
    out->solid.kind = OND_SOLID_MESH;
    out->solid.mesh = &out->mesh;
    out->bounds = mesh_bounds(&out->mesh);
    OndStatus status = make_inside(m, out);
    if (status == OND_OK && m->all->scene->dimension == 2) { // cut by the plane
        if (out->bounds.min.z > 0.0 || out->bounds.max.z < 0.0)
            return ond_tree_fail(&m->all->scene->tree, ond_solid_file_node(m->def), m->err,
                                 "%.200s: in 2D a mesh is cut by the plane z = 0, but this one "
                                 "reaches from z = %.3g to %.3g; move it",
                                 ond_solid_file_name(m->def), out->bounds.min.z, out->bounds.max.z);
        if (!out->inside)
            return ond_tree_fail(&m->all->scene->tree, ond_solid_file_node(m->def), m->err,
                                 "in 2D a mesh must be closed: it is cut by the plane z = 0");
        out->solid.kind = OND_SOLID_SHAPE;
        out->solid.shape = out->inside;
    }
    return status;
}

static OndStatus make_mesh(const SolidMaker *m, OndSimSolid *out)
{
    const OndMeshDef *const f = m->def->shape.def;
    const OndMeshPlace place = {.file = f->file.file,
                                .node = m->def->shape.node,
                                .key = "file",
                                .turn = f->turn,
                                .move = f->file.move,
                                .scale = f->file.scale};
    OndMesh given = {0};
    OndStatus status = ond_scene_mesh(m->all->scene, &place, m->assets, &given, m->err);
    if (status == OND_OK) status = mend(m, out, &given);
    ond_mesh_free(&given);
    return status == OND_OK ? finish_mesh(m, out) : status;
}

// What contains must do so in all its shapes. They are mended only to see whether they could be.
static OndStatus check_later(const SolidMaker *m, const OndSequence *s)
{
    OndStatus status = OND_OK;
    OndMeshRepair *const report = OND_NEW(OndMeshRepair);
    if (!report) return no_memory(m);
    for (int k = 1; k < s->count && status == OND_OK; ++k) {
        OndMesh given = s->mesh, mended = {0};
        OndError why = {0};
        char name[201];
        given.corner = s->corner[k];
        ond_sequence_name(s, &m->def->sequence, k, name, sizeof name);
        status = ond_mesh_repair(&given, OND_MESH_CONTAINER, &mended, report, &why);
        ond_mesh_free(&mended);
        if (status != OND_OK) fail_file(m, name, &why);
    }
    ond_free(report);
    return status;
}

static OndStatus make_sequence(const SolidMaker *m, OndSimSolid *out)
{
    OndStatus status =
        ond_sequence_read(m->all->scene, &m->def->sequence, m->assets, &out->sequence, m->err);
    if (status == OND_OK) status = mend(m, out, &out->sequence.mesh);
    if (status != OND_OK) return status;
    if (out->mesh.corner_count != out->sequence.mesh.corner_count) // a hole was closed
        return ond_tree_fail(&m->all->scene->tree, ond_solid_file_node(m->def), m->err,
                             "the meshes of a sequence must be closed as they are; fill their "
                             "holes in a modelling program");
    if (m->def->use == OND_USE_CONTAINER) status = check_later(m, &out->sequence);
    if (status != OND_OK) return status;
    out->bent = OND_NEW_ARRAY(float, 3 * (size_t)out->mesh.corner_count + 1);
    return out->bent ? finish_mesh(m, out) : no_memory(m);
}

// ---- closed forms

static OndStatus make_shape(const SolidMaker *m, const OndVariant *def, OndSimSolid *out)
{
    OndShape *shape = NULL;
    const OndStatus status =
        ond_scene_shape(m->all->scene, def, m->assets, &m->all->arena, &shape, m->err);
    if (status != OND_OK) return status;
    out->solid.kind = OND_SOLID_SHAPE;
    out->solid.shape = out->inside = shape;
    out->solid.closed = true;
    out->bounds = ond_shape_bounds(shape);
    const bool empty = !(out->bounds.min.x <= out->bounds.max.x);
    if (!empty) return OND_OK;
    return ond_tree_fail(&m->all->scene->tree, def->node, m->err, "solid '%.60s' encloses nothing",
                         m->def->name);
}

// The own frame of a plane: y along the normal, the origin on it.
static OndPose plane_frame(const OndPlaneDef *plane)
{
    const OndVec n = ond_unit(plane->normal), up = ond_vec(0, 1, 0);
    const OndVec axis = ond_cross(up, n);
    const double w = 1.0 + ond_dot(up, n);
    OndPose pose = {plane->point, 0, 1, 0, 0}; // upside down: half a turn about x
    if (w > 1e-12) {
        const double length = sqrt(w * w + ond_dot(axis, axis));
        pose =
            (OndPose){plane->point, w / length, axis.x / length, axis.y / length, axis.z / length};
    }
    return pose;
}

static OndStatus make_form(const SolidMaker *m, OndSimSolid *out, OndPose *frame)
{
    const OndVariant *const shape = &m->def->shape;
    if (shape->which == OND_SHAPE_PLANE) {
        *frame = plane_frame(shape->def);
        out->solid.kind = OND_SOLID_PLANE;
        return OND_OK;
    }
    if (m->def->sequence.node) return make_sequence(m, out);
    if (shape->which != OND_SHAPE_MESH) return make_shape(m, shape, out);
    if (!ond_scene_stands_in(m->all->scene, shape)) return make_mesh(m, out);
    return make_shape(m, &((const OndMeshDef *)shape->def)->stand_in, out);
}

// ---- all

static OndVec pivot_of(const OndSimSolid *solid, const OndPose *frame)
{
    if (ond_node_get(solid->def->node, "pivot")) return solid->def->pivot;
    if (solid->solid.kind == OND_SOLID_PLANE) return frame->at;
    OndVec middle = ond_scale(ond_add(solid->bounds.min, solid->bounds.max), 0.5);
    return middle;
}

OndStatus ond_solid_make(OndSimSolids *all, const OndSceneSolid *def, const OndAssets *assets,
                         OndSimSolid *out, OndError *err)
{
    const SolidMaker m = {all, def, assets, err};
    memset(out, 0, sizeof *out);
    out->def = def;
    out->solid = (OndSolidDef){.name = def->name,
                               .container = def->use == OND_USE_CONTAINER,
                               .slip = (float)def->slip,
                               .restitution = (float)def->restitution,
                               .friction = (float)def->friction,
                               .heats = ond_node_get(def->node, "temperature"),
                               .temperature = (float)def->temperature};
    OndPose frame = ond_pose_still();
    OndStatus status = make_form(&m, out, &frame);
    OndVec pivot = pivot_of(out, &frame);
    if (all->scene->dimension == 2) pivot.z = 0.0;
    if (status == OND_OK)
        status = ond_motion_make(def, pivot, frame, &all->arena, &out->motion, err);
    return status;
}
