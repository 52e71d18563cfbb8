// SPDX-License-Identifier: MIT
// The info structs of <ondine/scene.h>: a table says which member is which key. Defaults are those of
// the scene's own tables (base/schema.h), so that they are written down once.
#include "lib/scene_infos.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(OWNER, member)

#define OWNER OndShapeInfo
static const OndInfoMember shape_members[] = {
    {"min", OND_INFO_VECTOR, AT(min), "box"},
    {"max", OND_INFO_VECTOR, AT(max), "box"},
    {"center", OND_INFO_VECTOR, AT(center), "sphere"},
    {"radius", OND_INFO_NUMBER, AT(radius), "sphere"},
    {"from", OND_INFO_VECTOR, AT(from), "cylinder"},
    {"to", OND_INFO_VECTOR, AT(to), "cylinder"},
    {"radius", OND_INFO_NUMBER, AT(radius), "cylinder"},
    {"from", OND_INFO_VECTOR, AT(from), "capsule"},
    {"to", OND_INFO_VECTOR, AT(to), "capsule"},
    {"radius", OND_INFO_NUMBER, AT(radius), "capsule"},
    {"text", OND_INFO_TEXT, AT(text), "text"},
    {"font", OND_INFO_TEXT, AT(font), "text"},
    {"height", OND_INFO_NUMBER, AT(height), "text"},
    {"depth", OND_INFO_NUMBER, AT(depth), "text"},
    {"at", OND_INFO_VECTOR, AT(at), "text"},
    {"file", OND_INFO_TEXT, AT(file), "mesh"},
    {"scale", OND_INFO_NUMBER, AT(scale), "mesh"},
    {"turn", OND_INFO_VECTOR, AT(turn), "mesh"},
    {"move", OND_INFO_VECTOR, AT(move), "mesh"},
    {"file", OND_INFO_TEXT, AT(file), "particles"},
    {"scale", OND_INFO_NUMBER, AT(scale), "particles"},
    {"move", OND_INFO_VECTOR, AT(move), "particles"},
    {"point", OND_INFO_VECTOR, AT(point), "plane"},
    {"normal", OND_INFO_VECTOR, AT(normal), "plane"},
};
#undef OWNER

#define OWNER OndSceneInfo
static const OndInfoMember scene_members[] = {
    {"title", OND_INFO_TEXT, AT(title), NULL},
    {"dimension", OND_INFO_WHOLE, AT(dimension), NULL},
    {"duration", OND_INFO_NUMBER, AT(duration), NULL},
    {"frame_rate", OND_INFO_NUMBER, AT(frame_rate), NULL},
    {"gravity", OND_INFO_VECTOR, AT(gravity), NULL},
};
#undef OWNER

#define OWNER OndDomainInfo
static const OndInfoMember domain_members[] = {
    {"min", OND_INFO_VECTOR, AT(min), NULL},
    {"max", OND_INFO_VECTOR, AT(max), NULL},
    {"slip", OND_INFO_NUMBER, AT(slip), NULL},
    {"restitution", OND_INFO_NUMBER, AT(restitution), NULL},
    {"friction", OND_INFO_NUMBER, AT(friction), NULL},
    {"temperature", OND_INFO_NUMBER, AT(temperature), NULL},
    {"x", OND_INFO_TEXT, AT(x), NULL},
    {"y", OND_INFO_TEXT, AT(y), NULL},
    {"z", OND_INFO_TEXT, AT(z), NULL},
};
#undef OWNER

#define OWNER OndFluidInfo
static const OndInfoMember fluid_members[] = {
    {"name", OND_INFO_TEXT, AT(name), NULL},
    {"material", OND_INFO_TEXT, AT(material), NULL},
    {"spacing", OND_INFO_NUMBER, AT(spacing), NULL},
    {"density", OND_INFO_NUMBER, AT(density), NULL},
    {"viscosity", OND_INFO_NUMBER, AT(viscosity), NULL},
    {"tension", OND_INFO_NUMBER, AT(tension), NULL},
    {"temperature", OND_INFO_NUMBER, AT(temperature), NULL},
    {"rigidity", OND_INFO_NUMBER, AT(rigidity), NULL},
    {"T_solid", OND_INFO_NUMBER, AT(T_solid), NULL},
    {"T_liquid", OND_INFO_NUMBER, AT(T_liquid), NULL},
    {"conductivity", OND_INFO_NUMBER, AT(conductivity), NULL},
    {"specific_heat", OND_INFO_NUMBER, AT(specific_heat), NULL},
    {"latent_heat", OND_INFO_NUMBER, AT(latent_heat), NULL},
    {"fixed", OND_INFO_FLAG, AT(fixed), NULL},
    {"velocity", OND_INFO_VECTOR, AT(velocity), NULL},
    {"spin", OND_INFO_VECTOR, AT(spin), NULL},
    {"shape", OND_INFO_SHAPE, AT(shape), NULL},
};
#undef OWNER

#define OWNER OndSolidInfo
static const OndInfoMember solid_members[] = {
    {"name", OND_INFO_TEXT, AT(name), NULL},
    {"shape", OND_INFO_SHAPE, AT(shape), NULL},
    {"use", OND_INFO_TEXT, AT(use), NULL},
    {"slip", OND_INFO_NUMBER, AT(slip), NULL},
    {"restitution", OND_INFO_NUMBER, AT(restitution), NULL},
    {"friction", OND_INFO_NUMBER, AT(friction), NULL},
    {"temperature", OND_INFO_NUMBER, AT(temperature), NULL},
    {"density", OND_INFO_NUMBER, AT(density), NULL},
    {"mass", OND_INFO_NUMBER, AT(mass), NULL},
    {"velocity", OND_INFO_VECTOR, AT(velocity), NULL},
    {"spin", OND_INFO_VECTOR, AT(spin), NULL},
    {"colour", OND_INFO_VECTOR, AT(colour), NULL},
};
#undef OWNER

#define OWNER OndEmitterInfo
static const OndInfoMember emitter_members[] = {
    {"fluid", OND_INFO_TEXT, AT(fluid), NULL},
    {"shape", OND_INFO_TEXT, AT(shape), NULL},
    {"center", OND_INFO_VECTOR, AT(center), NULL},
    {"direction", OND_INFO_VECTOR, AT(direction), NULL},
    {"radius", OND_INFO_NUMBER, AT(radius), NULL},
    {"width", OND_INFO_NUMBER, AT(width), NULL},
    {"height", OND_INFO_NUMBER, AT(height), NULL},
    {"rate", OND_INFO_NUMBER, AT(rate), NULL},
    {"from", OND_INFO_NUMBER, AT(from), NULL},
    {"to", OND_INFO_NUMBER, AT(to), NULL},
};
#undef OWNER

#define OWNER OndHeatInfo
static const OndInfoMember heat_members[] = {
    {"shape", OND_INFO_SHAPE, AT(shape), NULL},
    {"power", OND_INFO_NUMBER, AT(power), NULL},
    {"temperature", OND_INFO_NUMBER, AT(temperature), NULL},
    {"transfer", OND_INFO_NUMBER, AT(transfer), NULL},
    {"surface", OND_INFO_FLAG, AT(surface), NULL},
    {"from", OND_INFO_NUMBER, AT(from), NULL},
    {"to", OND_INFO_NUMBER, AT(to), NULL},
};
#undef OWNER

#define OWNER OndAirInfo
static const OndInfoMember air_members[] = {
    {"temperature", OND_INFO_NUMBER, AT(temperature), NULL},
    {"exchange", OND_INFO_NUMBER, AT(exchange), NULL},
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
