// SPDX-License-Identifier: MIT
// A run goes on with the meshes it began with: checkpoints keep a mark of each.
#ifndef OND_SOLIDS_SOLID_MARKS_H
#define OND_SOLIDS_SOLID_MARKS_H

#include "sim/checkpoint.h"
#include "solids/scene/sim_solids.h"

void ond_solid_marks_save(OndSimSolids *solids, OndCheckpoint *to);
/// An error at the file of the first solid whose mesh is another one.
OndStatus ond_solid_marks_check(const OndSimSolids *solids, const OndCheckpoint *from,
                                OndError *err);

#endif
