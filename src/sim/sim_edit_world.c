// SPDX-License-Identifier: MIT
// Changes of what the scene says: gravity, materials, heat, air, emitters, solids.
#include "sim/sim_edit.h"
#include "sim/sim_state.h"

#include <ondine/edit.h>
#include <stdio.h>
#include <string.h>

static OndSimValue value_of(const char *section, int index, const char *key, double value)
{
    OndSimValue v = {.value = value};
    snprintf(v.name, sizeof v.name, "%s.%d.%s", section, index, key);
    return v;
}

static OndStatus no_such(const char *what, int index, int count, OndError *err)
{
    return ond_fail(err, OND_BAD_VALUE, "there is no %s %d: the simulation has %d, counted from 0",
                    what, index, count);
}

static OndStatus check_range(const char *key, double value, double min, double max, OndError *err)
{
    if (value >= min && value <= max) return OND_OK; // written this way so that NaN fails too
    return ond_fail(err, OND_BAD_VALUE, "`%s` is %g; accepted: %g to %g", key, value, min, max);
}

// ---- gravity and materials

OndStatus ond_sim_set_gravity(OndSim *sim, const double gravity[3], OndError *err)
{
    OndSimValue all[3];
    OndStatus status = OND_OK;
    for (int a = 0; a < 3 && status == OND_OK; ++a) {
        all[a] = (OndSimValue){.value = gravity[a]};
        snprintf(all[a].name, sizeof all[a].name, "gravity.%d", a);
        const double most = a < sim->scene->dimension ? 1e6 : 0.0; // in 2D nothing leaves the plane
        status = check_range("gravity", gravity[a], 0.0 - most, most, err); // never "-0"
    }
    return status == OND_OK ? ond_sim_edit(sim, all, 3, err) : status;
}

// As a scene has them: what is solid at a temperature is not liquid at a lower one.
static OndStatus check_melting(const OndMaterial *m, const char *key, double value, OndError *err)
{
    const bool solid = strcmp(key, "T_solid") == 0, liquid = strcmp(key, "T_liquid") == 0;
    if (!(solid && value > m->liquid) && !(liquid && value < m->solid)) return OND_OK;
    return ond_fail(
        err, OND_BAD_VALUE, "T_liquid must not be below T_solid (%g C, %g C); change `%s` first",
        solid ? m->liquid : value, solid ? value : m->solid, solid ? "T_liquid" : "T_solid");
}

OndStatus ond_sim_set_fluid(OndSim *sim, int fluid, const char *key, double value, OndError *err)
{
    static const struct {
        const char *name;
        double min, max;
    } known[] = {{"viscosity", 0, 1e9},        {"tension", 0, 1e6},        {"rigidity", 0, 1},
                 {"T_solid", -273.15, 1e5},    {"T_liquid", -273.15, 1e5}, {"conductivity", 0, 1e6},
                 {"specific_heat", 1e-6, 1e9}, {"latent_heat", 0, 1e9}};
    if (fluid < 0 || fluid >= sim->scene->fluids.count)
        return no_such("fluid", fluid, sim->scene->fluids.count, err);
    for (int k = 0; k < OND_COUNT(known); ++k) {
        if (strcmp(known[k].name, key) != 0) continue;
        const OndSimValue v = value_of("fluid", fluid, key, value);
        OndStatus status = check_range(key, value, known[k].min, known[k].max, err);
        if (status == OND_OK)
            status = check_melting(&sim->world.world.material[fluid], key, value, err);
        return status == OND_OK ? ond_sim_edit(sim, &v, 1, err) : status;
    }
    return ond_fail(err, OND_BAD_VALUE,
                    "`%.40s` of a fluid cannot be changed while it runs; viscosity, tension, "
                    "rigidity, T_solid, T_liquid, conductivity, specific_heat and latent_heat can",
                    key);
}

// ---- heat and air

