// SPDX-License-Identifier: MIT
// Info structs become keys and values of the scene: what has no value is left out, and so is what
// still has its default. Each node is called by its path in messages.
#include "lib/scene_infos.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Where nodes go, and what they are called in messages: "fluid.0".
typedef struct Place {
    OndTree *tree;
    OndNode *map;
    const char *path;
    bool whole; // there was memory for everything
} Place;

static const char *path_to(Place *p, const char *key)
{
    char path[200];
    snprintf(path, sizeof path, "%s%s%s", p->path, p->path[0] ? "." : "", key);
    return ond_arena_text(&p->tree->arena, path, strlen(path));
}

static void put_node(Place *p, const char *key, OndNode *node)
{
    const char *const origin = path_to(p, key);
    const char *const name = ond_arena_text(&p->tree->arena, key, strlen(key));
    p->whole = p->whole && node && origin && name;
    if (!p->whole) return;
    node->origin = origin;
    for (OndNode *n = node->child; n; n = n->next)
        if (!n->origin) n->origin = origin;
    ond_tree_put(p->tree, p->map, name, node);
}

static OndNode *vector_node(Place *p, const double value[3])
{
    OndNode *const list = ond_tree_new(p->tree, OND_NODE_LIST);
    for (int a = 0; a < 3 && list; ++a) {
        OndNode *const part = ond_number_node(p->tree, value[a]);
        p->whole = p->whole && part;
        if (part) ond_tree_put(p->tree, list, NULL, part);
    }
    return list;
}

static void write_members(Place *p, const OndInfoTable *table, const void *info,
                          const void *defaults, const char *type);

static void write_shape(Place *p, const char *key, const OndShapeInfo *shape)
{
    OndNode *const map = ond_tree_new(p->tree, OND_NODE_MAP);
    const OndShapeInfo defaults = ond_shape_info(shape->type);
    Place inner = {p->tree, map, path_to(p, key), p->whole && map};
    inner.whole = inner.whole && inner.path;
    if (inner.whole) {
        put_node(&inner, "type", ond_tree_scalar(p->tree, shape->type, true));
        write_members(&inner, &ond_shape_table, shape, &defaults, shape->type);
    }
    p->whole = inner.whole;
    put_node(p, key, map);
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; ++k)
        if (!(a[k] == b[k] || (isnan(a[k]) && isnan(b[k])))) return false;
    return true;
}

static void write_member(Place *p, const OndInfoMember *m, const void *value, const void *untouched)
{
    const char *const text = m->kind == OND_INFO_TEXT ? *(const char *const *)value : NULL;
    const OndShapeInfo *const shape = m->kind == OND_INFO_SHAPE ? value : NULL;
    const double *const number = value;
    switch (m->kind) {
    case OND_INFO_TEXT:
        if (text) put_node(p, m->key, ond_tree_scalar(p->tree, text, true));
        break;
    case OND_INFO_SHAPE:
        if (shape->type) write_shape(p, m->key, shape);
        break;
    case OND_INFO_FLAG:
        if (memcmp(value, untouched, sizeof(bool)) != 0)
            put_node(p, m->key,
                     ond_tree_scalar(p->tree, *(const bool *)value ? "true" : "false", false));
        break;
    case OND_INFO_WHOLE:
        if (memcmp(value, untouched, sizeof(int)) != 0)
            put_node(p, m->key, ond_number_node(p->tree, *(const int *)value));
        break;
    case OND_INFO_NUMBER:
        if (!isnan(*number) && !same_numbers(number, untouched, 1))
            put_node(p, m->key, ond_number_node(p->tree, *number));
        break;
    case OND_INFO_VECTOR:
        if (!isnan(*number) && !same_numbers(number, untouched, 3))
            put_node(p, m->key, vector_node(p, number));
        break;
    }
}

static void write_members(Place *p, const OndInfoTable *table, const void *info,
                          const void *defaults, const char *type)
{
    for (int k = 0; k < table->count; ++k) {
        const OndInfoMember *const m = &table->member[k];
        if (m->type && !(type && strcmp(m->type, type) == 0)) continue;
        write_member(p, m, (const char *)info + m->offset, (const char *)defaults + m->offset);
    }
}

// The list that a section is; what a text wrote there otherwise stays, and the checks complain.
static OndNode *section_list(OndScene *scene, const char *section)
{
    OndNode *list = (OndNode *)ond_node_get(scene->tree.root, section);
    if (list && list->kind != OND_NODE_NULL) return list;
    list = ond_tree_new(&scene->tree, OND_NODE_LIST);
    if (list) ond_tree_put(&scene->tree, scene->tree.root, section, list);
    return list;
}

