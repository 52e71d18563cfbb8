// SPDX-License-Identifier: MIT
// An emitter on a grid: an inlet whose speed and cargo are prescribed.
//
// It is two things. A fan in its mouth makes the fluid go as fast as it pours; the method does that
// before each projection. The pressure takes some of it off again, so the fan tries harder (its
// effort) until the flow that is left has the speed. And after each step the smoke that came out in
// it, rate times dt, is put into the column in front of the mouth that what flowed there has left:
// as long as the flow went in the step, and longer where that is not enough to hold it. So as much
// comes as the rate says, and without gaps, however long steps are. What does not find room - all
// is smoke already - comes later, but not long after the emitter is shut.
#ifndef OND_SIM_EMITTER_GRID_H
#define OND_SIM_EMITTER_GRID_H

#include "grid/stream.h"
#include "method/world.h"
#include "sim/emitter.h"

/// What has a method called before a projection; `emitter` must outlive it.
OndFlowSource ond_emitter_grid_fan(OndEmitter *emitter, const OndSceneDef *scene);

/// For a method without fans: sets the velocity in the mouth, if it is not shut at `time`.
void ond_emitter_grid_drive(const OndEmitter *emitter, double time, const OndGrid *grid,
                            OndFields *cells);

/// Density and temperature that come in a step of length `dt` that ends at `time`. `clearance` as
/// in OndWorld; NULL: nothing is in the way. Feels how fast the flow is in the mouth, and lets the
/// emitter's fan try harder or less. False when nothing came.
bool ond_emitter_grid_pour(OndEmitter *emitter, double time, double dt, const OndWorld *world,
                           const OndGrid *grid, OndFields *cells);

#endif
