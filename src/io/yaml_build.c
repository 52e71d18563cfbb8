// SPDX-License-Identifier: MIT
#include "io/yaml_build.h"

#include <string.h>

#define NODES_MAX 1000000 // bounds as those in the header
#define KEYS_MAX  1000

OndStatus ond_yaml_no_memory(const OndYamlBuilder *b)
{
    return ond_fail(b->err, OND_NO_MEMORY, "not enough memory for '%.200s'", b->tree->name);
}

static OndYamlPlace place_of(const OndYamlBuilder *b, OndYamlPlace place)
{
    if (place.line > 0) return place;
    // an empty value stands nowhere: its key is the nearest place
    const OndYamlLevel *const top = b->depth ? &b->level[b->depth - 1] : NULL;
    if (top && top->key) return (OndYamlPlace){top->key_line, top->key_column};
    return top ? (OndYamlPlace){top->node->line, top->node->column} : (OndYamlPlace){1, 1};
}

static OndStatus new_node(OndYamlBuilder *b, OndNodeKind kind, OndYamlPlace place, OndNode **out)
{
    if (++b->nodes > NODES_MAX)
        return OND_YAML_FAIL(b, place, "more than %d values, counting what aliases repeat",
                             NODES_MAX);
    *out = ond_tree_new(b->tree, kind);
    if (!*out) return ond_yaml_no_memory(b);
    (*out)->line = place.line;
    (*out)->column = place.column;
    (*out)->origin = b->origin;
    return OND_OK;
}

// ---- putting nodes where they belong

static OndStatus take_key(OndYamlBuilder *b, OndYamlLevel *top, const OndNode *node)
{
    const OndYamlPlace place = {node->line, node->column};
    if (node->kind == OND_NODE_LIST || node->kind == OND_NODE_MAP)
        return OND_YAML_FAIL(b, place, "a key must be a plain word, not a list or a map");
    top->key = node->text ? node->text : "";
    top->key_line = node->line;
    top->key_column = node->column;
    top->key_merges = !node->quoted && strcmp(top->key, "<<") == 0;
    if (top->key_merges ? top->merge != NULL : ond_node_get(top->node, top->key) != NULL)
        return OND_YAML_FAIL(b, place, "key '%.60s' stands here a second time", top->key);
    if (top->node->count >= KEYS_MAX)
        return OND_YAML_FAIL(b, place, "more than %d keys in one map", KEYS_MAX);
    return OND_OK;
}

static OndStatus attach(OndYamlBuilder *b, OndNode *node)
{
    if (b->depth == 0) {
        b->root = node;
        return OND_OK;
    }
    OndYamlLevel *const top = &b->level[b->depth - 1];
    if (top->node->kind == OND_NODE_MAP && !top->key) return take_key(b, top, node);
    node->key_line = top->key_line;
    node->key_column = top->key_column;
    if (top->key_merges)
        top->merge = node;
    else
        ond_tree_put(b->tree, top->node, top->key, node);
    top->key = NULL;
    top->key_merges = false;
    return OND_OK;
}

// A key's text must not be mistaken for one that still waits.
static bool expects_key(const OndYamlBuilder *b)
{
    const OndYamlLevel *const top = b->depth ? &b->level[b->depth - 1] : NULL;
    return top && top->node->kind == OND_NODE_MAP && !top->key;
}

// ---- anchors, aliases, merge keys

static const char *anchor_of(const OndYamlBuilder *b, const OndYamlEvent *event)
{
    return event->anchor ? ond_arena_text(&b->tree->arena, event->anchor, event->anchor_length)
                         : NULL;
}

static OndStatus keep_anchor(OndYamlBuilder *b, const char *name, const OndNode *node)
{
    if (!name) return OND_OK;
    if (b->anchors == OND_YAML_ANCHORS_MAX)
        return OND_YAML_FAIL(b, ((OndYamlPlace){node->line, node->column}), "more than %d anchors",
                             OND_YAML_ANCHORS_MAX);
    b->anchor[b->anchors++] = (OndYamlAnchor){name, node};
    return OND_OK;
}

static OndStatus copy_node(OndYamlBuilder *b, const OndNode *from, int depth, OndNode **out)
{
    const OndYamlPlace place = {from->line, from->column};
    if (depth > OND_YAML_DEEPEST)
        return OND_YAML_FAIL(b, place, "more than %d levels of nesting", OND_YAML_DEEPEST);
    OndStatus status = new_node(b, from->kind, place, out);
    if (status != OND_OK) return status;
    (*out)->text = from->text;
    (*out)->quoted = from->quoted;
    (*out)->key_line = from->key_line;
    (*out)->key_column = from->key_column;
    for (const OndNode *n = from->child; n; n = n->next) {
        OndNode *copy = NULL;
        status = copy_node(b, n, depth + 1, &copy);
        if (status != OND_OK) return status;
        ond_tree_put(b->tree, *out, n->key, copy);
    }
    return OND_OK;
}

