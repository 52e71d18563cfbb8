// SPDX-License-Identifier: MIT
#include "sim/sim_edit.h"

#include "base/hash.h"
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

bool ond_sim_material_value(const OndSim *sim, int fluid, const char *key, double *out)
{
    OndMaterial m = sim->world.world.material[fluid];
    const float *const value = material_value(&m, key);
    if (value) *out = *value;
    return value;
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

// The motion that a part of a lead belongs to; NULL: it is something else.
static OndMotion *lead_value(OndSim *sim, const char *name, int *part)
{
    int k = 0;
    const bool lead = sscanf(name, "solid.%d.lead.%d", &k, part) == 2 && k >= 0 &&
                      k < sim->solids.count && *part >= 0 && *part < 16;
    return lead ? &sim->solids.solid[k].motion : NULL;
}

// Memory for a lead that is the first of its solid.
static OndStatus ready_lead(OndSim *sim, const OndMotion *m, OndError *err)
{
    if (m->lead || sim->lead) return OND_OK;
    sim->lead = ond_arena_take(&sim->solids.arena, sizeof *sim->lead);
    return sim->lead ? OND_OK : ond_fail(err, OND_NO_MEMORY, "not enough memory to move a solid");
}

static void put_lead(OndSim *sim, OndMotion *m, int part, double value)
{
    if (!m->lead) m->lead = sim->lead, sim->lead = NULL;
    ((double *)m->lead)[part] = value;
}

static float *heat_place(OndSim *sim, const char *name)
{
    int k = 0;
    char key[24];
    const bool heat =
        sscanf(name, "heat.%d.%23s", &k, key) == 2 && k >= 0 && k < sim->world.world.heat_count;
    return heat ? heat_value(&sim->world.heat[k], key) : NULL;
}

// What methods look at where it stands. `value` NULL: only whether there is such a thing.
static bool put_in_place(OndSim *sim, const char *name, const double *value)
{
    int k = 0, axis = 0;
    const OndSceneDef *const scene = sim->scene;
    char key[24] = "";
    float *const heat = heat_place(sim, name);
    if (heat) {
        if (value) *heat = (float)*value;
        return true;
    }
    if (sscanf(name, "emitter.%d.%23s", &k, key) == 2 && strcmp(key, "closed") == 0) {
        if (k < 0 || k >= scene->emitters.count) return false;
        if (value) close_emitter(sim, k, *value != 0.0);
        return true;
    }
    if (sscanf(name, "solid.%d.%23s", &k, key) == 2 && strcmp(key, "temperature") == 0) {
        if (k < 0 || k >= sim->solids.count) return false;
        if (value) ond_solids_warm(sim->solids.solids, k, (float)*value);
        return true;
    }
    if (sscanf(name, "heat.%d.moved.%d", &k, &axis) != 2 || k < 0 || axis < 0 || axis > 2 ||
        k >= sim->world.world.heat_count)
        return false;
    if (value) ond_sim_world_move_heat(&sim->world, k, axis, *value);
    return true;
}

// Checks a value, and takes the memory that putting it needs. What a method is told goes into
// `world`.
static OndStatus ready(OndSim *sim, OndWorld *world, const OndSimValue *v, OndError *err)
{
    int part = 0;
    float *const at = world_value(world, v->name);
    const OndMotion *const motion = lead_value(sim, v->name, &part);
    if (at) *at = (float)v->value;
    if (motion) return ready_lead(sim, motion, err);
    if (at || put_in_place(sim, v->name, NULL)) return OND_OK;
    return ond_fail(err, OND_BAD_VALUE, "there is no value `%s` to change", v->name);
}

// What is not the world's; after `ready`.
static void put(OndSim *sim, const OndSimValue *v)
{
    int part = 0;
    OndMotion *const motion = lead_value(sim, v->name, &part);
    if (motion)
        put_lead(sim, motion, part, v->value);
    else
        put_in_place(sim, v->name, &v->value);
}

// ---- telling

// That the method computes by it.
static OndStatus check_heard(const OndMethod *method, const char *name, OndError *err)
{
    static const struct {
        const char *prefix, *what;
        unsigned heard;
    } known[] = {{"gravity.", "gravity", OND_HEARS_GRAVITY},
                 {"fluid.", "value of a fluid", OND_HEARS_MATERIALS},
                 {"air.", "air", OND_HEARS_AIR}};
    for (int k = 0; k < OND_COUNT(known); ++k)
        if (strncmp(name, known[k].prefix, strlen(known[k].prefix)) == 0 &&
            !(method->hears & known[k].heard))
            return ond_fail(err, OND_BAD_VALUE, "the method `%s` cannot be told of another %s",
                            method->name, known[k].what);
    return OND_OK;
}

static OndStatus tell(OndSim *sim, const OndWorld *changed, OndError *err)
{
    const OndMethod *const method = sim->method;
    const OndStatus status = method->told ? method->told(sim->self, changed, err) : OND_OK;
    if (status != OND_OK) return status;
    sim->world.world = *changed;
    sim->bodies.gravity = ond_vec(changed->gravity[0], changed->gravity[1], changed->gravity[2]);
    return OND_OK;
}

// ---- the list

// Where a name is in the table, or would be.
static int *find_slot(const OndSimEdits *edits, const char *name)
{
    const unsigned mask = (unsigned)edits->slots - 1;
    unsigned k = (unsigned)ond_hash_bytes(name, strlen(name)) & mask;
    while (edits->slot[k] && strcmp(edits->list[edits->slot[k] - 1].name + strlen(PREFIX), name))
        k = (k + 1) & mask;
    return &edits->slot[k];
}

static bool is_listed(const OndSimEdits *edits, const char *name)
{
    return edits->slots > 0 && *find_slot(edits, name) > 0;
}

static void list_value(OndSimEdits *edits, const OndSimValue *v)
{
    int *const slot = find_slot(edits, v->name);
    if (!*slot) *slot = ++edits->count;
    OndSimEdit *const at = &edits->list[*slot - 1];
    snprintf(at->name, sizeof at->name, PREFIX "%s", v->name);
    at->value = v->value;
}

// The same list with more room.
static OndStatus grow(OndSimEdits *edits, int room, OndError *err)
{
    int slots = 64;
    while (slots < 2 * room)
        slots *= 2;
    OndSimEdits more = {.list = OND_NEW_ARRAY(OndSimEdit, room),
                        .slot = OND_NEW_ARRAY(int, slots),
                        .room = room,
                        .slots = slots};
    if (!more.list || !more.slot) {
        ond_sim_edits_free(&more);
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a change");
    }
    for (int k = 0; k < edits->count; ++k) {
        OndSimValue v = {.value = edits->list[k].value};
        snprintf(v.name, sizeof v.name, "%s", edits->list[k].name + strlen(PREFIX));
        list_value(&more, &v);
    }
    ond_sim_edits_free(edits);
    *edits = more;
    return OND_OK;
}

static OndStatus make_room(OndSimEdits *edits, const OndSimValue *value, int count, OndError *err)
{
    int all = edits->count;
    for (int k = 0; k < count; ++k)
        all += !is_listed(edits, value[k].name);
    return all <= edits->room ? OND_OK : grow(edits, 2 * all + 16, err);
}

void ond_sim_edits_free(OndSimEdits *edits)
{
    ond_free(edits->list);
    ond_free(edits->slot);
    *edits = (OndSimEdits){0};
}

OndStatus ond_sim_edit(OndSim *sim, const OndSimValue *value, int count, OndError *err)
{
    OndWorld changed = sim->world.world;
    bool told = false;
    OndStatus status = make_room(&sim->edits, value, count, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        told = told || world_value(&changed, value[k].name);
        status = check_heard(sim->method, value[k].name, err);
        if (status == OND_OK) status = ready(sim, &changed, &value[k], err);
    }
    if (status == OND_OK && told) status = tell(sim, &changed, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        put(sim, &value[k]);
        list_value(&sim->edits, &value[k]);
    }
    return status;
}

int ond_sim_speed_value(const OndSim *sim, double speed, OndSimValue *out)
{
    *out = (OndSimValue){"energy", 0.5 * speed * speed};
    return sim->method->particles && (float)out->value > sim->world.world.inflow_energy;
}

OndStatus ond_sim_edit_speed(OndSim *sim, double speed, OndError *err)
{
    OndSimValue energy;
    return ond_sim_edit(sim, &energy, ond_sim_speed_value(sim, speed, &energy), err);
}

OndStatus ond_sim_edit_done(OndSim *sim, OndError *err)
{
    ond_sim_tell_changed(sim);
    if (!sim->method->particles) return OND_OK;
    return ond_sim_tell_added(sim, ond_sim_particles(sim)->count, err);
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
    OndWorld none = {0};
    OndStatus status = OND_OK;
    OndSimValue v;
    int solid = 0, part = 0;
    for (int k = 0; k < from->number_count && status == OND_OK; ++k) {
        if (!read_value(from, k, &v) || strncmp(v.name, "solid.", 6) != 0) continue;
        status = ready(sim, &none, &v, err);
        if (status == OND_OK) put(sim, &v);
        if (sscanf(v.name, "solid.%d.lead.%d", &solid, &part) == 2 && part == 0)
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
        told = told || world_value(&changed, v.name) ||
               (sim->scene->has_grid && strncmp(v.name, "heat.", 5) == 0); // it may have moved
        if (status == OND_OK) status = ready(sim, &changed, &v, err);
        if (status != OND_OK) break;
        if (strncmp(v.name, "solid.", 6) != 0) put(sim, &v);
        list_value(&sim->edits, &v);
    }
    return status == OND_OK && told ? tell(sim, &changed, err) : status;
}
