// SPDX-License-Identifier: MIT
// Bodies that drift in the flow of a grid.
//
// The fluid carries them; they do not hold it up. A body of mass m that takes the place of fluid of
// mass f moves by
//
//     (m + f/2) dv/dt = (m - f) g + 3/2 f Du/Dt + 1/2 rho C A |u - v| (u - v)
//
// with u the mean of the flow over the body, f/2 the fluid that has to be pushed about with it (as
// round a sphere), A the shadow of a ball of its volume. The flow's own acceleration is taken as if
// it were steady: (u . grad) u. Drag is implicit, so that long steps stay calm. The body turns
// towards the flow's turning at the same rate. [Maxey 1983] Equation of motion for a small rigid
// sphere, Phys. Fluids 26; with the drag of a large one.
//
// Contacts with solids, walls and each other are those of all bodies (solids/bodies/body_contacts.h).
#ifndef OND_SOLIDS_DRIFT_H
#define OND_SOLIDS_DRIFT_H

#include "grid/stream.h"
#include "solids/bodies/bodies.h"

/// The longest step in which no body goes farther than half of where it is thinnest, so that it
/// does not get past what it should bounce off, s. `driven`: as fast as anything makes the flow.
double ond_drift_largest_step(const OndBodies *bodies, const OndStream *stream, double driven);

/// Adds what the flow does to each body in `dt` to the solids' loads. `density`: of the fluid.
void ond_drift_push(const OndBodies *bodies, const OndStream *stream, double density, double dt);

#endif
