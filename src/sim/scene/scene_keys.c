// SPDX-License-Identifier: MIT
// The tables of a scene's sections. docs/scene.md and the JSON schema are made from them.
#include "sim/methods.h"
#include "sim/scene/materials.h"
#include "sim/scene/scene_limits.h"

#include <string.h>

#define AT(member) .offset = offsetof(OWNER, member)
#define POINT      .unit = "m", .min = -OND_FAR, .max = OND_FAR
#define SPEED      .unit = "m/s", .min = -OND_FAST, .max = OND_FAST
#define SHARE      .min = 0, .max = 1
#define CELSIUS    .unit = "C", .min = -273.15, .max = 1e5
#define MOMENT     .unit = "s", .max = OND_FAR
#define SCHEMA(title, table, where, sentence)                                                      \
    {                                                                                              \
        .name = title, .size = sizeof(OWNER), .keys = table, .count = OND_COUNT(table),            \
        .node_offset = where, .help = sentence                                                     \
    }

static const char *const side_names[] = {"-x", "+x", "-y", "+y", "-z", "+z", NULL};
static const char *const side_kinds[] = {"wall", "open", "periodic", NULL};
static const char *const single_kinds[] = {"wall", "open", NULL};
static const char *const wall_modes[] = {"mirror", "project", NULL};
static const char *const emitter_shapes[] = {"disc", "rectangle", NULL};

#define OWNER OndSideDef
static const OndKey side_keys[] = {
    {"side", OND_KEY_CHOICE, AT(side), .choices = side_names, .required = true,
     .help = "Which side this is about."},
    {"kind", OND_KEY_CHOICE, AT(kind), .choices = single_kinds, .text = "the domain's",
     .help = "`open`: fluid comes and goes freely here. With methods on a grid."},
    {"slip", OND_KEY_NUMBER, AT(slip), SHARE, .text = "the domain's",
     .help = "0: the fluid sticks to this side; 1: it slides."},
    {"restitution", OND_KEY_NUMBER, AT(restitution), SHARE, .text = "the domain's",
     .help = "Share of the speed towards this side that comes back."},
    {"friction", OND_KEY_NUMBER, AT(friction), .max = 1e6, .text = "the domain's",
     .help = "Friction coefficient of this side for what is rigid, where its slip is 1."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "the domain's", .help = "Temperature of this side, which heats or cools by contact."},
    {"velocity", OND_KEY_VEC, AT(velocity), SPEED,
     .help =
         "How fast this side moves along itself and drags the fluid with it, as a belt does; on "
         "a grid, its part across the side is fluid that flows in or out there."},
};
static const OndSchema side_schema = SCHEMA("sides", side_keys, offsetof(OndSideDef, node),
                                            "One side that differs from the others.");
#undef OWNER

#define OWNER OndDomainDef
static const OndKey domain_keys[] = {
    {"min", OND_KEY_VEC, AT(min), POINT, .required = true, .help = "Lowest corner of the box."},
    {"max", OND_KEY_VEC, AT(max), POINT, .required = true, .help = "Highest corner of the box."},
    {"slip", OND_KEY_NUMBER, AT(slip), SHARE, .fallback = 1,
     .help = "0: the fluid sticks to the walls; 1: it slides along them."},
    {"restitution", OND_KEY_NUMBER, AT(restitution), SHARE,
     .help = "Share of the speed towards a wall that comes back: 0 does not bounce."},
    {"friction", OND_KEY_NUMBER, AT(friction), .max = 1e6,
     .help =
         "Friction coefficient of the walls for what is rigid, where `slip` is 1 and the solver "
         "`global`: a block slides down a slope steeper than this."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "none: walls take no heat",
     .help = "Temperature of the walls, which heat or cool by contact."},
    {"walls", OND_KEY_CHOICE, AT(walls), .choices = wall_modes,
     .help =
         "`mirror`: walls count in the density, so that a still pool is right at them; `project`: "
         "only a bounce, as in Dagenais 2012."},
    {"margin", OND_KEY_NUMBER, AT(margin), .unit = "m", .max = OND_FAR,
     .help = "How far from a wall particles are kept."},
    {"x", OND_KEY_CHOICE, AT(axis[0]), .choices = side_kinds,
     .help = "Both sides across x: a wall, open, or periodic (what leaves on one comes in on the "
             "other)."},
    {"y", OND_KEY_CHOICE, AT(axis[1]), .choices = side_kinds, .help = "Both sides across y."},
    {"z", OND_KEY_CHOICE, AT(axis[2]), .choices = side_kinds, .help = "Both sides across z."},
    {"sides", OND_KEY_LIST, AT(sides), .sub = &side_schema,
     .help = "Single sides that differ from the rest."},
};
static const OndSchema domain_schema =
    SCHEMA("domain", domain_keys, offsetof(OndDomainDef, node),
           "The box the fluid lives in. A scene without this key is open on all sides.");