OndStatus ond_sim_set_heat(OndSim *sim, int heat, const char *key, double value, OndError *err)
{
    const int count = sim->world.world.heat_count;
    const bool cold = strcmp(key, "temperature") == 0;
    if (heat < 0 || heat >= count) return no_such("heat source", heat, count, err);
    if (strcmp(key, "power") == 0 && sim->world.heat[heat].transfer > 0.0f)
        return ond_fail(err, OND_BAD_VALUE,
                        "heat source %d warms by its `transfer`, so that a power does not count; "
                        "set `transfer` to 0 first, which turns it off",
                        heat);
    if (strcmp(key, "power") != 0 && strcmp(key, "transfer") != 0 && !cold)
        return ond_fail(err, OND_BAD_VALUE,
                        "a heat source has `power`, `temperature` and `transfer`, but no `%.40s`",
                        key);
    const double least = cold ? -273.15 : strcmp(key, "power") == 0 ? -1e15 : 0.0;
    const OndSimValue v = value_of("heat", heat, key, value);
    const OndStatus status = check_range(key, value, least, cold ? 1e5 : 1e15, err);
    return status == OND_OK ? ond_sim_edit(sim, &v, 1, err) : status;
}

OndStatus ond_sim_move_heat(OndSim *sim, int heat, const double by[3], OndError *err)
{
    static const char *const key[3] = {"moved.0", "moved.1", "moved.2"};
    const int count = sim->world.world.heat_count;
    OndSimValue all[3];
    OndStatus status = OND_OK;
    if (heat < 0 || heat >= count) return no_such("heat source", heat, count, err);
    OndSimValue back[3];
    for (int a = 0; a < 3 && status == OND_OK; ++a) {
        all[a] = value_of("heat", heat, key[a], by[a]);
        back[a] = value_of("heat", heat, key[a], ond_sim_world_heat_moved(&sim->world, heat, a));
        status = check_range("by", by[a], -1e9, 1e9, err);
    }
    if (status == OND_OK) status = ond_sim_edit(sim, all, 3, err);
    if (status != OND_OK || !sim->scene->has_grid || !sim->method->told) return status;
    status = sim->method->told(sim->self, &sim->world.world, err); // it looks for its cells anew
    if (status != OND_OK) ond_sim_edit(sim, back, 3, NULL);
    return status;
}

OndStatus ond_sim_set_air(OndSim *sim, const char *key, double value, OndError *err)
{
    const bool temperature = strcmp(key, "temperature") == 0;
    OndSimValue v = {.value = value};
    if (!sim->scene->air.node)
        return ond_fail(err, OND_BAD_VALUE, "the scene has no air; give it a section `air`");
    if (!temperature && strcmp(key, "exchange") != 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "air has a `temperature` and an `exchange`, but no `%.40s`", key);
    snprintf(v.name, sizeof v.name, "air.%s", key);
    const OndStatus status =
        check_range(key, value, temperature ? -273.15 : 0.0, temperature ? 1e5 : 1e9, err);
    return status == OND_OK ? ond_sim_edit(sim, &v, 1, err) : status;
}

// ---- emitters

OndStatus ond_sim_open_emitter(OndSim *sim, int emitter, bool open, OndError *err)
{
    if (emitter < 0 || emitter >= sim->scene->emitters.count)
        return no_such("emitter", emitter, sim->scene->emitters.count, err);
    const OndSimValue v = value_of("emitter", emitter, "closed", open ? 0.0 : 1.0);
    return ond_sim_edit(sim, &v, 1, err);
}

// ---- solids

static OndStatus check_solid(const OndSim *sim, int solid, OndError *err)
{
    if (solid >= 0 && solid < sim->solids.count) return OND_OK;
    return no_such("solid", solid, sim->solids.count, err);
}

OndStatus ond_sim_set_solid_temperature(OndSim *sim, int solid, double celsius, OndError *err)
{
    OndStatus status = check_solid(sim, solid, err);
    if (status == OND_OK) status = check_range("temperature", celsius, -273.15, 1e5, err);
    if (status != OND_OK) return status;
    if (!sim->solids.solid[solid].solid.heats)
        return ond_fail(err, OND_BAD_VALUE,
                        "solid '%.60s' takes no heat; give it a `temperature` in the scene",
                        sim->solids.solid[solid].def->name);
    const OndSimValue v = value_of("solid", solid, "temperature", celsius);
    status = ond_sim_edit(sim, &v, 1, err);
    if (status == OND_OK && sim->scene->has_grid && sim->method->told)
        status = sim->method->told(sim->self, &sim->world.world, err); // it looks at solids anew
    return status;
}

