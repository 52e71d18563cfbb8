// SPDX-License-Identifier: MIT
#include "sim/sim.h"

#include "sim/bodies.h"
#include "sim/drift.h"
#include "sim/emitter.h"
#include "sim/methods.h"
#include "sim/mouth.h"
#include "sim/probe.h"
#include "sim/scene_fill.h"
#include "sim/scene_grid.h"
#include "sim/sim_solids.h"
#include "sim/sim_world.h"
#include "sim/solid_clearance.h"
#include "sim/solid_marks.h"
#include "sim/solid_start.h"
#include "sim/tracers.h"

#include <stdio.h>
#include <string.h>

#define FARTHEST 0.25 // spacings that a solid goes in a step
#define HALVINGS 12
#define SHORTEST 1e-9 // of a frame or a second: steps so short would never end

#define EMITTER_NUMBERS 6 // that a checkpoint keeps of each

struct OndSim {
    const OndSceneDef *scene;
    const OndMethod *method;
    void *self;
    OndSimWorld world; // what the method was told; it keeps pointers into this
    OndSimSolids solids;
    OndBodies bodies; // those of them that fall and float
    OndProbes probes;
    OndTracers tracers;  // in a grid
    OndEmitter *emitter; // one for each of the scene's
    char (*emitter_name)[EMITTER_NUMBERS][24];
    double time, dt;
    long long step;
    int frame;      // last one passed
    OndFields none; // the cells of a method without
};

int ond_sim_frame_count(const OndSceneDef *scene)
{
    return (int)lround(scene->duration * scene->frame_rate) + 1;
}

static OndFields *particles_of(const OndSim *sim)
{
    return sim->method->particles ? sim->method->particles(sim->self)
                                  : (OndFields *)&sim->tracers.particles;
}

static OndFields *cells_of(const OndSim *sim)
{
    return sim->method->cells ? sim->method->cells(sim->self) : (OndFields *)&sim->none;
}

static double frame_time(const OndSim *sim, int index)
{
    return index / sim->scene->frame_rate;
}

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
static OndSim *make_sim(const OndSceneDef *scene, const OndAssets *assets, OndError *err)
{
    OndSim *sim = OND_NEW(OndSim);
    const int emitters = scene->emitters.count;
    if (sim) {
        sim->scene = scene;
        sim->method = ond_methods[scene->method.which];
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
    static const char *const names[EMITTER_NUMBERS] = {"emitter", "effort",     "shut",
                                                       "shut_s",  "shut_first", "squeeze"};
    for (int k = 0; k < EMITTER_NUMBERS; ++k)
        snprintf(sim->emitter_name[e][k], sizeof **sim->emitter_name, "%s_%d", names[k], e);
}

// An empty method with room for `particles`.
static OndStatus make_method(OndSim *sim, const OndAssets *assets, double particles, OndError *err)
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
    return sim->self ? OND_OK : OND_NO_MEMORY; // `err` knows better
}

static OndStatus put_start(OndSim *sim, const OndStart *start, OndError *err)
{
    OndFields *f = particles_of(sim);
    const OndStatus status = ond_fields_reserve(f, start->count, err);
    if (status != OND_OK) return status;
    for (int a = 0; a < 3; ++a) {
        const size_t bytes = (size_t)start->count * sizeof(float);
        memcpy(ond_fields_find(f, "position")->data[a], start->position[a], bytes);
        memcpy(ond_fields_find(f, "velocity")->data[a], start->velocity[a], bytes);
    }
    memcpy(ond_fields_find(f, "temperature")->data[0], start->temperature,
           (size_t)start->count * 4);
    memcpy(ond_fields_find(f, "material")->data[0], start->material, (size_t)start->count * 4);
    memcpy(ond_fields_find(f, "held")->data[0], start->held, (size_t)start->count * 4);
    f->count = start->count;
    return sim->method->added(sim->self, 0, err);
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
    if (status == OND_OK) status = make_method(sim, assets, start.count, err);
    if (status == OND_OK) status = put_start(sim, &start, err);
    ond_start_free(&start);
    return status;
}

