// SPDX-License-Identifier: MIT
// The loops of one instruction set, side by side.
#include "grid/loops/loops.h"

#define LOOP(name) double OND_GRID_LOOP(name)(OndGridLoop *, int, int);
LOOP(residual)
LOOP(right)
LOOP(apply)
LOOP(rest)
LOOP(smooth)
LOOP(finish)
LOOP(divide)
LOOP(correct)
LOOP(relax)
LOOP(dot)
LOOP(advance)
LOOP(turn)
LOOP(collect)
LOOP(spread)
LOOP(lower)
LOOP(upper)
#undef LOOP

extern const OndGridLoops OND_GRID_JOIN(ond_grid_loops, OND_ISA);
const OndGridLoops OND_GRID_JOIN(ond_grid_loops, OND_ISA) = {
    .residual = OND_GRID_LOOP(residual),
    .right = OND_GRID_LOOP(right),
    .apply = OND_GRID_LOOP(apply),
    .rest = OND_GRID_LOOP(rest),
    .smooth = OND_GRID_LOOP(smooth),
    .finish = OND_GRID_LOOP(finish),
    .divide = OND_GRID_LOOP(divide),
    .correct = OND_GRID_LOOP(correct),
    .relax = OND_GRID_LOOP(relax),
    .dot = OND_GRID_LOOP(dot),
    .advance = OND_GRID_LOOP(advance),
    .turn = OND_GRID_LOOP(turn),
    .collect = OND_GRID_LOOP(collect),
    .spread = OND_GRID_LOOP(spread),
    .lower = OND_GRID_LOOP(lower),
    .upper = OND_GRID_LOOP(upper),
};
