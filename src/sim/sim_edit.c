// SPDX-License-Identifier: MIT
#include "sim/sim_edit.h"

#include "sim/sim_state.h"

#include <ondine/edit.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "edit "

_Static_assert(sizeof(OndMotionLead) == 16 * sizeof(double), "a lead is sixteen numbers");

// ---- values by name

static float *material_value(OndMaterial *m, const char *key)
{
    const struct {
        const char *name;
        float *at;
    } known[] = {{"viscosity", &m->viscosity},
                 {"tension", &m->tension},
                 {"rigidity", &m->rigidity},
                 {"T_solid", &m->solid},
                 {"T_liquid", &m->liquid},
                 {"conductivity", &m->conductivity},
                 {"specific_heat", &m->specific_heat},
                 {"latent_heat", &m->latent_heat}};
    for (int k = 0; k < OND_COUNT(known); ++k)
        if (strcmp(known[k].name, key) == 0) return known[k].at;
    return NULL;
}

static float *heat_value(OndHeatSource *h, const char *key)
{
    if (strcmp(key, "power") == 0) return &h->power;
    if (strcmp(key, "temperature") == 0) return &h->temperature;
    return strcmp(key, "transfer") == 0 ? &h->transfer : NULL;
}

// A number of the world that the method is told; NULL: it is none of those.
static float *world_value(OndWorld *w, const char *name)
{
    int k = 0;
    char key[24];
    if (sscanf(name, "gravity.%d", &k) == 1 && k >= 0 && k < 3) return &w->gravity[k];
    if (sscanf(name, "fluid.%d.%23s", &k, key) == 2 && k >= 0 && k < w->material_count)
        return material_value(&w->material[k], key);
    if (strcmp(name, "air.temperature") == 0) return &w->air_temperature;
    if (strcmp(name, "air.exchange") == 0) return &w->air_exchange;
    return strcmp(name, "energy") == 0 ? &w->inflow_energy : NULL;
}

// ---- putting

static void close_emitter(OndSim *sim, int e, bool closed)
{
    sim->emitter[e].closed = closed;
    if (!sim->method->flow) return;
    OndFlowSource *const fan = sim->world.source + sim->scene->sources.count + e;
    fan->to = closed ? -1.0 : sim->emitter[e].def->to;
}

static OndStatus put_lead(OndSim *sim, int solid, int part, double value, OndError *err)
{
    OndMotion *const m = &sim->solids.solid[solid].motion;
    if (!m->lead) m->lead = ond_arena_take(&sim->solids.arena, sizeof *m->lead);
    if (!m->lead) return ond_fail(err, OND_NO_MEMORY, "not enough memory to move a solid");
    ((double *)m->lead)[part] = value;
    return OND_OK;
}

// What belongs to a solid; false: it is something else.
static bool put_on_solid(OndSim *sim, const char *name, double value, OndStatus *status,
                         OndError *err)
{
    int k = 0, part = 0;
    if (sscanf(name, "solid.%d.", &k) != 1 || k < 0 || k >= sim->solids.count) return false;
    *status = OND_OK;
    if (sscanf(name, "solid.%d.lead.%d", &k, &part) == 2 && part >= 0 && part < 16)
        *status = put_lead(sim, k, part, value, err);
    else
        ond_solids_warm(sim->solids.solids, k, (float)value);
    return true;
}

// Heat sources and emitters, which methods look at where they stand.
static bool put_in_place(OndSim *sim, const char *name, double value)
{
    int k = 0, axis = 0;
    char key[24];
    if (sscanf(name, "emitter.%d.closed", &k) == 1 && k >= 0 && k < sim->scene->emitters.count) {
        close_emitter(sim, k, value != 0.0);
        return true;
    }
    if (sscanf(name, "heat.%d.", &k) != 1 || k < 0 || k >= sim->world.world.heat_count)
        return false;
    if (sscanf(name, "heat.%d.moved.%d", &k, &axis) == 2 && axis >= 0 && axis < 3) {
        ond_sim_world_move_heat(&sim->world, k, axis, value);
        return true;
    }
    float *const at =
        sscanf(name, "heat.%d.%23s", &k, key) == 2 ? heat_value(&sim->world.heat[k], key) : NULL;
    if (at) *at = (float)value;
    return at;
}

static OndStatus put(OndSim *sim, OndWorld *world, const OndSimValue *v, OndError *err)
{
    OndStatus status = OND_OK;
    float *const at = world_value(world, v->name);
    if (at) {
        *at = (float)v->value;
        return OND_OK;
    }
    if (put_on_solid(sim, v->name, v->value, &status, err)) return status;
    if (put_in_place(sim, v->name, v->value)) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "there is no value `%s` to change", v->name);
}

// ---- telling

