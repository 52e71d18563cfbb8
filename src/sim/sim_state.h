// SPDX-License-Identifier: MIT
// What the files of a simulation share. Only sim*.c include this.
#ifndef OND_SIM_SIM_STATE_H
#define OND_SIM_SIM_STATE_H

#include "grid/stream.h"
#include "method/method.h"
#include "sim/emitter.h"
#include "sim/sim.h"
#include "sim/sim_edit.h"
#include "sim/sim_world.h"
#include "sim/tracers.h"
#include "solids/bodies/bodies.h"

#include <math.h>
#include <ondine/solids.h>

#define OND_EMITTER_NUMBERS 6 // that a checkpoint keeps of each

struct OndSim {
    const OndSceneDef *scene;
    OndSceneDef *own_scene; // freed with the simulation; NULL: the scene is another's
    const OndMethod *method;
    void *self;
    OndSimWorld world; // what the method was told; it keeps pointers into this
    OndSimSolids solids;
    OndBodies bodies; // those of them that fall and float
    OndProbes probes;
    OndTracers tracers;  // in a grid
    OndSimEdits edits;   // what is not as the scene has it
    OndMotionLead *lead; // for the next solid that is led; NULL: none is ready
    OndEmitter *emitter; // one for each of the scene's
    char (*emitter_name)[OND_EMITTER_NUMBERS][24];
    double time, dt;
    double until; // where a step has to end, besides frames; 0: nowhere
    long long step;
    int frame;                   // last one passed
    OndFields none;              // the cells, or foam, of a method without
    OndCheckpointNumber *number; // of the last checkpoint, which borrows them
    int number_room;
};

/// Of the method, or what drifts in its grid.
static inline OndFields *ond_sim_particles(const OndSim *sim)
{
    return sim->method->particles ? sim->method->particles(sim->self)
                                  : (OndFields *)&sim->tracers.particles;
}

/// Spray, foam and bubbles; empty where there are none.
static inline OndFields *ond_sim_foam(const OndSim *sim)
{
    OndFields *const foam = sim->method->foam ? sim->method->foam(sim->self) : NULL;
    return foam ? foam : (OndFields *)&sim->none;
}

/// Empty where the method has no grid.
static inline OndFields *ond_sim_cells(const OndSim *sim)
{
    return sim->method->cells ? sim->method->cells(sim->self) : (OndFields *)&sim->none;
}

// ---- what a method may leave out (method/method.h)

/// Particles from `first` on are new, or arrays and values are others.
static inline OndStatus ond_sim_tell_added(OndSim *sim, int first, OndError *err)
{
    return sim->method->added ? sim->method->added(sim->self, first, err) : OND_OK;
}

/// Values of cells are others.
static inline void ond_sim_tell_changed(OndSim *sim)
{
    if (sim->method->changed) sim->method->changed(sim->self);
}

/// All zero from a method that says nothing.
static inline OndReport ond_sim_report(const OndSim *sim)
{
    OndReport report = {0};
    if (sim->method->report) sim->method->report(sim->self, &report);
    return report;
}

/// Number `slot` of the method that a checkpoint keeps; NULL: there are no more.
static inline const char *ond_sim_number(OndSim *sim, int slot, double **value)
{
    return sim->method->number ? sim->method->number(sim->self, slot, value) : NULL;
}

static inline double ond_sim_frame_time(const OndSim *sim, int index)
{
    return index / sim->scene->frame_rate;
}

/// Times nearer than this are the same: steps so short would never end, s.
static inline double ond_sim_shortest(const OndSim *sim)
{
    return 1e-9 * fmin(1.0 / sim->scene->frame_rate, 1.0);
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
/// That particles have the fields that sim/ fills; else a sentence that names the one to add.
OndStatus ond_sim_check_fields(const OndMethod *method, const OndFields *particles, OndError *err);
OndStatus ond_sim_pour_tracers(OndSim *sim, OndError *err);

#endif
