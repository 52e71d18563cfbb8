// SPDX-License-Identifier: MIT
// The loops of one instruction set, side by side.
#include "particles/loops.h"

#define LOOP(name, Type) void OND_LOOP(name)(const Type *, int, int);
void OND_LOOP(search)(const OndSearchLoop *, int, int, int);
LOOP(pressure, OndPressureLoop)
LOOP(artificial, OndArtificialLoop)
LOOP(viscosity, OndViscosityLoop)
LOOP(continuity, OndContinuityLoop)
LOOP(xsph, OndXsphLoop)
LOOP(cohesion, OndCohesionLoop)
LOOP(colour, OndColourLoop)
#undef LOOP

extern const OndLoops OND_JOIN(ond_loops, OND_ISA);
const OndLoops OND_JOIN(ond_loops, OND_ISA) = {
    OND_LOOP(search),     OND_LOOP(pressure), OND_LOOP(artificial), OND_LOOP(viscosity),
    OND_LOOP(continuity), OND_LOOP(xsph),     OND_LOOP(cohesion),   OND_LOOP(colour),
};
