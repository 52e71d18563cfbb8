// SPDX-License-Identifier: MIT
// What fills the space that a ray crosses: water with its tint, haze in ice; smoke.
//
// One question: along this piece of a ray, how much light gets through, and how much comes along
// from the medium itself? A path asks the body's medium for pieces inside of it, and the air (where
// there is something in it) for pieces outside. A new kind is a table of functions and its own
// data; paths do not change. Smoke is one (trace_smoke.h).
#ifndef OND_RENDER_TRACE_MEDIUM_H
#define OND_RENDER_TRACE_MEDIUM_H

#include "render/camera.h"

struct OndTraceStage;

typedef struct OndMedium OndMedium;
struct OndMedium {
    /// For the piece of `ray` from its origin to distance `length`: sets `through` to the share of
    /// light that passes, and returns the light that comes along. `chance` in [0, 1) tells apart
    /// the samples of a pixel. Called from several threads.
    OndF3 (*cross)(const OndMedium *medium, const OndRay *ray, float length, float chance,
                   OndF3 *through);
    /// The same, coarsely: for light that comes from all sides, of which one ray counts little.
    /// NULL: ask `cross`.
    OndF3 (*glance)(const OndMedium *medium, const OndRay *ray, float length, OndF3 *through);
    /// The share that passes, alone: for shadows. NULL: ask `cross`.
    OndF3 (*passes)(const OndMedium *medium, const OndRay *ray, float length);
    /// Gathers the light that falls on the medium, once a picture, when solids, sky and ground of
    /// the stage are in place but the ground's light is not. NULL: there is nothing to gather.
    void (*gather)(const OndMedium *medium, const struct OndTraceStage *stage);
    void *own; ///< the kind's own data
};

/// The share of light that passes a piece of a ray; everything where there is no medium.
static inline OndF3 ond_medium_passes(const OndMedium *m, const OndRay *ray, float length)
{
    OndF3 through = {1, 1, 1};
    if (m && m->passes) return m->passes(m, ray, length);
    if (m) m->cross(m, ray, length, 0.5f, &through);
    return through;
}

/// `light` from the far end of a piece of a ray, as it arrives at the near end; coarsely.
static inline OndF3 ond_medium_veil(const OndMedium *m, const OndRay *ray, float length,
                                    OndF3 light)
{
    OndF3 through;
    if (!m) return light;
    const OndF3 along =
        m->glance ? m->glance(m, ray, length, &through) : m->cross(m, ray, length, 0.5f, &through);
    return ond_f3_add(along, ond_f3_mul(light, through));
}

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
