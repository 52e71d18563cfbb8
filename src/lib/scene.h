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

/// As YAML, into `size` characters with the final zero; returns how many it is, without that.
size_t ond_tree_yaml(const OndTree *tree, char *text, size_t size);

/// A line of a comment: a word of the writer's, and a text that may hold anything.
typedef struct OndComment {
    const char *head, *text;
} OndComment;

/// Writes a tree as YAML under such lines.
OndStatus ond_tree_save(const char *path, const OndTree *tree, const OndComment *comment,
                        int comments, OndError *err);

/// A number, written so that it is read as the same; NULL: no memory.
OndNode *ond_number_node(OndTree *tree, double value);

/// Reads and checks a copy of what it holds, with whole paths. Free with ond_scene_free.
OndStatus ond_scene_definitions(const OndScene *scene, OndSceneDef *out, OndError *err);

#endif