static OndStatus add_alias(OndYamlBuilder *b, const OndYamlEvent *event)
{
    const OndYamlPlace place = place_of(b, event->place);
    const char *const name = ond_arena_text(&b->tree->arena, event->text, event->length);
    if (!name) return ond_yaml_no_memory(b);
    for (int a = b->anchors - 1; a >= 0; --a) {
        if (strcmp(b->anchor[a].name, name) != 0) continue;
        OndNode *copy = NULL;
        const OndStatus status = copy_node(b, b->anchor[a].node, b->depth + 1, &copy);
        return status == OND_OK ? attach(b, copy) : status;
    }
    return OND_YAML_FAIL(b, place, "alias '*%.60s' has no complete anchor '&%.60s' before it", name,
                         name);
}

// What the map itself says wins over what it merges.
static OndStatus merge_map(OndYamlBuilder *b, OndNode *map, const OndNode *source)
{
    if (source->kind != OND_NODE_MAP)
        return OND_YAML_FAIL(
            b, ((OndYamlPlace){source->line, source->column}),
            "<< merges maps: give it an alias of a map, or a list of such aliases");
    for (const OndNode *n = source->child; n; n = n->next) {
        if (ond_node_get(map, n->key)) continue;
        if (map->count >= KEYS_MAX)
            return OND_YAML_FAIL(b, ((OndYamlPlace){map->line, map->column}),
                                 "more than %d keys in one map", KEYS_MAX);
        OndNode *copy = NULL;
        const OndStatus status = copy_node(b, n, b->depth + 1, &copy);
        if (status != OND_OK) return status;
        ond_tree_put(b->tree, map, n->key, copy);
    }
    return OND_OK;
}

static OndStatus resolve_merge(OndYamlBuilder *b, const OndYamlLevel *level)
{
    const OndNode *const merge = level->merge;
    if (!merge) return OND_OK;
    if (merge->kind != OND_NODE_LIST) return merge_map(b, level->node, merge);
    OndStatus status = OND_OK;
    for (const OndNode *n = merge->child; n && status == OND_OK; n = n->next)
        status = merge_map(b, level->node, n);
    return status;
}

// ---- events

static bool means_nothing(const char *text)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (int w = 0; w < OND_COUNT(words); ++w)
        if (strcmp(text, words[w]) == 0) return true;
    return false;
}

static OndStatus no_tags(const OndYamlBuilder *b, const OndYamlEvent *event)
{
    if (!event->tagged) return OND_OK;
    return OND_YAML_FAIL(b, place_of(b, event->tag),
                         "tags (!name) have no meaning in a scene; remove it");
}

static OndStatus add_scalar(OndYamlBuilder *b, const OndYamlEvent *event)
{
    OndStatus status = no_tags(b, event);
    if (status != OND_OK) return status;
    const OndYamlPlace place = place_of(b, event->place);
    if (event->unreadable) return OND_YAML_FAIL(b, place, "this value cannot be read");
    if (memchr(event->text, '\0', event->length))
        return OND_YAML_FAIL(b, place, "a text cannot hold the character \\0");
    const char *const copy = ond_arena_text(&b->tree->arena, event->text, event->length);
    if (!copy) return ond_yaml_no_memory(b);
    const bool null = !event->quoted && !expects_key(b) && means_nothing(copy);
    OndNode *node = NULL;
    status = new_node(b, null ? OND_NODE_NULL : OND_NODE_SCALAR, place, &node);
    if (status != OND_OK) return status;
    node->text = null ? NULL : copy;
    node->quoted = event->quoted;
    status = keep_anchor(b, anchor_of(b, event), node);
    return status == OND_OK ? attach(b, node) : status;
}

static OndStatus open_level(OndYamlBuilder *b, OndNodeKind kind, const OndYamlEvent *event)
{
    const OndYamlPlace place = place_of(b, event->place);
    OndNode *node = NULL;
    OndStatus status = no_tags(b, event);
    if (status == OND_OK) status = new_node(b, kind, place, &node);
    if (status == OND_OK) status = attach(b, node);
    if (status != OND_OK) return status;
    if (b->depth == OND_YAML_DEEPEST)
        return OND_YAML_FAIL(b, place, "more than %d levels of nesting", OND_YAML_DEEPEST);
    b->level[b->depth++] = (OndYamlLevel){.node = node, .anchor = anchor_of(b, event)};
    return OND_OK;
}

static OndStatus close_level(OndYamlBuilder *b)
{
    if (b->depth == 0)
        return OND_YAML_FAIL(b, ((OndYamlPlace){1, 1}),
                             "a bracket is closed that was never opened");
    const OndYamlLevel level = b->level[--b->depth];
    const OndStatus status = resolve_merge(b, &level);
    return status == OND_OK ? keep_anchor(b, level.anchor, level.node) : status;
}

OndStatus ond_yaml_add_event(OndYamlBuilder *b, const OndYamlEvent *event)
{
    switch (event->kind) {
    case OND_YAML_DOCUMENT:
        if (!b->root) return OND_OK;
        return OND_YAML_FAIL(b, place_of(b, event->place),
                             "a second document begins here; a scene is one document");
    case OND_YAML_MAP:
        return open_level(b, OND_NODE_MAP, event);
    case OND_YAML_LIST:
        return open_level(b, OND_NODE_LIST, event);
    case OND_YAML_END:
        return close_level(b);
    case OND_YAML_SCALAR:
        return add_scalar(b, event);
    case OND_YAML_ALIAS:
        return add_alias(b, event);
    default:
        return OND_OK;
    }
}