#undef OWNER

#define OWNER OndRegionDef
static const OndKey region_keys[] = {
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_shape_schemas, .required = true,
     .help = "Which of the fluid's particles: those inside this shape at the start."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), CELSIUS, .text = "the fluid's",
     .help = "Temperature at the start; with `to_temperature`, at the point `from`."},
    {"to_temperature", OND_KEY_NUMBER, AT(to_temperature), CELSIUS, .text = "`temperature`",
     .help = "Temperature at the point `to`; evenly between from there to `from`."},
    {"from", OND_KEY_VEC, AT(from), POINT, .help = "Where `temperature` holds."},
    {"to", OND_KEY_VEC, AT(to), POINT, .help = "Where `to_temperature` holds."},
    {"fixed", OND_KEY_BOOL, AT(fixed), .text = "as the fluid", .help = "Held, or not."},
};
static const OndSchema region_schema = SCHEMA("region", region_keys, offsetof(OndRegionDef, node),
                                              "A part of a fluid that starts otherwise.");
#undef OWNER

#define OWNER OndAnimatedDef
static const OndKey animated_keys[] = {
    {"sequence", OND_KEY_TEXT, AT(files), .required = true,
     .help = "Paths of the particle files, from the scene file's folder, with %d or %04d for the "
             "number, from 0 or 1 on: `walk_%04d.ply`. All have the same particles: the same ids "
             "where they have ids, else the same order."},
    {"rate", OND_KEY_NUMBER, AT(rate), .unit = "1/s", .above = true, .max = 1e6, .fallback = 24,
     .help = "Files a second; in between, particles go along smooth curves."},
    {"from", OND_KEY_NUMBER, AT(from), MOMENT,
     .help = "When the motion starts; before, they rest where the first file has them."},
    {"loop", OND_KEY_BOOL, AT(loop),
     .help = "Begin anew after the last file, instead of coming to rest there."},
    {"scale", OND_KEY_NUMBER, AT(scale), .above = true, .max = OND_FAR, .fallback = 1,
     .help = "Factor on the files' coordinates."},
    {"move", OND_KEY_VEC, AT(move), POINT, .help = "Added to the scaled coordinates."},
};
static const OndSchema animated_schema =
    SCHEMA("particles", animated_keys, offsetof(OndAnimatedDef, node),
           "Particles that are animated elsewhere: held, each where its file has it. What hangs on "
           "them follows.");
#undef OWNER

