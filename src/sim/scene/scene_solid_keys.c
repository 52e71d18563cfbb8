// SPDX-License-Identifier: MIT
// The tables of solids and read-outs.
#include "sim/scene/scene_limits.h"

#define AT(member) .offset = offsetof(OWNER, member)
#define POINT      .unit = "m", .min = -OND_FAR, .max = OND_FAR
#define ANGLES     .unit = "deg", .min = -1e6, .max = 1e6
#define SCHEMA(title, table, where, sentence)                                                      \
    {                                                                                              \
        .name = title, .size = sizeof(OWNER), .keys = table, .count = OND_COUNT(table),            \
        .node_offset = where, .help = sentence                                                     \
    }

static const char *const uses[] = {"obstacle", "container", NULL};
#define LOOK(number, name) name,
static const char *const looks[] = {OND_LOOKS_OF_SOLIDS(LOOK) NULL};

// ---- solids

#define OWNER OndPoseKey
static const OndKey pose_keys[] = {
    {"time", OND_KEY_NUMBER, AT(time), .unit = "s", .max = OND_FAR, .required = true,
     .help = "When it stands so; later than the key before."},
    {"at", OND_KEY_VEC, AT(at), POINT, .text = "the solid's `at`",
     .help = "Where its pivot is then."},
    {"turn", OND_KEY_VEC, AT(turn), ANGLES, .text = "the solid's `turn`",
     .help = "How it is turned then, about x, then y, then z. Where one angle alone changes, whole "
             "turns count; otherwise it goes the shortest way."},
};
static const OndSchema pose_schema =
    SCHEMA("keys", pose_keys, offsetof(OndPoseKey, node),
           "A key frame: motion between two is smooth, and before the first and after the last one "
           "the solid rests.");
#undef OWNER

#define OWNER OndSequenceDef
static const OndKey sequence_keys[] = {
    {"files", OND_KEY_TEXT, AT(files), .required = true,
     .help = "Paths of the meshes, from the scene file's folder, with %d or %04d for the number, "
             "from 0 or 1 on: `wave_%04d.obj`. All have the same corners and triangles."},
    {"rate", OND_KEY_NUMBER, AT(rate), .unit = "1/s", .above = true, .max = 1e6, .fallback = 24,
     .help = "Meshes a second; in between, corners move evenly."},
    {"loop", OND_KEY_BOOL, AT(loop), .help = "Begin anew after the last one, instead of staying."},
    {"turn", OND_KEY_VEC, AT(turn), .unit = "deg", .min = -360, .max = 360,
     .help = "Turns the meshes about x, then y, then z."},
    {"scale", OND_KEY_NUMBER, AT(scale), .above = true, .max = OND_FAR, .fallback = 1,
     .help = "Factor on the turned coordinates."},
    {"move", OND_KEY_VEC, AT(move), POINT, .help = "Added to the scaled coordinates."},
};
static const OndSchema sequence_schema =
    SCHEMA("sequence", sequence_keys, offsetof(OndSequenceDef, node),
           "A mesh that changes its shape: one file after the other.");
#undef OWNER

