// SPDX-License-Identifier: MIT
// Points on a body's surface, which tell where it touches what has no closed form: meshes, shapes
// made of several, containers.
//
// A point knows which way the body's own surface looks there. A face that it meets looks back at
// it; one that does not - the side of a table, for a point in the middle of a bottom that lies on
// the table's edge - is not what the point stands on, however near it is.
#ifndef OND_SOLIDS_BODY_POINTS_H
#define OND_SOLIDS_BODY_POINTS_H

#include "solids/scene/sim_solids.h"

typedef struct OndBodyPoint {
    OndVec at;   ///< in the body's own frame
    OndVec way;  ///< outwards, one long; zero: nobody knows
    double half; ///< rad: how far from it the faces that meet here look; 0 within a flat one
} OndBodyPoint;

typedef struct OndBodyPoints {
    OndBodyPoint *point;
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

/// How squarely a face with that normal looks back at a point whose `way` is given in the world: 1
/// squarely, 0 and below not at all.
double ond_body_point_facing(const OndBodyPoint *point, OndVec way, OndVec normal);

/// The few touches that say as much as all: up to four for each direction, at least `apart` from
/// each other. Sorts `touch` and returns how many of its first ones are left, at most `most`.
int ond_body_touches_thin(OndBodyTouch *touch, int count, double apart, int most);

#endif
