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
// Frames stand at fixed times, index / frame_rate; steps are cut so that one ends exactly there.
// Frame 0 is the start.
#ifndef OND_SIM_SIM_H
#define OND_SIM_SIM_H

#include "sim/assets.h"
#include "sim/checkpoint.h"
#include "sim/probe.h"
#include "sim/scene.h"
#include "sim/sim_solids.h"
#include "sim/step_record.h"

typedef struct OndSim OndSim;

/// The scene must outlive the simulation. NULL and a sentence on failure.
OndSim *ond_sim_make(const OndSceneDef *scene, const OndAssets *assets, OndError *err);

/// Goes on from a checkpoint of the same scene; the result is the same bits as if it had never
/// stopped.
OndSim *ond_sim_remake(const OndSceneDef *scene, const OndAssets *assets, const OndCheckpoint *from,
                       OndError *err);

/// One step, never past the next frame. OND_UNSTABLE when the numbers have left all reason; the
/// state is then useless, and the last checkpoint is what is left.
OndStatus ond_sim_step(OndSim *sim, OndError *err);

bool ond_sim_done(const OndSim *sim);     ///< the scene's duration is reached
bool ond_sim_at_frame(const OndSim *sim); ///< now is exactly a frame's time
double ond_sim_time(const OndSim *sim);
int ond_sim_frame_index(const OndSim *sim); ///< of the last frame passed or reached
int ond_sim_frame_count(
    const OndSceneDef *scene); ///< frames of the whole scene, the start included
int ond_sim_particle_count(const OndSim *sim);
long long ond_sim_cell_count(const OndSim *sim); ///< 0: no grid

/// The present as a frame. Borrows: valid until the next step.
void ond_sim_frame(const OndSim *sim, OndFrame *out);
void ond_sim_record(const OndSim *sim, OndStepRecord *out);
/// Everything needed to go on. Borrows: valid until the next step.
void ond_sim_checkpoint(OndSim *sim, OndCheckpoint *out);

/// What a person should know before it runs: what was mended, left out, or looks strange. A
/// sentence each, from 0; NULL after the last.
const char *ond_sim_note(const OndSim *sim, int index);
/// Where the solids are, and their meshes.
const OndSimSolids *ond_sim_solids(const OndSim *sim);
/// The read-outs, and which of them have a row now.
const OndProbes *ond_sim_probes(const OndSim *sim);

/// The first step's size, s, for a forecast. Finds the forces.
OndStatus ond_sim_first_step(OndSim *sim, double *dt, OndError *err);
size_t ond_sim_bytes(const OndSim *sim);
double ond_sim_neighbours(const OndSim *sim); ///< mean per particle

/// One of the scene's emitters as it is now.
const struct OndEmitter *ond_sim_emitter(const OndSim *sim, int index);

/// What makes a scene another one for a checkpoint: all keys that shape the motion.
uint64_t ond_sim_scene_hash(const OndSceneDef *scene);
/// Writes the first of those keys that differs between two scenes' trees: "fluid.0.spacing was 0.02
/// and is 0.01". False: none does, only their order.
bool ond_scene_difference(const OndNode *was, const OndNode *is, char *out, size_t size);

void ond_sim_destroy(OndSim *sim); ///< NULL is allowed

#endif
