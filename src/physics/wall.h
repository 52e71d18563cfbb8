// SPDX-License-Identifier: MIT
// A particle that meets a wall [Dagenais 2012, 2.1.2], and its image behind one.
#ifndef OND_PHYSICS_WALL_H
#define OND_PHYSICS_WALL_H

#include "physics/law.h"

// Velocity after contact with a wall whose normal is along `axis`: the normal part is given back
// `bounce` of itself, the tangential part relative to the wall is multiplied by `slip` (0 sticks, 1
// slides). `inward` is +1 for a lower wall, -1 for an upper one; a particle that already leaves
// keeps its velocity.
OND_LAW void ond_wall_contact(float v[3], int axis, float inward, float slip, float bounce,
                              const float wall[3])
{
    for (int a = 0; a < 3; ++a) {
        const float relative = v[a] - wall[a];
        if (a != axis)
            v[a] = wall[a] + slip * relative;
        else if (relative * inward < 0.0f)
            v[a] = wall[a] - bounce * relative;
    }
}

// The velocity of a mirror image, across the wall and along it. It makes the wall slide (slip 1: the
// tangential part is the same) or stick (slip 0: it is opposite relative to the wall, so that it is
// the wall's in between).
OND_LAW float ond_wall_mirror_across(float v, float wall)
{
    return 2.0f * wall - v;
}

OND_LAW float ond_wall_mirror_along(float v, float wall, float slip)
{
    return (2.0f * slip - 1.0f) * v + 2.0f * (1.0f - slip) * wall;
}

#endif
