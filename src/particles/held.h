// SPDX-License-Identifier: MIT
// Held particles: they move as their fluid is told, whatever pushes them, and walls let them pass.
//
// v = velocity + spin x (x - centre), the centre moving on with the velocity. They turn by the
// whole angle, not along the tangent: a paddle would grow with every step. Those that are led along
// a path (animated elsewhere) are where it has them, to the last digit.
#ifndef OND_PARTICLES_HELD_H
#define OND_PARTICLES_HELD_H

#include "method/world.h"

#include <stdint.h>

typedef struct OndHeldView {
    const OndWorld *world;
    double time; // s
    int count;
    float *const *x, *const *v, *const *a, *const *last; // three arrays each
    const uint32_t *material;
    uint32_t *
        held; // 0: free; 1: as the material's numbers say; more: on its path (OndMaterial), or asleep
} OndHeldView;

#define OND_HELD_ON_PATH 2u         // `held` of the first particle of a path
#define OND_HELD_ASLEEP  UINT32_MAX // it rests where it is (rigid/rigid_sleep.c)
#define OND_HELD_WAKING  (UINT32_MAX - 1u)

/// Whether particle i is led along its material's path.
static inline bool ond_held_on_path(const OndWorld *world, uint32_t material, uint32_t held)
{
    const OndHeldPath *const path = world->material[material].held_path;
    return held >= OND_HELD_ON_PATH && path && held - OND_HELD_ON_PATH < (uint32_t)path->count;
}

/// Their velocity as told, and no acceleration; lets go those whose time is over, or who wake.
void ond_held_set(const OndHeldView *view);
/// Before what links them to others is solved: those on a path get the velocity that takes them to
/// where it has them at the end of the step.
void ond_held_lead(const OndHeldView *view, double dt);
/// After the drift, which went along the tangent: on to the circle, or the path.
void ond_held_carry(const OndHeldView *view, double dt);

#endif
