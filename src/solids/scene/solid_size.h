// SPDX-License-Identifier: MIT
// Solids whose size or place is hardly what was meant; inside sim/ only.
#ifndef OND_SOLIDS_SOLID_SIZE_H
#define OND_SOLIDS_SOLID_SIZE_H

#include "solids/scene/sim_solids.h"

/// Notes meshes far larger than the domain or smaller than two particles, and what stands outside
/// the domain for ever. Solids stand where they start.
void ond_solid_sizes_note(OndSimSolids *solids);

/// Particles that go round a periodic side meet no solid there: one that comes near it is an error,
/// unless it reaches past both sides.
OndStatus ond_solids_check_seams(const OndSimSolids *solids, OndError *err);

/// "0.08 x 0.1 x 0.08 m"; "endless" for a plane.
void ond_solid_size_words(const OndSimSolid *solid, char *out, size_t room);

#endif
