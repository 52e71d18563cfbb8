// SPDX-License-Identifier: MIT
#include "io/yaml_build.h"

#include <string.h>

#define NODES_MAX 1000000 // bounds as those in the header
#define KEYS_MAX  1000

OndStatus ond_yaml_no_memory(const OndYamlBuilder *b)
{
    return ond_fail(b->err, OND_NO_MEMORY, "not enough memory for '%.200s'", b->tree->name);
}

static OndYamlPlace place_of(const OndYamlBuilder *b, struct fy_token *token)
{
    const struct fy_mark *const mark = token ? fy_token_start_mark(token) : NULL;
    if (mark && mark->line >= 0) return (OndYamlPlace){mark->line + 1, mark->column + 1};
    // an empty value has no token: its key is the nearest place
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

static const char *token_text(const OndYamlBuilder *b, struct fy_token *token)
{
    size_t length = 0;
    const char *const text = token ? fy_token_get_text(token, &length) : NULL;
    return text ? ond_arena_text(&b->tree->arena, text, length) : NULL;
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

static OndStatus add_alias(OndYamlBuilder *b, struct fy_token *token)
{
    const OndYamlPlace place = place_of(b, token);
    const char *const name = token_text(b, token);
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

static OndStatus no_tags(const OndYamlBuilder *b, struct fy_token *tag)
{
    if (!tag) return OND_OK;
    return OND_YAML_FAIL(b, place_of(b, tag), "tags (!name) have no meaning in a scene; remove it");
}

// libfyaml points behind an opening quote; a caret is better under it.
static OndYamlPlace scalar_place(const OndYamlBuilder *b, struct fy_token *token)
{
    OndYamlPlace place = place_of(b, token);
    const enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    const bool marked = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    if (marked && place.column > 1) place.column--;
    return place;
}

static OndStatus add_scalar(OndYamlBuilder *b, const struct fy_event_scalar_data *event)
{
    OndStatus status = no_tags(b, event->tag);
    if (status != OND_OK) return status;
    const OndYamlPlace place = scalar_place(b, event->value);
    size_t length = 0;
    const char *text = event->value ? fy_token_get_text(event->value, &length) : "";
    if (!text) return OND_YAML_FAIL(b, place, "this value cannot be read");
    if (memchr(text, '\0', length))
        return OND_YAML_FAIL(b, place, "a text cannot hold the character \\0");
    const char *const copy = ond_arena_text(&b->tree->arena, text, length);
    if (!copy) return ond_yaml_no_memory(b);
    const bool quoted = event->value && fy_token_scalar_style(event->value) != FYSS_PLAIN;
    const bool null = !quoted && !expects_key(b) && means_nothing(copy);
    OndNode *node = NULL;
    status = new_node(b, null ? OND_NODE_NULL : OND_NODE_SCALAR, place, &node);
    if (status != OND_OK) return status;
    node->text = null ? NULL : copy;
    node->quoted = quoted;
    status = keep_anchor(b, token_text(b, event->anchor), node);
    return status == OND_OK ? attach(b, node) : status;
}

static OndStatus open_level(OndYamlBuilder *b, OndNodeKind kind, struct fy_token *start,
                            struct fy_token *anchor, struct fy_token *tag)
{
    const OndYamlPlace place = place_of(b, start);
    OndNode *node = NULL;
    OndStatus status = no_tags(b, tag);
    if (status == OND_OK) status = new_node(b, kind, place, &node);
    if (status == OND_OK) status = attach(b, node);
    if (status != OND_OK) return status;
    if (b->depth == OND_YAML_DEEPEST)
        return OND_YAML_FAIL(b, place, "more than %d levels of nesting", OND_YAML_DEEPEST);
    b->level[b->depth++] = (OndYamlLevel){.node = node, .anchor = token_text(b, anchor)};
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

OndStatus ond_yaml_add_event(OndYamlBuilder *b, const struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (!b->root) return OND_OK;
        return OND_YAML_FAIL(b, place_of(b, event->document_start.document_start),
                             "a second document begins here; a scene is one document");
    case FYET_MAPPING_START:
        return open_level(b, OND_NODE_MAP, event->mapping_start.mapping_start,
                          event->mapping_start.anchor, event->mapping_start.tag);
    case FYET_SEQUENCE_START:
        return open_level(b, OND_NODE_LIST, event->sequence_start.sequence_start,
                          event->sequence_start.anchor, event->sequence_start.tag);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        return close_level(b);
    case FYET_SCALAR:
        return add_scalar(b, &event->scalar);
    case FYET_ALIAS:
        return add_alias(b, event->alias.anchor);
    default:
        return OND_OK;
    }
}
