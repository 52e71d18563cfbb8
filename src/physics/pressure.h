// SPDX-License-Identifier: MIT
// Pressure pushes from high to low, with equal and opposite forces in every pair.
//
//     mean      a_i = - 1/rho_i sum_j V_j (p_i + p_j) / 2 grad W                     [Mueller 2003]
//     weighted  a_i = - sum_j m_j (p_i / rho_i^2 + p_j / rho_j^2) grad W            [Monaghan 1992]
//                   = - 1/m_i sum_j (V_i^2 p_i + V_j^2 p_j) grad W
//
// The last line is for equal masses and is used for all, since it stays right where liquids of
// different weight touch. The mean's half makes it half as strong as the gradient of the pressure;
// that is how it was published and used. Both are
//
//     a_i = - scale_i sum_j weight_j (load_i + load_j) grad W
//
// so that one loop serves them.
#ifndef OND_PHYSICS_PRESSURE_H
#define OND_PHYSICS_PRESSURE_H

#include "physics/law.h"

typedef struct OndPressureTerms {
    float load, weight, scale;
} OndPressureTerms;

OND_LAW OndPressureTerms ond_pressure_mean(float p, float density, float volume)
{
    const OndPressureTerms terms = {p, volume, 0.5f / density};
    return terms;
}

OND_LAW OndPressureTerms ond_pressure_weighted(float p, float density, float volume)
{
    const OndPressureTerms terms = {p * volume * volume, 1.0f, 1.0f / (density * volume)};
    return terms;
}

// Of one neighbour, with its weight: times x_i - x_j it is what is summed. `g` is W'(r) / r.
OND_LAW float ond_pressure_pair(float weight, float mine, float other, float g)
{
    return weight * (mine + other) * g;
}

// Ringing is damped by a pressure against the change of density, which an incompressible flow does
// not have: `length` times the speed of sound times d rho / dt.
OND_LAW float ond_pressure_damping(float length, float sound, float rate)
{
    return length * sound * rate;
}

// Stretched liquid holds together down to a strength of its own (Pa); below it pressure is gone.
OND_LAW float ond_pressure_held(float p, float strength)
{
    return p > -strength ? p : -strength;
}

// Behind a mirror, the way `ahead` along gravity: that of the liquid continued by its weight.
OND_LAW float ond_pressure_behind(float density, float gravity, float ahead)
{
    return density * gravity * ahead;
}

#endif
