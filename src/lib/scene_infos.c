// SPDX-License-Identifier: MIT
// Structs of <ondine/scene.h> become keys and values of the scene.
//
// A table says which member of a struct is which key. Defaults are those of the scene's own tables
// (base/schema.h), so that they are written down once; what has none there is left out, and so is
// what still has its default.
#include "lib/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Kind { TEXT, NUMBER, WHOLE, FLAG, VECTOR, SHAPE } Kind;

typedef struct Member {
    const char *key;
    Kind kind;
    size_t offset;
    const char *type; // of shapes: which of them has this member; NULL: everyone
} Member;

typedef struct Table {
    const char *section; // key of the scene; NULL: the scene itself
    bool list;           // the section is a list of such maps
    const Member *member;
    int count;
    size_t size; // of the struct
} Table;

#define AT(member) offsetof(OWNER, member)

#define OWNER OndShapeInfo
static const Member shape_members[] = {
    {"min", VECTOR, AT(min), "box"},
    {"max", VECTOR, AT(max), "box"},
    {"center", VECTOR, AT(center), "sphere"},
    {"radius", NUMBER, AT(radius), "sphere"},
    {"from", VECTOR, AT(from), "cylinder"},
    {"to", VECTOR, AT(to), "cylinder"},
    {"radius", NUMBER, AT(radius), "cylinder"},
    {"from", VECTOR, AT(from), "capsule"},
    {"to", VECTOR, AT(to), "capsule"},
    {"radius", NUMBER, AT(radius), "capsule"},
    {"text", TEXT, AT(text), "text"},
    {"font", TEXT, AT(font), "text"},
    {"height", NUMBER, AT(height), "text"},
    {"depth", NUMBER, AT(depth), "text"},
    {"at", VECTOR, AT(at), "text"},
    {"file", TEXT, AT(file), "mesh"},
    {"scale", NUMBER, AT(scale), "mesh"},
    {"turn", VECTOR, AT(turn), "mesh"},
    {"move", VECTOR, AT(move), "mesh"},
    {"file", TEXT, AT(file), "particles"},
    {"scale", NUMBER, AT(scale), "particles"},
    {"move", VECTOR, AT(move), "particles"},
    {"point", VECTOR, AT(point), "plane"},
    {"normal", VECTOR, AT(normal), "plane"},
};
#undef OWNER

#define OWNER OndSceneInfo
static const Member scene_members[] = {
    {"title", TEXT, AT(title), NULL},         {"dimension", WHOLE, AT(dimension), NULL},
    {"duration", NUMBER, AT(duration), NULL}, {"frame_rate", NUMBER, AT(frame_rate), NULL},
    {"gravity", VECTOR, AT(gravity), NULL},
};
#undef OWNER

#define OWNER OndDomainInfo
static const Member domain_members[] = {
    {"min", VECTOR, AT(min), NULL},
    {"max", VECTOR, AT(max), NULL},
    {"slip", NUMBER, AT(slip), NULL},
    {"restitution", NUMBER, AT(restitution), NULL},
    {"friction", NUMBER, AT(friction), NULL},
    {"temperature", NUMBER, AT(temperature), NULL},
    {"x", TEXT, AT(x), NULL},
    {"y", TEXT, AT(y), NULL},
    {"z", TEXT, AT(z), NULL},
};
#undef OWNER

#define OWNER OndFluidInfo
static const Member fluid_members[] = {
    {"name", TEXT, AT(name), NULL},
    {"material", TEXT, AT(material), NULL},
    {"spacing", NUMBER, AT(spacing), NULL},
    {"density", NUMBER, AT(density), NULL},
    {"viscosity", NUMBER, AT(viscosity), NULL},
    {"tension", NUMBER, AT(tension), NULL},
    {"temperature", NUMBER, AT(temperature), NULL},
    {"rigidity", NUMBER, AT(rigidity), NULL},
    {"T_solid", NUMBER, AT(T_solid), NULL},
    {"T_liquid", NUMBER, AT(T_liquid), NULL},
    {"conductivity", NUMBER, AT(conductivity), NULL},
    {"specific_heat", NUMBER, AT(specific_heat), NULL},
    {"latent_heat", NUMBER, AT(latent_heat), NULL},
    {"fixed", FLAG, AT(fixed), NULL},
    {"velocity", VECTOR, AT(velocity), NULL},
    {"spin", VECTOR, AT(spin), NULL},
    {"shape", SHAPE, AT(shape), NULL},
};
#undef OWNER

