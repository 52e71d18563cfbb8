// SPDX-License-Identifier: MIT
// The loops of one instruction set, side by side.
#include "space/loops.h"

uint32_t OND_SPACE_LOOP(touch)(const OndTouchLoop *, const OndRun *, int, uint32_t *, uint32_t);

extern const OndSpaceLoops OND_SPACE_JOIN(ond_space_loops, OND_ISA);
const OndSpaceLoops OND_SPACE_JOIN(ond_space_loops, OND_ISA) = {
    .touch = OND_SPACE_LOOP(touch),
};
