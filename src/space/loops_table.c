// SPDX-License-Identifier: MIT
// The loops of one instruction set, side by side.
#include "space/loops.h"

void OND_SPACE_LOOP(touch)(const OndTouchLoop *, const OndRun *, OndTouchAsked *, int,
                           OndTouchFound *);
void OND_SPACE_LOOP(near)(const OndNearLoop *, int, int, int);

extern const OndSpaceLoops OND_SPACE_JOIN(ond_space_loops, OND_ISA);
const OndSpaceLoops OND_SPACE_JOIN(ond_space_loops, OND_ISA) = {
    .touch = OND_SPACE_LOOP(touch),
    .near = OND_SPACE_LOOP(near),
};
