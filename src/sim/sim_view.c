// SPDX-License-Identifier: MIT
// A simulation as a program around the library sees it: fields, grid, solids, emitters.
#include "sim/sim_state.h"

#include <ondine/fields.h>
#include <ondine/solids.h>
#include <string.h>

// ---- fields

static const OndFields *fields_of(const OndSim *sim, OndCarrier carrier)
{
    if (carrier == OND_RIDERS) return ond_sim_foam(sim);
    return carrier == OND_CELLS ? ond_sim_cells(sim) : ond_sim_particles(sim);
}

// Those that go into frames; the others are a method's own affair.
static bool is_seen(const OndField *field)
{
    return field->flags & OND_FIELD_FRAME;
}

int ond_sim_field_count(const OndSim *sim, OndCarrier carrier)
{
    const OndFields *const f = fields_of(sim, carrier);
    int count = 0;
    for (int k = 0; k < f->field_count; ++k)
        count += is_seen(&f->field[k]);
    return count;
}

bool ond_sim_field(const OndSim *sim, OndCarrier carrier, int index, OndFieldView *out)
{
    const OndFields *const f = fields_of(sim, carrier);
    for (int k = 0; k < f->field_count; ++k)
        if (is_seen(&f->field[k]) && index-- == 0) return ond_field_view(f, &f->field[k], out);
    return ond_field_view(f, NULL, out);
}

bool ond_sim_find_field(const OndSim *sim, OndCarrier carrier, const char *name, OndFieldView *out)
{
    const OndFields *const f = fields_of(sim, carrier);
    const OndField *const field = ond_fields_find(f, name);
    return ond_field_view(f, field && is_seen(field) ? field : NULL, out);
}

static void put(double out[3], OndVec v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

bool ond_sim_grid(const OndSim *sim, OndGridView *out)
{
    *out = (OndGridView){0};
    if (!sim->method->grid) return false;
    const OndGrid *const g = sim->method->grid(sim->self);
    *out = (OndGridView){.cell = g->h, .first = g->lead};
    put(out->origin, g->origin);
    for (int a = 0; a < 3; ++a) {
        out->cells[a] = g->n[a];
        out->step[a] = ond_grid_stride(g, a);
    }
    return true;
}

void ond_sim_add_note(OndSim *sim, const char *note)
{
    ond_sim_solids_note(&sim->solids, "%s", note);
}

void ond_sim_last_step(const OndSim *sim, OndStepReport *out)
{
    const OndReport r = ond_sim_report(sim);
    *out = (OndStepReport){.step = sim->step,
                           .dt = sim->dt,
                           .max_speed = r.max_speed,
                           .density_error = r.density_error,
                           .kinetic = r.kinetic,
                           .potential = r.potential,
                           .iterations = r.iterations,
                           .unconverged = r.unconverged,
                           .unsettled = r.unsettled || ond_bodies_unsettled(&sim->bodies)};
}

// ---- fluids

const OndSceneDef *ond_sim_scene(const OndSim *sim)
{
    return sim->scene;
}

int ond_sim_fluid_count(const OndSim *sim)
{
    return sim->scene->fluids.count;
}

const char *ond_sim_fluid_name(const OndSim *sim, int fluid)
{
    if (fluid < 0 || fluid >= sim->scene->fluids.count) return NULL;
    return ond_scene_fluid(sim->scene, fluid)->name;
}

int ond_sim_find_fluid(const OndSim *sim, const char *name)
{
    for (int f = 0; f < sim->scene->fluids.count; ++f)
        if (strcmp(ond_scene_fluid(sim->scene, f)->name, name) == 0) return f;
    return -1;
}

bool ond_sim_fluid_value(const OndSim *sim, int fluid, const char *key, double *out)
{
    if (fluid < 0 || fluid >= sim->scene->fluids.count) return false;
    const OndFluidDef *const def = ond_scene_fluid(sim->scene, fluid);
    if (ond_sim_material_value(sim, fluid, key, out)) return true;
    if (strcmp(key, "spacing") == 0)
        *out = sim->scene->spacing;
    else if (strcmp(key, "density") == 0)
        *out = def->density;
    else if (strcmp(key, "temperature") == 0)
        *out = def->temperature;
    else
        return false;
    return true;
}

// ---- the world

bool ond_sim_domain(const OndSim *sim, double min[3], double max[3])
{
    if (!sim->scene->has_domain) return false;
    put(min, sim->scene->domain.min);
    put(max, sim->scene->domain.max);
    return true;
}

void ond_sim_gravity(const OndSim *sim, double out[3])
{
    for (int a = 0; a < 3; ++a)
        out[a] = sim->world.world.gravity[a];
}

// ---- solids

int ond_sim_solid_count(const OndSim *sim)
{
    return sim->solids.count;
}

int ond_sim_find_solid(const OndSim *sim, const char *name)
{
    for (int k = 0; k < sim->solids.count; ++k)
        if (strcmp(sim->solids.solid[k].def->name, name) == 0) return k;
    return -1;
}

// A solid's pose as programs around the library see it.
static OndPlacement placement_of(const OndMotion *motion, const OndPose *pose)
{
    const OndPose *const base = &motion->base;
    const OndPose back = {ond_pose_in(base, ond_vec(0, 0, 0)), base->w, -base->x, -base->y,
                          -base->z};
    const OndPose whole = ond_pose_chain(pose, &back);
    OndPlacement out = {.turn = {whole.w, whole.x, whole.y, whole.z}};
    put(out.at, whole.at);
    return out;
}

bool ond_sim_solid(const OndSim *sim, int solid, OndSolidView *out)
{
    *out = (OndSolidView){0};
    if (solid < 0 || solid >= sim->solids.count) return false;
    const OndSimSolid *const s = &sim->solids.solid[solid];
    const int which = ond_bodies_find(&sim->bodies, solid);
    const OndBody *const body = which >= 0 ? &sim->bodies.body[which] : NULL;
    const OndSolidState *const now = ond_solids_state(sim->solids.solids, solid);
    const OndSolidLoad *const load = &ond_solids_loads(sim->solids.solids)[solid];
    const OndVec center =
        body ? ond_pose_out(&now->pose, body->center) : ond_motion_pivot(&s->motion, &now->pose);
    const OndVec arm = ond_sub(center, now->pose.at);
    *out = (OndSolidView){.name = s->def->name,
                          .body = body,
                          .mass = body ? body->mass : 0.0,
                          .placement = placement_of(&s->motion, &now->pose)};
    put(out->center, center);
    put(out->velocity, ond_add(now->velocity, ond_cross(now->spin, arm)));
    put(out->spin, now->spin);
    put(out->force, load->force);
    put(out->torque, ond_sub(load->torque, ond_cross(arm, load->force)));
    return true;
}

// ---- emitters

int ond_sim_emitter_count(const OndSim *sim)
{
    return sim->scene->emitters.count;
}

bool ond_sim_emitter_view(const OndSim *sim, int emitter, OndEmitterView *out)
{
    *out = (OndEmitterView){0};
    if (emitter < 0 || emitter >= sim->scene->emitters.count) return false;
    const OndEmitter *const e = &sim->emitter[emitter];
    *out = (OndEmitterView){
        .fluid = e->def->material, .open = !e->closed, .blocked = e->shut, .speed = e->speed};
    put(out->center, e->def->center);
    return true;
}
