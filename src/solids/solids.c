// SPDX-License-Identifier: MIT
#include "solids/distance_grid.h"
#include "solids/solids_parts.h"

#include <string.h>

// ---- making ----------------------------------------------------------------------------------

#define FEW_TRIANGLES   1000 // are asked as quickly as a grid is read
#define DISTANCE_BLOCKS 4096 // of the grids of all meshes together; at most 33 kB each

static const OndBox everywhere = {{-INFINITY, -INFINITY, -INFINITY},
                                  {INFINITY, INFINITY, INFINITY}};

static OndStatus check_def(const OndSolidDef *def, OndError *err)
{
    const char *name = def->name ? def->name : "";
    if (def->kind == OND_SOLID_SHAPE && !def->shape)
        return ond_fail(err, OND_BAD_VALUE, "solid '%s' has no shape", name);
    if (def->kind == OND_SOLID_MESH && !def->mesh)
        return ond_fail(err, OND_BAD_VALUE, "solid '%s' has no mesh", name);
    if (def->kind < OND_SOLID_SHAPE || def->kind > OND_SOLID_MESH)
        return ond_fail(err, OND_BAD_VALUE,
                        "solid '%s' is of kind %d; there are shapes, planes "
                        "and meshes",
                        name, def->kind);
    return OND_OK;
}

static OndStatus make_solid(OndSolid *s, OndSolids *all, const OndSolidDef *def, OndError *err)
{
    OndStatus status = check_def(def, err);
    if (status != OND_OK) return status;
    s->def = *def;
    s->def.name =
        ond_arena_text(&all->arena, def->name ? def->name : "", strlen(def->name ? def->name : ""));
    s->start.pose = s->end.pose = ond_pose_still();
    if (!s->def.name) return ond_fail(err, OND_NO_MEMORY, "no memory for solids");
    s->bounds = everywhere;
    if (def->kind == OND_SOLID_SHAPE) s->bounds = ond_shape_bounds(def->shape);
    if (def->kind == OND_SOLID_MESH) {
        status = ond_solid_mesh_make(&s->mesh, &all->arena, def->mesh, def->closed, all->flat, err);
        s->bounds = s->mesh.bounds;
    }
    if (all->flat) {
        s->bounds.min.z = -INFINITY;
        s->bounds.max.z = INFINITY;
    }
    return status;
}

OndSolids *ond_solids_create(const OndSolidDef *def, int count, double spacing, bool flat,
                             OndError *err)
{
    OndSolids *all = OND_NEW(OndSolids);
    if (all && count > 0) {
        all->solid = OND_NEW_ARRAY(OndSolid, count);
        all->load = OND_NEW_ARRAY(OndSolidLoad, count);
        all->box = OND_NEW_ARRAY(OndBox, count);
    }
    if (!all || (count > 0 && (!all->solid || !all->load || !all->box))) {
        ond_fail(err, OND_NO_MEMORY, "no memory for %d solids", count);
        ond_solids_destroy(all);
        return NULL;
    }
    all->flat = flat;
    all->spacing = spacing;
    for (int i = 0; i < count; ++i) {
        all->count = i + 1;
        if (make_solid(&all->solid[i], all, &def[i], err) == OND_OK) continue;
        ond_solids_destroy(all);
        return NULL;
    }
    ond_solids_plant(all);
    return all;
}

void ond_solids_destroy(OndSolids *solids)
{
    if (!solids) return;
    for (int i = 0; solids->solid && i < solids->count; ++i)
        ond_solid_mesh_free(&solids->solid[i].mesh);
    ond_arena_free(&solids->arena);
    ond_arena_free(&solids->tree_arena);
    ond_free(solids->box);
    ond_free(solids->solid);
    ond_free(solids->load);
    ond_free(solids);
}

static bool is_fine(const OndSolid *s)
{
    return s->mesh.triangle_count > FEW_TRIANGLES;
}

