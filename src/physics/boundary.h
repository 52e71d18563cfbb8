// SPDX-License-Identifier: MIT
// Boundary conditions of a grid as ghost values: what stands on a side is the mean of the ghost cell
// and the cell before it.
#ifndef OND_PHYSICS_BOUNDARY_H
#define OND_PHYSICS_BOUNDARY_H

#include "physics/law.h"

#include <math.h>

// Dirichlet: the side has this value.
OND_LAW float ond_ghost_given(float value, float side)
{
    return 2.0f * side - value;
}

// A velocity along a wall that moves: slip 1 slides (Neumann: no gradient), slip 0 sticks.
OND_LAW float ond_ghost_along(float value, float wall, float slip)
{
    const float slides = slip * value + (1.0f - slip) * wall;
    return ond_ghost_given(value, slides);
}

// Beyond an open side the fluid is at rest and clear: what comes in from there has no velocity along
// the side and carries nothing; what leaves goes on as it is.
OND_LAW float ond_ghost_open(float value, float outflow)
{
    return outflow < 0.0f ? -value : value;
}

// A velocity that comes in through an open side with speed `inwards`, after the pressure has drawn
// it in by rho u^2 / 2, as Bernoulli has it: no energy comes in through the side [Braack 2014].
// `share` is dt / 2h.
//
// [Braack 2014] Directional do-nothing condition for the Navier-Stokes equations, J. Comput. Math.
// 32.
OND_LAW float ond_drawn_in(float u, float inwards, float share)
{
    return inwards > 0.0f ? u * fmaxf(1.0f - share * inwards, 0.0f) : u;
}

#endif