static OndStatus start_grid(OndSim *sim, const OndAssets *assets, OndError *err)
{
    OndStatus status = make_method(sim, assets, 0, err);
    if (status == OND_OK)
        status = ond_scene_fill_grid(sim->scene, assets, sim->method->grid(sim->self),
                                     cells_of(sim), err);
    if (status == OND_OK) sim->method->changed(sim->self);
    return status;
}

static OndStream stream_of(const OndSim *sim)
{
    return ond_stream_of(sim->method->grid(sim->self), cells_of(sim));
}

static OndStatus pour_tracers(OndSim *sim, OndError *err)
{
    if (sim->scene->tracers.count == 0) return OND_OK;
    const OndStream stream = stream_of(sim);
    return ond_tracers_pour(&sim->tracers, &stream, sim->time, err);
}

OndSim *ond_sim_make(const OndSceneDef *scene, const OndAssets *assets, OndError *err)
{
    OndSim *sim = make_sim(scene, assets, err);
    if (!sim) return NULL;
    OndStatus status =
        scene->has_grid ? start_grid(sim, assets, err) : start_particles(sim, assets, err);
    if (status == OND_OK) status = sim->method->start(sim->self, err);
    if (status == OND_OK) status = pour_tracers(sim, err);
    if (status == OND_OK) return sim;
    ond_sim_destroy(sim);
    return NULL;
}

// ---- stepping

// A flow on a grid has fans for this, behind the sources of the scene.
static void drive_mouths(OndSim *sim)
{
    const int count = sim->scene->emitters.count;
    if (ond_scene_flow(sim->scene)) {
        OndFlowSource *const fan = sim->world.source + sim->scene->sources.count;
        for (int e = 0; e < count; ++e)
            fan[e].effort = (float)sim->emitter[e].effort;
        return;
    }
    for (int e = 0; e < count; ++e)
        ond_mouth_drive(&sim->emitter[e], sim->time, sim->method->grid(sim->self), cells_of(sim));
    if (count > 0) sim->method->changed(sim->self);
}

// What came into a grid in the step that has just been made.
static OndStatus pour_grid(OndSim *sim, OndError *err)
{
    bool poured = false;
    for (int e = 0; e < sim->scene->emitters.count && sim->scene->has_grid; ++e)
        poured |= ond_mouth_pour(&sim->emitter[e], sim->time, sim->dt, &sim->world.world,
                                 sim->method->grid(sim->self), cells_of(sim));
    if (poured) sim->method->changed(sim->self);
    return pour_tracers(sim, err);
}

static OndStatus pour(OndSim *sim, OndError *err)
{
    if (sim->scene->has_grid) {
        drive_mouths(sim);
        return OND_OK;
    }
    OndFields *f = particles_of(sim);
    const int before = f->count;
    OndStatus status = OND_OK;
    for (int e = 0; e < sim->scene->emitters.count && status == OND_OK; ++e)
        status = ond_emitter_pour(&sim->emitter[e], sim->time, &sim->solids, f, err);
    if (status != OND_OK || f->count == before) return status;
    ond_probes_born(&sim->probes, &sim->solids, f, before);
    return sim->method->added(sim->self, before, err);
}

// The end of a step.
typedef struct Stop {
    double time;
    bool frame; // it is the next frame's
} Stop;

// The next frame; on a grid also when something is turned on or off on the way there, for a method
// asks for that once a step.
static Stop next_stop(const OndSim *sim)
{
    const double frame = frame_time(sim, sim->frame + 1);
    const double turn =
        sim->scene->has_grid ? ond_scene_next_turn(sim->scene, sim->time + OND_SOON) : INFINITY;
    return turn < frame - OND_SOON ? (Stop){turn, false} : (Stop){frame, true};
}