OndStatus ond_solids_expect(OndSolids *solids, double reach, OndError *err)
{
    int fine = 0;
    for (int i = 0; i < ond_solids_count(solids); ++i)
        fine += is_fine(&solids->solid[i]);
    for (int i = 0; i < ond_solids_count(solids); ++i)
        if (is_fine(&solids->solid[i]) &&
            !ond_distance_grid_make(solids, i, reach, DISTANCE_BLOCKS / fine))
            return ond_fail(err, OND_NO_MEMORY, "not enough memory to feel a mesh of %d triangles",
                            solids->solid[i].mesh.triangle_count);
    return OND_OK;
}

int ond_solids_count(const OndSolids *solids)
{
    return solids ? solids->count : 0;
}

void ond_solids_warm(OndSolids *all, int which, float temperature)
{
    all->solid[which].def.temperature = temperature;
}

const OndSolidDef *ond_solids_def(const OndSolids *solids, int which)
{
    return &solids->solid[which].def;
}

OndSolidLoad *ond_solids_loads(OndSolids *solids)
{
    return solids->load;
}

// ---- moving ----------------------------------------------------------------------------------

const OndSolidState *ond_solids_state(const OndSolids *solids, int which)
{
    return &solids->solid[which].start;
}

const OndSolidState *ond_solids_end(const OndSolids *solids, int which)
{
    return &solids->solid[which].end;
}

static bool same_pose(const OndPose *a, const OndPose *b)
{
    return a->at.x == b->at.x && a->at.y == b->at.y && a->at.z == b->at.z && a->w == b->w &&
           a->x == b->x && a->y == b->y && a->z == b->z;
}

void ond_solids_place(OndSolids *solids, int which, const OndSolidState *state)
{
    OndSolid *s = &solids->solid[which];
    const bool there = !s->moves && same_pose(&s->start.pose, &state->pose);
    s->start = s->end = *state;
    s->moves = s->bends;
    if (there) return;
    solids->astray = true;
    ond_solids_rebox(solids, which);
}

void ond_solids_aim(OndSolids *solids, int which, const OndSolidState *end)
{
    OndSolid *s = &solids->solid[which];
    const bool there = same_pose(&s->end.pose, &end->pose);
    s->end = *end;
    s->moves = s->bends || !same_pose(&s->start.pose, &s->end.pose);
    if (!there) ond_solids_rebox(solids, which);
}

void ond_solids_bend(OndSolids *solids, int which, const float *corner)
{
    OndSolid *s = &solids->solid[which];
    if (s->def.kind != OND_SOLID_MESH || !ond_solid_mesh_bend(&s->mesh, corner)) return;
    s->bends = s->moves = true;
    s->bounds = s->mesh.bounds;
    ond_solids_rebox(solids, which);
}

/// Trees grow worse while solids move through each other; a new one now and then costs little.
#define STEPS_A_TREE 64

void ond_solids_arrive(OndSolids *solids)
{
    bool moved = false;
    for (int i = 0; i < solids->count; ++i) {
        OndSolid *s = &solids->solid[i];
        const bool moves = s->moves;
        s->start = s->end;
        if (s->bends) {
            ond_solid_mesh_arrive(&s->mesh);
            s->bounds = s->mesh.bounds;
        }
        s->moves = s->bends = false;
        if (moves) ond_solids_rebox(solids, i);
        moved |= moves;
    }
    if (moved) ++solids->steps;
    if (solids->astray || solids->steps >= STEPS_A_TREE) ond_solids_plant(solids);
}

OndVec ond_solid_velocity_now(const OndSolid *s, OndVec world)
{
    const OndVec arm = ond_sub(world, s->start.pose.at);
    return ond_add(s->start.velocity, ond_cross(s->start.spin, arm));
}

