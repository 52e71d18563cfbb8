// SPDX-License-Identifier: MIT
// Friction between two particles: the method's own, the liquid's own, and XSPH.
#ifndef OND_PHYSICS_VISCOSITY_H
#define OND_PHYSICS_VISCOSITY_H

#include "physics/law.h"

#include <math.h>

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

// What a neighbour gives by it: a_i -= sum_j m_j Pi_ij grad W. `g` is W'(r) / r.
OND_LAW float ond_artificial_pair(float density, float volume, float pi, float g)
{
    return density * volume * pi * g;
}

// The share of it that a particle feels where the flow turns or shears with `turn` rather than closes
// in with `close`, both 1/s [Balsara 1995]; `faint` is what counts as none, `spared` what may be left
// out.
OND_LAW float ond_artificial_share(float turn, float close, float faint, float spared)
{
    return 1.0f - spared * turn / (turn + close + faint);
}

// A liquid's own viscosity, with a value per particle [Mueller 2005, Dagenais 2012 eq. 1.13]:
//
//     a_i = 1/rho_i sum_j (mu_i + mu_j) / 2  V_j (v_j - v_i) lap W
//
// Times v_j - v_i it is what is summed; ond_viscosity_scale has the rest.
OND_LAW float ond_viscosity_pair(float mine, float other, float volume, float laplacian)
{
    return (mine + other) * volume * laplacian;
}

// `factor` is the kernel's.
OND_LAW float ond_viscosity_scale(float factor, float density)
{
    return 0.5f * factor / density;
}

// What melts by its viscosity [Carlson 2002]: the share s that is solid sets its logarithm.
OND_LAW float ond_viscosity_melting(float liquid, float solid, float s)
{
    return s > 0.0f ? liquid * powf(solid / liquid, s) : liquid;
}

// The same from velocities after the step (particles/viscous/): pairs pull along the line between
// them, so that turning stays [Monaghan 2005; Weiler et al. 2018]. On a lattice of a_i = mu_i V_i^2,
//
//     F_i = - sum_j 2 / (1/a_i + 1/a_j) k(r) x_ij (x_ij . v_ij),    V sum_j k(r) x^2 y^2 = 2
//
// k(r) = -(1 + far r^2) W'(r) / r, with `far` such that the lattice rubs alike in all directions, as
// a liquid does: sum k x^4 = 3 sum k x^2 y^2. Of two liquids the harmonic mean counts: layers that
// slide on each other share their stress.
OND_LAW float ond_viscous_pull(float g, float r2, float far)
{
    return (1.0f + far * r2) * g;
}

OND_LAW float ond_viscous_pair(float mine, float other, float pull)
{
    return 2.0f * mine * other / (mine + other + 1e-30f) * pull;
}

// XSPH: a velocity nearer to the neighbours' mean [Monaghan 1989; Dagenais 2012, 1.3.3.3]:
//
//     w_i = v_i + eps sum_j m_j / (0.5 (rho_i + rho_j)) (v_j - v_i) W
//
// The weight of v_j - v_i, less 2 eps. `density` and `volume` are the neighbour's.
OND_LAW float ond_xsph_weight(float kernel, float mine, float density, float volume)
{
    return kernel * density * volume / (mine + density);
}

#endif
