// SPDX-License-Identifier: MIT
// The loops of one instruction set, side by side.
#include "particles/loops/loops.h"

#define LOOP(name, Type) void OND_LOOP(name)(const Type *, int, int);
void OND_LOOP(search)(const OndSearchLoop *, int, int, int);
void OND_LOOP(link)(const OndLinkLoop *, int, int, int);
void OND_LOOP(meet)(const OndMeetLoop *, uint32_t, uint32_t, float[5]);
void OND_LOOP(tie)(const OndTieLoop *, OndSeats *, int, const int *, int);
void OND_LOOP(share)(const OndTieLoop *, const OndSeats *, int);
void OND_LOOP(carry)(double[36], const double[36], const double[3], const double[3]);
LOOP(trap, OndTrapLoop)
LOOP(pull, OndPullLoop)
LOOP(leave, OndGroupLoop)
LOOP(relax, OndGroupLoop)
LOOP(begin, OndGroupLoop)
LOOP(contact, OndContactLoop)
LOOP(pressure, OndPressureLoop)
LOOP(artificial, OndArtificialLoop)
LOOP(curl, OndCurlLoop)
LOOP(spare, OndSpareLoop)
LOOP(viscosity, OndViscosityLoop)
LOOP(continuity, OndContinuityLoop)
LOOP(impulse, OndImpulseLoop)
LOOP(crowding, OndImpulseLoop)
LOOP(ease, OndImpulseLoop)
LOOP(differ, OndImpulseLoop)
LOOP(gather, OndPressureGridLoop)
LOOP(spread, OndPressureGridLoop)
LOOP(element, OndPressureGridLoop)
LOOP(rub, OndViscousLoop)
LOOP(rub_block, OndViscousLoop)
LOOP(xsph, OndXsphLoop)
LOOP(slope, OndSlopeLoop)
LOOP(curvature, OndCurvatureLoop)
LOOP(colour, OndColourLoop)
LOOP(conduct, OndConductLoop)
LOOP(flow, OndFlowLoop)
LOOP(exposed, OndExposedLoop)
LOOP(thesis, OndThesisLoop)
#undef LOOP

extern const OndLoops OND_JOIN(ond_loops, OND_ISA);
const OndLoops OND_JOIN(ond_loops, OND_ISA) = {
    .search = OND_LOOP(search),
    .pressure = OND_LOOP(pressure),
    .artificial = OND_LOOP(artificial),
    .curl = OND_LOOP(curl),
    .spare = OND_LOOP(spare),
    .viscosity = OND_LOOP(viscosity),
    .continuity = OND_LOOP(continuity),
    .impulse = OND_LOOP(impulse),
    .crowding = OND_LOOP(crowding),
    .ease = OND_LOOP(ease),
    .differ = OND_LOOP(differ),
    .gather = OND_LOOP(gather),
    .spread = OND_LOOP(spread),
    .element = OND_LOOP(element),
    .rub = OND_LOOP(rub),
    .rub_block = OND_LOOP(rub_block),
    .xsph = OND_LOOP(xsph),
    .slope = OND_LOOP(slope),
    .curvature = OND_LOOP(curvature),
    .colour = OND_LOOP(colour),
    .conduct = OND_LOOP(conduct),
    .flow = OND_LOOP(flow),
    .exposed = OND_LOOP(exposed),
    .thesis = OND_LOOP(thesis),
    .link = OND_LOOP(link),
    .pull = OND_LOOP(pull),
    .tie = OND_LOOP(tie),
    .share = OND_LOOP(share),
    .carry = OND_LOOP(carry),
    .leave = OND_LOOP(leave),
    .relax = OND_LOOP(relax),
    .begin = OND_LOOP(begin),
    .contact = OND_LOOP(contact),
    .trap = OND_LOOP(trap),
    .meet = OND_LOOP(meet),
};
