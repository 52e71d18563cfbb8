// SPDX-License-Identifier: MIT
// Density that follows the flow instead of being summed [Monaghan 1989; Dagenais 2012, 3.3]:
//
//     d rho_i / dt = rho_i sum_j V_j (v_i - v_j) . grad W
//                  + delta h c sum_j V_j psi_ij . grad W,   psi = 2 (rho_j - rho_i) x_ji / r^2
//                                                                                   [Molteni 2009]
//
// The second term spreads out the noise that pressure would turn into sound. It compares how
// tightly particles are packed, m_i (1 / V_j - 1 / V_i): the same for one liquid, and nothing where
// two of different weight touch.
#ifndef OND_PHYSICS_CONTINUITY_H
#define OND_PHYSICS_CONTINUITY_H

#include "physics/law.h"

#include <math.h>

// What a pair that closes in with v_ij . x_ij adds; `g` is V_j W'(r) / r.
OND_LAW float ond_continuity_pair(float g, float closing)
{
    return g * closing;
}

// How much a neighbour counts in the diffusion; `soft` (of r^2) keeps it finite where particles
// coincide.
OND_LAW float ond_density_diffusion_share(float g, float r2, float soft)
{
    return g * r2 / (r2 + soft);
}

// What it adds, with how many particles there are in a volume here and there.
OND_LAW float ond_density_diffusion_pair(float share, float mine, float other)
{
    return share * (mine - other);
}

// 2 delta h c, but in one step no more than all of a particle's difference from its neighbours:
// where particles are crowded (a jet that has set where it landed) an explicit step would overshoot,
// and more at each step. `most` is 1 / dt, `shares` the sum over all neighbours.
OND_LAW float ond_density_diffusion(float strength, float most, float shares)
{
    return fminf(2.0f * strength, most / (fabsf(shares) + 1e-30f));
}

// d rho / dt from the two sums, without the kernel's factor.
OND_LAW float ond_continuity_rate(float density, float flow, float diffusion, float mass,
                                  float spread)
{
    return density * flow + diffusion * mass * spread;
}

#endif
