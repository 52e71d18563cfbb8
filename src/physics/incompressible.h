// SPDX-License-Identifier: MIT
// Liquids that keep their volume: pressures are found that leave no particle more crowded than at
// rest when the step is done.
//
// With the sum n_i = sum_j W_ij, its change by small ways w is
//
//     (D w)_i = sum_j (w_i - w_j) . grad W_ij                        what pairs close in
//
// and impulses k_i >= 0 (pressure times V^2 dt^2) move particles by the transpose of the same sums:
//
//     w_i = - 1/m_i sum_j (k_i + k_j) grad W_ij = - (M^-1 D^T k)_i
//
// so that what k changes is B k with B = D M^-1 D^T: symmetric, never below 0, and momentum stays.
// Rest allows n_i = 1 / V_i.
#ifndef OND_PHYSICS_INCOMPRESSIBLE_H
#define OND_PHYSICS_INCOMPRESSIBLE_H

#include "physics/law.h"

// Of one neighbour: times x_i - x_j it is what is summed. `g` is W'(r) / r.
OND_LAW float ond_impulse_pair(float mine, float other, float g)
{
    return (mine + other) * g;
}

// How much more crowded a pair becomes that closes in with (w_i - w_j) . (x_i - x_j).
OND_LAW float ond_crowding_pair(float g, float closing)
{
    return g * closing;
}

// The diagonal of B: by how much k_i = 1 thins out i itself; `sum2` is the squared length of the sum
// of all gradients, `squares` the sum of their squares over the neighbours' masses.
OND_LAW float ond_impulse_ease(float inverse_mass, float sum2, float squares)
{
    return inverse_mass * sum2 + squares;
}

// How much more crowded than at rest, as a share; below 0 there is room.
OND_LAW float ond_crowded(float volume, float sum)
{
    return volume * sum - 1.0f;
}

// k from a pressure, and back; `ratio` is that of the kernel's own slope to the one that is exact for
// pressures that rise evenly.
OND_LAW float ond_impulse_of(float pressure, float volume, float dt, float ratio)
{
    return pressure * volume * volume * dt * dt / ratio;
}

OND_LAW float ond_impulse_pressure(float impulse, float volume, float dt, float ratio)
{
    return impulse * ratio / (volume * volume * dt * dt);
}

#endif
