// SPDX-License-Identifier: MIT
// The shapes whose surfaces a scene's particles carry.
#ifndef OND_SIM_SCENE_CARRIED_H
#define OND_SIM_SCENE_CARRIED_H

#include "sim/assets.h"
#include "sim/scene/scene.h"

/// Whether any fluid of the scene carries its surface.
bool ond_scene_carries(const OndSceneDef *scene);
/// Makes them in `arena`; none when no fluid carries any.
OndStatus ond_scene_carried(const OndSceneDef *scene, const OndAssets *assets, OndArena *arena,
                            OndCarriedShapes *out, OndError *err);

#endif
