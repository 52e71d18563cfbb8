// SPDX-License-Identifier: MIT
// The section `surface` of a scene, and what it says in the terms of surface.h.
#ifndef OND_SURFACE_OF_SCENE_H
#define OND_SURFACE_OF_SCENE_H

#include "sim/scene/scene.h"
#include "surface/surface.h"

extern const OndSceneSection ond_surface_section;

/// What the scene says there; where it is left out, the defaults.
OndSurfaceDef ond_surface_def_of_scene(const OndSceneDef *scene);

#endif
