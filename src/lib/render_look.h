// SPDX-License-Identifier: MIT
// How a scene's pictures shall look: its camera and its `render` section, and a range of colours
// that holds for a whole film.
#ifndef OND_LIB_RENDER_LOOK_H
#define OND_LIB_RENDER_LOOK_H

#include "render/render.h"
#include "sim/scene/scene.h"

/// The look the scene asks for. Borrows the title.
OndRenderDef ond_look_of_scene(const OndSceneDef *scene);

/// Fixes the colours before anything has moved: speeds from the height of fall and what moves
/// already, temperatures and densities from the fluids. Leaves a range that the scene gives.
void ond_look_forecast(const OndSceneDef *scene, const OndFrame *first, OndRenderDef *look);

/// Pictures a second in a film. What is too quick to be watched (more than 60 frames a simulated
/// second) is shown in slow motion.
double ond_look_fps(double frame_rate);

#endif
