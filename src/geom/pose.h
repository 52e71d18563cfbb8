// SPDX-License-Identifier: MIT
// Where a solid stands and how it is turned: from its own frame to the world and back.
#ifndef OND_GEOM_POSE_H
#define OND_GEOM_POSE_H

#include "base/vec.h"

typedef struct OndPose {
    OndVec at;         ///< where the solid's own origin is, m
    double w, x, y, z; ///< how it is turned: a quaternion of length 1
} OndPose;

static inline OndPose ond_pose_still(void)
{
    const OndPose pose = {{0, 0, 0}, 1, 0, 0, 0};
    return pose;
}

/// A direction of the solid's own, in the world.
static inline OndVec ond_pose_turn(const OndPose *p, OndVec v)
{
    const OndVec axis = ond_vec(p->x, p->y, p->z);
    const OndVec twice = ond_scale(ond_cross(axis, v), 2.0);
    return ond_add(ond_add(v, ond_scale(twice, p->w)), ond_cross(axis, twice));
}

/// A direction of the world, in the solid's own frame.
static inline OndVec ond_pose_unturn(const OndPose *p, OndVec v)
{
    const OndPose back = {{0, 0, 0}, p->w, -p->x, -p->y, -p->z};
    return ond_pose_turn(&back, v);
}

/// A point of the solid's own, in the world.
static inline OndVec ond_pose_out(const OndPose *p, OndVec own)
{
    return ond_add(p->at, ond_pose_turn(p, own));
}

/// A point of the world, in the solid's own frame.
static inline OndVec ond_pose_in(const OndPose *p, OndVec world)
{
    return ond_pose_unturn(p, ond_sub(world, p->at));
}

#endif
