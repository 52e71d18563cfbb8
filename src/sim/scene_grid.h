// SPDX-License-Identifier: MIT
// A grid of a scene: how many cells it has, what is in them at the start, what emitters pour.
//
// Fluids' shapes say where the smoke (or ink) is at the start: its `density` is 1 inside, in the
// cells that a surface cuts the share that lies inside. An emitter fills the cells of its mouth in
// every step, and makes them move.
#ifndef OND_SIM_SCENE_GRID_H
#define OND_SIM_SCENE_GRID_H

#include "grid/layout.h"
#include "sim/assets.h"
#include "sim/emitter.h"

/// How many cells, and the memory that they take with the scene's method; 0 without a grid.
double ond_scene_cells(const OndScene *scene, double *bytes);

/// Fills `density`, `temperature` and `velocity`, those that `cells` has.
OndStatus ond_scene_fill_grid(const OndScene *scene, const OndAssets *assets, const OndGrid *grid,
                              OndFields *cells, OndError *err);

/// Pours at `time`. False when the emitter is shut.
bool ond_emitter_pour_grid(const OndEmitter *emitter, double time, const OndGrid *grid,
                           OndFields *cells);

#endif
