// SPDX-License-Identifier: MIT
// Everything a scene can say about DEM. The table in dem_def.c gives each its default, unit and
// range.
#ifndef OND_PARTICLES_DEM_DEF_H
#define OND_PARTICLES_DEM_DEF_H

#include "base/schema.h"

#define OND_DEM_GRIP 2e6 // friction that bounds nothing: more than a scene may give

/// What resists sliding: a force that grows with its speed, or springs that remember.
enum { OND_DEM_SLIDING_DRAG, OND_DEM_SLIDING_GRIP };

typedef struct OndDemDef {
    double stiffness;   ///< N/m; 0: from `overlap`
    double overlap;     ///< share of the diameter that the hardest impact presses
    double damping;     ///< N s/m; below 0: from `restitution`
    double restitution; ///< share of the speed that a collision leaves
    double shear;       ///< N s/m; below 0: from `shear_share`
    double shear_share; ///< of sqrt(k m)
    double friction;    ///< Coulomb's coefficient; below 0: see ond_dem_friction
    int sliding;
    double stability; ///< share of the largest stable step
    double courant;   ///< share of the diameter that a grain may move in a step
    double largest_step;
    const OndNode *node;
} OndDemDef;

/// The coefficient that holds; OND_DEM_GRIP where the drag has no bounds.
double ond_dem_friction(const OndDemDef *def);

extern const OndSchema ond_dem_schema;

#endif
