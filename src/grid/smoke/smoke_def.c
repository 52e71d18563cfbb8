// SPDX-License-Identifier: MIT
#include "grid/smoke/smoke_def.h"

#include "base/memory.h"
#include "grid/advect.h"
#include "grid/solvers/solver.h"

#include <stddef.h>

#define AT(member) .offset = offsetof(OndSmokeDef, member)

// `smoke` and `current` have the same keys; what differs is how dense the fluid is, how much heat
// warms it, how it swells, what a projection may leave, and how long steps are.
// clang-format off
#define KEYS(mass, warms, swells, rest, cells, longest)                                            \
    {"cell", OND_KEY_NUMBER, AT(cell), .unit = "m", .min = 1e-6, .max = 1e6, .required = true,     \
     .help = "Edge of a cell; the domain must be a whole number of them along each axis. Half of " \
             "it means eight times the cells."},                                                   \
    {"advection", OND_KEY_CHOICE, AT(advection), .choices = ond_advection_names,                   \
     .fallback = OND_ADVECT_MACCORMACK,                                                            \
     .help = "How things are carried: `linear` is quick and smears, `maccormack` keeps detail, "   \
             "`cubic` is the most exact and the dearest."},                                        \
    {"trace", OND_KEY_CHOICE, AT(trace), .choices = ond_trace_names,                               \
     .help = "How the way back along the flow is found: `taylor` knows how the flow changes on "   \
             "the way, `rk2` and `rk3` take it as it stands, by stages of Runge-Kutta."},          \
    {"density", OND_KEY_NUMBER, AT(density), .unit = "kg/m^3", .min = 1e-6, .max = 1e6,            \
     .fallback = mass,                                                                             \
     .help = "Mass per volume of the fluid: bodies float in it, `heat` warms it."},                \
    {"specific_heat", OND_KEY_NUMBER, AT(capacity), .unit = "J/(kg K)", .above = true,             \
     .max = 1e9, .fallback = warms, .help = "Heat that warms a kilogram of it by a degree."},      \
    {"viscosity", OND_KEY_NUMBER, AT(viscosity), .unit = "m^2/s", .max = 1e9,                      \
     .help = "Kinematic viscosity: air 1.5e-5, water 1e-6. Implicit, so any is stable."},          \
    {"diffusion", OND_KEY_NUMBER, AT(diffusion), .unit = "m^2/s", .max = 1e9,                      \
     .help = "How fast the density of smoke or ink spreads by itself."},                           \
    {"heat_diffusion", OND_KEY_NUMBER, AT(heat), .unit = "m^2/s", .max = 1e9,                      \
     .help = "How fast the temperature does: air 2.1e-5. Walls and solids with a temperature "     \
             "heat by it."},                                                                       \
    {"expansion", OND_KEY_NUMBER, AT(expansion), .unit = "1/K", .max = 1e3, .fallback = swells,    \
     .help = "What is warmer than the air by 1 K is lighter by this share, and rises."},           \
    {"weight", OND_KEY_NUMBER, AT(weight), .min = -1e3, .max = 1e3,                                \
     .help = "By how much a density of 1 is heavier than the air, as a share: ink sinks with "     \
             "0.05, a light gas rises with less than 0."},                                         \
    {"confinement", OND_KEY_NUMBER, AT(confinement), .max = 100,                                   \
     .help = "Vorticity confinement: gives back the whirls that the grid smears. 0 is honest, "    \
             "0.1 to 0.5 is livelier."},                                                           \
    {"fading", OND_KEY_NUMBER, AT(fading), .unit = "1/s", .max = 1e9,                              \
     .help = "Share of the density that is lost in a second."},                                    \
    {"cooling", OND_KEY_NUMBER, AT(cooling), .unit = "1/s", .max = 1e9,                            \
     .help = "Share of the difference to the air's temperature that is lost in a second."},        \
    {"keep_mass", OND_KEY_BOOL, AT(keep_mass), .fallback = 1,                                      \
     .help = "The sum of the density is kept as it is carried, while none or little leaves."},  \
    {"solver", OND_KEY_TEXT, AT(solver), .text = "mgpcg",                                          \
     .help = "Who solves for the pressure: jacobi, gauss-seidel, sor, multigrid, cg, iccg or "     \
             "mgpcg. See docs/grids.md."},                                                         \
    {"tolerance", OND_KEY_NUMBER, AT(tolerance), .min = 1e-12, .max = 0.5, .fallback = rest,       \
     .help = "Share of the divergence that a projection may leave."},                              \
    {"iterations", OND_KEY_INT, AT(iterations), .min = 1, .max = 1000000, .fallback = 1000,        \
     .help = "At most so many for each projection."},                                              \
    {"courant", OND_KEY_NUMBER, AT(courant), .unit = "cells", .above = true, .max = 100,           \
     .fallback = cells, .help = "How far the fastest fluid goes in a step."},                      \
    {"largest_step", OND_KEY_NUMBER, AT(largest_step), .unit = "s", .above = true, .max = 1e3,     \
     .fallback = longest, .help = "No step is longer than this, nor than a frame."}

static const OndKey smoke_keys[] = {KEYS(1.204, 1005, 0.0034, 1e-4, 2, 0.1)};
static const OndKey current_keys[] = {KEYS(998.23, 4182, 2.1e-4, 1e-2, 5, 0.5)};
// clang-format on

const OndSchema ond_smoke_schema = {
    .name = "smoke",
    .help = "Smoke, ink or air on a staggered grid: a density that is carried along, a temperature "
            "that makes it rise, solids with fractional faces, open and closed sides.",
    .size = sizeof(OndSmokeDef),
    .keys = smoke_keys,
    .count = OND_COUNT(smoke_keys),
    .node_offset = offsetof(OndSmokeDef, node),
};

const OndSchema ond_current_schema = {
    .name = "current",
    .help =
        "Slow water under the surface: the same as `smoke` with the values of water, long steps "
        "and a pressure that need not be exact. For `tracer` and bodies that drift.",
    .size = sizeof(OndSmokeDef),
    .keys = current_keys,
    .count = OND_COUNT(current_keys),
    .node_offset = offsetof(OndSmokeDef, node),
};

// ---- what a scene says to it

#define COLD                                                                                       \
    "`heat_diffusion` of the method is 0, so that nothing would get warm by it (air 2.1e-5, "      \
    "water "                                                                                       \
    "1.4e-7; on coarse cells more)"

static bool spreads_no_heat(const void *def, const OndMethodScene *scene)
{
    return !(((const OndSmokeDef *)def)->heat > 0.0);
}

// Warm walls and solids warm the fluid by its own diffusion.
const OndRefusedKey ond_smoke_refused[] = {
    {OND_IN_DOMAIN, "temperature", .why = COLD, .when = spreads_no_heat},
    {OND_IN_CLOSED_SIDE, "temperature", .why = COLD, .when = spreads_no_heat},
    {OND_IN_SOLID, "temperature", .why = COLD, .when = spreads_no_heat},
    {.key = NULL},
};

OndStatus ond_smoke_check_scene(const void *def, const OndMethodScene *scene, OndError *err)
{
    const OndNode *const at = ond_node_get(scene->node, "solver");
    OndError why = {0};
    if (ond_solver_work(((const OndSmokeDef *)def)->solver, &why) >= 0) return OND_OK;
    return ond_tree_fail(scene->tree, at ? at : scene->node, err, "%s", why.text);
}

OndFlowTraits ond_smoke_flow_traits(const void *def)
{
    const OndSmokeDef *const d = def;
    return (OndFlowTraits){d->density, d->courant, d->largest_step};
}
