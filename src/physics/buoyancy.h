// SPDX-License-Identifier: MIT
// What pushes smoke: buoyancy and vorticity confinement; and what feeds it.
//
// Confinement [Steinhoff 1994, Fedkiw 2001]: whirls that the grid has smeared get a push round
// their middle, f = confinement h (N x omega), with omega the curl of the flow and N the direction
// in which its strength grows.
#ifndef OND_PHYSICS_BUOYANCY_H
#define OND_PHYSICS_BUOYANCY_H

#include "physics/law.h"

#include <math.h>

// By how much a cell is heavier than clear air of the air's temperature, as a share of gravity
// [Fedkiw 2001 eq. 8]; `warmth` is above the air.
OND_LAW float ond_buoyancy(float weight, float density, float expansion, float warmth)
{
    return weight * density - expansion * warmth;
}

// What a face between two cells gains; `whole` is 1 where the weight of all of the fluid counts, not
// only what differs: along a periodic axis, where pressure cannot balance it.
OND_LAW float ond_buoyancy_push(float factor, float whole, float mine, float other)
{
    return factor * (whole + 0.5f * (mine + other));
}

// ---- confinement

// A velocity in the middle of a cell, from its two faces.
OND_LAW float ond_cell_mean(float low, float high)
{
    return 0.5f * (low + high);
}

// A central difference; `factor` is 1 / 2h.
OND_LAW float ond_central_slope(float low, float high, float factor)
{
    return (high - low) * factor;
}

// A component of omega: d u_b / d x_a - d u_a / d x_b.
OND_LAW float ond_curl(float ba, float ab)
{
    return ba - ab;
}

// A component of N x omega, of N's other two components (times its `length`) and omega's.
OND_LAW float ond_confinement(float nb, float nc, float wb, float wc, float length)
{
    return (nb * wc - nc * wb) / length;
}

// ---- sources

// Share of a cell that is fresh after as much has come in as `filled` cells hold, well mixed.
OND_LAW float ond_source_fresh(float filled)
{
    return 1.0f - expf(-filled);
}

// What is there, and what comes: mixed by a share.
OND_LAW float ond_source_mix(float here, float fresh, float share)
{
    return here + share * (fresh - here);
}

#endif
