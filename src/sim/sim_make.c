// SPDX-License-Identifier: MIT
// A scene's definitions become a simulation at its start.
#include "sim/emitter_grid.h"
#include "sim/scene/scene_fill.h"
#include "sim/scene/scene_grid.h"
#include "sim/sim_state.h"
#include "solids/scene/solid_clearance.h"
#include "solids/scene/solid_start.h"

#include <stdio.h>
#include <string.h>

// What has no inside would not be in the way of a grid's flow.
static OndStatus check_sheets(const OndSim *sim, OndError *err)
{
    for (int k = 0; sim->scene->has_grid && k < sim->solids.count; ++k) {
        const OndSimSolid *const s = &sim->solids.solid[k];
        if (s->inside || s->solid.kind == OND_SOLID_PLANE) continue;
        return ond_tree_fail(&sim->scene->tree, s->def->node, err,
                             "solid '%.60s' is a sheet without an inside, and a grid needs one: "
                             "close its mesh",
                             s->def->name);
    }
    return OND_OK;
}

// A simulation that has solids and emitters, but no method yet.
OndSim *ond_sim_empty(const OndSceneDef *scene, const OndAssets *assets, OndError *err)
{
    OndSim *sim = OND_NEW(OndSim);
    const int emitters = scene->emitters.count;
    if (sim) {
        sim->scene = scene;
        sim->method = ond_scene_method(scene);
        sim->emitter = OND_NEW_ARRAY(OndEmitter, emitters + 1);
        sim->emitter_name = ond_alloc((size_t)(emitters + 1) * sizeof *sim->emitter_name);
    }
    OndStatus status = OND_OK;
    if (!sim || !sim->emitter || !sim->emitter_name)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    if (status == OND_OK) status = ond_probes_make(scene, &sim->probes, err);
    if (status == OND_OK) status = ond_sim_solids_make(scene, assets, &sim->solids, err);
    if (status == OND_OK) status = check_sheets(sim, err);
    if (status == OND_OK) status = ond_bodies_make(&sim->solids, &sim->bodies, err);
    if (status == OND_OK)
        status = ond_tracers_make(scene, assets, &sim->solids, &sim->tracers, err);
    if (status == OND_OK) return sim;
    ond_sim_destroy(sim);
    return NULL;
}

static void name_emitter(OndSim *sim, int e)
{
    static const char *const names[OND_EMITTER_NUMBERS] = {"emitter", "effort",     "shut",
                                                           "shut_s",  "shut_first", "squeeze"};
    for (int k = 0; k < OND_EMITTER_NUMBERS; ++k)
        snprintf(sim->emitter_name[e][k], sizeof **sim->emitter_name, "%s_%d", names[k], e);
}

OndStatus ond_sim_check_fields(const OndMethod *method, const OndFields *particles, OndError *err)
{
    static const struct {
        const char *name;
        OndFieldType type;
        int components;
    } filled[] = {{"position", OND_F32, 3},
                  {"velocity", OND_F32, 3},
                  {"temperature", OND_F32, 1},
                  {"material", OND_U32, 1}};
    for (int k = 0; k < OND_COUNT(filled); ++k) {
        const OndField *const f = ond_fields_find(particles, filled[k].name);
        if (f && f->type == filled[k].type && f->components == filled[k].components) continue;
        return ond_fail(err, OND_BAD_VALUE,
                        "the method '%s' has no field '%s' of its particles (%s, %d a particle), "
                        "which a scene fills; add it where the method is created",
                        method->name, filled[k].name,
                        filled[k].type == OND_F32 ? "OND_F32" : "OND_U32", filled[k].components);
    }
    return OND_OK;
}

