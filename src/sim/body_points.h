// SPDX-License-Identifier: MIT
// Points on a body's surface, which tell where it touches what has no closed form: meshes, shapes
// made of several, containers.
#ifndef OND_SIM_BODY_POINTS_H
#define OND_SIM_BODY_POINTS_H

#include "sim/sim_solids.h"

typedef struct OndBodyPoints {
    OndVec *point; ///< in the body's own frame
    int count;
} OndBodyPoints;

/// A place where two things touch.
typedef struct OndBodyTouch {
    OndVec at, normal; ///< the normal points towards the first of the two
    double depth;      ///< m
} OndBodyTouch;

/// Points about `pitch` apart, or farther where that would be too many. They live in `arena`.
OndStatus ond_body_points_make(const OndSimSolid *solid, double pitch, bool flat, OndArena *arena,
                               OndBodyPoints *out, OndError *err);

/// The few touches that say as much as all: up to four far apart for each direction. Sorts `touch`
/// and returns how many of its first ones are left, at most `most`.
int ond_body_touches_thin(OndBodyTouch *touch, int count, int most);

#endif
