// SPDX-License-Identifier: MIT
// How a particle moves on in a step.
//
// Leapfrog [Dagenais 2012, 2.1.1]: velocities live at half steps, v(t) is the mean of its two
// neighbours. Kept is v(t), looked ahead with the last acceleration; the half-step velocity before
// it is v - dt_last a_last / 2, so no array is spent on it and steps may change in length:
//
//     w = v - dt_last/2 a_last + (dt_last + dt)/2 a        x += dt w        v = w + dt/2 a
#ifndef OND_PHYSICS_MOTION_H
#define OND_PHYSICS_MOTION_H

#include "physics/law.h"

#include <math.h>

// To the half step: `back` is dt_last / 2, `on` (dt_last + dt) / 2. With back = 0 and on = dt it is
// symplectic Euler's.
OND_LAW float ond_motion_kick(float v, float a, float last, float on, float back)
{
    return v + (on * a - back * last);
}

// A place round a periodic axis, in [low, high) whatever rounding does.
OND_LAW float ond_motion_wrap(float x, float low, float high)
{
    const float at = x - (high - low) * floorf((x - low) / (high - low));
    return at < high ? fmaxf(at, low) : low;
}

#endif