// An empty method with room for `particles`.
OndStatus ond_sim_make_method(OndSim *sim, const OndAssets *assets, double particles, OndError *err)
{
    const OndSceneDef *const scene = sim->scene;
    const int emitters = scene->emitters.count;
    for (int e = 0; e < emitters; ++e) {
        sim->emitter[e] = ond_emitter_make(scene, ond_scene_emitter(scene, e));
        name_emitter(sim, e);
        particles +=
            sim->emitter[e].layer_count * ond_emitter_layers(&sim->emitter[e], scene->duration);
    }
    OndWorld *const world = &sim->world.world;
    const OndStatus status = ond_sim_world_make(scene, assets, &sim->world, err);
    if (status != OND_OK) return status;
    ond_sim_world_fans(scene, sim->emitter, &sim->world);
    world->solids = sim->solids.solids;
    world->solid_speed = (float)sim->solids.fastest;
    world->solid_fall = (float)sim->solids.fall;
    if (sim->solids.count > 0) {
        world->clearance = ond_solid_clearance;
        world->clearance_own = &sim->solids;
    }
    for (int e = 0; e < emitters; ++e)
        world->inflow_energy =
            fmaxf(world->inflow_energy, (float)ond_emitter_energy(&sim->emitter[e], scene));
    const OndSetup setup = {world, scene->method.def, (int)fmin(particles * 1.02 + 1024, 2e9)};
    sim->self = sim->method->create(&setup, err);
    if (!sim->self) return OND_NO_MEMORY; // `err` knows better
    return scene->has_grid ? OND_OK
                           : ond_sim_check_fields(sim->method, ond_sim_particles(sim), err);
}

static OndStatus put_start(OndSim *sim, const OndStart *start, OndError *err)
{
    OndFields *f = ond_sim_particles(sim);
    const OndStatus status = ond_fields_reserve(f, start->count, err);
    if (status != OND_OK) return status;
    const size_t bytes = (size_t)start->count * sizeof(float);
    for (int a = 0; a < 3; ++a) {
        memcpy(ond_fields_find(f, "position")->data[a], start->position[a], bytes);
        memcpy(ond_fields_find(f, "velocity")->data[a], start->velocity[a], bytes);
    }
    const OndField *const held = ond_fields_find(f, "held");
    memcpy(ond_fields_find(f, "temperature")->data[0], start->temperature, bytes);
    memcpy(ond_fields_find(f, "material")->data[0], start->material, bytes);
    if (held) memcpy(held->data[0], start->held, bytes);
    f->count = start->count;
    return ond_sim_tell_added(sim, 0, err);
}

static void note_left_out(OndSim *sim, const OndStart *start)
{
    for (int f = 0; f < sim->scene->fluids.count; ++f)
        if (start->left_out[f] > 0)
            ond_sim_solids_note(
                &sim->solids,
                "fluids '%.60s' and '%.60s' overlap: %d particles of the latter are "
                "left out, which would be pushed apart at the start; move one, or "
                "cut it out with a difference",
                ond_scene_fluid(sim->scene, start->beside[f])->name,
                ond_scene_fluid(sim->scene, f)->name, start->left_out[f]);
}

static OndStatus start_particles(OndSim *sim, const OndAssets *assets, OndError *err)
{
    OndStart start = {0};
    OndStatus status = ond_scene_fill(sim->scene, assets, &start, err);
    if (status == OND_OK) note_left_out(sim, &start);
    if (status == OND_OK) status = ond_solids_leave_out(&sim->solids, &start, err);
    if (status == OND_OK) status = ond_sim_make_method(sim, assets, start.count, err);
    if (status == OND_OK) status = put_start(sim, &start, err);
    ond_start_free(&start);
    return status;
}

static OndStatus start_grid(OndSim *sim, const OndAssets *assets, OndError *err)
{
    OndStatus status = ond_sim_make_method(sim, assets, 0, err);
    if (status == OND_OK)
        status = ond_scene_fill_grid(sim->scene, assets, sim->method->grid(sim->self),
                                     ond_sim_cells(sim), err);
    if (status == OND_OK) ond_sim_tell_changed(sim);
    return status;
}

OndStatus ond_sim_pour_tracers(OndSim *sim, OndError *err)
{
    if (sim->scene->tracers.count == 0) return OND_OK;
    const OndStream stream = ond_sim_stream(sim);
    return ond_tracers_pour(&sim->tracers, &stream, sim->time, err);
}

OndSim *ond_sim_make(const OndSceneDef *scene, const OndAssets *assets, OndError *err)
{
    OndSim *sim = ond_sim_empty(scene, assets, err);
    if (!sim) return NULL;
    OndStatus status =
        scene->has_grid ? start_grid(sim, assets, err) : start_particles(sim, assets, err);
    if (status == OND_OK && sim->method->start) status = sim->method->start(sim->self, err);
    if (status == OND_OK) status = ond_sim_pour_tracers(sim, err);
    if (status == OND_OK) return sim;
    ond_sim_destroy(sim);
    return NULL;
}