#define OWNER OndSolidInfo
static const Member solid_members[] = {
    {"name", TEXT, AT(name), NULL},
    {"shape", SHAPE, AT(shape), NULL},
    {"use", TEXT, AT(use), NULL},
    {"slip", NUMBER, AT(slip), NULL},
    {"restitution", NUMBER, AT(restitution), NULL},
    {"friction", NUMBER, AT(friction), NULL},
    {"temperature", NUMBER, AT(temperature), NULL},
    {"density", NUMBER, AT(density), NULL},
    {"mass", NUMBER, AT(mass), NULL},
    {"velocity", VECTOR, AT(velocity), NULL},
    {"spin", VECTOR, AT(spin), NULL},
    {"colour", VECTOR, AT(colour), NULL},
};
#undef OWNER

#define OWNER OndEmitterInfo
static const Member emitter_members[] = {
    {"fluid", TEXT, AT(fluid), NULL},     {"shape", TEXT, AT(shape), NULL},
    {"center", VECTOR, AT(center), NULL}, {"direction", VECTOR, AT(direction), NULL},
    {"radius", NUMBER, AT(radius), NULL}, {"width", NUMBER, AT(width), NULL},
    {"height", NUMBER, AT(height), NULL}, {"rate", NUMBER, AT(rate), NULL},
    {"from", NUMBER, AT(from), NULL},     {"to", NUMBER, AT(to), NULL},
};
#undef OWNER

#define OWNER OndHeatInfo
static const Member heat_members[] = {
    {"shape", SHAPE, AT(shape), NULL},
    {"power", NUMBER, AT(power), NULL},
    {"temperature", NUMBER, AT(temperature), NULL},
    {"transfer", NUMBER, AT(transfer), NULL},
    {"surface", FLAG, AT(surface), NULL},
    {"from", NUMBER, AT(from), NULL},
    {"to", NUMBER, AT(to), NULL},
};
#undef OWNER

#define OWNER OndAirInfo
static const Member air_members[] = {
    {"temperature", NUMBER, AT(temperature), NULL},
    {"exchange", NUMBER, AT(exchange), NULL},
};
#undef OWNER

#define TABLE(key, many, members, type)                                                            \
    {                                                                                              \
        key, many, members, OND_COUNT(members), sizeof(type)                                       \
    }
static const Table scene_table = TABLE(NULL, false, scene_members, OndSceneInfo);
static const Table domain_table = TABLE("domain", false, domain_members, OndDomainInfo);
static const Table fluid_table = TABLE("fluid", true, fluid_members, OndFluidInfo);
static const Table solid_table = TABLE("solid", true, solid_members, OndSolidInfo);
static const Table emitter_table = TABLE("emitter", true, emitter_members, OndEmitterInfo);
static const Table heat_table = TABLE("heat", true, heat_members, OndHeatInfo);
static const Table air_table = TABLE("air", false, air_members, OndAirInfo);

// ---- defaults

static const OndKey *find_key(const OndSchema *schema, const char *name)
{
    for (int k = 0; k < schema->count; ++k)
        if (strcmp(schema->keys[k].name, name) == 0) return &schema->keys[k];
    return NULL;
}

static const OndSchema *shape_schema(const char *type)
{
    for (int k = 0; type && ond_solid_shapes[k]; ++k)
        if (strcmp(ond_solid_shapes[k]->name, type) == 0) return ond_solid_shapes[k];
    return NULL;
}

// A number that a key has where nothing is written; NAN: what happens then is more than a number.
static double default_number(const OndKey *key)
{
    return key && !key->required && !key->text ? key->fallback : NAN;
}

static void default_vector(const OndKey *key, double out[3])
{
    const bool plain = key && key->type == OND_KEY_VEC && !key->required && !key->text;
    const bool own = plain && (key->vec.x != 0.0 || key->vec.y != 0.0 || key->vec.z != 0.0);
    const double each = plain ? key->fallback : NAN;
    out[0] = own ? key->vec.x : each;
    out[1] = own ? key->vec.y : each;
    out[2] = own ? key->vec.z : each;
}

