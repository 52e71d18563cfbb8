// SPDX-License-Identifier: MIT
// Emitters pour layer by layer.
//
// A layer is a lattice of particles over the disc or rectangle; the next one follows when the last
// has moved on by one spacing, so that what comes out is at rest density and the rate is kept
// exactly. Layers are turned or shifted against each other: in columns, grains would pile up to a
// pillar, and a jet that falls and stretches would come apart into discs. Layer k is due at from +
// k spacing / speed; one that is put in a little late stands a little further on. How many layers
// were poured is all there is to remember.
//
// The disc or rectangle is the emitter's mouth: an inlet, a nozzle's opening. Where a solid covers
// it, or comes too near to it, nothing comes out: that part of the layer is left out, and the rest
// comes as fast as ever. Faces behind those who leave them do not count: a tap may stand in a wall.
//
// Liquid that finds no room is squeezed. Where it is, round the mouth, the emitter closes: nothing
// comes out and nothing is pushed, until there is room again.
#ifndef OND_SIM_EMITTER_H
#define OND_SIM_EMITTER_H

#include "base/fields.h"
#include "sim/scene/scene.h"
#include "solids/scene/sim_solids.h"

typedef struct OndEmitter {
    const OndEmitterDef *def;
    OndVec across, up;          // one long, in the plane of the mouth
    int across_count, up_count; // lattice points to try on each side
    int layer_count;            // particles a layer
    double spacing, speed, temperature;
    double slack;   // how far layers are shifted at most, m
    double clear;   // how far from faces particles are put, at least, m
    double poured;  // layers so far; on a grid: m^3 (2D: m^2)
    double depth;   // how far from the centre along the direction the mouth ends, m
    double effort;  // on a grid: by what share the fan in the mouth is faster than what comes out
    double squeeze; // density over rest density round the mouth, of late
    double weight;  // by what share its own weight may squeeze liquid, as soft as the scene has it
    bool shut;      // the space round the mouth is full
    bool closed;    // by the program around the library (sim/sim_edit.h)
    double shut_s;  // how long it was so, in all
    double shut_first; // when it came to that first, s; below 0: never
    OndVec period;     // of the domain, m; 0 along axes that do not go round
    int dimension;
} OndEmitter;

OndEmitter ond_emitter_make(const OndSceneDef *scene, const OndEmitterDef *def);

/// Whether a point of the mouth's plane, so far across and up from its centre, is inside it.
bool ond_emitter_in_mouth(const OndEmitter *emitter, double across, double up);

/// Layers still due before `until`.
double ond_emitter_layers(const OndEmitter *emitter, double until);

/// v^2 / 2 and the way to fall to the wall below, per mass, m^2/s^2.
double ond_emitter_energy(const OndEmitter *emitter, const OndSceneDef *scene);

/// Keeps what is still in the mouth moving as it was poured: else pressure that runs up the jet
/// would hold it back, and the next layer would be put into it.
void ond_emitter_hold(const OndEmitter *emitter, double time, OndFields *fields);

/// Adds the layers due by `time` to `fields` (position, velocity, temperature, material), making
/// room; without those whom solids keep out as they stand now.
OndStatus ond_emitter_pour(OndEmitter *emitter, double time, const OndSimSolids *solids,
                           OndFields *fields, OndError *err);

/// Looks at how much the liquid round the mouth is squeezed after a step of `dt` that ended at
/// `time`, and closes or opens. Grains, which have no density, leave it open.
void ond_emitter_watch(OndEmitter *emitter, const OndSceneDef *scene, double time, double dt,
                       const OndFields *fields);

/// How many of the layer_count places of its mouth solids cover now. `which` gets one that does, or
/// -1 when it is outside of all containers.
int ond_emitter_covered(const OndEmitter *emitter, const OndSimSolids *solids, int *which);

#endif
