// SPDX-License-Identifier: MIT
// A tree of values with positions: what a scene file is before anybody knows what it means.
//
// io/yaml.c makes it from a file, a web page makes it from its own values; whoever reads it sees
// only this. Every node remembers where it stood, so that any later complaint can point at the
// place. A key that can be spelt in two ways (color, colour) stays as it was written, for the
// complaints, and is found by either.
#ifndef OND_BASE_TREE_H
#define OND_BASE_TREE_H

#include "base/memory.h"

#include <ondine/error.h>
#include <stdbool.h>

typedef enum OndNodeKind {
    OND_NODE_NULL,
    OND_NODE_SCALAR,
    OND_NODE_LIST,
    OND_NODE_MAP
} OndNodeKind;

typedef struct OndNode {
    OndNodeKind kind;
    const char *key;  ///< name inside a map, as written; NULL otherwise
    const char *text; ///< a scalar's text; NULL otherwise
    bool quoted;      ///< the scalar was in quotes: text, never a number or a truth value
    int line, column; ///< where the value stands, from 1; 0 when unknown
    int key_line, key_column;
    const char *origin; ///< NULL: the tree's file; otherwise shown instead ("set gravity=[0,1]")
    struct OndNode *child, *last, *next;
    int count; ///< children
} OndNode;

typedef struct OndTree {
    const char *name;   ///< shown in messages: the file's path as the user wrote it
    const char *source; ///< the whole text, for the line under a message; may be NULL
    OndNode *root;
    OndArena arena; ///< owns nodes and texts
} OndTree;

/// Nodes for builders other than a parser. All live in the tree's arena; NULL when there is no
/// memory.
OndNode *ond_tree_new(OndTree *tree, OndNodeKind kind);
OndNode *ond_tree_scalar(OndTree *tree, const char *text, bool quoted);
/// Puts `value` last in a list, or under `key` in a map (replacing what was there). `key` must live
/// as long as the tree.
void ond_tree_put(OndTree *tree, OndNode *parent, const char *key, OndNode *value);

/// The child under `key`, in either spelling (base/words.h), or NULL.
const OndNode *ond_node_get(const OndNode *map, const char *key);

/// Puts `value` at a dotted path ("fluid.0.spacing"), making maps on the way; a number in a path is
/// an index into a list and may be at most its length (then it appends). Messages and the maps made
/// on the way carry the value's origin.
OndStatus ond_tree_set(OndTree *tree, const char *path, OndNode *value, OndError *err);

/// What is at such a path; NULL: nothing.
const OndNode *ond_tree_get(const OndTree *tree, const char *path);

/// OND_BAD_VALUE with "file:line:column: error: message", the line itself and a caret under it.
/// `at` NULL: the file alone.
OndStatus ond_tree_fail(const OndTree *tree, const OndNode *at, OndError *err, const char *format,
                        ...) OND_PRINTF(4, 5);
/// The same, pointing at the node's key instead of its value.
OndStatus ond_tree_fail_key(const OndTree *tree, const OndNode *at, OndError *err,
                            const char *format, ...) OND_PRINTF(4, 5);

/// A tree of its own with the same values and places. On failure `out` is empty.
OndStatus ond_tree_copy(const OndTree *tree, OndTree *out, OndError *err);

void ond_tree_free(OndTree *tree);

#endif
