// SPDX-License-Identifier: MIT
// Reading a map into a struct by its table.
//
// Every complaint goes through ond_tree_fail at the node it is about and quotes what was written
// there, so that a person sees the place, what stands in it, and what would be right. Reading goes
// on with the next key or entry, so that all mistakes of a file are told at once; what was wrong is
// left out, so that those who look at the rest find only what is whole.
#include "base/schema.h"
#include "base/schema_values.h"
#include "base/words.h"

#include <stdint.h>
#include <string.h>

#define DEEPEST   64
#define NAMES_MAX 64

static OndStatus read_map(const OndSchemaReader *r, const OndSchema *schema, const OndNode *map,
                          void *out, bool variant, int depth);

// Files the complaint under way; the first status is kept.
static void go_on(const OndSchemaReader *r, OndStatus found, OndStatus *status)
{
    if (*status == OND_OK) *status = found;
    ond_error_add(r->all, r->err);
}

// ---- nested ones

static OndStatus take(const OndSchemaReader *r, size_t count, size_t size, void **out)
{
    *out = count <= SIZE_MAX / 2 / size ? ond_arena_take(r->arena, count * size) : NULL;
    return *out ? OND_OK : ond_fail(r->err, OND_NO_MEMORY, "not enough memory for the scene");
}

static int variant_names(const OndKey *key, const char **names)
{
    int count = 0;
    while (key->variants[count] && count < NAMES_MAX) {
        names[count] = key->variants[count]->name;
        ++count;
    }
    return count;
}

static OndStatus pick_variant(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              int *which)
{
    const char *names[NAMES_MAX];
    const int count = variant_names(key, names);
    char list[256], wanted[320];
    ond_words_list(names, count, list, sizeof list);
    if (node->kind != OND_NODE_MAP) {
        snprintf(wanted, sizeof wanted, "a map such as {type: %s}", names[0]);
        return ond_schema_must_be(r, key->name, node, wanted);
    }
    const OndNode *const type = ond_node_get(node, "type");
    if (!type && key->first_variant) {
        *which = 0;
        return OND_OK;
    }
    if (!type) return ond_tree_fail(r->tree, node, r->err, "%s needs a type: %s", key->name, list);
    OndKey choice = {.name = "type", .type = OND_KEY_CHOICE};
    const char *choices[NAMES_MAX + 1] = {NULL};
    memcpy(choices, names, (size_t)count * sizeof names[0]);
    choice.choices = choices;
    return ond_schema_read_choice(r, &choice, type, which);
}

static OndStatus read_variant(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              OndVariant *out, int depth)
{
    int which = -1;
    OndStatus status = pick_variant(r, key, node, &which);
    if (status != OND_OK) return status;
    const OndSchema *const schema = key->variants[which];
    status = take(r, 1, schema->size, &out->def);
    if (status != OND_OK) return status;
    out->which = which;
    out->node = node;
    status = read_map(r, schema, node, out->def, true, depth + 1);
    if (status != OND_OK) ond_schema_defaults(schema, out->def);
    return status;
}

static OndStatus read_section(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                              void *place, int depth)
{
    if (node->kind != OND_NODE_MAP)
        return ond_schema_must_be(r, key->name, node, "a map (key: value)");
    const OndStatus status = read_map(r, key->sub, node, place, false, depth + 1);
    if (status != OND_OK) ond_schema_defaults(key->sub, place);
    return status;
}

static OndStatus read_entry(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                            void *place, int depth)
{
    if (key->type == OND_KEY_VARIANTS) return read_variant(r, key, node, place, depth);
    if (node->kind != OND_NODE_MAP)
        return ond_schema_must_be(r, key->name, node, "a list of maps (key: value)");
    return read_map(r, key->sub, node, place, false, depth + 1);
}

static OndStatus read_list(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                           OndList *out, int depth)
{
    if (node->kind != OND_NODE_LIST)
        return ond_schema_must_be(r, key->name, node, "a list (each entry begins with '-')");
    const size_t size = key->type == OND_KEY_VARIANTS ? sizeof(OndVariant) : key->sub->size;
    OndStatus status = take(r, (size_t)node->count, size, &out->items);
    if (status != OND_OK) return status;
    char *const place = out->items;
    for (const OndNode *n = node->child; n; n = n->next) {
        const OndStatus found = read_entry(r, key, n, place + (size_t)out->count * size, depth);
        go_on(r, found, &status);
        out->count += found == OND_OK;
    }
    return status;
}

static OndStatus read_value(const OndSchemaReader *r, const OndKey *key, const OndNode *node,
                            void *place, int depth)
{
    if (node->kind == OND_NODE_NULL)
        return ond_tree_fail_key(r->tree, node, r->err,
                                 "%s has no value; give one, or leave the key out", key->name);
    switch (key->type) {
    case OND_KEY_MAP:
        return read_section(r, key, node, place, depth);
    case OND_KEY_SECTION:
        return read_section(r, key, node, *(void **)place, depth);
    case OND_KEY_VARIANT:
        return read_variant(r, key, node, place, depth);
    case OND_KEY_LIST:
    case OND_KEY_VARIANTS:
        return read_list(r, key, node, place, depth);
    default:
        return ond_schema_read_value(r, key, node, place);
    }
}

// ---- maps