#define OWNER OndSceneSolid
static const OndKey solid_keys[] = {
    {"name", OND_KEY_TEXT, AT(name),
     .help = "What messages and probes call it; left out, `solid` and its number."},
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_solid_shapes,
     .text = "none: give `sequence`",
     .help = "What it is. A mesh with holes is a sheet without thickness: both its sides hold."},
    {"use", OND_KEY_CHOICE, AT(use), .choices = uses,
     .help = "`obstacle`: things are outside it; `container`: inside."},
    {"slip", OND_KEY_NUMBER, AT(slip), .max = 1, .fallback = 1,
     .help = "0: the fluid sticks to it; 1: it slides along it."},
    {"restitution", OND_KEY_NUMBER, AT(restitution), .max = 1,
     .help = "Share of the speed towards it that comes back: 0 does not bounce."},
    {"friction", OND_KEY_NUMBER, AT(friction), .max = 1e6,
     .help = "Friction coefficient for what is rigid."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "none: it takes no heat", .help = "Its temperature; it heats or cools by contact."},
    {"at", OND_KEY_VEC, AT(at), POINT, .text = "the pivot: it stays where its shape is",
     .help = "Where its pivot is put."},
    {"turn", OND_KEY_VEC, AT(turn), ANGLES,
     .help = "Turns it about its pivot: about x, then y, then z."},
    {"pivot", OND_KEY_VEC, AT(pivot), POINT, .text = "the middle of its shape",
     .help = "The point of the shape that `at` places and that it turns about."},
    {"keys", OND_KEY_LIST, AT(keys), .sub = &pose_schema, .text = "none: it rests",
     .help = "Motion by key frames."},
    {"move", OND_KEY_FORMULAS, AT(move), .unit = "m",
     .help =
         "Motion by formulas of the time t in s, as [\"0.1*sin(2*pi*t)\", 0, 0]: added to where "
         "it is otherwise."},
    {"turn_by", OND_KEY_FORMULAS, AT(turn_by), .unit = "deg",
     .help = "Turning by formulas of t, about x, then y, then z: [0, \"90*t\", 0]."},
    {"sequence", OND_KEY_MAP, AT(sequence), .sub = &sequence_schema, .text = "none",
     .help = "A mesh that changes its shape, instead of `shape`."},
    {"scatter", OND_KEY_MAP, AT(scatter), .sub = &ond_scatter_schema, .text = "none",
     .help = "Many balls, instead of `shape`; each is a solid like this one."},
    {"density", OND_KEY_NUMBER, AT(density), .unit = "kg/m^3", .above = true, .max = 1e6,
     .text = "none: it moves as told",
     .help = "Makes it a body that the fluid moves, of this density."},
    {"mass", OND_KEY_NUMBER, AT(mass), .unit = "kg", .above = true, .max = 1e15,
     .text = "none: it moves as told",
     .help = "Makes it a body that the fluid moves, of this mass."},
    {"velocity", OND_KEY_VEC, AT(velocity), .unit = "m/s", .min = -OND_FAST, .max = OND_FAST,
     .help = "Velocity of a body at the start."},
    {"spin", OND_KEY_VEC, AT(spin), .unit = "rad/s", .min = -OND_FAST, .max = OND_FAST,
     .help = "Turning of a body at the start; the vector is the axis."},
    {"look", OND_KEY_CHOICE, AT(look), .choices = looks,
     .help = "In pictures. `auto`: plain; containers and sheets are of glass."},
    {"colour", OND_KEY_VEC, AT(colour), .max = 1, .text = "the look's own",
     .help = "Red, green and blue, as a screen shows them."},
    {"shown", OND_KEY_BOOL, AT(shown), .fallback = 1, .help = "Whether pictures show it."},
};
const OndSchema ond_solid_schema =
    SCHEMA("solid", solid_keys, offsetof(OndSceneSolid, node),
           "Something that nothing may enter or leave: still, moving by key frames or formulas, or "
           "floating.");
#undef OWNER

// ---- read-outs

#define PROBE_KEYS                                                                                 \
    {"name", OND_KEY_TEXT, AT(probe.name),                                                         \
     .help = "Of the file, probes/NAME.csv; left out, `probe_` and its number."},                  \
    {                                                                                              \
        "rate", OND_KEY_NUMBER, AT(probe.rate), .unit = "1/s", .max = OND_FAST,                    \
                                                .text = "the frames'",                             \
                                                .help = "Rows a second; 0: one at every step."     \
    }

#define OWNER OndForceProbe
static const OndKey force_keys[] = {
    PROBE_KEYS,
    {"solid", OND_KEY_TEXT, AT(solid), .required = true, .help = "Name of the solid."},
};
static const OndSchema force_schema =
    SCHEMA("force", force_keys, offsetof(OndForceProbe, probe.node),
           "Force and torque (about its pivot) of the fluid on a solid, the mean since the row "
           "before.");
#undef OWNER

#define OWNER OndPointProbe
static const OndKey level_keys[] = {
    PROBE_KEYS,
    {"at", OND_KEY_VEC, AT(at), POINT, .required = true, .help = "A point of the line."},
};
static const OndSchema level_schema =
    SCHEMA("level", level_keys, offsetof(OndPointProbe, probe.node),
           "How high the liquid stands: its highest place on a vertical line.");
static const OndKey pressure_keys[] = {
    PROBE_KEYS,
    {"at", OND_KEY_VEC, AT(at), POINT, .required = true, .help = "Where."},
};
static const OndSchema pressure_schema = SCHEMA(
    "pressure", pressure_keys, offsetof(OndPointProbe, probe.node),
    "The pressure at a point, from the particles round it that no solid hides; `nan` inside of "
    "solids and where there is no liquid.");
#undef OWNER

#define OWNER OndFlowProbe
static const OndKey flow_keys[] = {
    PROBE_KEYS,
    {"center", OND_KEY_VEC, AT(center), POINT, .required = true,
     .help = "Centre of the rectangle."},
    {"normal", OND_KEY_VEC, AT(normal), .vec = {1, 0, 0}, .min = -OND_FAR, .max = OND_FAR,
     .help = "What goes this way counts as positive; only the direction counts."},
    {"width", OND_KEY_NUMBER, AT(width), .unit = "m", .above = true, .max = OND_FAR,
     .required = true, .help = "Extent along the ground; along x where the normal is vertical."},
    {"height", OND_KEY_NUMBER, AT(height), .unit = "m", .max = OND_FAR,
     .help = "Extent across its width; of no use in 2D."},
};
static const OndSchema flow_schema = SCHEMA(
    "flow", flow_keys, offsetof(OndFlowProbe, probe.node),
    "How much goes through a rectangle: m^3/s, the mean since the row before, and all so far (2D: "
    "per metre of depth).");
#undef OWNER

const OndSchema *const ond_probe_schemas[] = {&force_schema, &level_schema, &pressure_schema,
                                              &flow_schema, NULL};
