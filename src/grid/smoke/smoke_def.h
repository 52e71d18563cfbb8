// SPDX-License-Identifier: MIT
// Everything a scene can say about `smoke` and `current`, which are one method with other defaults.
// The tables in smoke_def.c give each key its default, unit and range.
#ifndef OND_GRID_SMOKE_DEF_H
#define OND_GRID_SMOKE_DEF_H

#include "base/schema.h"
#include "method/method.h"

typedef struct OndSmokeDef {
    double cell;        ///< m
    double density;     ///< of the fluid, kg/m^3
    double capacity;    ///< specific heat, J/(kg K)
    int advection;      ///< enum OndAdvection
    int trace;          ///< enum OndTrace
    double viscosity;   ///< m^2/s
    double diffusion;   ///< of the density, m^2/s
    double heat;        ///< diffusivity of the temperature, m^2/s
    double expansion;   ///< 1/K
    double weight;      ///< of density 1, as a share of the air's
    double confinement; ///< pure number
    double fading;      ///< of the density, 1/s
    double cooling;     ///< towards the air's temperature, 1/s
    bool keep_mass;
    const char *solver;
    double tolerance;
    int iterations;
    double courant; ///< cells a step
    double largest_step;
    const OndNode *node;
} OndSmokeDef;

extern const OndSchema ond_smoke_schema, ond_current_schema;

// What a scene says to it: part of the tables in smoke.c.
extern const OndRefusedKey ond_smoke_refused[];
OndStatus ond_smoke_check_scene(const void *def, const OndMethodScene *scene, OndError *err);
OndFlowTraits ond_smoke_flow_traits(const void *def);

#endif
