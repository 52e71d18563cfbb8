// SPDX-License-Identifier: MIT
// How long a step may be.
#ifndef OND_PHYSICS_STEP_H
#define OND_PHYSICS_STEP_H

#include "physics/law.h"
#include "physics/viscosity.h"

#include <math.h>
#include <stdbool.h>

// The step after which nothing has moved farther than `reach`, when the fastest particle has speed
// v and the hardest pushed one acceleration a: the positive root of a dt^2 + v dt = reach [Dagenais
// 2012 eq. 3.3]. Written so that it has its limits reach / v (a -> 0) and sqrt(reach / a) (v -> 0).
OND_LAW double ond_step_adaptive(double v, double a, double reach)
{
    const double root = v + sqrt(v * v + 4.0 * a * reach);
    return root > 0.0 ? 2.0 * reach / root : INFINITY;
}

// beta h / v: nothing moves farther than beta h [Courant, Friedrichs, Lewy 1928; Dagenais 2012
// eq. 1.15]. Knows nothing of forces: at rest any step will do.
OND_LAW double ond_step_advective(double v, double reach)
{
    return v > 0.0 ? reach / v : INFINITY;
}

// beta h / (v + c) [Dagenais 2012 eq. 3.1].
OND_LAW double ond_step_cfl(double v, double sound, double reach)
{
    return reach / (v + sound);
}

// 0.1 min(h / (v + c), h^2 / (6 nu)) [Paiva et al. 2006]; nu = mu / rho of the most viscous liquid.
OND_LAW double ond_step_paiva(double v, double sound, double nu, double h)
{
    const double wave = h / (v + sound), friction = nu > 0.0 ? h * h / (6.0 * nu) : INFINITY;
    return 0.1 * (wave < friction ? wave : friction);
}

// 0.25 min(sqrt(h / a), h / (c + 0.6 (alpha c + xi mu))) [Monaghan 1989], with the largest mu of
// two particles that meet head-on, each at speed v.
OND_LAW double ond_step_monaghan(double v, double a, double h, double sound, double alpha,
                                 double xi)
{
    const double force = a > 0.0 ? sqrt(h / a) : INFINITY;
    const double wave = h / (sound + 0.6 * (alpha * sound + xi * OND_MU_MOST * 2.0 * v));
    return 0.25 * (force < wave ? force : wave);
}

// Explicit friction is stable while its diffusion stays within the support: nu = mu / rho.
OND_LAW double ond_step_viscous(double nu, double h)
{
    return nu > 0.0 ? 0.02 * h * h / nu : INFINITY;
}

// Shortest capillary wave the particles can carry, length h.
OND_LAW double ond_step_capillary(double tension, double density, double h)
{
    return tension > 0.0 ? 0.25 * sqrt(density * h * h * h / (2.0 * 3.14159265358979 * tension))
                         : INFINITY;
}

// Heat alone: a share of the time in which it crosses a spacing. An implicit step is stable at any
// length; with a quarter of that time a ball of 8 spacings a radius that cools is right to 1 %,
// with all of it to 8 %. Explicit ones are stable up to 1 / (2 dimension).
OND_LAW double ond_step_heat(double diffusivity, double spacing, bool implicit)
{
    const double cross = diffusivity > 0.0 ? spacing * spacing / diffusivity : INFINITY;
    return implicit ? 0.25 * cross : 0.1 * cross;
}

#endif