// The rest of the way to the next stop in equal steps, none longer than `largest`: no tiny last
// one.
static Stop cut_step(const OndSim *sim, double largest)
{
    const Stop stop = next_stop(sim);
    const double rest = stop.time - sim->time, steps = ceil(rest / largest * (1 - 1e-9));
    return steps <= 1 ? stop : (Stop){sim->time + rest / steps, false};
}

static double length_of(const float v[3])
{
    return ond_length(ond_vec(v[0], v[1], v[2]));
}

// How fast sides and fans want the flow to be.
static double driven_speed(const OndWorld *w)
{
    double speed = 0.0;
    for (int side = 0; side < 6; ++side)
        speed = fmax(speed, length_of(w->side[side].velocity));
    for (int k = 0; k < w->source_count; ++k)
        if (w->source[k].drives)
            speed = fmax(speed, (1.0 + w->source[k].effort) * length_of(w->source[k].velocity));
    return speed;
}

static double bodies_step(const OndSim *sim)
{
    if (!sim->scene->has_grid) return ond_bodies_largest_step(&sim->bodies);
    if (sim->bodies.count == 0) return INFINITY;
    const OndStream stream = stream_of(sim);
    return ond_drift_largest_step(&sim->bodies, &stream, driven_speed(&sim->world.world));
}

static void clear_loads(OndSim *sim)
{
    if (sim->solids.count == 0) return;
    memset(ond_solids_loads(sim->solids.solids), 0,
           (size_t)sim->solids.count * sizeof(OndSolidLoad));
}

// In a grid that carries bodies: its density stands in the method's definition.
static void push_bodies(OndSim *sim, double dt)
{
    const OndSmokeDef *const def = ond_scene_flow(sim->scene);
    if (!def || sim->bodies.count == 0) return;
    const OndStream stream = stream_of(sim);
    ond_drift_push(&sim->bodies, &stream, def->density, dt);
}

static void yield_to_bodies(OndSim *sim, double dt)
{
    if (sim->bodies.count == 0 || !sim->method->yield) return;
    sim->method->yield(sim->self, dt);
    ond_bodies_know(&sim->bodies);
}

// A grid is solved with solids where they are at the end of the step; what drifts in it meets them
// on the way there.
static void let_solids_arrive(OndSim *sim, double dt)
{
    if (sim->scene->tracers.count > 0) {
        const OndStream stream = stream_of(sim);
        ond_tracers_move(&sim->tracers, &stream, dt);
    }
    if (sim->solids.count > 0) ond_solids_arrive(sim->solids.solids);
}

// Particles are met by what moves evenly over a step, and by little of the way: a step in which a
// solid starts, or is hurled, is cut until it goes no farther than FARTHEST.
static OndStatus aim_solids(OndSim *sim, Stop *stop, OndError *err)
{
    const OndSceneDef *const scene = sim->scene;
    const OndBox domain = {scene->domain.min, scene->domain.max};
    OndStatus status = ond_sim_solids_aim(&sim->solids, stop->time, err);
    for (int k = 0; k < HALVINGS && status == OND_OK && !scene->has_grid; ++k) {
        if (ond_solids_travel(sim->solids.solids, domain) <= FARTHEST * scene->spacing) break;
        *stop = (Stop){sim->time + 0.5 * (stop->time - sim->time), false};
        status = ond_sim_solids_aim(&sim->solids, stop->time, err);
    }
    return status;
}

static void finish_emitter(OndSim *sim, OndEmitter *e, double dt)
{
    ond_emitter_hold(e, sim->time + dt, particles_of(sim));
    ond_emitter_watch(e, sim->scene, sim->time + dt, dt, particles_of(sim));
}

