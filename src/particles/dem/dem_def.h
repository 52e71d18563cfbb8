// SPDX-License-Identifier: MIT
// Everything a scene can say about DEM. The table in dem_def.c gives each its default, unit and
// range.
#ifndef OND_PARTICLES_DEM_DEF_H
#define OND_PARTICLES_DEM_DEF_H

#include "base/schema.h"
#include "method/method.h"

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

/// The coefficient that holds; OND_FRICTION_UNBOUNDED where the drag has no bounds.
double ond_dem_friction(const OndDemDef *def);

extern const OndSchema ond_dem_schema;

// What a scene says to it: part of the table in dem.c.
extern const OndRefusedKey ond_dem_refused[];
OndStatus ond_dem_check_scene(const void *def, const OndMethodScene *scene, OndError *err);
void ond_dem_contact(const void *def, double *restitution, double *friction);

#endif
