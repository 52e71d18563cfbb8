// SPDX-License-Identifier: MIT
// A scene from a file and back: read with overrides, checked, and kept beside the frames it made.
//
// Paths of meshes, particle files and fonts are made whole on reading, so that the scene that is
// kept in a run's folder means the same files from there.
#ifndef OND_APP_RUN_SCENE_H
#define OND_APP_RUN_SCENE_H

#include "app/cli.h"
#include "sim/assets.h"
#include "sim/sim.h"

#include <stdio.h>

/// What reads the files that scenes name.
extern const OndAssets ond_scene_assets;

/// True when `path` is a folder.
bool ond_scene_is_folder(const char *path);

/// Reads and checks a scene file, or the scene of the run whose folder `path` is. `sets` (may be
/// NULL) are "key=value". On failure `out` is empty. Free with ond_scene_free.
OndStatus ond_scene_load(const char *path, const OndTexts *sets, OndSceneDef *out, OndError *err);

/// Particles at the start and those poured later. Refuses what the machine's memory cannot hold.
OndStatus ond_scene_count(const OndSceneDef *scene, double *start, double *poured, OndError *err);

/// Says what a person should know before the scene is used: a last frame after the
/// duration, meshes that are not there, nothing that catches what falls.
void ond_scene_notes(const OndSceneDef *scene, FILE *out);

/// What the simulation has to say of the scene before it runs: mended meshes, particles left out.
void ond_sim_notes(const OndSim *sim, FILE *out);

/// Memory that a particle takes in a simulation, for forecasts: measured, with some to spare.
#define OND_BYTES_EACH 400.0

/// Writes the scene as it was read, overrides included; reading it again gives the same scene.
OndStatus ond_scene_save(const char *path, const OndSceneDef *scene, const OndTexts *sets,
                         OndError *err);

#endif
