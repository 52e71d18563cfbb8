// SPDX-License-Identifier: MIT
// From a tree to a scene that can be simulated: which files it names, and whether they fit.
//
// Paths of meshes, particle files and fonts are made whole, so that the scene that is kept in a
// run's folder means the same files from there.
#ifndef OND_LIB_SCENE_LOAD_H
#define OND_LIB_SCENE_LOAD_H

#include "sim/assets.h"
#include "sim/scene/scene.h"

/// What reads the files that scenes name.
extern const OndAssets ond_scene_assets;

/// Makes paths in it whole: they begin in the folder of the tree's name.
void ond_scene_find_files(OndTree *tree);

/// Memory that a particle takes in a simulation, for forecasts: measured, with some to spare.
#define OND_BYTES_EACH 400.0

/// Particles at the start and those poured later. Refuses what does not fit into `memory` bytes; 0:
/// into the machine's.
OndStatus ond_scene_count(const OndSceneDef *scene, double memory, double *start, double *poured,
                          OndError *err);

#endif