// A body as it was before a change.
typedef struct Held {
    int solid, body;
    OndBody own;
    OndSolidState state;
} Held;

static Held hold(const OndSim *sim, int solid, int body)
{
    return (Held){solid, body, sim->bodies.body[body],
                  *ond_solids_state(sim->solids.solids, solid)};
}

static void undo(OndSim *sim, const Held *before)
{
    sim->bodies.body[before->body] = before->own;
    ond_solids_place(sim->solids.solids, before->solid, &before->state);
}

// The method hears how fast it is now, or it is as it was.
static OndStatus keep_or_undo(OndSim *sim, const Held *before, OndError *err)
{
    const OndSimSolid *const s = &sim->solids.solid[before->solid];
    const OndSolidState *const now = ond_solids_state(sim->solids.solids, before->solid);
    const OndStatus status = ond_sim_edit_speed(sim, ond_sim_solid_speed(s, now), err);
    if (status != OND_OK) undo(sim, before);
    return status;
}

OndStatus ond_sim_push_solid(OndSim *sim, int solid, const double impulse[3], const double at[3],
                             OndError *err)
{
    const OndStatus status = check_solid(sim, solid, err);
    if (status != OND_OK) return status;
    const int body = ond_bodies_find(&sim->bodies, solid);
    if (body < 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "solid '%.60s' moves as told and cannot be pushed; give it a density or a "
                        "mass in the scene, or move it",
                        sim->solids.solid[solid].def->name);
    const OndVec p = ond_vec(impulse[0], impulse[1], impulse[2]);
    const OndVec where = at ? ond_vec(at[0], at[1], at[2]) : ond_body_center(&sim->bodies, body);
    if (!isfinite(ond_length(p)) || !isfinite(ond_length(where)))
        return ond_fail(err, OND_BAD_VALUE, "an impulse and its place must be finite numbers");
    const double speed = ond_length(p) / sim->bodies.body[body].mass;
    if (!(speed < 1e6))
        return ond_fail(err, OND_BAD_VALUE, "an impulse that gives %g m/s is none; at most 1e6",
                        speed);
    const Held before = hold(sim, solid, body);
    ond_bodies_kick(&sim->bodies, body, p, where);
    return keep_or_undo(sim, &before, err);
}

// From where the shape was written to a pose of the solid's own frame.
static OndPose pose_of(const OndMotion *m, const OndPlacement *to)
{
    const OndPose shape = {
        {to->at[0], to->at[1], to->at[2]}, to->turn[0], to->turn[1], to->turn[2], to->turn[3]};
    return ond_pose_chain(&shape, &m->base);
}

static OndStatus check_placement(bool flat, const OndPlacement *to, OndError *err)
{
    double length = 0.0, way = 0.0;
    for (int k = 0; k < 4; ++k)
        length += to->turn[k] * to->turn[k];
    for (int a = 0; a < 3; ++a)
        way += fabs(to->at[a]);
    if (flat && (to->at[2] != 0.0 || to->turn[1] != 0.0 || to->turn[2] != 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "in 2D a solid stays in the plane z = 0 and turns in it");
    if (fabs(length - 1.0) < 1e-6 && way < 1e9) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "a placement needs a place in metres and a turn of length 1 (this one is %g)",
                    sqrt(length));
}

// The first particle inside a solid as it stands; -1: none.
static int find_inside(const OndSim *sim, int solid)
{
    const OndFields *const f = ond_sim_particles(sim);
    const OndField *const x = sim->method->particles ? ond_fields_find(f, "position") : NULL;
    for (int i = 0; x && i < f->count; ++i) {
        const OndVec at = ond_vec(((const float *)x->data[0])[i], ((const float *)x->data[1])[i],
                                  ((const float *)x->data[2])[i]);
        int which = -1;
        if (ond_sim_solids_block(&sim->solids, at, 0.0, &which) && which == solid) return i;
    }
    return -1;
}

