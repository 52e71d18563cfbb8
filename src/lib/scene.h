// SPDX-License-Identifier: MIT
// The scene of <ondine/scene.h> from inside.
#ifndef OND_LIB_SCENE_H
#define OND_LIB_SCENE_H

#include "sim/scene/scene.h"

#include <ondine/scene.h>

struct OndScene {
    OndTree tree; ///< its root is a map
};

/// ond_scene_set, called as `by` in messages.
OndStatus ond_scene_assign(OndScene *scene, const char *by, const char *assignment, OndError *err);

/// Writes a tree as YAML, with a comment of where it came from and what was set ("key=value").
OndStatus ond_tree_save(const char *path, const OndTree *tree, const char *const *set, int sets,
                        OndError *err);

/// Reads and checks a copy of what it holds, with whole paths. Free with ond_scene_free.
OndStatus ond_scene_definitions(const OndScene *scene, OndSceneDef *out, OndError *err);

#endif
