// SPDX-License-Identifier: MIT
#include "particles/dem/dem_def.h"

#include "base/memory.h"

#include <stddef.h>

#define SAND 0.5 // friction of grains that grip, where the scene gives none

static const char *const slidings[] = {"drag", "grip", NULL};

#define AT(member) .offset = offsetof(OndDemDef, member)

static const OndKey keys[] = {
    {"stiffness", OND_KEY_NUMBER, AT(stiffness), .unit = "N/m", .above = true, .max = 1e15,
     .text = "from `overlap`",
     .help = "Spring constant k of a contact (2D: per metre of depth). Stiffer needs smaller "
             "steps."},
    {"overlap", OND_KEY_NUMBER, AT(overlap), .fallback = 0.1, .above = true, .max = 0.5,
     .unit = "spacings",
     .help = "How far the hardest fall of the scene presses a grain into another; the weight of "
             "a heap presses it by about the square of that. Gives the stiffness."},
    {"damping", OND_KEY_NUMBER, AT(damping), .fallback = -1, .max = 1e15, .unit = "N s/m",
     .text = "from `restitution`",
     .help = "Damping eta of two grains along their line of contact."},
    {"restitution", OND_KEY_NUMBER, AT(restitution), .fallback = 0.5, .above = true, .max = 1,
     .help = "Share of the speed that a collision leaves, whatever the grains weigh."},
    {"shear", OND_KEY_NUMBER, AT(shear), .fallback = -1, .max = 1e15, .unit = "N s/m",
     .text = "from `shear_share`",
     .help = "Force k_t against sliding, per speed: 0 lets grains slide freely."},
    {"shear_share", OND_KEY_NUMBER, AT(shear_share), .fallback = 0.5, .max = 10,
     .help = "The same as a share of the square root of stiffness times mass."},
    {"friction", OND_KEY_NUMBER, AT(friction), .fallback = -1, .max = 1e6,
     .text = "none: the force against sliding has no bounds (0.5 with `sliding: grip`)",
     .help = "Coulomb's coefficient: the force against sliding is at most this times the one "
             "along the line of contact. Sand about 0.5; 0 lets grains slide freely."},
    {"sliding", OND_KEY_CHOICE, AT(sliding), .choices = slidings,
     .help = "What resists sliding: `drag`, a force that grows with its speed, as in the source: "
             "heaps creep; `grip`, springs across the contacts that hold up to Coulomb's limit "
             "(Cundall and Strack 1979): heaps stand still."},
    {"stability", OND_KEY_NUMBER, AT(stability), .fallback = 0.5, .above = true, .max = 1,
     .help = "Share of the largest stable step, which is about the square root of mass over "
             "stiffness, that is taken."},
    {"courant", OND_KEY_NUMBER, AT(courant), .fallback = 0.1, .above = true, .max = 0.5,
     .unit = "spacings", .help = "How far a grain may move in a step."},
    {"largest_step", OND_KEY_NUMBER, AT(largest_step), .fallback = 0.1, .max = 1e3, .above = true,
     .unit = "s", .help = "No step is longer than this, nor than a frame."},
};

double ond_dem_friction(const OndDemDef *def)
{
    if (def->friction >= 0.0) return def->friction;
    return def->sliding == OND_DEM_SLIDING_GRIP ? SAND : OND_FRICTION_UNBOUNDED;
}

const OndSchema ond_dem_schema = {
    .name = "dem",
    .help = "The discrete element method: grains of diameter `spacing` that push, damp and rub "
            "where they overlap. Walls and solids do the same; their `restitution` and "
            "`friction`, where given, replace the method's. Temperatures stay as they start.",
    .size = sizeof(OndDemDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndDemDef, node),
};

// ---- what a scene says to it

#define FLOWING "grains do not flow; how they move against each other is told by the method"
#define MELTING "grains neither melt nor set"
#define WARMTH  "grains keep the temperature they start with"

const OndRefusedKey ond_dem_refused[] = {
    {OND_IN_SCENE, "air", .why = WARMTH},
    {OND_IN_SCENE, "heat", .why = WARMTH},
    {OND_IN_DOMAIN, "walls", .why = "walls push grains as other grains do"},
    {OND_IN_DOMAIN, "temperature", .why = WARMTH},
    {OND_IN_SIDE, "temperature", .why = WARMTH},
    {OND_IN_FLUID, "viscosity", .why = FLOWING},
    {OND_IN_FLUID, "tension", .why = FLOWING},
    {OND_IN_FLUID, "rigidity", .why = MELTING},
    {OND_IN_FLUID, "T_solid", .why = MELTING},
    {OND_IN_FLUID, "T_liquid", .why = MELTING},
    {OND_IN_FLUID, "latent_heat", .why = MELTING},
    {OND_IN_FLUID, "carry", .why = MELTING},
    {OND_IN_FLUID, "conductivity", .why = WARMTH},
    {OND_IN_FLUID, "specific_heat", .why = WARMTH},
    {OND_IN_SOLID, "temperature", .why = WARMTH},
    {.key = NULL},
};

OndStatus ond_dem_check_scene(const void *def, const OndMethodScene *scene, OndError *err)
{
    static const char *const same[][2] = {
        {"damping", "restitution"}, {"shear", "shear_share"}, {"overlap", "stiffness"}};
    for (int k = 0; k < OND_COUNT(same); ++k) {
        const OndNode *const one = ond_node_get(scene->node, same[k][0]);
        if (one && ond_node_get(scene->node, same[k][1]))
            return ond_tree_fail(scene->tree, one, err, "%s and %s say the same: give one of them",
                                 same[k][0], same[k][1]);
    }
    return OND_OK;
}

// Grains meet walls and solids as they meet each other, unless the scene says how those are.
void ond_dem_contact(const void *def, double *restitution, double *friction)
{
    *restitution = ((const OndDemDef *)def)->restitution;
    *friction = ond_dem_friction(def);
}
