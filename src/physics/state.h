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

#endif
