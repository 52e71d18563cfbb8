// SPDX-License-Identifier: MIT
// The info structs of <ondine/scene.h>: a table says which member is which key. Defaults are those of
// the scene's own tables (base/schema.h), so that they are written down once.
#include "lib/scene_infos.h"

#include <math.h>
#include <string.h>

// A key whose member has its name; those of shapes are of one kind of shape each.
#define KEY(name, kind) KEY_OF(NULL, name, kind)
#define KEY_OF(type, name, kind)                                                                   \
    {                                                                                              \
        .key = #name, OND_INFO_##kind, offsetof(OWNER, name), type                                 \
    }

#define OWNER OndShapeInfo
static const OndInfoMember shape_members[] = {
    KEY_OF("box", min, VECTOR),         KEY_OF("box", max, VECTOR),
    KEY_OF("sphere", center, VECTOR),   KEY_OF("sphere", radius, NUMBER),
    KEY_OF("cylinder", from, VECTOR),   KEY_OF("cylinder", to, VECTOR),
    KEY_OF("cylinder", radius, NUMBER), KEY_OF("capsule", from, VECTOR),
    KEY_OF("capsule", to, VECTOR),      KEY_OF("capsule", radius, NUMBER),
    KEY_OF("text", text, TEXT),         KEY_OF("text", font, TEXT),
    KEY_OF("text", height, NUMBER),     KEY_OF("text", depth, NUMBER),
    KEY_OF("text", at, VECTOR),         KEY_OF("mesh", file, TEXT),
    KEY_OF("mesh", scale, NUMBER),      KEY_OF("mesh", turn, VECTOR),
    KEY_OF("mesh", move, VECTOR),       KEY_OF("particles", file, TEXT),
    KEY_OF("particles", scale, NUMBER), KEY_OF("particles", move, VECTOR),
    KEY_OF("plane", point, VECTOR),     KEY_OF("plane", normal, VECTOR),
};
#undef OWNER

#define OWNER OndSceneInfo
static const OndInfoMember scene_members[] = {
    KEY(title, TEXT),        KEY(dimension, WHOLE), KEY(duration, NUMBER),
    KEY(frame_rate, NUMBER), KEY(gravity, VECTOR),
};
#undef OWNER

#define OWNER OndDomainInfo
static const OndInfoMember domain_members[] = {
    KEY(min, VECTOR),      KEY(max, VECTOR),         KEY(slip, NUMBER), KEY(restitution, NUMBER),
    KEY(friction, NUMBER), KEY(temperature, NUMBER), KEY(x, TEXT),      KEY(y, TEXT),
    KEY(z, TEXT),
};
#undef OWNER

#define OWNER OndFluidInfo
static const OndInfoMember fluid_members[] = {
    KEY(name, TEXT),          KEY(material, TEXT),       KEY(spacing, NUMBER),
    KEY(density, NUMBER),     KEY(viscosity, NUMBER),    KEY(tension, NUMBER),
    KEY(temperature, NUMBER), KEY(rigidity, NUMBER),     KEY(T_solid, NUMBER),
    KEY(T_liquid, NUMBER),    KEY(conductivity, NUMBER), KEY(specific_heat, NUMBER),
    KEY(latent_heat, NUMBER), KEY(fixed, FLAG),          KEY(velocity, VECTOR),
    KEY(spin, VECTOR),        KEY(shape, SHAPE),
};
#undef OWNER

#define OWNER OndSolidInfo
static const OndInfoMember solid_members[] = {
    KEY(name, TEXT),          KEY(shape, SHAPE),     KEY(use, TEXT),           KEY(slip, NUMBER),
    KEY(restitution, NUMBER), KEY(friction, NUMBER), KEY(temperature, NUMBER), KEY(density, NUMBER),
    KEY(mass, NUMBER),        KEY(velocity, VECTOR), KEY(spin, VECTOR),        KEY(colour, VECTOR),
};
#undef OWNER

#define OWNER OndEmitterInfo
static const OndInfoMember emitter_members[] = {
    KEY(fluid, TEXT),    KEY(shape, TEXT),   KEY(center, VECTOR), KEY(direction, VECTOR),
    KEY(radius, NUMBER), KEY(width, NUMBER), KEY(height, NUMBER), KEY(rate, NUMBER),
    KEY(from, NUMBER),   KEY(to, NUMBER),
};
#undef OWNER

#define OWNER OndHeatInfo
static const OndInfoMember heat_members[] = {
    KEY(shape, SHAPE),  KEY(power, NUMBER), KEY(temperature, NUMBER), KEY(transfer, NUMBER),
    KEY(surface, FLAG), KEY(from, NUMBER),  KEY(to, NUMBER),
};
#undef OWNER

#define OWNER OndAirInfo
static const OndInfoMember air_members[] = {
    KEY(temperature, NUMBER),
    KEY(exchange, NUMBER),
};
#undef OWNER

#define TABLE(key, many, members, type)                                                            \
    {                                                                                              \
        key, many, members, OND_COUNT(members), sizeof(type)                                       \
    }
const OndInfoTable ond_shape_table = TABLE(NULL, false, shape_members, OndShapeInfo);
const OndInfoTable ond_scene_table = TABLE(NULL, false, scene_members, OndSceneInfo);
const OndInfoTable ond_domain_table = TABLE("domain", false, domain_members, OndDomainInfo);
const OndInfoTable ond_fluid_table = TABLE("fluid", true, fluid_members, OndFluidInfo);
const OndInfoTable ond_solid_table = TABLE("solid", true, solid_members, OndSolidInfo);
const OndInfoTable ond_emitter_table = TABLE("emitter", true, emitter_members, OndEmitterInfo);
const OndInfoTable ond_heat_table = TABLE("heat", true, heat_members, OndHeatInfo);
const OndInfoTable ond_air_table = TABLE("air", false, air_members, OndAirInfo);

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

static void put_default(const OndKey *key, OndInfoKind kind, void *to)
{
    switch (kind) {
    case OND_INFO_NUMBER:
        *(double *)to = default_number(key);
        break;
    case OND_INFO_WHOLE:
        *(int *)to = key ? (int)key->fallback : 0;
        break;
    case OND_INFO_FLAG:
        *(bool *)to = key && key->fallback != 0.0;
        break;
    case OND_INFO_VECTOR:
        default_vector(key, to);
        break;
    case OND_INFO_SHAPE:
        *(OndShapeInfo *)to = ond_shape_info(NULL);
        break;
    default:
        *(const char **)to = NULL;
    }
}

void ond_info_defaults(const OndInfoTable *table, void *out)
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
        ond_info_defaults(&table, &info);                                                          \
        return info;                                                                               \
    }
DEFAULTS(ond_scene_info, OndSceneInfo, ond_scene_table)
DEFAULTS(ond_fluid_info, OndFluidInfo, ond_fluid_table)
DEFAULTS(ond_solid_info, OndSolidInfo, ond_solid_table)
DEFAULTS(ond_emitter_info, OndEmitterInfo, ond_emitter_table)
DEFAULTS(ond_heat_info, OndHeatInfo, ond_heat_table)
DEFAULTS(ond_air_info, OndAirInfo, ond_air_table)

// A corner of every box that is drawn on paper.
OndDomainInfo ond_domain_info(void)
{
    OndDomainInfo info = {0};
    ond_info_defaults(&ond_domain_table, &info);
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
