// SPDX-License-Identifier: MIT
#include "particles/viscous/viscous_def.h"

static const char *const solvers[] = {"auto", "explicit", "implicit", NULL};

#define AT(member) .offset = offsetof(OndViscousDef, member)

static const OndKey keys[] = {
    {"solver", OND_KEY_CHOICE, AT(solver), .choices = solvers,
     .help = "`explicit` friction follows from the velocities of now, and thick liquids take tiny "
             "steps; `implicit` finds the velocities after the step, at any viscosity and in any "
             "step; `auto` is implicit where friction would shorten the steps."},
    {"tolerance", OND_KEY_NUMBER, AT(tolerance), .fallback = 0.01, .min = 0, .max = 0.5,
     .above = true,
     .help = "Not with `explicit`: share of what friction changes that may be wrong."},
    {"iterations", OND_KEY_INT, AT(iterations), .fallback = 500, .min = 1, .max = 100000,
     .help = "Not with `explicit`: no more iterations than this in a step; a step that needed more "
             "is reported."},
};

const OndSchema ond_viscous_schema = {
    .name = "viscosity",
    .help = "How a liquid's own friction is solved.",
    .size = sizeof(OndViscousDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndViscousDef, node),
};
