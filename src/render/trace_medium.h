// SPDX-License-Identifier: MIT
// What fills the space that a ray crosses: water with its tint, haze in ice; smoke.
//
// One question: along this piece of a ray, how much light gets through, and how much comes along
// from the medium itself? A path asks the body's medium for pieces inside of it, and the air (where
// there is something in it) for pieces outside. A new kind, such as a grid of smoke, is a function
// and its own data; paths do not change.
#ifndef OND_RENDER_TRACE_MEDIUM_H
#define OND_RENDER_TRACE_MEDIUM_H

#include "render/camera.h"

typedef struct OndMedium OndMedium;
struct OndMedium {
    /// For the piece of `ray` from its origin to distance `length`: sets `through` to the share of
    /// light that passes, and returns the light that comes along. Called from several threads.
    OndF3 (*cross)(const OndMedium *medium, const OndRay *ray, float length, OndF3 *through);
    const void *own; ///< the kind's own data
};

/// The same everywhere: light is lost by `loss` per length (Beer), `haze` of it comes back as
/// `veil`.
typedef struct OndEven {
    OndF3 loss;
    float haze;
    OndF3 veil;
} OndEven;

static inline OndF3 ond_even_cross(const OndEven *e, float length, OndF3 *through)
{
    const float clear = expf(-e->haze * length);
    *through = ond_f3(clear * expf(-e->loss.x * length), clear * expf(-e->loss.y * length),
                      clear * expf(-e->loss.z * length));
    // on the mean, the veil's light comes from half way
    const OndF3 half = ond_f3(expf(-0.5f * e->loss.x * length), expf(-0.5f * e->loss.y * length),
                              expf(-0.5f * e->loss.z * length));
    return ond_f3_scale(ond_f3_mul(e->veil, half), 1.0f - clear);
}

#endif
