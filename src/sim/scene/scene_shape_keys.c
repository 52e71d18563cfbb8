// SPDX-License-Identifier: MIT
// The tables of the shapes.
#include "sim/scene/scene_limits.h"

#define AT(member) .offset = offsetof(OWNER, member)
#define POINT      .unit = "m", .min = -OND_FAR, .max = OND_FAR
#define LENGTH     .unit = "m", .above = true, .max = OND_FAR

#define OWNER OndBoxDef
static const OndKey box_keys[] = {
    {"min", OND_KEY_VEC, AT(min), POINT, .required = true, .help = "Lowest corner."},
    {"max", OND_KEY_VEC, AT(max), POINT, .required = true, .help = "Highest corner."},
};
#undef OWNER

#define OWNER OndSphereDef
static const OndKey sphere_keys[] = {
    {"center", OND_KEY_VEC, AT(center), POINT, .required = true, .help = "Centre."},
    {"radius", OND_KEY_NUMBER, AT(radius), LENGTH, .required = true, .help = "Radius."},
};
#undef OWNER

#define OWNER OndRodDef
static const OndKey rod_keys[] = {
    {"from", OND_KEY_VEC, AT(from), POINT, .required = true, .help = "One end of the axis."},
    {"to", OND_KEY_VEC, AT(to), POINT, .required = true, .help = "The other end of the axis."},
    {"radius", OND_KEY_NUMBER, AT(radius), LENGTH, .required = true, .help = "Radius."},
};
#undef OWNER

#define OWNER OndPartsDef
static const OndKey parts_keys[] = {
    {"parts", OND_KEY_VARIANTS, AT(parts), .variants = ond_shape_schemas, .required = true,
     .help = "The shapes it is made of."},
};
#undef OWNER

#define OWNER OndTextDef
static const OndKey text_keys[] = {
    {"text", OND_KEY_TEXT, AT(text), .required = true, .help = "What is written."},
    {"font", OND_KEY_TEXT, AT(font), .text = "DejaVu Sans Bold",
     .help = "A font's family name, or a font file's path."},
    {"height", OND_KEY_NUMBER, AT(height), LENGTH, .fallback = 1,
     .help = "Height of the capital letters."},
    {"depth", OND_KEY_NUMBER, AT(depth), LENGTH, .fallback = 0.2,
     .help = "Thickness, from `at` towards +z."},
    {"at", OND_KEY_VEC, AT(at), POINT, .help = "Where the line of text begins, on its baseline."},
};
#undef OWNER

#define OWNER OndFileDef
static const OndKey file_keys[] = {
    {"file", OND_KEY_TEXT, AT(file), .required = true,
     .help = "Path of the file, from the scene file's folder."},
    {"scale", OND_KEY_NUMBER, AT(scale), .above = true, .max = OND_FAR, .fallback = 1,
     .help = "Factor on the file's coordinates."},
    {"move", OND_KEY_VEC, AT(move), POINT, .help = "Added to the scaled coordinates."},
};
#undef OWNER

#define OWNER OndMeshDef
static const OndKey mesh_keys[] = {
    {"file", OND_KEY_TEXT, AT(file.file), .required = true,
     .help = "Path of the file, from the scene file's folder."},
    {"turn", OND_KEY_VEC, AT(turn), .unit = "deg", .min = -360, .max = 360,
     .help = "Turns it about x, then y, then z."},
    {"scale", OND_KEY_NUMBER, AT(file.scale), .above = true, .max = OND_FAR, .fallback = 1,
     .help = "Factor on the turned coordinates."},
    {"move", OND_KEY_VEC, AT(file.move), POINT, .help = "Added to the scaled coordinates."},
    {"stand_in", OND_KEY_VARIANT, AT(stand_in), .variants = ond_shape_schemas,
     .text = "none: a missing file is an error",
     .help = "Used, as it is, when the file is not there."},
};
#undef OWNER

#define OWNER OndPlaneDef
static const OndKey plane_keys[] = {
    {"point", OND_KEY_VEC, AT(point), POINT, .help = "A point of the plane."},
    {"normal", OND_KEY_VEC, AT(normal), .vec = {0, 1, 0}, .min = -OND_FAR, .max = OND_FAR,
     .help = "Where things may be; only the direction counts, not the length."},
};
#undef OWNER

#define SHAPE(called, type, table, sentence)                                                       \
    const OndSchema ond_shape_schema_##called = {.name = #called,                                  \
                                                 .size = sizeof(type),                             \
                                                 .keys = table,                                    \
                                                 .count = OND_COUNT(table),                        \
                                                 .node_offset = -1,                                \
                                                 .help = sentence}

SHAPE(box, OndBoxDef, box_keys, "A box along the axes.");
SHAPE(sphere, OndSphereDef, sphere_keys, "A ball; a disc in 2D.");
SHAPE(cylinder, OndRodDef, rod_keys, "A cylinder with flat ends; a rectangle in 2D.");
SHAPE(capsule, OndRodDef, rod_keys, "A cylinder with round ends.");
SHAPE(union, OndPartsDef, parts_keys, "Everything that is in one of its parts.");
SHAPE(difference, OndPartsDef, parts_keys, "The first part without the others.");
SHAPE(intersection, OndPartsDef, parts_keys, "What is in all of its parts.");
SHAPE(text, OndTextDef, text_keys, "A line of text, standing upright and extruded.");
SHAPE(particles, OndFileDef, file_keys,
      "Particles from a file: positions, and velocities and temperatures where it has them.");
SHAPE(mesh, OndMeshDef, mesh_keys, "The inside of a closed triangle mesh.");
SHAPE(plane, OndPlaneDef, plane_keys, "Everything behind a plane; for solids alone.");

#define SCHEMA(name, number) &ond_shape_schema_##name,
#define KIND(name, number)   &ond_shape_kind_##name,
const OndSchema *const ond_shape_schemas[] = {OND_SHAPES(SCHEMA) NULL};
const OndSchema *const ond_solid_shapes[] = {OND_SHAPES(SCHEMA) OND_SOLID_SHAPES(SCHEMA) NULL};
const OndSceneShape *const ond_shape_kinds[] = {OND_SHAPES(KIND) OND_SOLID_SHAPES(KIND)};