static void put_default(const OndKey *key, Kind kind, void *to)
{
    switch (kind) {
    case NUMBER:
        *(double *)to = default_number(key);
        break;
    case WHOLE:
        *(int *)to = key ? (int)key->fallback : 0;
        break;
    case FLAG:
        *(bool *)to = key && key->fallback != 0.0;
        break;
    case VECTOR:
        default_vector(key, to);
        break;
    case SHAPE:
        *(OndShapeInfo *)to = ond_shape_info(NULL);
        break;
    default:
        *(const char **)to = NULL;
    }
}

static void put_defaults(const Table *table, void *out)
{
    const OndSchema *const schema =
        table->section ? find_key(&ond_scene_schema, table->section)->sub : &ond_scene_schema;
    memset(out, 0, table->size);
    for (int m = 0; m < table->count; ++m)
        put_default(find_key(schema, table->member[m].key), table->member[m].kind,
                    (char *)out + table->member[m].offset);
}

OndShapeInfo ond_shape_info(const char *type)
{
    OndShapeInfo info = {0};
    const OndSchema *const schema = shape_schema(type);
    for (int m = 0; m < OND_COUNT(shape_members); ++m)
        put_default(schema ? find_key(schema, shape_members[m].key) : NULL, shape_members[m].kind,
                    (char *)&info + shape_members[m].offset);
    info.type = type;
    return info;
}

#define DEFAULTS(function, struct_type, table)                                                     \
    struct_type function(void)                                                                     \
    {                                                                                              \
        struct_type info = {0};                                                                    \
        put_defaults(&table, &info);                                                               \
        return info;                                                                               \
    }
DEFAULTS(ond_scene_info, OndSceneInfo, scene_table)
DEFAULTS(ond_fluid_info, OndFluidInfo, fluid_table)
DEFAULTS(ond_solid_info, OndSolidInfo, solid_table)
DEFAULTS(ond_emitter_info, OndEmitterInfo, emitter_table)
DEFAULTS(ond_heat_info, OndHeatInfo, heat_table)
DEFAULTS(ond_air_info, OndAirInfo, air_table)

// A corner of every box that is drawn on paper.
OndDomainInfo ond_domain_info(void)
{
    OndDomainInfo info = {0};
    put_defaults(&domain_table, &info);
    info.min[0] = info.min[1] = info.min[2] = 0.0;
    return info;
}

static void put3(double to[3], double x, double y, double z)
{
    to[0] = x, to[1] = y, to[2] = z;
}

OndShapeInfo ond_box_shape(double x0, double y0, double z0, double x1, double y1, double z1)
{
    OndShapeInfo shape = ond_shape_info("box");
    put3(shape.min, x0, y0, z0);
    put3(shape.max, x1, y1, z1);
    return shape;
}

OndShapeInfo ond_sphere_shape(double x, double y, double z, double radius)
{
    OndShapeInfo shape = ond_shape_info("sphere");
    put3(shape.center, x, y, z);
    shape.radius = radius;
    return shape;
}

OndShapeInfo ond_text_shape(const char *text, double height, double depth)
{
    OndShapeInfo shape = ond_shape_info("text");
    shape.text = text;
    shape.height = height;
    shape.depth = depth;
    return shape;
}

OndShapeInfo ond_mesh_shape(const char *file)
{
    OndShapeInfo shape = ond_shape_info("mesh");
    shape.file = file;
    return shape;
}

// ---- writing

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

static OndNode *number_node(Place *p, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return ond_tree_scalar(p->tree, text, false);
}

static OndNode *vector_node(Place *p, const double value[3])
{
    OndNode *const list = ond_tree_new(p->tree, OND_NODE_LIST);
    for (int a = 0; a < 3 && list; ++a) {
        OndNode *const part = number_node(p, value[a]);
        p->whole = p->whole && part;
        if (part) ond_tree_put(p->tree, list, NULL, part);
    }
    return list;
}

static void write_members(Place *p, const Member *member, int count, const void *info,
                          const void *defaults, const char *type);

