// SPDX-License-Identifier: MIT
// From the events of a YAML parser to a tree: maps, lists, anchors, aliases, merge keys; inside
// src/io only.
#ifndef OND_IO_YAML_BUILD_H
#define OND_IO_YAML_BUILD_H

#include "base/tree.h"

#include <stddef.h>

// Bounds that no scene comes near; they keep a file made to hurt from taking all memory or time.
#define OND_YAML_DEEPEST     48
#define OND_YAML_ANCHORS_MAX 256

typedef struct OndYamlPlace {
    int line, column; ///< from 1; 0: nowhere
} OndYamlPlace;

/// What a parser meets, in the order of the text.
typedef enum OndYamlEventKind {
    OND_YAML_DOCUMENT, ///< one begins
    OND_YAML_MAP,
    OND_YAML_LIST,
    OND_YAML_END, ///< of the innermost map or list
    OND_YAML_SCALAR,
    OND_YAML_ALIAS
} OndYamlEventKind;

typedef struct OndYamlEvent {
    OndYamlEventKind kind;
    OndYamlPlace place; ///< of a quoted scalar: of its quote
    const char *text;   ///< a scalar's value, an alias' name; need not end in 0
    size_t length;
    bool unreadable;    ///< a scalar whose value cannot be told
    bool quoted;        ///< a scalar that is not plain
    const char *anchor; ///< NULL: none
    size_t anchor_length;
    bool tagged;
    OndYamlPlace tag;
} OndYamlEvent;

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

/// Complains at a place of the text.
#define OND_YAML_FAIL(b, place, ...)                                                               \
    ond_tree_fail(                                                                                 \
        (b)->tree,                                                                                 \
        &(OndNode){.line = (place).line, .column = (place).column, .origin = (b)->origin},         \
        (b)->err, __VA_ARGS__)

/// Adds what an event says; needs nothing but zeros, a tree and an `err` before the first.
OndStatus ond_yaml_add_event(OndYamlBuilder *builder, const OndYamlEvent *event);
OndStatus ond_yaml_no_memory(const OndYamlBuilder *builder);
/// "not YAML: ..." at a place. `brackets`: something is wrong with those; one that nobody closed is then looked for.
OndStatus ond_yaml_not(const OndYamlBuilder *builder, OndYamlPlace place, bool brackets,
                       const char *message);

/// Parses a text and adds its events: with libfyaml (yaml_fyaml.c), with what a web page has, or not at all.
OndStatus ond_yaml_events(OndYamlBuilder *builder, const char *text, size_t length);

#endif
