// SPDX-License-Identifier: MIT
// How thin solids are that bodies may hit.
//
// A body that is fast, or small, must not be before a wall at one step and behind it at the next.
// What a box round a solid says of its thickness is nothing for what is hollow: a tank, a glass, a
// shell. So the surface is sampled, by the feet of a lattice of points round it; from each place
// the solid is looked through, along the normal, for a face that looks the other way.
#ifndef OND_SOLIDS_BODY_THIN_H
#define OND_SOLIDS_BODY_THIN_H

#include "solids/scene/sim_solids.h"

/// Thickness of its thinnest walls, as it stands now, m; what its box says where that is less, or
/// where walls are thicker than two spacings. What is as thin as that for less than a hundredth of
/// the surface, as the edge of a blade, does not count. 0: sheets and planes, which have none.
OndStatus ond_body_thickness(const OndSimSolids *s, int which, bool flat, double *out,
                             OndError *err);

/// What the box round a solid says of it.
double ond_body_box_thickness(const OndSimSolids *s, int which, bool flat);

#endif
