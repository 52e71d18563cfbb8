// SPDX-License-Identifier: MIT
// What cannot start where a solid is.
#ifndef OND_SOLIDS_SOLID_START_H
#define OND_SOLIDS_SOLID_START_H

#include "sim/scene/scene_fill.h"
#include "solids/scene/sim_solids.h"

/// Leaves out the particles inside obstacles, outside containers, or too near to a surface, and
/// notes how many, and how much of the mouths of emitters is covered. A fluid of which nothing is
/// left, and an emitter whose mouth is and stays covered, are errors at their place in the scene.
OndStatus ond_solids_leave_out(OndSimSolids *solids, OndStart *start, OndError *err);

#endif