OndVec ond_solid_velocity(const OndSolid *s, int part, OndVec own, double t, double dt)
{
    OndVec first = own, last = own;
    if (!s->moves || !(dt > 0.0))
        return ond_solid_velocity_now(s, ond_pose_out(&s->start.pose, own));
    if (s->bends) {
        first = ond_solid_mesh_carried(&s->mesh, part, own, t, 0.0);
        last = ond_solid_mesh_carried(&s->mesh, part, own, t, 1.0);
    }
    const OndVec way =
        ond_sub(ond_pose_out(&s->end.pose, last), ond_pose_out(&s->start.pose, first));
    return ond_scale(way, 1.0 / dt);
}

// ---- one solid in its own frame ----------------------------------------------------------------

static double nearest_of_shape(const OndSolid *s, bool flat, OndVec own, double reach, OndVec *at)
{
    OndVec foot[16];
    const int count = ond_shape_feet(s->def.shape, own, reach, flat, foot, OND_COUNT(foot));
    double best2 = INFINITY;
    for (int i = 0; i < count; ++i) {
        const double distance2 = ond_distance2(foot[i], own);
        if (!(distance2 < best2)) continue;
        best2 = distance2;
        *at = foot[i];
    }
    return sqrt(best2);
}

double ond_solid_nearest(const OndSolid *s, bool flat, OndWhen when, OndVec own, double reach,
                         OndVec *at, int *part)
{
    const OndBox box = {own, own};
    *part = 0;
    if (!ond_boxes_near(&box, &s->bounds, reach)) return INFINITY;
    if (s->def.kind == OND_SOLID_SHAPE) return nearest_of_shape(s, flat, own, reach, at);
    if (s->def.kind == OND_SOLID_MESH)
        return ond_solid_mesh_nearest(&s->mesh, when, own, reach, at, part);
    *at = ond_vec(own.x, 0.0, own.z);
    return fabs(own.y) <= reach ? fabs(own.y) : INFINITY;
}

static bool sweep_plane(const OndSweep *sweep, OndContact *contact)
{
    const double side = sweep->from.y < 0.0 ? -1.0 : 1.0, height = fabs(sweep->from.y);
    const double closing = side * (sweep->from.y - sweep->to.y);
    contact->start = ond_min(contact->start, height);
    if (!(closing > 0.0)) return false;
    const double t = ond_max(height - sweep->radius, 0.0) / closing;
    if (!(t < contact->t)) return false;
    const OndVec way = ond_sub(sweep->to, sweep->from);
    contact->t = t;
    contact->at = ond_add(sweep->from, ond_scale(way, t));
    contact->at.y = 0.0;
    contact->normal = ond_vec(0.0, side, 0.0);
    return true;
}

bool ond_solid_sweep(const OndSolid *s, bool flat, OndWhen when, const OndSweep *sweep,
                     OndContact *contact, int *part)
{
    const OndVec a = sweep->from, b = sweep->to;
    const OndBox box = {{ond_min(a.x, b.x), ond_min(a.y, b.y), ond_min(a.z, b.z)},
                        {ond_max(a.x, b.x), ond_max(a.y, b.y), ond_max(a.z, b.z)}};
    if (!ond_boxes_near(&box, &s->bounds, sweep->radius * (1.0 + 1e-6))) return false;
    if (s->def.kind == OND_SOLID_MESH)
        return ond_solid_mesh_sweep(&s->mesh, when, sweep, contact, part);
    *part = 0;
    if (s->def.kind == OND_SOLID_PLANE) return sweep_plane(sweep, contact);
    return ond_sweep_shape(s->def.shape, flat, sweep, contact);
}

size_t ond_solids_bytes(const OndSolids *solids)
{
    if (!solids) return 0;
    size_t bytes = sizeof *solids + ond_box_tree_bytes(&solids->tree);
    for (int i = 0; i < solids->count; ++i) {
        bytes += sizeof(OndSolid) + sizeof(OndSolidLoad) + sizeof(OndBox);
        bytes += ond_solid_mesh_bytes(&solids->solid[i].mesh);
    }
    return bytes;
}
