// SPDX-License-Identifier: MIT
// Light that reaches a particle: a soft key light, and a sky seen through whatever is in the way.
//
// Shading a picture of particles pixel by pixel takes many rays and leaves noise that crawls from
// frame to frame. Here each visible particle gathers its light once, with the same fixed directions
// for all, and keeps it as a function of the normal that is linear (the first two bands of
// spherical harmonics): no noise, few rays, and pixels only evaluate it. What comes out besides is
// the mean open direction, which is the liquid's own normal.
#ifndef OND_RENDER_SPHERES_LIGHT_H
#define OND_RENDER_SPHERES_LIGHT_H

#include "render/spheres/cloud.h"

/// Directions and strengths that hold for the whole picture.
typedef struct OndLights {
    OndF3 up;           ///< where the sky is
    OndF3 key;          ///< towards the key light, unit
    OndF3 key_u, key_v; ///< across it, scaled by its apparent size
    float key_strength, sky_strength;
    float ground; ///< light from below, as a part of the sky's
    float reach;  ///< how far away something may still darken the sky
} OndLights;

/// What one particle gathered; evaluate with the functions below.
typedef struct OndGlow {
    float sky[4];  ///< constant, and three factors of the normal
    float open[3]; ///< mean open direction; about 1 long on a flat surface, 0 for a lone drop
    float key[4];  ///< open part of the key light: constant, and three factors of the normal
} OndGlow;

/// Light from the sky in direction `d` with nothing in the way.
static inline float ond_light_sky(const OndLights *lights, OndF3 d)
{
    const float height = 0.5f + 0.5f * ond_f3_dot(d, lights->up);
    return lights->ground + (1.0f - lights->ground) * height * height * (3.0f - 2.0f * height);
}

/// Sky light that falls on a surface with normal n.
static inline float ond_glow_sky(const OndGlow *g, OndF3 n)
{
    return fmaxf(g->sky[0] + g->sky[1] * n.x + g->sky[2] * n.y + g->sky[3] * n.z, 0.0f);
}

/// Part of the key light that is not blocked at the place of the sphere with normal n.
static inline float ond_glow_key(const OndGlow *g, OndF3 n)
{
    return ond_clamp01(g->key[0] + g->key[1] * n.x + g->key[2] * n.y + g->key[3] * n.z);
}

/// Gathers light for spheres which[0 .. count), writing glow[which[i]]. Uses all threads.
void ond_light_gather(const OndLights *lights, const OndCloud *cloud, const uint32_t *which,
                      int count, OndGlow *glow);

#endif
