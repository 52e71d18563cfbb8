// SPDX-License-Identifier: MIT
// Equations of state: the pressure of a liquid that is denser than at rest.
#ifndef OND_PHYSICS_STATE_H
#define OND_PHYSICS_STATE_H

#include "physics/law.h"

#include <math.h>

// p = c^2 (rho - rho0): Dagenais 2012 eq. 1.10 with k = c^2.
OND_LAW float ond_pressure_linear(float density, float rest, float sound)
{
    return sound * sound * (density - rest);
}

// Tait: p = rho0 c^2 / n ((rho / rho0)^n - 1). Same slope at rest; stiffens when squeezed.
OND_LAW float ond_pressure_tait(float density, float rest, float sound, float exponent)
{
    return rest * sound * sound / exponent * (powf(density / rest, exponent) - 1.0f);
}

// The same backwards: the density that belongs to a pressure.
OND_LAW float ond_density_linear(float p, float rest, float sound)
{
    return rest * (1.0f + p / (rest * sound * sound));
}

OND_LAW float ond_density_tait(float p, float rest, float sound, float exponent)
{
    return rest * powf(1.0f + exponent * (p / (rest * sound * sound)), 1.0f / exponent);
}

// rho_i = gamma_i m_i sum_j W_ij [Dagenais 2012 eq. 3.9]. Weighting the sum with the particle's own
// mass gives the right density on both sides where two liquids of different weight touch
// [Solenthaler 2008]; for one liquid it is the usual sum.
OND_LAW float ond_density_summed(float gamma, float mass, float kernels)
{
    return gamma * mass * kernels;
}

#endif
