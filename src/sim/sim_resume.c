// SPDX-License-Identifier: MIT
// What a checkpoint holds of a simulation, and a simulation made of one.
#include "sim/sim_state.h"
#include "solids/scene/solid_marks.h"

void ond_sim_checkpoint(OndSim *sim, OndCheckpoint *out)
{
    *out = (OndCheckpoint){.time = sim->time,
                           .step = sim->step,
                           .frame = sim->frame,
                           .dt_previous = sim->dt,
                           .scene_hash = ond_sim_scene_hash(sim->scene),
                           .number = sim->number,
                           .number_room = sim->number_room,
                           .fields = *ond_sim_particles(sim),
                           .cells = *ond_sim_cells(sim),
                           .foam = *ond_sim_foam(sim)};
    double *value = NULL;
    const char *name = NULL;
    for (int slot = 0; (name = ond_sim_number(sim, slot, &value)); ++slot)
        ond_checkpoint_add(out, name, *value);
    for (int e = 0; e < sim->scene->emitters.count; ++e) {
        const OndEmitter *const from = &sim->emitter[e];
        const double keep[OND_EMITTER_NUMBERS] = {from->poured, from->effort,     from->shut,
                                                  from->shut_s, from->shut_first, from->squeeze};
        for (int k = 0; k < OND_EMITTER_NUMBERS; ++k)
            ond_checkpoint_add(out, sim->emitter_name[e][k], keep[k]);
    }
    ond_sim_edits_save(&sim->edits, out);
    ond_solid_marks_save(&sim->solids, out);
    ond_sim_world_save_paths(&sim->world, out);
    ond_bodies_save(&sim->bodies, out);
    ond_tracers_save(&sim->tracers, out);
    ond_probes_save(&sim->probes, out);
    sim->number = out->number, sim->number_room = out->number_room;
}

// That a checkpoint is whole, and of this scene.
static OndStatus check_origin(const OndSceneDef *scene, const OndCheckpoint *from, OndError *err)
{
    const OndStatus status = ond_checkpoint_check(from, err);
    if (status != OND_OK || from->scene_hash == ond_sim_scene_hash(scene)) return status;
    return ond_fail(
        err, OND_BAD_VALUE,
        "the checkpoint was made by another scene: only title, duration, output, camera, "
        "render and the looks of solids may change before a resume");
}

// Solids and bodies stand where they stood, and the method is there, empty.
static OndStatus restore_stage(OndSim *sim, const OndAssets *assets, const OndCheckpoint *from,
                               OndError *err)
{
    OndStatus status = ond_solid_marks_check(&sim->solids, from, err);
    if (status == OND_OK) status = ond_sim_edits_restore_solids(sim, from, err);
    if (status == OND_OK) status = ond_sim_solids_place(&sim->solids, from->time, err);
    if (status == OND_OK) status = ond_bodies_restore(&sim->bodies, from, err);
    if (status == OND_OK) status = ond_sim_make_method(sim, assets, from->fields.count, err);
    if (status == OND_OK) status = ond_sim_world_check_paths(sim->scene, &sim->world, from, err);
    return status;
}

// Particles, cells, and what was changed on the way.
static OndStatus restore_fluid(OndSim *sim, const OndCheckpoint *from, OndError *err)
{
    OndFields *const f = ond_sim_particles(sim);
    OndStatus status = sim->method->particles ? ond_checkpoint_restore(from, f, err)
                                              : ond_tracers_restore(&sim->tracers, from, err);
    if (status == OND_OK) status = ond_sim_tell_added(sim, f->count, err);
    if (status == OND_OK && sim->method->cells)
        status = ond_checkpoint_restore_cells(from, ond_sim_cells(sim), err);
    if (status == OND_OK) ond_sim_tell_changed(sim);
    if (status == OND_OK && ond_sim_foam(sim)->field_count > 0)
        status = ond_checkpoint_restore_foam(from, ond_sim_foam(sim), err);
    return status == OND_OK ? ond_sim_edits_restore(sim, from, err) : status;
}

static void restore_emitter(OndEmitter *to, char names[OND_EMITTER_NUMBERS][24],
                            const OndCheckpoint *from)
{
    to->poured = ond_checkpoint_number(from, names[0], 0);
    to->effort = ond_checkpoint_number(from, names[1], 0);
    to->shut = ond_checkpoint_number(from, names[2], 0) != 0.0;
    to->shut_s = ond_checkpoint_number(from, names[3], 0);
    to->shut_first = ond_checkpoint_number(from, names[4], -1);
    to->squeeze = ond_checkpoint_number(from, names[5], 1);
}

static void restore_numbers(OndSim *sim, const OndCheckpoint *from)
{
    double *value = NULL;
    const char *name = NULL;
    for (int slot = 0; (name = ond_sim_number(sim, slot, &value)); ++slot)
        *value = ond_checkpoint_number(from, name, *value);
    for (int e = 0; e < sim->scene->emitters.count; ++e)
        restore_emitter(&sim->emitter[e], sim->emitter_name[e], from);
    ond_probes_restore(&sim->probes, from);
    sim->time = from->time, sim->step = from->step, sim->frame = from->frame,
    sim->dt = from->dt_previous;
}

OndSim *ond_sim_remake(const OndSceneDef *scene, const OndAssets *assets, const OndCheckpoint *from,
                       OndError *err)
{
    if (check_origin(scene, from, err) != OND_OK) return NULL;
    OndSim *const sim = ond_sim_empty(scene, assets, err);
    if (!sim) return NULL;
    OndStatus status = restore_stage(sim, assets, from, err);
    if (status == OND_OK) status = restore_fluid(sim, from, err);
    if (status == OND_OK) {
        restore_numbers(sim, from);
        return sim;
    }
    ond_sim_destroy(sim);
    return NULL;
}
