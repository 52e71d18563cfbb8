// SPDX-License-Identifier: MIT
// Rigidity: the dial from liquid (0) to solid (1) [Dagenais 2012, 2.2].
//
// Two particles that are near hold each other by a link of stiffness
//
//     k = K max(s^b, floor s) (m_i + m_j) / 2  (1 - (r/R)^2)^2 / (its sum on the lattice)
//
// with s = min(s_i, s_j), so that K is the ratio of stiffness to inertia whatever the resolution
// and the step. A great K holds soft material as its rigidity says; between materials of different
// rigidity the power leads. A link along the unit vector n is kept as g = sqrt(k) n: its force on i
// is g (g . (u_i - u_j)). It points from one particle to the other: no momentum is made, nor spin.
#ifndef OND_PHYSICS_RIGIDITY_H
#define OND_PHYSICS_RIGIDITY_H

#include "physics/law.h"

#include <math.h>

// 1 up to `solid`, 0 from `liquid` on, linear between. Equal temperatures mean a material that
// never sets.
OND_LAW float ond_rigidity_at(float temperature, float solid, float liquid)
{
    if (!(liquid > solid) || temperature >= liquid) return 0.0f;
    return temperature <= solid ? 1.0f : (liquid - temperature) / (liquid - solid);
}

// What s means for one step: the share of the liquid's deformation that is taken back. With a
// reference time, steps of any length together take back as much.
OND_LAW float ond_rigidity_in_step(float s, float dt, float time)
{
    if (!(time > 0.0f) || s >= 1.0f || s <= 0.0f) return s;
    return 1.0f - powf(1.0f - s, dt / time);
}

// ---- links

// What a particle's rigidity counts for: max(s^b, floor s).
OND_LAW float ond_link_lead(float rigidity, float exponent, float floor)
{
    const float power = rigidity >= 1.0f ? 1.0f : powf(rigidity, exponent);
    return rigidity > 0.0f ? fmaxf(power, floor * rigidity) : 0.0f;
}

// (1 - (r/R)^2)^2; a particle has no link to itself.
OND_LAW float ond_link_shape(float r2, float per_reach2)
{
    const float rest = 1.0f - r2 * per_reach2;
    return rest > 0.0f && r2 > 0.0f ? rest * rest : 0.0f;
}

// The softer one decides. `mass` is each one's, with what is the same for all links.
OND_LAW float ond_link_stiffness(float shape, float lead_i, float lead_j, float mass_i,
                                 float mass_j)
{
    const float lead = lead_i < lead_j ? lead_i : lead_j;
    return shape * lead * (mass_i + mass_j);
}

// g over x_i - x_j.
OND_LAW float ond_link_root(float stiffness, float r2)
{
    return sqrtf(stiffness / r2);
}

// g . (u_i - u_j): times g it is the force.
OND_LAW float ond_link_along(float gx, float gy, float gz, float ux, float uy, float uz)
{
    return gx * ux + gy * uy + gz * uz;
}

// A link counts with the smaller of its ends' rigidity.
OND_LAW float ond_link_hold(float mine, float other)
{
    return mine < other ? mine : other;
}

// ---- the thesis's pairs [Dagenais 2012, 2.2.2]

// Of the liquid's own displacement of a pair, the share that it keeps: 1 - min(s_i, s_j).
OND_LAW float ond_rigidity_loose(float mine, float other)
{
    return 1.0f - fminf(mine, other);
}

// alpha_ij = min(s_i, s_j)^b over that of the most rigid pair.
OND_LAW float ond_rigidity_weight(float rigidity, float most, float exponent)
{
    return powf(rigidity / most, exponent);
}

// The acceleration that looks ahead of the half-step velocity, where rigidity takes `by` of it back:
// less (what stands does not seem to fall), never more or the other way (an impact is no acceleration
// to go on with).
OND_LAW float ond_rigidity_held_back(float a, float by)
{
    const float left = a + by;
    if (a * left <= 0.0f) return 0.0f;
    return fabsf(left) < fabsf(a) ? left : a;
}

// ---- pieces that rub

// What a particle of one piece loses of its velocity along the contact with one of another, as a
// component: `v` of v_i - v_j, `n` of x_i - x_j, `along` is v_ij . x_ij. Times the masses it is equal
// and opposite.
OND_LAW float ond_rub_change(float share, float mine, float other, float v, float n, float along,
                             float r2)
{
    return share * other / (mine + other) * (v - along / r2 * n);
}

#endif
