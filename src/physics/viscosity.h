// SPDX-License-Identifier: MIT
// Friction between two particles.
#ifndef OND_PHYSICS_VISCOSITY_H
#define OND_PHYSICS_VISCOSITY_H

#include "physics/law.h"

// The largest mu that a pair can have, in units of the speed u at which it closes in:
// h r u / (r^2 + 0.01 h^2) is 5 u at r = h / 10 (at r = h / 2, a usual spacing, 1.92 u).
#define OND_MU_MOST 5.0

// Artificial viscosity [Monaghan 1989, as in Dagenais 2012 eq. 1.16]: only for particles that
// approach.
//
//     Pi_ij = 2 (-alpha c mu + xi mu^2) / (rho_i + rho_j)
//     mu    = h v_ij . x_ij / (r^2 + 0.01 h^2) < 0
//
// `closing` is v_ij . x_ij; `linear` is alpha c, `quadratic` is xi. Paiva's form has xi = 0.
OND_LAW float ond_artificial_viscosity(float closing, float r2, float h, float density_sum,
                                       float linear, float quadratic)
{
    const float toward = closing < 0.0f ? h * closing : 0.0f;
    const float inverse =
        1.0f / ((r2 + 0.01f * h * h) * density_sum); // one division for both quotients
    return 2.0f * toward * inverse * (quadratic * toward * density_sum * inverse - linear);
}

#endif