static OndStatus tell(OndSim *sim, const OndWorld *changed, OndError *err)
{
    if (!sim->method->told)
        return ond_fail(err, OND_BAD_VALUE,
                        "the method `%s` cannot be told of another gravity or material",
                        sim->method->name);
    const OndStatus status = sim->method->told(sim->self, changed, err);
    if (status != OND_OK) return status;
    sim->world.world = *changed;
    sim->bodies.gravity = ond_vec(changed->gravity[0], changed->gravity[1], changed->gravity[2]);
    return OND_OK;
}

// ---- the list

static OndSimEdit *find(const OndSimEdits *edits, const char *name)
{
    for (int k = 0; k < edits->count; ++k)
        if (strcmp(edits->list[k].name + strlen(PREFIX), name) == 0) return &edits->list[k];
    return NULL;
}

static OndStatus make_room(OndSimEdits *edits, const OndSimValue *value, int count, OndError *err)
{
    int fresh = 0;
    for (int k = 0; k < count; ++k)
        fresh += !find(edits, value[k].name);
    if (!edits->list) edits->list = OND_NEW_ARRAY(OndSimEdit, OND_EDITS_MAX);
    if (!edits->list) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a change");
    if (edits->count + fresh <= OND_EDITS_MAX) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE,
                    "more than %d different values were changed, which no checkpoint would hold",
                    OND_EDITS_MAX);
}

static void list_value(OndSimEdits *edits, const OndSimValue *v)
{
    OndSimEdit *at = find(edits, v->name);
    if (!at) at = &edits->list[edits->count++];
    snprintf(at->name, sizeof at->name, PREFIX "%s", v->name);
    at->value = v->value;
}

OndStatus ond_sim_edit(OndSim *sim, const OndSimValue *value, int count, OndError *err)
{
    OndWorld changed = sim->world.world;
    bool told = false;
    OndStatus status = make_room(&sim->edits, value, count, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        told = told || world_value(&changed, value[k].name);
        status = put(sim, &changed, &value[k], err);
    }
    if (status == OND_OK && told) status = tell(sim, &changed, err);
    for (int k = 0; k < count && status == OND_OK; ++k)
        list_value(&sim->edits, &value[k]);
    return status;
}

OndStatus ond_sim_edit_speed(OndSim *sim, double speed, OndError *err)
{
    const OndSimValue energy = {"energy", 0.5 * speed * speed};
    if (!sim->method->particles || (float)energy.value <= sim->world.world.inflow_energy)
        return OND_OK;
    return ond_sim_edit(sim, &energy, 1, err);
}

OndStatus ond_sim_edit_done(OndSim *sim, OndError *err)
{
    if (sim->method->changed) sim->method->changed(sim->self);
    if (!sim->method->particles) return OND_OK;
    return sim->method->added(sim->self, ond_sim_particles(sim)->count, err);
}

// ---- checkpoints

void ond_sim_edits_save(const OndSimEdits *edits, OndCheckpoint *to)
{
    for (int k = 0; k < edits->count; ++k)
        ond_checkpoint_add(to, edits->list[k].name, edits->list[k].value);
}

// The value that a number of a checkpoint is; false: it is no change.
static bool read_value(const OndCheckpoint *from, int k, OndSimValue *out)
{
    const char *const name = from->number[k].name;
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0) return false;
    snprintf(out->name, sizeof out->name, "%s", name + strlen(PREFIX));
    out->value = from->number[k].value;
    return true;
}

OndStatus ond_sim_edits_restore_solids(OndSim *sim, const OndCheckpoint *from, OndError *err)
{
    OndStatus status = OND_OK;
    OndSimValue v;
    int solid = 0;
    for (int k = 0; k < from->number_count && status == OND_OK; ++k) {
        if (!read_value(from, k, &v) || strncmp(v.name, "solid.", 6) != 0) continue;
        put_on_solid(sim, v.name, v.value, &status, err);
        if (sscanf(v.name, "solid.%d.lead.0", &solid) == 1 && strstr(v.name, ".lead."))
            ond_bodies_lead(&sim->bodies, solid);
    }
    return status;
}

OndStatus ond_sim_edits_restore(OndSim *sim, const OndCheckpoint *from, OndError *err)
{
    OndWorld changed = sim->world.world;
    OndStatus status = OND_OK;
    OndSimValue v;
    bool told = false;
    for (int k = 0; k < from->number_count && status == OND_OK; ++k) {
        if (!read_value(from, k, &v)) continue;
        status = make_room(&sim->edits, &v, 1, err);
        told = told || world_value(&changed, v.name);
        if (status == OND_OK && strncmp(v.name, "solid.", 6) != 0)
            status = put(sim, &changed, &v, err);
        if (status == OND_OK) list_value(&sim->edits, &v);
    }
    return status == OND_OK && told ? tell(sim, &changed, err) : status;
}
