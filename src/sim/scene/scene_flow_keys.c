// SPDX-License-Identifier: MIT
// The tables of what only grids have: sources inside the fluid, and tracers.
#include "sim/scene/scene_limits.h"

#define AT(member) .offset = offsetof(OWNER, member)
#define SCHEMA(title, table, where, sentence)                                                      \
    {                                                                                              \
        .name = title, .size = sizeof(OWNER), .keys = table, .count = OND_COUNT(table),            \
        .node_offset = where, .help = sentence                                                     \
    }

#define OWNER OndSourceDef
static const OndKey source_keys[] = {
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_shape_schemas, .required = true,
     .help = "Where it is."},
    {"flow", OND_KEY_NUMBER, AT(flow), .unit = "m^3/s", .min = -OND_FAR, .max = OND_FAR,
     .help = "Fluid that comes up inside the shape and pushes the rest away (m^2/s in 2D); below "
             "0 it is a sink, which takes fluid away."},
    {"density", OND_KEY_NUMBER, AT(density), .max = 1e3, .fallback = 1,
     .help = "How dense, with smoke or ink, the fluid is that `flow` brings."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "the air's", .help = "How warm it is, and what `rate` adds."},
    {"rate", OND_KEY_NUMBER, AT(rate), .unit = "1/s", .min = -OND_FAST, .max = OND_FAST,
     .help = "Density that is added in a second without any volume, up to `density`, as smoke "
             "does that rises from embers; below 0, the share that is taken away in a second."},
    {"velocity", OND_KEY_VEC, AT(velocity), .unit = "m/s", .min = -OND_FAST, .max = OND_FAST,
     .text = "none: the flow is left alone",
     .help = "Velocity that the fluid has here, as behind "
             "a fan."},
    {"from", OND_KEY_NUMBER, AT(from), .unit = "s", .max = OND_FAR, .help = "When it starts."},
    {"to", OND_KEY_NUMBER, AT(to), .unit = "s", .max = OND_FAR, .fallback = OND_FAR,
     .text = "the end", .help = "When it stops."},
};
const OndSchema ond_source_schema =
    SCHEMA("source", source_keys, offsetof(OndSourceDef, node),
           "A place inside a grid where fluid, smoke or motion comes in or goes out.");
#undef OWNER

#define OWNER OndTracerDef
static const OndKey tracer_keys[] = {
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_shape_schemas, .required = true,
     .help = "Where they are put in."},
    {"spacing", OND_KEY_NUMBER, AT(spacing), .unit = "m", .above = true, .max = 1e6, .text = "none",
     .help = "Fills the shape with a lattice of them, so far apart."},
    {"count", OND_KEY_INT, AT(count), .max = 100000000, .text = "none",
     .help = "Puts so many at random places inside the shape, instead of a lattice."},
    {"rate", OND_KEY_NUMBER, AT(rate), .unit = "1/s", .max = 1e9,
     .help = "So many more a second, at random places inside the shape."},
    {"from", OND_KEY_NUMBER, AT(from), .unit = "s", .max = OND_FAR, .help = "When it starts."},
    {"to", OND_KEY_NUMBER, AT(to), .unit = "s", .max = OND_FAR, .fallback = OND_FAR,
     .text = "the end", .help = "When `rate` stops."},
    {"life", OND_KEY_NUMBER, AT(life), .unit = "s", .max = OND_FAR, .text = "0: they stay",
     .help = "How long each lasts."},
    {"seed", OND_KEY_INT, AT(seed), .max = 2147483647,
     .help = "Another number puts them at other random places."},
};
const OndSchema ond_tracer_schema =
    SCHEMA("tracer", tracer_keys, offsetof(OndTracerDef, node),
           "Points that drift with the flow of a grid. Give `spacing`, `count` or `rate`.");
#undef OWNER
