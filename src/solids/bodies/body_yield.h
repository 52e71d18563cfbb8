// SPDX-License-Identifier: MIT
// What a body gains by a load that becomes less while it gains (OndSolidLoad.yield):
//
//     (M + dt Y) u = dt F
//
// with velocity and spin in u, force and torque in F, mass and inertia in M. However light the body
// is, it gains no more than what lets the load vanish.
#ifndef OND_SOLIDS_BODY_YIELD_H
#define OND_SOLIDS_BODY_YIELD_H

#include "solids/bodies/bodies.h"

/// Whether a load yields at all.
bool ond_load_yields(const OndSolidLoad *load);

/// The gain of a body in a pose by a force and a torque about its centre, which is `arm` from its
/// own origin in the world. `load` yields; `flat`: it stays in its plane.
void ond_body_gain(const OndBody *body, const OndPose *pose, OndVec arm, const OndSolidLoad *load,
                   bool flat, double dt, OndVec force, OndVec torque, OndVec *gain, OndVec *spin);

#endif
