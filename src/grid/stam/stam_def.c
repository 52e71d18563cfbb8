// SPDX-License-Identifier: MIT
#include "grid/stam/stam_def.h"

#include "base/memory.h"

#include <stddef.h>

#define AT(member) .offset = offsetof(OndStamDef, member)

static const char *const solvers[] = {"gauss-seidel", "jacobi", NULL};

static const OndKey keys[] = {
    {"cell", OND_KEY_NUMBER, AT(cell), .unit = "m", .min = 1e-6, .max = 1e6, .required = true,
     .help = "Edge of a cell; the domain must be a whole number of them along each axis."},
    {"viscosity", OND_KEY_NUMBER, AT(viscosity), .unit = "m^2/s", .max = 1e9,
     .help = "How fast motion spreads to its neighbours (kinematic viscosity). 0: not at all, and "
             "the diffusion of the velocity is left out."},
    {"diffusion", OND_KEY_NUMBER, AT(diffusion), .unit = "m^2/s", .max = 1e9,
     .help = "How fast the density spreads by itself."},
    {"time_step", OND_KEY_NUMBER, AT(time_step), .unit = "s", .max = 1e3, .text = "a step a frame",
     .help = "Length of a step; any is stable, long ones smear."},
    {"iterations", OND_KEY_INT, AT(iterations), .min = 1, .max = 1000000, .fallback = 20,
     .help = "Rounds of the solver in each diffusion and projection."},
    {"solver", OND_KEY_CHOICE, AT(solver), .choices = solvers,
     .help = "`gauss-seidel` uses new values as soon as they are known, on one thread; `jacobi` "
             "only those of the round before, on all."},
};

const OndSchema ond_stam_schema = {
    .name = "stam",
    .help = "Stable fluids on a grid, as Stam 2003 wrote it for games: velocity and density in the "
            "middles of cells, diffuse, project, advect, project. For reading beside the source; "
            "what it cannot do well, `smoke` does.",
    .size = sizeof(OndStamDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndStamDef, node),
};

// ---- what a scene says to it: it knows neither warmth nor weight

#define COLD "stam carries no temperature; use type: smoke"

static bool has_weight(const void *def, const OndMethodScene *scene)
{
    const float *const g = scene->world->gravity;
    return g[0] != 0.0f || g[1] != 0.0f || g[2] != 0.0f;
}

const OndRefusedKey ond_stam_refused[] = {
    {OND_IN_SCENE, "air", .why = COLD},
    {OND_IN_SCENE, "heat", .why = COLD},
    {OND_IN_SCENE, "source", .why = "stam has no sources; use an emitter, or type: smoke"},
    {OND_IN_SCENE, "gravity", .why = "with stam nothing is heavier than the rest; use type: smoke",
     .when = has_weight},
    {OND_IN_DOMAIN, "temperature", .why = COLD},
    {OND_IN_SIDE, "temperature", .why = COLD},
    {OND_IN_FLUID, "temperature", .why = COLD},
    {OND_IN_SOLID, "temperature", .why = COLD},
    {OND_IN_SOLID, "slip", .why = "with stam fluid sticks to solids; use type: smoke"},
    {OND_IN_SOLID, "density", .why = "stam carries no bodies; use type: current"},
    {OND_IN_SOLID, "mass", .why = "stam carries no bodies; use type: current"},
    {.key = NULL},
};
