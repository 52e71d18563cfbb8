// SPDX-License-Identifier: MIT
// From a scene to what a method is told about the world.
#ifndef OND_SIM_SIM_WORLD_H
#define OND_SIM_SIM_WORLD_H

#include "sim/assets.h"
#include "sim/scene.h"

typedef struct OndSimWorld {
    OndWorld world; ///< without inflow_energy: emitters know that
    OndArena arena; ///< owns the sources of heat and their shapes
} OndSimWorld;

/// The scene must outlive it. Free with ond_sim_world_free, in every case.
OndStatus ond_sim_world_make(const OndScene *scene, const OndAssets *assets, OndSimWorld *out,
                             OndError *err);
void ond_sim_world_free(OndSimWorld *w);

#endif
