// SPDX-License-Identifier: MIT
// What the files of a simulation share. Only sim*.c include this.
#ifndef OND_SIM_SIM_STATE_H
#define OND_SIM_SIM_STATE_H

#include "grid/stream.h"
#include "physics/method.h"
#include "sim/bodies.h"
#include "sim/emitter.h"
#include "sim/sim.h"
#include "sim/sim_world.h"
#include "sim/tracers.h"

#define OND_EMITTER_NUMBERS 6 // that a checkpoint keeps of each

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
    char (*emitter_name)[OND_EMITTER_NUMBERS][24];
    double time, dt;
    long long step;
    int frame;      // last one passed
    OndFields none; // the cells of a method without
};

static inline OndFields *ond_sim_particles(const OndSim *sim)
{
    return sim->method->particles ? sim->method->particles(sim->self)
                                  : (OndFields *)&sim->tracers.particles;
}

static inline OndFields *ond_sim_cells(const OndSim *sim)
{
    return sim->method->cells ? sim->method->cells(sim->self) : (OndFields *)&sim->none;
}

static inline double ond_sim_frame_time(const OndSim *sim, int index)
{
    return index / sim->scene->frame_rate;
}

static inline OndStream ond_sim_stream(const OndSim *sim)
{
    return ond_stream_of(sim->method->grid(sim->self), ond_sim_cells(sim));
}

/// Solids, bodies, probes and emitters of a scene, but no method yet; NULL and a sentence.
OndSim *ond_sim_empty(const OndSceneDef *scene, const OndAssets *assets, OndError *err);
/// Its method, empty, with room for `particles`.
OndStatus ond_sim_make_method(OndSim *sim, const OndAssets *assets, double particles,
                              OndError *err);
OndStatus ond_sim_pour_tracers(OndSim *sim, OndError *err);

#endif