static OndVec vec_of(const double v[3])
{
    return v ? ond_vec(v[0], v[1], v[2]) : ond_vec(0, 0, 0);
}

OndStatus ond_sim_place_body(OndSim *sim, int solid, const OndPlacement *at,
                             const double velocity[3], const double spin[3], OndError *err)
{
    OndStatus status = check_solid(sim, solid, err);
    if (status == OND_OK) status = check_placement(sim->scene->dimension == 2, at, err);
    if (status != OND_OK) return status;
    const OndSimSolid *const s = &sim->solids.solid[solid];
    const int body = ond_bodies_find(&sim->bodies, solid);
    const OndVec v = vec_of(velocity), w = vec_of(spin);
    if (body < 0 || !isfinite(ond_length(v) + ond_length(w)))
        return ond_fail(err, OND_BAD_VALUE, "solid '%.60s' %s", s->def->name,
                        body < 0 ? "moves as told and is no body; lead it (ond_sim_move_solid)"
                                 : "needs a velocity and a spin that are finite numbers");
    const OndPose pose = pose_of(&s->motion, at);
    const Held before = hold(sim, solid, body);
    ond_bodies_put(&sim->bodies, body, pose, v, w);
    const bool out = ond_sim_is_outside(sim, ond_body_center(&sim->bodies, body));
    const int inside = find_inside(sim, solid);
    if (!out && inside < 0) return keep_or_undo(sim, &before, err);
    undo(sim, &before);
    if (out)
        return ond_fail(err, OND_BAD_VALUE, "solid '%.60s' would be outside of the domain",
                        s->def->name);
    return ond_fail(err, OND_BAD_VALUE,
                    "solid '%.60s' would stand where particle %d is; make room for it first",
                    s->def->name, inside);
}

static OndStatus lead(OndSim *sim, int solid, const OndMotionLead *by, OndError *err)
{
    OndSimValue all[17];
    char key[24];
    const OndSimSolid *const s = &sim->solids.solid[solid];
    OndMotion then = s->motion;
    then.lead = by;
    const OndSolidState now = ond_motion_at(&then, sim->time);
    for (int k = 0; k < 16; ++k) {
        snprintf(key, sizeof key, "lead.%d", k);
        all[k] = value_of("solid", solid, key, ((const double *)by)[k]);
    }
    const int faster = ond_sim_speed_value(sim, ond_sim_solid_speed(s, &now), &all[16]);
    const OndStatus status = ond_sim_edit(sim, all, 16 + faster, err);
    if (status != OND_OK) return status;
    ond_bodies_lead(&sim->bodies, solid);
    ond_solids_place(sim->solids.solids, solid, &now);
    if (sim->scene->has_grid && sim->method->told)
        return sim->method->told(sim->self, &sim->world.world, err);
    return OND_OK;
}

OndStatus ond_sim_move_solid(OndSim *sim, int solid, const OndPlacement *to, double seconds,
                             OndError *err)
{
    OndStatus status = check_solid(sim, solid, err);
    if (status == OND_OK) status = check_placement(sim->scene->dimension == 2, to, err);
    if (status == OND_OK) status = check_range("seconds", seconds, 1e-4, 1e6, err);
    if (status != OND_OK) return status;
    const OndSimSolid *const s = &sim->solids.solid[solid];
    if (ond_bodies_find(&sim->bodies, solid) >= 0 || s->sequence.count > 0)
        return ond_fail(
            err, OND_BAD_VALUE, "solid '%.60s' %s", s->def->name,
            s->sequence.count > 0
                ? "follows a sequence of meshes and cannot be moved besides"
                : "is a body; push it or place it (ond_sim_push_solid, ond_sim_place_body)");
    const OndMotionLead by = {.from_time = sim->time,
                              .to_time = sim->time + seconds,
                              .from = ond_solids_state(sim->solids.solids, solid)->pose,
                              .to = pose_of(&s->motion, to)};
    return lead(sim, solid, &by, err);
}