#define OWNER OndFluidDef
static const OndKey fluid_keys[] = {
    {"name", OND_KEY_TEXT, AT(name),
     .help = "What messages and emitters call it; left out, `fluid` and its number."},
    {"spacing", OND_KEY_NUMBER, AT(spacing), .unit = "m", .above = true, .max = 1e6,
     .text = "none: particles need one, grids have cells instead",
     .help =
         "Rest distance between particles, the same for all fluids: half of it means eight times "
         "the particles."},
    {"material", OND_KEY_CHOICE, AT(material), .choices = ond_material_names,
     .help = "Gives density, viscosity, all that concerns heat and melting, and the temperature at "
             "the start; keys beside it replace single values. See docs/materials.md."},
    {"density", OND_KEY_NUMBER, AT(density), .unit = "kg/m^3", .min = 1e-6, .max = 1e6,
     .fallback = 998.23, .help = "Mass per volume at rest. The default is water at 20 degrees."},
    {"viscosity", OND_KEY_NUMBER, AT(viscosity), .unit = "Pa s", .max = 1e9,
     .help = "Inner friction (dynamic viscosity): water 0.001, honey about 5. 0: only the method's "
             "damping."},
    {"viscosity_solid", OND_KEY_NUMBER, AT(viscosity_solid), .unit = "Pa s", .max = 1e9,
     .text = "0 (as when it is molten)",
     .help =
         "Viscosity up to `T_solid`: between there and `T_liquid` it falls by as many powers of "
         "ten a degree. For what melts by its viscosity instead of `rigidity` (docs/melting.md)."},
    {"tension", OND_KEY_NUMBER, AT(tension), .unit = "N/m", .max = 1e6,
     .help = "Surface tension, which makes drops round: water in air 0.0728."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), .unit = "C", .min = -273.15, .max = 1e5,
     .fallback = 20, .help = "Temperature at the start."},
    {"rigidity", OND_KEY_NUMBER, AT(rigidity), SHARE, .fallback = -1,
     .text = "from the temperature",
     .help = "From 0 (liquid) to 1 (solid), whatever the temperature."},
    {"T_solid", OND_KEY_NUMBER, AT(solid), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "none: it never sets",
     .help = "Up to this temperature it is solid; from here to `T_liquid` it softens."},
    {"T_liquid", OND_KEY_NUMBER, AT(liquid), .unit = "C", .min = -273.15, .max = 1e5,
     .text = "none: it never sets", .help = "From this temperature on it is liquid."},
    {"conductivity", OND_KEY_NUMBER, AT(conductivity), .unit = "W/(m K)", .max = 1e6,
     .help = "How well it conducts heat; 0: heat stands still."},
    {"specific_heat", OND_KEY_NUMBER, AT(specific_heat), .unit = "J/(kg K)", .above = true,
     .max = 1e9, .fallback = 4182, .help = "Heat that warms a kilogram by a degree."},
    {"latent_heat", OND_KEY_NUMBER, AT(latent_heat), .unit = "J/kg", .max = 1e9,
     .help = "Heat that melting takes up on the way from `T_solid` to `T_liquid`."},
    {"fixed", OND_KEY_BOOL, AT(fixed),
     .help = "Held: it moves with `velocity` and `spin` alone, and everything else around it."},
    {"fixed_until", OND_KEY_NUMBER, AT(fixed_until), .unit = "s", .max = OND_FAR,
     .fallback = OND_FAR, .text = "the end", .help = "When it is let go."},
    {"velocity", OND_KEY_FORMULAS, AT(velocity), SPEED, .variables = OND_OF_PLACE,
     .text = "at rest",
     .help = "Velocity at the start: numbers, or formulas of the place, as [\"sin(pi*x)\", 0, 0]."},
    {"stretch", OND_KEY_VEC, AT(stretch), .unit = "1/s", .min = -OND_FAST, .max = OND_FAST,
     .help = "Adds to each component of the velocity this much times the distance from the shape's "
             "centre."},
    {"spin", OND_KEY_VEC, AT(spin), .unit = "rad/s", .min = -OND_FAST, .max = OND_FAST,
     .help = "Turns the fluid about the shape's centre; the vector is the axis."},
    {"jitter", OND_KEY_VEC, AT(jitter), .unit = "m", .max = 1e6,
     .help = "Moves each particle of `shape` by a part of this, by chance, always the same: takes "
             "the order out of a heap, and the balance out of a stack."},
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_shape_schemas,
     .help = "Where the fluid is at the start. Left out, only emitters bring it."},
    {"regions", OND_KEY_LIST, AT(regions), .sub = &region_schema,
     .help = "Parts that start at another temperature, or held; applied in order."},
    {"carry", OND_KEY_BOOL, AT(carry),
     .help = "Its particles carry the surface of `shape` along, finer than they are themselves: it "
             "moves, turns and bends with them, and melts away with them. See docs/surfaces.md."},
    {"particles", OND_KEY_MAP, AT(animated), .sub = &animated_schema, .text = "none",
     .help = "More of its particles, animated elsewhere and read frame by frame; those of `shape` "
             "make room for them."},
};
static const OndSchema fluid_schema = SCHEMA("fluid", fluid_keys, offsetof(OndFluidDef, node),
                                             "A fluid: what it is and where it starts.");
#undef OWNER

