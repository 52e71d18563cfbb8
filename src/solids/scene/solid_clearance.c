// SPDX-License-Identifier: MIT
#include "solids/scene/solid_clearance.h"

#define NOWHERE 1e9 // m

// Outside of one, below 0 inside of it.
static double outside(const OndSimSolids *s, int k, OndVec at)
{
    const OndSimSolid *const solid = &s->solid[k];
    const OndVec own = ond_pose_in(&ond_solids_state(s->solids, k)->pose, at);
    if (solid->solid.kind == OND_SOLID_PLANE) return own.y;
    if (!solid->inside) return NOWHERE;
    return ond_shape_distance(solid->inside, own, s->scene->dimension == 2);
}

// Of those that stand, or of all.
static double nearest_of(const OndSimSolids *s, OndVec at, bool all, int *which)
{
    double nearest = NOWHERE, within = -NOWHERE;
    int found = -1, container = -1;
    for (int k = 0; k < s->count; ++k) {
        if (s->solid[k].solid.drifts && !all) continue;
        const double d = outside(s, k, at);
        if (s->solid[k].solid.container) {
            if (-d > within) within = -d, container = k;
        } else if (d < nearest) {
            nearest = d, found = k;
        }
    }
    if (container >= 0 && within < nearest) nearest = within, found = container;
    *which = found;
    return nearest;
}

double ond_solid_clearance_all(const OndSimSolids *s, OndVec at)
{
    int which = -1;
    return nearest_of(s, at, true, &which);
}

double ond_solid_clearance(const void *context, OndVec at, OndVec *velocity, int *which)
{
    const OndSimSolids *const s = context;
    int found = -1;
    const double nearest = nearest_of(s, at, false, &found);
    if (which) *which = found;
    if (velocity) *velocity = ond_vec(0, 0, 0);
    if (velocity && found >= 0) {
        const OndSolidState *const state = ond_solids_state(s->solids, found);
        const OndVec arm = ond_sub(at, state->pose.at);
        *velocity = ond_add(state->velocity, ond_cross(state->spin, arm));
    }
    return nearest;
}
