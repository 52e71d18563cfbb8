// SPDX-License-Identifier: MIT
// A step: what is poured comes in, the method prepares and says how far it can go, the step is cut
// to end at frames, solids learn where they will be, and the method advances.
#include "sim/emitter_grid.h"
#include "sim/scene/scene_grid.h"
#include "sim/sim_state.h"
#include "solids/bodies/drift.h"

#include <string.h>

#define FARTHEST 0.25 // spacings that a solid goes in a step
#define CUTS     12
#define EVENLY   0.98 // of what fits: where it speeds up within the step, too

// A flow on a grid has fans for this, behind the sources of the scene.
static void drive_emitters(OndSim *sim)
{
    const int count = sim->scene->emitters.count;
    if (sim->method->flow) {
        OndFlowSource *const fan = sim->world.source + sim->scene->sources.count;
        for (int e = 0; e < count; ++e)
            fan[e].effort = (float)sim->emitter[e].effort;
        return;
    }
    for (int e = 0; e < count; ++e)
        ond_emitter_grid_drive(&sim->emitter[e], sim->time, sim->method->grid(sim->self),
                               ond_sim_cells(sim));
    if (count > 0) ond_sim_tell_changed(sim);
}

// What came into a grid in the step that has just been made.
static OndStatus pour_grid(OndSim *sim, OndError *err)
{
    bool poured = false;
    for (int e = 0; e < sim->scene->emitters.count && sim->scene->has_grid; ++e)
        poured |= ond_emitter_grid_pour(&sim->emitter[e], sim->time, sim->dt, &sim->world.world,
                                        sim->method->grid(sim->self), ond_sim_cells(sim));
    if (poured) ond_sim_tell_changed(sim);
    return ond_sim_pour_tracers(sim, err);
}

static OndStatus pour(OndSim *sim, OndError *err)
{
    if (sim->scene->has_grid) {
        drive_emitters(sim);
        return OND_OK;
    }
    OndFields *f = ond_sim_particles(sim);
    const int before = f->count;
    OndStatus status = OND_OK;
    for (int e = 0; e < sim->scene->emitters.count && status == OND_OK; ++e)
        status = ond_emitter_pour(&sim->emitter[e], sim->time, &sim->solids, f, err);
    if (f->count == before) return status;
    ond_probes_born(&sim->probes, &sim->solids, f, before); // also what came before memory ran out
    const OndStatus heard = ond_sim_tell_added(sim, before, err);
    return status == OND_OK ? heard : status;
}

// The end of a step.
typedef struct Stop {
    double time;
    bool frame; // it is the next frame's
} Stop;

// Where the caller wants to be, unless something else is as near.
static Stop cut_at(const OndSim *sim, Stop stop)
{
    const bool later = sim->until > 0.0 && stop.time > sim->until + ond_sim_shortest(sim);
    return later ? (Stop){sim->until, false} : stop;
}

// The next frame; on a grid also when something is turned on or off on the way there, for a method
// asks for that once a step.
static Stop next_stop(const OndSim *sim)
{
    const double frame = ond_sim_frame_time(sim, sim->frame + 1);
    const double turn =
        sim->scene->has_grid ? ond_scene_next_turn(sim->scene, sim->time + OND_SOON) : INFINITY;
    return turn < frame - OND_SOON ? (Stop){turn, false} : (Stop){frame, true};
}

// The rest of the way to the next stop in equal steps, none longer than `largest`: no tiny last
// one.
static Stop cut_step(const OndSim *sim, double largest)
{
    const Stop stop = cut_at(sim, next_stop(sim));
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
    const OndStream stream = ond_sim_stream(sim);
    return ond_drift_largest_step(&sim->bodies, &stream, driven_speed(&sim->world.world));
}

// Particles are met by what moves evenly over a step, and by little of the way: a step in which a
// solid starts, or is hurled, is cut until it goes no farther than FARTHEST. What moves evenly is cut to fit at
// once, what is being hurled by half; the rest of the way to the next stop is then made of steps as long.
static OndStatus aim_solids(OndSim *sim, Stop *stop, OndError *err)
{
    const OndSceneDef *const scene = sim->scene;
    const OndBox domain = {scene->domain.min, scene->domain.max};
    double longest = stop->time - sim->time;
    OndStatus status = ond_sim_solids_aim(&sim->solids, stop->time, err);
    for (int k = 0; k < CUTS && status == OND_OK && !scene->has_grid; ++k) {
        const double way = ond_solids_travel(sim->solids.solids, domain),
                     most = FARTHEST * scene->spacing;
        if (way <= most) break;
        longest *= k == 0 ? fmax(0.5, EVENLY * most / way) : 0.5;
        *stop = cut_step(sim, longest);
        longest = stop->time - sim->time;
        status = ond_sim_solids_aim(&sim->solids, stop->time, err);
    }
    return status;
}