#define OWNER OndEmitterDef
static const OndKey emitter_keys[] = {
    {"fluid", OND_KEY_TEXT, AT(fluid), .text = NULL,
     .help = "Name of the fluid; left out, the first one."},
    {"shape", OND_KEY_CHOICE, AT(shape), .choices = emitter_shapes,
     .help =
         "The opening: a `disc` of `radius`, or a `rectangle` of `width` and `height`. In 2D both "
         "are a slit, 2 `radius` or `width` long."},
    {"center", OND_KEY_VEC, AT(center), POINT, .required = true, .help = "Centre of the opening."},
    {"direction", OND_KEY_VEC, AT(direction), .vec = {0, -1, 0}, .min = -OND_FAR, .max = OND_FAR,
     .help = "Where it pours; only the direction counts, not the length."},
    {"radius", OND_KEY_NUMBER, AT(radius), .unit = "m", .max = OND_FAR,
     .help = "Radius of a disc."},
    {"width", OND_KEY_NUMBER, AT(width), .unit = "m", .max = OND_FAR,
     .help = "Extent of a rectangle along the ground; along x where it looks up or down."},
    {"height", OND_KEY_NUMBER, AT(height), .unit = "m", .max = OND_FAR,
     .help = "Extent of a rectangle across its width."},
    {"rate", OND_KEY_NUMBER, AT(rate), .unit = "m^3/s", .above = true, .max = OND_FAR,
     .required = true, .help = "How much it pours (m^2/s in 2D); rate over area is the speed."},
    {"from", OND_KEY_NUMBER, AT(from), .unit = "s", .max = OND_FAR, .help = "When it starts."},
    {"to", OND_KEY_NUMBER, AT(to), .unit = "s", .max = OND_FAR, .fallback = OND_FAR,
     .text = "the end", .help = "When it stops."},
};
static const OndSchema emitter_schema = SCHEMA(
    "emitter", emitter_keys, offsetof(OndEmitterDef, node), "An opening that pours a fluid.");
#undef OWNER

#define OWNER OndAirDef
static const OndKey air_keys[] = {
    {"temperature", OND_KEY_NUMBER, AT(temperature), CELSIUS, .fallback = 20,
     .help = "Temperature of the air."},
    {"exchange", OND_KEY_NUMBER, AT(exchange), .unit = "W/(m^2 K)", .above = true, .max = 1e9,
     .fallback = 10,
     .help = "Heat that goes through the free surface: about 10 in still air, 50 in wind."},
};
static const OndSchema air_schema =
    SCHEMA("air", air_keys, offsetof(OndAirDef, node),
           "The air. A scene without this key loses no heat to it.");
#undef OWNER

#define OWNER OndFoamKeys
static const OndKey foam_keys[] = {
    {"amount", OND_KEY_NUMBER, AT(amount), .max = 1e3, .fallback = 1,
     .help = "How many there are, as a multiple of the usual number: 0 makes none."},
    {"speed", OND_KEY_NUMBER, AT(speed), .unit = "m/s", .above = true, .max = OND_FAST,
     .text = "that of a fall from the liquid's height, or of what comes in",
     .help = "Speed of the liquid at which it foams most; below a fifth of it there is none."},
    {"lifetime", OND_KEY_NUMBER, AT(lifetime), .unit = "s", .above = true, .max = OND_FAR,
     .text = "ten times `speed` over gravity",
     .help = "How long foam lasts on the mean. Spray and bubbles stay until they become foam."},
    {"air_drag", OND_KEY_NUMBER, AT(air_drag), .unit = "1/s", .max = 1e6, .fallback = 0.5,
     .help = "Share of a droplet's speed that the air takes in a second; 0: it falls freely."},
    {"rise", OND_KEY_NUMBER, AT(rise), .unit = "m/s", .max = OND_FAST, .fallback = 0.25,
     .help =
         "How fast bubbles rise through the liquid: those of some millimetres by a quarter of a "
         "metre a second."},
    {"most", OND_KEY_INT, AT(most), .min = 0, .max = 1e9, .fallback = 2000000,
     .help = "So many at once, at most; a run tells how many found no room."},
};
static const OndSchema foam_schema = SCHEMA(
    "foam", foam_keys, offsetof(OndFoamKeys, node),
    "Spray, foam and bubbles of the liquids, as particles that ride along and that the liquid "
    "does not feel. `{}` takes all defaults.");
#undef OWNER

#define OWNER OndHeaterDef
static const OndKey heater_keys[] = {
    {"shape", OND_KEY_VARIANT, AT(shape), .variants = ond_shape_schemas, .required = true,
     .help = "What is inside this shape is heated."},
    {"power", OND_KEY_NUMBER, AT(power), .unit = "W", .min = -1e15, .max = 1e15,
     .text = "none: give `transfer`",
     .help = "Heat that all particles inside get together; below 0 it cools."},
    {"temperature", OND_KEY_NUMBER, AT(temperature), CELSIUS, .text = "none",
     .help = "With `transfer`: the temperature that things are driven to."},
    {"transfer", OND_KEY_NUMBER, AT(transfer), .unit = "W/(m^3 K)", .above = true, .max = 1e15,
     .text = "none: give `power`", .help = "How strongly they are driven to `temperature`."},
    {"surface", OND_KEY_BOOL, AT(surface), .help = "Only what lies at the free surface."},
    {"from", OND_KEY_NUMBER, AT(from), MOMENT, .help = "When it starts."},
    {"to", OND_KEY_NUMBER, AT(to), MOMENT, .fallback = OND_FAR, .text = "the end",
     .help = "When it stops."},
};
static const OndSchema heater_schema = SCHEMA("heater", heater_keys, offsetof(OndHeaterDef, node),
                                              "A source of heat, by `power` or by `transfer`.");
