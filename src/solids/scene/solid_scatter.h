// SPDX-License-Identifier: MIT
// Many balls from one key: `scatter` in place of a solid's `shape`.
#ifndef OND_SOLIDS_SOLID_SCATTER_H
#define OND_SOLIDS_SOLID_SCATTER_H

#include "sim/scene/scene.h"

/// Puts each ball into the scene's list as a solid of its own, named after the one that was written
/// and its number, alike in all else. Places and sizes come from the seed alone.
OndStatus ond_scene_scatter(OndSceneDef *scene, OndError *err);

#endif
