// SPDX-License-Identifier: MIT
// A grid of a scene: how many cells it has, and what is in them at the start.
//
// Fluids' shapes say where the smoke (or ink) is at the start: its `density` is 1 inside, in the
// cells that a surface cuts the share that lies inside. What emitters pour: sim/emitter_grid.h.
#ifndef OND_SIM_SCENE_GRID_H
#define OND_SIM_SCENE_GRID_H

#include "grid/layout.h"
#include "sim/assets.h"
#include "sim/scene/scene.h"

/// How many cells, and the memory that they take with the scene's method; 0 without a grid.
double ond_scene_cells(const OndSceneDef *scene, double *bytes);

/// The first time after `time` at which an emitter, a source or a heater begins or ends; INFINITY:
/// none does.
double ond_scene_next_turn(const OndSceneDef *scene, double time);

/// Fills `density`, `temperature` and `velocity`, those that `cells` has.
OndStatus ond_scene_fill_grid(const OndSceneDef *scene, const OndAssets *assets,
                              const OndGrid *grid, OndFields *cells, OndError *err);

#endif
