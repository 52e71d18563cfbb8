// SPDX-License-Identifier: MIT
// Everything a scene can say about how liquids' own friction is solved. viscous_def.c has defaults
// and ranges.
#ifndef OND_PARTICLES_VISCOUS_DEF_H
#define OND_PARTICLES_VISCOUS_DEF_H

#include "base/schema.h"

typedef enum OndViscousSolver {
    OND_VISCOUS_AUTO,     ///< implicit where explicit friction would shorten the steps
    OND_VISCOUS_EXPLICIT, ///< by the velocities of now
    OND_VISCOUS_IMPLICIT, ///< by those after the step
} OndViscousSolver;

typedef struct OndViscousDef {
    int solver;
    double tolerance;
    int iterations; ///< at most
    const OndNode *node;
} OndViscousDef;

extern const OndSchema ond_viscous_schema;

#endif
