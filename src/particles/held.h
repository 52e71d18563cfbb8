// SPDX-License-Identifier: MIT
// Held particles: they move as their fluid is told, whatever pushes them, and walls let them pass.
//
// v = velocity + spin x (x - centre), the centre moving on with the velocity. They turn by the
// whole angle, not along the tangent: a paddle would grow with every step.
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
    uint32_t *held; // 1: held
} OndHeldView;

/// Their velocity as told, and no acceleration; lets go those whose time is over.
void ond_held_set(const OndHeldView *view);
/// After the drift, which went along the tangent: on to the circle.
void ond_held_carry(const OndHeldView *view, double dt);

#endif
