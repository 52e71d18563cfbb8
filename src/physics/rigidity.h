// SPDX-License-Identifier: MIT
// Rigidity: the dial from liquid (0) to solid (1) [Dagenais 2012, 2.2].
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

#endif
