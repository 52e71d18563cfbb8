// SPDX-License-Identifier: MIT
// How far the nearest solid is, with a sign: what a method on a grid asks of solids.
#ifndef OND_SOLIDS_SOLID_CLEARANCE_H
#define OND_SOLIDS_SOLID_CLEARANCE_H

#include "solids/scene/sim_solids.h"

/// Metres from a point to the nearest surface; below 0 inside an obstacle or outside all
/// containers. What drifts, and sheets, which have no inside, do not count. `velocity` gets that of
/// the nearest solid there, and `which` its index (-1: there is none); both may be NULL. `own` is
/// an OndSimSolids.
double ond_solid_clearance(const void *own, OndVec at, OndVec *velocity, int *which);

/// The same with what drifts.
double ond_solid_clearance_all(const OndSimSolids *solids, OndVec at);

#endif