static const OndKey *find_key(const OndSchema *schema, const char *name)
{
    name = ond_word_spelling(name);
    for (int k = 0; k < schema->count; ++k)
        if (strcmp(schema->keys[k].name, name) == 0) return &schema->keys[k];
    return NULL;
}

static int key_names(const OndSchema *schema, bool variant, const char **names)
{
    int count = 0;
    if (variant) names[count++] = "type";
    for (int k = 0; k < schema->count && count < NAMES_MAX; ++k)
        names[count++] = schema->keys[k].name;
    return count;
}

// Tells that a key of the outermost table is not as written; an unknown one stands for the nearest.
static void mark_wrong(const OndSchemaReader *r, const OndSchema *schema, const char *name)
{
    const char *names[NAMES_MAX];
    const int count = key_names(schema, false, names);
    const OndKey *key = find_key(schema, name);
    const char *const nearest = key ? NULL : ond_word_nearest(name, names, count);
    if (nearest) key = find_key(schema, nearest);
    if (r->wrong) *r->wrong |= key ? UINT64_C(1) << (key - schema->keys) : OND_SCHEMA_STRANGE;
}

static OndStatus unknown_key(const OndSchemaReader *r, const OndSchema *schema, const OndNode *node,
                             bool variant)
{
    const char *names[NAMES_MAX];
    const int count = key_names(schema, variant, names);
    const char *const nearest = ond_word_nearest(node->key, names, count);
    if (nearest)
        return ond_tree_fail_key(r->tree, node, r->err, "unknown key '%.60s'; did you mean '%s'?",
                                 node->key, nearest);
    char list[400];
    ond_words_list(names, count, list, sizeof list);
    return ond_tree_fail_key(r->tree, node, r->err, "unknown key '%.60s'; %s takes %s", node->key,
                             schema->name, list);
}

static OndStatus read_member(const OndSchemaReader *r, const OndSchema *schema, const OndNode *map,
                             const OndNode *member, void *out, bool variant, int depth)
{
    const bool is_type = variant && strcmp(member->key, "type") == 0;
    const OndKey *const key = find_key(schema, member->key);
    if (!key && !is_type) return unknown_key(r, schema, member, variant);
    if (ond_node_get(map, member->key) != member)
        return ond_tree_fail_key(r->tree, member, r->err, "key '%s' stands here a second time",
                                 member->key);
    if (is_type) return OND_OK;
    OndKey as_written = *key; // complaints name it as the user does
    as_written.name = member->key;
    return read_value(r, &as_written, member, (char *)out + key->offset, depth);
}

static void check_required(const OndSchemaReader *r, const OndSchema *schema, const OndNode *map,
                           bool outermost, OndStatus *status)
{
    for (int k = 0; k < schema->count; ++k) {
        const OndKey *const key = &schema->keys[k];
        if (!key->required || ond_node_get(map, key->name)) continue;
        if (outermost) mark_wrong(r, schema, key->name);
        go_on(r,
              ond_tree_fail(r->tree, map, r->err, "%s needs the key '%s': %s", schema->name,
                            key->name, key->help ? key->help : "it has no default"),
              status);
    }
}

// Sections are there with their defaults even where the key is not.
static OndStatus make_sections(const OndSchemaReader *r, const OndSchema *schema, void *out)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < schema->count && status == OND_OK; ++k) {
        const OndKey *const key = &schema->keys[k];
        if (key->type != OND_KEY_SECTION) continue;
        void **const place = (void **)((char *)out + key->offset);
        status = take(r, 1, key->sub->size, place);
        if (status == OND_OK) ond_schema_defaults(key->sub, *place);
    }
    return status;
}

static OndStatus read_map(const OndSchemaReader *r, const OndSchema *schema, const OndNode *map,
                          void *out, bool variant, int depth)
{
    ond_schema_defaults(schema, out);
    const OndStatus made = make_sections(r, schema, out);
    if (made != OND_OK) return made;
    if (schema->node_offset >= 0) *(const OndNode **)((char *)out + schema->node_offset) = map;
    if (depth > DEEPEST)
        return ond_tree_fail(r->tree, map, r->err, "more than %d levels of nesting", DEEPEST);
    OndStatus status = OND_OK;
    for (const OndNode *n = map->child; n; n = n->next) {
        const OndStatus found = read_member(r, schema, map, n, out, variant, depth);
        if (found != OND_OK && depth == 0) mark_wrong(r, schema, n->key);
        go_on(r, found, &status);
    }
    check_required(r, schema, map, depth == 0, &status);
    return status;
}

OndStatus ond_schema_read(const OndSchema *schema, const OndTree *tree, const OndNode *map,
                          void *out, OndArena *arena, uint64_t *wrong, OndError *err)
{
    OndError one = {0};
    const OndSchemaReader r = {tree, arena, &one, err, wrong};
    if (err) *err = (OndError){0};
    if (wrong) *wrong = 0;
    ond_schema_defaults(schema, out);
    if (!map || map->kind == OND_NODE_NULL)
        return ond_tree_fail(tree, NULL, err, "there is nothing in it; %s is a map (key: value)",
                             schema->name);
    OndStatus status = OND_OK;
    if (map->kind != OND_NODE_MAP)
        go_on(&r, ond_schema_must_be(&r, schema->name, map, "a map (key: value)"), &status);
    else
        go_on(&r, read_map(&r, schema, map, out, false, 0), &status);
    return status;
}
