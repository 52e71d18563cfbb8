// SPDX-License-Identifier: MIT
// What a moving ball hits, and when.
//
// The distance from a triangle is a convex function of the way gone. So Newton's method that begins
// where the ball is still too far never goes too far: each tangent reaches the radius no later than
// the distance itself does. It arrives at the first contact from the safe side, to the last bits,
// whether that is with the face, an edge or a corner, and whatever the triangle looks like. Where a
// triangle moves with its corners that is not so; there the ball goes on by what is surely free.
#ifndef OND_GEOM_SWEEP_H
#define OND_GEOM_SWEEP_H

#include "geom/closest.h"
#include "geom/shape.h"

#include <stdbool.h>

typedef struct OndSweep {
    OndVec from, to; ///< the way of the centre
    double radius;
} OndSweep;

typedef struct OndContact {
    double t;      ///< share of the way gone at the contact. Set before: what comes later is no hit
    OndVec at;     ///< of the surface
    OndVec normal; ///< one long, from there to the ball's centre
    double start;  ///< distance at the start of the way: the least of this and what was set before
} OndContact;

/// The first time that the centre comes as near as the radius. A ball that starts nearer hits at
/// once when it comes nearer still, and not at all when it leaves. False changes only `start`.
bool ond_sweep_triangle(const OndVec corner[3], const OndSweep *sweep, OndContact *contact);

/// The same while the corners move evenly from `corner` to `end`. The contact is as the triangle
/// stands at that time; it may be told a little early, never late.
bool ond_sweep_moving_triangle(const OndVec corner[3], const OndVec end[3], const OndSweep *sweep,
                               OndContact *contact);

/// The same against the surface of a shape, from the side where the way begins.
bool ond_sweep_shape(const OndShape *shape, bool flat, const OndSweep *sweep, OndContact *contact);

#endif
