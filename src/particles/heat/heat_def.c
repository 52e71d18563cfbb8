// SPDX-License-Identifier: MIT
#include "particles/heat/heat_def.h"

static const char *const solvers[] = {"implicit", "thesis", "stora", "solenthaler", "paiva", NULL};

#define AT(member) .offset = offsetof(OndHeatDef, member)

static const OndKey keys[] = {
    {"solver", OND_KEY_CHOICE, AT(solver), .choices = solvers,
     .help = "`implicit` keeps all heat and never overshoots, however long the step; `thesis` goes "
             "from pair to pair (Dagenais 2012); `stora`, `solenthaler`, `paiva` are explicit and "
             "burst with long steps: for comparison."},
    {"latent", OND_KEY_BOOL, AT(latent), .fallback = 1,
     .help = "Melting takes up the material's latent heat, setting gives it back."},
    {"tolerance", OND_KEY_NUMBER, AT(tolerance), .fallback = 1e-5, .min = 1e-12, .max = 0.1,
     .help = "With `implicit`: share of the error at which iterations stop."},
    {"iterations", OND_KEY_INT, AT(iterations), .fallback = 2000, .min = 1, .max = 1000000,
     .help = "No more iterations than this in a step; a step that needed more is reported."},
};

const OndSchema ond_heat_schema = {
    .name = "heat",
    .help = "How heat spreads.",
    .size = sizeof(OndHeatDef),
    .keys = keys,
    .count = OND_COUNT(keys),
    .node_offset = offsetof(OndHeatDef, node),
};