OndStatus ond_sim_step(OndSim *sim, OndError *err)
{
    OndStatus status = pour(sim, err);
    double largest = 0;
    if (status == OND_OK) status = sim->method->largest_step(sim->self, &largest, err);
    if (status != OND_OK) return status;
    largest = fmin(largest, bodies_step(sim));
    if (!(largest > SHORTEST * fmin(1.0 / sim->scene->frame_rate, 1.0)))
        return ond_fail(err, OND_UNSTABLE,
                        "the time step has shrunk to %.2g s: something moves or is pushed without "
                        "bounds. Try %s",
                        largest, sim->method->remedy);
    Stop stop = cut_step(sim, largest);
    status = aim_solids(sim, &stop, err);
    const double end = stop.time, dt = end - sim->time;
    clear_loads(sim);
    if (sim->method->loads) sim->method->loads(sim->self, dt);
    push_bodies(sim, dt);
    if (status == OND_OK) status = ond_bodies_aim(&sim->bodies, dt, err);
    if (status == OND_OK) yield_to_bodies(sim, dt);
    if (status == OND_OK && sim->scene->has_grid) let_solids_arrive(sim, dt);
    if (status == OND_OK) status = sim->method->step(sim->self, dt, err);
    if (status != OND_OK) return status;
    if (sim->solids.count > 0 && !sim->scene->has_grid) ond_solids_arrive(sim->solids.solids);
    ond_bodies_finish(&sim->bodies, dt);
    yield_to_bodies(sim, dt);
    for (int e = 0; e < sim->scene->emitters.count && !sim->scene->has_grid; ++e)
        finish_emitter(sim, &sim->emitter[e], dt);
    ond_probes_step(&sim->probes, &sim->solids, particles_of(sim), sim->time, end);
    sim->dt = dt;
    ++sim->step;
    if (stop.frame) ++sim->frame;
    sim->time = end;
    return sim->scene->has_grid ? pour_grid(sim, err) : OND_OK;
}

bool ond_sim_done(const OndSim *sim)
{
    return sim->frame + 1 >= ond_sim_frame_count(sim->scene);
}

bool ond_sim_at_frame(const OndSim *sim)
{
    return sim->time == frame_time(sim, sim->frame);
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
    return particles_of(sim)->count;
}

long long ond_sim_cell_count(const OndSim *sim)
{
    return sim->method->grid ? ond_grid_cells(sim->method->grid(sim->self)) : 0;
}

OndStatus ond_sim_first_step(OndSim *sim, double *dt, OndError *err)
{
    const OndStatus status = sim->method->largest_step(sim->self, dt, err);
    *dt = fmin(*dt, bodies_step(sim));
    return status;
}

size_t ond_sim_bytes(const OndSim *sim)
{
    const size_t solids = sim->solids.count > 0 ? ond_solids_bytes(sim->solids.solids) : 0;
    return sim->method->bytes(sim->self) + solids;
}

