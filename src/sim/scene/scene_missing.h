// SPDX-License-Identifier: MIT
// Which of a scene's meshes are not there, so that their stand-ins are used.
#ifndef OND_SIM_SCENE_MISSING_H
#define OND_SIM_SCENE_MISSING_H

#include "sim/scene/scene.h"

/// Gets the path of each such mesh, as the scene gives it.
typedef void OndMissingFn(const char *path, void *context);

void ond_scene_missing(const OndSceneDef *scene, OndMissingFn *tell, void *context);

/// Whether the file of a mesh can be opened.
bool ond_scene_has_file(const OndSceneDef *scene, const char *file);

#endif