#undef OWNER

#define OWNER OndSceneDef
static const OndKey scene_keys[] = {
    {"title", OND_KEY_TEXT, AT(title), .text = "Untitled",
     .help = "Shown on pictures and in lists."},
    {"dimension", OND_KEY_INT, AT(dimension), .min = 2, .max = 3, .fallback = 3,
     .help = "2 puts everything into the plane z = 0."},
    {"duration", OND_KEY_NUMBER, AT(duration), .unit = "s", .above = true, .max = 1e6,
     .fallback = 4,
     .help = "Simulated time. When it ends between two frames, the run goes on to the next."},
    {"frame_rate", OND_KEY_NUMBER, AT(frame_rate), .unit = "1/s", .min = 1e-6, .max = 1e6,
     .fallback = 24, .help = "Frames per simulated second."},
    {"gravity", OND_KEY_VEC, AT(gravity), .unit = "m/s^2", .min = -OND_FAST, .max = OND_FAST,
     .vec = {0, -9.81, 0}, .help = "Acceleration that pulls everything."},
    {"domain", OND_KEY_MAP, AT(domain), .sub = &domain_schema, .text = "open on all sides",
     .help = "The box the fluid lives in."},
    {"method", OND_KEY_VARIANT, AT(method), .variants = ond_method_schemas, .first_variant = true,
     .text = "`sph` with its defaults", .help = "How the fluid is computed."},
    {"fluid", OND_KEY_LIST, AT(fluids), .sub = &fluid_schema, .help = "The fluids."},
    {"emitter", OND_KEY_LIST, AT(emitters), .sub = &emitter_schema, .help = "Openings that pour."},
    {"solid", OND_KEY_LIST, AT(solids), .sub = &ond_solid_schema,
     .help = "Things that nothing may enter or leave."},
    {"probe", OND_KEY_VARIANTS, AT(probes), .variants = ond_probe_schemas,
     .help = "What is measured on the way, into CSV files."},
    {"air", OND_KEY_MAP, AT(air), .sub = &air_schema, .text = "none",
     .help = "What cools or warms free surfaces."},
    {"foam", OND_KEY_MAP, AT(foam), .sub = &foam_schema, .text = "none",
     .help = "Spray, foam and bubbles of the liquids. See docs/foam.md."},
    {"heat", OND_KEY_LIST, AT(heaters), .sub = &heater_schema, .help = "Sources of heat."},
    {"source", OND_KEY_LIST, AT(sources), .sub = &ond_source_schema,
     .help = "Where fluid comes from and goes to inside a grid."},
    {"tracer", OND_KEY_LIST, AT(tracers), .sub = &ond_tracer_schema,
     .help = "Points that drift in a grid and show the flow."},
};
const OndSchema ond_scene_schema = SCHEMA(
    "scene", scene_keys, -1,
    "All units are SI, temperatures in degrees Celsius. A vector is [x, y, z]; z may be left out. "
    "`color` and `centre` are taken for `colour` and `center`.");
#undef OWNER

OndSchema ond_scene_schema_with(const OndSceneSection *const *sections,
                                OndKey keys[OND_SCENE_KEYS_MAX])
{
    OndSchema whole = ond_scene_schema;
    memcpy(keys, scene_keys, sizeof scene_keys);
    for (int k = 0; sections && sections[k] && k < OND_SECTIONS_MAX; ++k) {
        keys[whole.count] = sections[k]->key;
        keys[whole.count].offset = offsetof(OndSceneDef, section) + (size_t)k * sizeof(void *);
        ++whole.count;
    }
    whole.keys = keys;
    return whole;
}
_Static_assert(OND_COUNT(scene_keys) + OND_SECTIONS_MAX <= OND_SCENE_KEYS_MAX, "room for all");
