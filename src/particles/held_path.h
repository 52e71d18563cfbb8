// SPDX-License-Identifier: MIT
// Where a particle that is animated elsewhere is, and how fast, at any time.
//
// A cubic from each place to the next [Catmull and Rom 1974]: its slope at a place is half the way
// from the place before to the one after, so that the velocity has no jumps and what hangs on the
// particle is not hit at every frame. Where a path begins and ends it is at rest, unless it goes
// round.
#ifndef OND_PARTICLES_HELD_PATH_H
#define OND_PARTICLES_HELD_PATH_H

#include "method/world.h"

/// Place (m) and velocity (m/s; NULL: not asked) of a particle of the path.
void ond_held_path_at(const OndHeldPath *path, int particle, double time, double x[3], double v[3]);
/// The fastest that any of its particles goes, m/s: at its places and half way between them.
double ond_held_path_fastest(const OndHeldPath *path);

#endif
