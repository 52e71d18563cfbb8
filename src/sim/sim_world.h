// SPDX-License-Identifier: MIT
// From a scene to what a method is told about the world.
#ifndef OND_SIM_SIM_WORLD_H
#define OND_SIM_SIM_WORLD_H

#include "sim/assets.h"
#include "sim/checkpoint.h"
#include "sim/emitter.h"
#include "sim/scene/scene.h"

typedef struct OndSimWorld {
    OndWorld world;           ///< without inflow_energy: emitters know that
    OndArena arena;           ///< owns the sources of heat, their shapes, and paths of particles
    OndHeatSource *heat;      ///< those of the world
    OndFlowSource *source;    ///< those of the world, with room for the scene's emitters
    OndCarriedShapes carried; ///< in the arena
    const char *path_name[OND_MATERIALS_MAX]; ///< in checkpoints; NULL: not asked yet
    double path_mark[OND_MATERIALS_MAX];
} OndSimWorld;

/// The scene must outlive it. Free with ond_sim_world_free, in every case.
OndStatus ond_sim_world_make(const OndSceneDef *scene, const OndAssets *assets, OndSimWorld *out,
                             OndError *err);
/// What a scene tells without its files: no heat, sources or solids.
void ond_sim_world_plain(const OndSceneDef *scene, OndWorld *w);
/// For a flow on a grid: emitters as fans. They must outlive it.
void ond_sim_world_fans(const OndSceneDef *scene, OndEmitter *emitter, OndSimWorld *w);
/// Which files the particles that are animated elsewhere came from, for a checkpoint; and whether a
/// run that goes on has the same.
void ond_sim_world_save_paths(OndSimWorld *w, OndCheckpoint *to);
OndStatus ond_sim_world_check_paths(const OndSceneDef *scene, const OndSimWorld *w,
                                    const OndCheckpoint *from, OndError *err);
/// A heat source stands so far along an axis from where the scene has it, m.
void ond_sim_world_move_heat(OndSimWorld *w, int heat, int axis, double by);
double ond_sim_world_heat_moved(const OndSimWorld *w, int heat, int axis);
void ond_sim_world_free(OndSimWorld *w);

#endif
