// SPDX-License-Identifier: MIT
// From the events of a YAML parser to a tree: maps, lists, anchors, aliases, merge keys; inside
// src/io only.
#ifndef OND_IO_YAML_BUILD_H
#define OND_IO_YAML_BUILD_H

#include "base/tree.h"

#include <libfyaml.h>

// Bounds that no scene comes near; they keep a file made to hurt from taking all memory or time.
#define OND_YAML_DEEPEST     48
#define OND_YAML_ANCHORS_MAX 256

/// A map or a list that is not complete yet.
typedef struct OndYamlLevel {
    OndNode *node;
    const char *anchor; // name to register when the node is complete
    const char *key;    // waits for its value
    int key_line, key_column;
    bool key_merges; // the waiting key is <<
    OndNode *merge;  // value of <<
} OndYamlLevel;

typedef struct OndYamlAnchor {
    const char *name;
    const OndNode *node;
} OndYamlAnchor;

typedef struct OndYamlBuilder {
    OndTree *tree;
    const char *origin;
    OndError *err;
    OndNode *root;
    OndYamlLevel level[OND_YAML_DEEPEST];
    int depth;
    int nodes;
    OndYamlAnchor anchor[OND_YAML_ANCHORS_MAX];
    int anchors;
} OndYamlBuilder;

typedef struct OndYamlPlace {
    int line, column;
} OndYamlPlace;

/// Complains at a place of the text.
#define OND_YAML_FAIL(b, place, ...)                                                               \
    ond_tree_fail(                                                                                 \
        (b)->tree,                                                                                 \
        &(OndNode){.line = (place).line, .column = (place).column, .origin = (b)->origin},         \
        (b)->err, __VA_ARGS__)

/// Adds what an event says; needs nothing but zeros, a tree and an `err` before the first.
OndStatus ond_yaml_add_event(OndYamlBuilder *builder, const struct fy_event *event);
OndStatus ond_yaml_no_memory(const OndYamlBuilder *builder);

#endif
