// SPDX-License-Identifier: MIT
// A scene in motion: it owns time, frames, checkpoints and stopping; the method only advances.
//
//     OndSim *sim = ond_sim_make(&scene, &assets, &err);
//     while (!ond_sim_done(sim)) {
//         if (ond_sim_step(sim, &err) != OND_OK) ...
//         if (ond_sim_at_frame(sim)) use ond_sim_frame(sim, &frame)
//     }
//     ond_sim_destroy(sim);
//
// This is the inner side; what a program around the library may call is in <ondine/sim.h>.
//
// Frames stand at fixed times, index / frame_rate; steps are cut so that one ends exactly there.
// Frame 0 is the start.
#ifndef OND_SIM_SIM_H
#define OND_SIM_SIM_H

#include "sim/assets.h"
#include "sim/checkpoint.h"
#include "sim/probe.h"
#include "sim/scene/scene.h"
#include "sim/step_record.h"
#include "solids/scene/sim_solids.h"

#include <ondine/sim.h>

/// The scene must outlive the simulation. NULL and a sentence on failure.
OndSim *ond_sim_make(const OndSceneDef *scene, const OndAssets *assets, OndError *err);

/// Goes on from a checkpoint of the same scene; the result is the same bits as if it had never
/// stopped.
OndSim *ond_sim_remake(const OndSceneDef *scene, const OndAssets *assets, const OndCheckpoint *from,
                       OndError *err);

int ond_sim_frame_count(
    const OndSceneDef *scene); ///< frames of the whole scene, the start included

const OndSceneDef *ond_sim_scene(const OndSim *sim); ///< that it was made of

/// The present as a frame. Borrows: valid until the next step.
void ond_sim_frame(OndSim *sim, OndFrame *out);
/// The same for who only looks, several at a time: has its own solids, for ond_sim_look_free.
OndStatus ond_sim_look(const OndSim *sim, OndFrame *out, OndError *err);
void ond_sim_look_free(OndFrame *frame);
void ond_sim_record(const OndSim *sim, OndStepRecord *out);
/// Everything needed to go on. Borrows: valid until the next step, change or checkpoint.
void ond_sim_checkpoint(OndSim *sim, OndCheckpoint *out);

/// Where the solids are, and their meshes.
const OndSimSolids *ond_sim_solids(const OndSim *sim);
/// The read-outs, and which of them have a row now.
const OndProbes *ond_sim_probes(const OndSim *sim);

/// The first step's size, s, for a forecast. Finds the forces.
OndStatus ond_sim_first_step(OndSim *sim, double *dt, OndError *err);
double ond_sim_neighbours(const OndSim *sim); ///< mean per particle

/// One of the scene's emitters as it is now.
const struct OndEmitter *ond_sim_emitter(const OndSim *sim, int index);

/// What makes a scene another one for a checkpoint: all keys that shape the motion.
uint64_t ond_sim_scene_hash(const OndSceneDef *scene);
/// Writes the first of those keys that differs between two scenes' trees: "fluid.0.spacing was 0.02
/// and is 0.01". False: none does, only their order.
bool ond_scene_difference(const OndNode *was, const OndSceneDef *scene, char *out, size_t size);

/// One more of ond_sim_note.
void ond_sim_add_note(OndSim *sim, const char *note);
/// `scene`, of which it was made and which ond_alloc gave, is freed with the simulation.
void ond_sim_take_scene(OndSim *sim, OndSceneDef *scene);

#endif
