// SPDX-License-Identifier: MIT
// Everything a scene can say about how solids keep their shape. rigid_def.c has defaults and
// ranges.
#ifndef OND_PARTICLES_RIGID_DEF_H
#define OND_PARTICLES_RIGID_DEF_H

#include "base/schema.h"

typedef enum OndRigidSolver {
    OND_RIGID_GLOBAL, ///< one symmetric system a step; solid pieces are bodies
    OND_RIGID_THESIS, ///< Dagenais 2012, 2.2: predict, measure, correct
    OND_RIGID_NONE,   ///< everything flows
} OndRigidSolver;

typedef struct OndRigidDef {
    int solver;
    double exponent; ///< b of the pair weights s^b
    double time;     ///< in which a free deformation shrinks to 1 - s, s; 0: in every step
    // global
    double stiffness, floor, tolerance;
    double sleep;   ///< way within which something rests, in spacings; 0: nothing sleeps
    double softens; ///< what was solid stays so down to this rigidity
    // thesis
    double stop;       ///< share by which the error must still fall
    int window;        ///< iterations averaged for that
    bool propagation;  ///< of constraints
    bool second;       ///< its second condition: the most rigid first
    double alike;      ///< rigidities that differ by no more are equally the most rigid
    double stabilised; ///< mean distance from the target, in spacings, that counts as reached
    int release;       ///< iterations after which a particle counts as stabilised anyway
    // both
    int iterations; ///< at most
    const OndNode *node;
} OndRigidDef;

extern const OndSchema ond_rigid_schema;

#endif
