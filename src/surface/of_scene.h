// SPDX-License-Identifier: MIT
// What a scene says about its surface, in the terms of surface.h.
#ifndef OND_SURFACE_OF_SCENE_H
#define OND_SURFACE_OF_SCENE_H

#include "sim/scene.h"
#include "surface/surface.h"

/// The section `surface` of a scene; where it is left out, the defaults.
OndSurfaceDef ond_surface_def_of_scene(const OndSceneDef *scene);

#endif
