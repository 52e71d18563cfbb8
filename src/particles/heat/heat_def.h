// SPDX-License-Identifier: MIT
// Everything a scene can say about how heat spreads. heat_def.c has defaults and ranges.
#ifndef OND_PARTICLES_HEAT_DEF_H
#define OND_PARTICLES_HEAT_DEF_H

#include "base/schema.h"

typedef enum OndHeatSolver {
    OND_HEAT_IMPLICIT,    ///< one symmetric system a step: keeps heat and bounds at any step
    OND_HEAT_THESIS,      ///< Dagenais 2012, 3.2: pair after pair, each implicit
    OND_HEAT_STORA,       ///< explicit, for comparison
    OND_HEAT_SOLENTHALER, ///< explicit, for comparison (eq. 3.4)
    OND_HEAT_PAIVA,       ///< explicit, for comparison
} OndHeatSolver;

typedef struct OndHeatDef {
    int solver;
    bool latent; ///< melting takes up heat
    double tolerance;
    int iterations; ///< at most
    const OndNode *node;
} OndHeatDef;

extern const OndSchema ond_heat_schema;

#endif