const char *ond_sim_note(const OndSim *sim, int index)
{
    return index < sim->solids.note_count ? sim->solids.note[index] : NULL;
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

void ond_sim_frame(const OndSim *sim, OndFrame *out)
{
    const OndSceneDef *scene = sim->scene;
    *out = (OndFrame){.index = sim->frame,
                      .time = sim->time,
                      .dimension = scene->dimension,
                      .spacing = scene->spacing,
                      .particles = *particles_of(sim),
                      .cells = *cells_of(sim)};
    if (sim->method->grid) out->grid = *sim->method->grid(sim->self);
    if (scene->has_domain) out->domain = (OndBox){scene->domain.min, scene->domain.max};
}

void ond_sim_record(const OndSim *sim, OndStepRecord *out)
{
    OndReport r;
    sim->method->report(sim->self, &r);
    *out = (OndStepRecord){.step = (int)sim->step,
                           .time = sim->time,
                           .dt = sim->dt,
                           .particles = ond_sim_particle_count(sim),
                           .cells = ond_sim_cell_count(sim),
                           .max_speed = r.max_speed,
                           .density_error = r.density_error,
                           .kinetic = r.kinetic,
                           .potential = r.potential,
                           .iterations = r.iterations,
                           .unconverged = r.unconverged,
                           .unsettled = r.unsettled || ond_bodies_unsettled(&sim->bodies),
                           .phase_count = r.phase_count,
                           .phase_names = r.phase_names};
    memcpy(out->phase_ms, r.phase_ms, sizeof out->phase_ms);
}

void ond_sim_checkpoint(OndSim *sim, OndCheckpoint *out)
{
    *out = (OndCheckpoint){.time = sim->time,
                           .step = sim->step,
                           .frame = sim->frame,
                           .dt_previous = sim->dt,
                           .scene_hash = ond_sim_scene_hash(sim->scene),
                           .fields = *particles_of(sim),
                           .cells = *cells_of(sim)};
    double *value = NULL;
    const char *name = NULL;
    for (int slot = 0; (name = sim->method->number(sim->self, slot, &value)); ++slot)
        ond_checkpoint_add(out, name, *value);
    for (int e = 0; e < sim->scene->emitters.count; ++e) {
        const OndEmitter *const from = &sim->emitter[e];
        const double keep[EMITTER_NUMBERS] = {from->poured, from->effort,     from->shut,
                                              from->shut_s, from->shut_first, from->squeeze};
        for (int k = 0; k < EMITTER_NUMBERS; ++k)
            ond_checkpoint_add(out, sim->emitter_name[e][k], keep[k]);
    }
    ond_solid_marks_save(&sim->solids, out);
    ond_bodies_save(&sim->bodies, out);
    ond_tracers_save(&sim->tracers, out);
    ond_probes_save(&sim->probes, out);
}

OndSim *ond_sim_remake(const OndSceneDef *scene, const OndAssets *assets, const OndCheckpoint *from,
                       OndError *err)
{
    if (from->scene_hash != ond_sim_scene_hash(scene)) {
        ond_fail(err, OND_BAD_VALUE,
                 "the checkpoint was made by another scene: only title, duration, output, camera, "
                 "render and the looks of solids may change before a resume");
        return NULL;
    }
    OndSim *sim = make_sim(scene, assets, err);
    if (!sim) return NULL;
    OndStatus status = ond_solid_marks_check(&sim->solids, from, err);
    if (status == OND_OK) status = ond_sim_solids_place(&sim->solids, from->time, err);
    if (status == OND_OK) status = ond_bodies_restore(&sim->bodies, from, err);
    if (status == OND_OK) status = make_method(sim, assets, from->fields.count, err);
    if (status != OND_OK) {
        ond_sim_destroy(sim);
        return NULL;
    }
    OndFields *f = particles_of(sim);
    double *value = NULL;
    const char *name = NULL;
    status = sim->method->particles ? ond_checkpoint_restore(from, f, err)
                                    : ond_tracers_restore(&sim->tracers, from, err);
    if (status == OND_OK && sim->method->added)
        status = sim->method->added(sim->self, f->count, err);
    if (status == OND_OK && sim->method->cells)
        status = ond_checkpoint_restore_cells(from, cells_of(sim), err);
    if (status == OND_OK && sim->method->changed) sim->method->changed(sim->self);
    for (int slot = 0; (name = sim->method->number(sim->self, slot, &value)); ++slot)
        *value = ond_checkpoint_number(from, name, *value);
    for (int e = 0; e < scene->emitters.count; ++e) {
        OndEmitter *const to = &sim->emitter[e];
        to->poured = ond_checkpoint_number(from, sim->emitter_name[e][0], 0);
        to->effort = ond_checkpoint_number(from, sim->emitter_name[e][1], 0);
        to->shut = ond_checkpoint_number(from, sim->emitter_name[e][2], 0) != 0.0;
        to->shut_s = ond_checkpoint_number(from, sim->emitter_name[e][3], 0);
        to->shut_first = ond_checkpoint_number(from, sim->emitter_name[e][4], -1);
        to->squeeze = ond_checkpoint_number(from, sim->emitter_name[e][5], 1);
    }
    ond_probes_restore(&sim->probes, from);
    sim->time = from->time, sim->step = from->step, sim->frame = from->frame,
    sim->dt = from->dt_previous;
    if (status == OND_OK) return sim;
    ond_sim_destroy(sim);
    return NULL;
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
    ond_free(sim);
}
