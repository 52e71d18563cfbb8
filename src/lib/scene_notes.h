// SPDX-License-Identifier: MIT
// Notes of <ondine/forecast.h> for those who have read a scene already. `say` may be NULL.
#ifndef OND_LIB_SCENE_NOTES_H
#define OND_LIB_SCENE_NOTES_H

#include "sim/sim.h"

#include <ondine/forecast.h>

void ond_notes_of_scene(const OndSceneDef *scene, OndNoteFn *say, void *user);
void ond_notes_of_sim(const OndSim *sim, OndNoteFn *say, void *user);

#endif
