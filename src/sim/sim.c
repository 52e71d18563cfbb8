// SPDX-License-Identifier: MIT
// What a simulation says of itself, and its end. It is made in sim_make.c, stepped in sim_step.c,
// kept and taken up again in sim_resume.c.
#include "sim/sim_state.h"

#include <string.h>

int ond_sim_frame_count(const OndSceneDef *scene)
{
    return (int)lround(scene->duration * scene->frame_rate) + 1;
}

bool ond_sim_done(const OndSim *sim)
{
    return sim->frame + 1 >= ond_sim_frame_count(sim->scene);
}

bool ond_sim_at_frame(const OndSim *sim)
{
    return sim->time == ond_sim_frame_time(sim, sim->frame);
}

double ond_sim_time(const OndSim *sim)
{
    return sim->time;
}

int ond_sim_frame_index(const OndSim *sim)
{
    return sim->frame;
}

int ond_sim_particle_count(const OndSim *sim)
{
    return ond_sim_particles(sim)->count;
}

long long ond_sim_cell_count(const OndSim *sim)
{
    return sim->method->grid ? ond_grid_cells(sim->method->grid(sim->self)) : 0;
}

static size_t bytes_of(const OndFields *f)
{
    return (size_t)f->capacity * (size_t)ond_fields_bytes_each(f);
}

size_t ond_sim_bytes(const OndSim *sim)
{
    const size_t solids = sim->solids.count > 0 ? ond_solids_bytes(sim->solids.solids) : 0;
    if (sim->method->bytes) return sim->method->bytes(sim->self) + solids;
    return bytes_of(ond_sim_particles(sim)) + bytes_of(ond_sim_cells(sim)) + solids;
}

const char *ond_sim_note(const OndSim *sim, int index)
{
    return index >= 0 && index < sim->solids.note_count ? sim->solids.note[index] : NULL;
}

const OndEmitter *ond_sim_emitter(const OndSim *sim, int index)
{
    return &sim->emitter[index];
}

const OndProbes *ond_sim_probes(const OndSim *sim)
{
    return &sim->probes;
}

const OndSimSolids *ond_sim_solids(const OndSim *sim)
{
    return &sim->solids;
}

double ond_sim_neighbours(const OndSim *sim)
{
    if (!sim->method->neighbours) return 0.0;
    return sim->method->neighbours(sim->self);
}

// ---- what leaves

static void show(const OndSim *sim, OndFrameSolid *room, OndFrame *out)
{
    const OndSceneDef *scene = sim->scene;
    *out = (OndFrame){.index = sim->frame,
                      .time = sim->time,
                      .dimension = scene->dimension,
                      .spacing = scene->spacing,
                      .particles = *ond_sim_particles(sim),
                      .cells = *ond_sim_cells(sim),
                      .foam = *ond_sim_foam(sim),
                      .carried = sim->world.carried};
    if (sim->method->grid) out->grid = *sim->method->grid(sim->self);
    if (scene->has_domain) out->domain = (OndBox){scene->domain.min, scene->domain.max};
    ond_frame_solids_now(&sim->solids, room, &out->solids);
}

void ond_sim_frame(OndSim *sim, OndFrame *out)
{
    show(sim, sim->solids.now, out);
}

OndStatus ond_sim_look(const OndSim *sim, OndFrame *out, OndError *err)
{
    OndFrameSolid *const room = OND_NEW_ARRAY(OndFrameSolid, sim->solids.count + 1);
    if (!room) return ond_fail(err, OND_NO_MEMORY, "not enough memory to look at a simulation");
    show(sim, room, out);
    return OND_OK;
}

void ond_sim_look_free(OndFrame *frame)
{
    ond_free(frame->solids.solid);
    *frame = (OndFrame){0};
}

void ond_sim_record(const OndSim *sim, OndStepRecord *out)
{
    const OndReport r = ond_sim_report(sim);
    *out = (OndStepRecord){.step = (int)sim->step,
                           .time = sim->time,
                           .dt = sim->dt,
                           .particles = ond_sim_particle_count(sim),
                           .cells = ond_sim_cell_count(sim),
                           .foam = ond_sim_foam(sim)->count,
                           .foam_refused = r.foam_refused,
                           .max_speed = r.max_speed,
                           .density_error = r.density_error,
                           .kinetic = r.kinetic,
                           .potential = r.potential,
                           .iterations = r.iterations,
                           .rigid_iterations = r.rigid_iterations,
                           .solves = r.solves,
                           .asleep = r.asleep,
                           .unconverged = r.unconverged,
                           .unsettled = r.unsettled || ond_bodies_unsettled(&sim->bodies),
                           .phase_count = r.phase_count,
                           .phase_names = r.phase_names};
    memcpy(out->phase_ms, r.phase_ms, sizeof out->phase_ms);
}

void ond_sim_take_scene(OndSim *sim, OndSceneDef *scene)
{
    sim->own_scene = scene;
}

void ond_sim_destroy(OndSim *sim)
{
    if (!sim) return;
    if (sim->self) sim->method->destroy(sim->self);
    ond_sim_world_free(&sim->world);
    ond_bodies_free(&sim->bodies);
    ond_sim_solids_free(&sim->solids);
    ond_probes_free(&sim->probes);
    ond_tracers_free(&sim->tracers);
    ond_free(sim->emitter);
    ond_free(sim->emitter_name);
    ond_sim_edits_free(&sim->edits);
    ond_free(sim->number);
    if (sim->own_scene) ond_scene_free(sim->own_scene);
    ond_free(sim->own_scene);
    ond_free(sim);
}