static void finish_emitter(OndSim *sim, OndEmitter *e, double dt)
{
    ond_emitter_hold(e, sim->time + dt, ond_sim_particles(sim));
    ond_emitter_watch(e, sim->scene, sim->time + dt, dt, ond_sim_particles(sim));
}

// ---- what the method and solids give each other (OndExchange)

static void clear_loads(OndSim *sim)
{
    if (sim->solids.count == 0) return;
    memset(ond_solids_loads(sim->solids.solids), 0,
           (size_t)sim->solids.count * sizeof(OndSolidLoad));
    ond_bodies_tell(&sim->bodies);
}

// In a grid that carries bodies: its density stands in the method's definition.
static void push_bodies(OndSim *sim, double dt)
{
    if (!sim->method->flow || sim->bodies.count == 0) return;
    const OndStream stream = ond_sim_stream(sim);
    const OndFlowTraits flow = sim->method->flow(sim->scene->method.def);
    ond_drift_push(&sim->bodies, &stream, flow.density, dt);
}

static OndStatus depart(void *own, double dt, OndError *err)
{
    OndSim *const sim = own;
    push_bodies(sim, dt);
    return ond_bodies_aim(&sim->bodies, dt, err);
}

static void answered(void *own)
{
    ond_bodies_know(&((OndSim *)own)->bodies);
}

// What drifts in a grid meets solids on their way.
static void arrive(void *own, double dt)
{
    OndSim *const sim = own;
    if (sim->scene->tracers.count > 0) {
        const OndStream stream = ond_sim_stream(sim);
        ond_tracers_move(&sim->tracers, &stream, dt);
    }
    if (sim->solids.count > 0) ond_solids_arrive(sim->solids.solids);
}

static void finish(void *own, double dt)
{
    ond_bodies_finish(&((OndSim *)own)->bodies, dt);
}

// ---- the step

static OndStatus fail_shrunk(const OndSim *sim, double largest, OndError *err)
{
    const char *const remedy = sim->method->remedy;
    return ond_fail(err, OND_UNSTABLE,
                    "the time step has shrunk to %.2g s: something moves or is pushed without "
                    "bounds%s%s",
                    largest, remedy ? ". Try " : "", remedy ? remedy : "");
}

static OndStatus largest_step(OndSim *sim, double *dt, OndError *err)
{
    const OndMethod *const method = sim->method;
    const OndStatus status = method->prepare ? method->prepare(sim->self, err) : OND_OK;
    if (status == OND_OK) *dt = fmin(method->largest_step(sim->self), bodies_step(sim));
    return status;
}

OndStatus ond_sim_first_step(OndSim *sim, double *dt, OndError *err)
{
    return largest_step(sim, dt, err);
}

// Time goes on; what watches the simulation looks.
static OndStatus end_step(OndSim *sim, Stop stop, OndError *err)
{
    const double dt = stop.time - sim->time;
    for (int e = 0; e < sim->scene->emitters.count && !sim->scene->has_grid; ++e)
        finish_emitter(sim, &sim->emitter[e], dt);
    ond_probes_step(&sim->probes, &sim->solids, ond_sim_particles(sim), sim->time, stop.time);
    sim->dt = dt;
    ++sim->step;
    if (stop.frame) ++sim->frame;
    sim->time = stop.time;
    return sim->scene->has_grid ? pour_grid(sim, err) : OND_OK;
}

OndStatus ond_sim_step(OndSim *sim, OndError *err)
{
    const OndExchange solids = {sim, sim->bodies.count > 0, depart, answered, arrive, finish};
    double largest = 0;
    OndStatus status = pour(sim, err);
    if (status == OND_OK) status = largest_step(sim, &largest, err);
    if (status != OND_OK) return status;
    if (!(largest > ond_sim_shortest(sim))) return fail_shrunk(sim, largest, err);
    Stop stop = cut_step(sim, largest);
    status = aim_solids(sim, &stop, err);
    if (status != OND_OK) return status;
    clear_loads(sim);
    status = sim->method->advance(sim->self, stop.time - sim->time, &solids, err);
    return status == OND_OK ? end_step(sim, stop, err) : status;
}
