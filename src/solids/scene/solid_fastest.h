// SPDX-License-Identifier: MIT
// How fast faces will be that do not move as told: those of bodies, and of meshes that bend. The
// liquid's speed of sound must be chosen for them before they are.
#ifndef OND_SOLIDS_SOLID_FASTEST_H
#define OND_SOLIDS_SOLID_FASTEST_H

#include "solids/scene/sim_solids.h"

/// How fast a body is at the start, at its surface; for others the largest speed of a corner
/// between two meshes of a sequence, beside that of its motion. m/s.
double ond_solid_fastest(const OndSimSolids *solids, int which);
/// g H of a body: how far it can fall, to the wall of the domain below it or, without one, to the
/// lowest of the other solids, within the scene's duration. m^2/s^2.
double ond_solid_fall(const OndSimSolids *solids, int which);

#endif