// The map that a text wrote there, whose other keys stay, or a new one; NULL: no memory.
static OndNode *section_map(OndScene *scene, const char *section)
{
    OndNode *const map = (OndNode *)ond_node_get(scene->tree.root, section);
    return map && map->kind == OND_NODE_MAP ? map : ond_tree_new(&scene->tree, OND_NODE_MAP);
}

static OndStatus no_memory(OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
}

static OndStatus write_entry(OndScene *scene, const OndInfoTable *table, const void *info,
                             const void *defaults, OndError *err)
{
    char path[64];
    OndTree *const tree = &scene->tree;
    OndNode *const list = table->list ? section_list(scene, table->section) : NULL;
    OndNode *const map =
        table->list ? ond_tree_new(tree, OND_NODE_MAP) : section_map(scene, table->section);
    if (!map || (table->list && !list)) return no_memory(err);
    if (list && list->kind != OND_NODE_LIST)
        return ond_tree_fail(tree, list, err, "`%s` is a list", table->section);
    snprintf(path, sizeof path, list ? "%s.%d" : "%s", table->section, list ? list->count : 0);
    Place p = {tree, map, ond_arena_text(&tree->arena, path, strlen(path)), true};
    if (!p.path) return no_memory(err);
    map->origin = p.path;
    write_members(&p, table, info, defaults, NULL);
    if (!p.whole) return no_memory(err);
    ond_tree_put(tree, list ? list : tree->root, table->section, map);
    return OND_OK;
}

// Keys of maps that are there change one by one: in a copy, so that a scene changes whole or not at
// all.
static OndStatus take_copy(OndScene *scene, OndScene *copy, OndStatus status)
{
    OndTree *const old = status == OND_OK ? &scene->tree : &copy->tree;
    ond_tree_free(old);
    if (status == OND_OK) scene->tree = copy->tree;
    return status;
}

static OndStatus describe(OndScene *scene, const OndSceneInfo *info, OndError *err)
{
    OndSceneInfo defaults = {0};
    ond_info_defaults(&ond_scene_table, &defaults);
    Place p = {&scene->tree, scene->tree.root, "", true};
    write_members(&p, &ond_scene_table, info, &defaults, NULL);
    if (info->method) {
        OndNode *map = section_map(scene, "method");
        const OndNode *const type = map ? ond_node_get(map, "type") : NULL;
        const bool other = type && !(type->text && strcmp(type->text, info->method) == 0);
        if (other) map = ond_tree_new(&scene->tree, OND_NODE_MAP); // its keys are another's
        Place inner = {&scene->tree, map, "method", map};
        if (map) put_node(&inner, "type", ond_tree_scalar(&scene->tree, info->method, true));
        p.whole = p.whole && inner.whole;
        put_node(&p, "method", map);
    }
    return p.whole ? OND_OK : no_memory(err);
}

OndStatus ond_scene_describe(OndScene *scene, const OndSceneInfo *info, OndError *err)
{
    OndScene copy;
    const OndStatus status = ond_tree_copy(&scene->tree, &copy.tree, err);
    return status == OND_OK ? take_copy(scene, &copy, describe(&copy, info, err)) : status;
}

static OndStatus write_whole(OndScene *scene, const OndInfoTable *table, const void *info,
                             const void *defaults, OndError *err)
{
    OndScene copy;
    if (table->list) return write_entry(scene, table, info, defaults, err);
    const OndStatus status = ond_tree_copy(&scene->tree, &copy.tree, err);
    if (status != OND_OK) return status;
    return take_copy(scene, &copy, write_entry(&copy, table, info, defaults, err));
}

#define WRITE(function, struct_type, table)                                                        \
    OndStatus function(OndScene *scene, const struct_type *info, OndError *err)                    \
    {                                                                                              \
        struct_type defaults = {0};                                                                \
        ond_info_defaults(&table, &defaults);                                                      \
        return write_whole(scene, &table, info, &defaults, err);                                   \
    }
WRITE(ond_scene_domain, OndDomainInfo, ond_domain_table)
WRITE(ond_scene_add_fluid, OndFluidInfo, ond_fluid_table)
WRITE(ond_scene_add_solid, OndSolidInfo, ond_solid_table)
WRITE(ond_scene_add_emitter, OndEmitterInfo, ond_emitter_table)
WRITE(ond_scene_add_heat, OndHeatInfo, ond_heat_table)
WRITE(ond_scene_air, OndAirInfo, ond_air_table)
