// SPDX-License-Identifier: MIT
// A scene from a file and back: read with overrides, checked, and kept beside the frames it made.
#ifndef OND_APP_RUN_SCENE_H
#define OND_APP_RUN_SCENE_H

#include "app/cli.h"
#include "lib/scene.h"
#include "lib/scene_load.h"

#include <stdio.h>

/// True when `path` is a folder.
bool ond_scene_is_folder(const char *path);

/// A scene file, or the scene of the run whose folder `path` is, with `sets` (may be NULL) of
/// "key=value". On failure `*out` is NULL. Free with ond_scene_destroy.
OndStatus ond_scene_open(const char *path, const OndTexts *sets, OndScene **out, OndError *err);
/// Reads and checks such a scene. On failure `out` is empty. Free with ond_scene_free.
OndStatus ond_scene_load(const char *path, const OndTexts *sets, OndSceneDef *out, OndError *err);

/// Prints one of the notes of <ondine/forecast.h>; `stream` is a FILE.
void ond_print_note(const char *note, void *stream);

/// Writes the scene as it was read, overrides included; reading it again gives the same scene.
OndStatus ond_scene_save(const char *path, const OndSceneDef *scene, const OndTexts *sets,
                         OndError *err);

#endif
