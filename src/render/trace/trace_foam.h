// SPDX-License-Identifier: MIT
// Spray, foam and bubbles as rays meet them: small soft balls of white, far smaller than a particle
// of the liquid. A ray adds up how much of each it crosses,
//
//     T = exp(-sum_k d_k (1 - b_k^2 / r_k^2)),     L = (1 - T) sum_k d_k (..) S_k / sum_k d_k (..)
//
// with b how far it passes from the middle of ball k, r its radius, d its density there and S the
// light that it sends on. A sum has no order, so nothing needs sorting: one look through Embree's
// tree finds them all. Many thin ones make a soft white layer, a few dense ones droplets.
//
// S is known before the first ray: the key light past solids, through water and through other foam,
// and the sky. A ball belongs to the piece of a way that its middle lies in, so foam in a surface
// counts once, before it or behind it.
#ifndef OND_RENDER_TRACE_FOAM_H
#define OND_RENDER_TRACE_FOAM_H

#include "render/camera.h"
#include "render/spheres/cloud.h"

struct OndTraceStage;

typedef struct OndTraceFoam {
    OndSphere *ball; ///< in the units of the picture
    float *dense;    ///< of each
    OndF3 *light;    ///< that each sends on
    int count;       ///< 0: there is none, and no tree
    RTCScene scene;
} OndTraceFoam;

/// Of a frame's foam, which may be none. `spacing`: of the liquid, m.
OndStatus ond_trace_foam_build(OndTraceFoam *foam, RTCDevice device, const OndFields *particles,
                               double spacing, const OndPlace *place, OndError *err);
void ond_trace_foam_free(OndTraceFoam *foam);

/// Gathers the light, when surfaces, solids, sky and open ground of the stage are in place.
void ond_trace_foam_gather(OndTraceFoam *foam, const struct OndTraceStage *stage);

/// The share of light that passes a piece of a ray. Below 1, `light` is what comes along from the
/// foam and `at` how far away it is on the mean.
float ond_trace_foam_cross(const OndTraceFoam *foam, const OndRay *ray, float length, OndF3 *light,
                           float *at);

#endif