static void write_shape(Place *p, const char *key, const OndShapeInfo *shape)
{
    OndNode *const map = ond_tree_new(p->tree, OND_NODE_MAP);
    const OndShapeInfo defaults = ond_shape_info(shape->type);
    Place inner = {p->tree, map, path_to(p, key), p->whole && map};
    inner.whole = inner.whole && inner.path;
    if (inner.whole) {
        put_node(&inner, "type", ond_tree_scalar(p->tree, shape->type, true));
        write_members(&inner, shape_members, OND_COUNT(shape_members), shape, &defaults,
                      shape->type);
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

static void write_member(Place *p, const Member *m, const void *value, const void *untouched)
{
    const char *const text = m->kind == TEXT ? *(const char *const *)value : NULL;
    const OndShapeInfo *const shape = m->kind == SHAPE ? value : NULL;
    const double *const number = value;
    switch (m->kind) {
    case TEXT:
        if (text) put_node(p, m->key, ond_tree_scalar(p->tree, text, true));
        break;
    case SHAPE:
        if (shape->type) write_shape(p, m->key, shape);
        break;
    case FLAG:
        if (*(const bool *)value != *(const bool *)untouched)
            put_node(p, m->key,
                     ond_tree_scalar(p->tree, *(const bool *)value ? "true" : "false", false));
        break;
    case WHOLE:
        if (*(const int *)value != *(const int *)untouched)
            put_node(p, m->key, number_node(p, *(const int *)value));
        break;
    case NUMBER:
        if (!isnan(*number) && !same_numbers(number, untouched, 1))
            put_node(p, m->key, number_node(p, *number));
        break;
    case VECTOR:
        if (!isnan(*number) && !same_numbers(number, untouched, 3))
            put_node(p, m->key, vector_node(p, number));
        break;
    }
}

static void write_members(Place *p, const Member *member, int count, const void *info,
                          const void *defaults, const char *type)
{
    for (int m = 0; m < count; ++m)
        if (!member[m].type || (type && strcmp(member[m].type, type) == 0))
            write_member(p, &member[m], (const char *)info + member[m].offset,
                         (const char *)defaults + member[m].offset);
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

static OndStatus no_memory(OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the scene");
}

static OndStatus write_entry(OndScene *scene, const Table *table, const void *info,
                             const void *defaults, OndError *err)
{
    char path[64];
    OndTree *const tree = &scene->tree;
    OndNode *const list = table->list ? section_list(scene, table->section) : NULL;
    OndNode *const map = ond_tree_new(tree, OND_NODE_MAP);
    if (!map || (table->list && !list)) return no_memory(err);
    if (list && list->kind != OND_NODE_LIST)
        return ond_tree_fail(tree, list, err, "`%s` is a list", table->section);
    snprintf(path, sizeof path, list ? "%s.%d" : "%s", table->section, list ? list->count : 0);
    Place p = {tree, map, ond_arena_text(&tree->arena, path, strlen(path)), true};
    if (!p.path) return no_memory(err);
    map->origin = p.path;
    write_members(&p, table->member, table->count, info, defaults, NULL);
    if (!p.whole) return no_memory(err);
    ond_tree_put(tree, list ? list : tree->root, table->section, map);
    return OND_OK;
}

OndStatus ond_scene_describe(OndScene *scene, const OndSceneInfo *info, OndError *err)
{
    const OndSceneInfo defaults = ond_scene_info();
    Place p = {&scene->tree, scene->tree.root, "", true};
    write_members(&p, scene_members, OND_COUNT(scene_members), info, &defaults, NULL);
    if (info->method) {
        OndNode *const map = ond_tree_new(&scene->tree, OND_NODE_MAP);
        Place inner = {&scene->tree, map, "method", map};
        if (map) put_node(&inner, "type", ond_tree_scalar(&scene->tree, info->method, true));
        p.whole = p.whole && inner.whole;
        put_node(&p, "method", map);
    }
    return p.whole ? OND_OK : no_memory(err);
}

#define WRITE(function, struct_type, table)                                                        \
    OndStatus function(OndScene *scene, const struct_type *info, OndError *err)                    \
    {                                                                                              \
        struct_type defaults = {0};                                                                \
        put_defaults(&table, &defaults);                                                           \
        return write_entry(scene, &table, info, &defaults, err);                                   \
    }
WRITE(ond_scene_domain, OndDomainInfo, domain_table)
WRITE(ond_scene_add_fluid, OndFluidInfo, fluid_table)
WRITE(ond_scene_add_solid, OndSolidInfo, solid_table)
WRITE(ond_scene_add_emitter, OndEmitterInfo, emitter_table)
WRITE(ond_scene_add_heat, OndHeatInfo, heat_table)
WRITE(ond_scene_air, OndAirInfo, air_table)
