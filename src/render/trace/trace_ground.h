// SPDX-License-Identifier: MIT
// The ground under a surface (behind it in 2D), and the light that reaches it.
//
// As in floor.h the light is gathered in a map that is fixed to the plane: every path that ends on
// the ground, through however many surfaces, reads it there without noise, and a film's shadows
// stand still. Here the map has colours: shadows of clear things are tinted, glowing things shine
// on the ground, and light that water has bent falls where it falls (trace_caustics.c).
#ifndef OND_RENDER_TRACE_GROUND_H
#define OND_RENDER_TRACE_GROUND_H

#include "render/camera.h"

#include <ondine/error.h>
#include <stdint.h>

#define OND_GROUND_RIM  0.98f   // the map ends here, as a share of its half side; it fades before
#define OND_GROUND_LIFT 1.5e-3f // how far the ground lies above what is pressed on the floor

struct OndTraceStage;

typedef struct OndGround {
    bool there;       ///< there is one, and the camera is above it
    OndF3 middle;     ///< of the map
    OndF3 normal;     ///< towards the scene
    OndF3 u, v;       ///< along the map's sides
    float half;       ///< half the map's side
    OndF3 colour;     ///< how much light it sends back
    int side;         ///< texels
    OndF3 *sky;       ///< light from all but the key, per texel
    OndF3 *key;       ///< share of the key light that arrives, bent light included
    OndF3 *light;     ///< that the ground sends back: both together, in its colour, per texel
    OndF3 far;        ///< the same beyond the map
    OndF3 *scratch;   ///< for the blur
    uint32_t *caught; ///< photons, three channels a texel
    int bits;         ///< 2^bits rays to the sky from each texel
    OndF3 *way; ///< of those rays along u, v and the normal; every block of texels has the same
    OndF3 open; ///< light from all but the key where nothing is in the way
} OndGround;

/// A map of side x side texels, 2^bits rays each.
OndStatus ond_ground_create(OndGround *ground, int side, int bits, OndError *err);
void ond_ground_free(OndGround *ground);

/// What reaches open ground: sets `open`.
void ond_ground_open(struct OndTraceStage *stage);

/// Fills the maps; `open` is known.
void ond_ground_gather(struct OndTraceStage *stage);

/// Lets the key light through clear things onto the map; called by ond_ground_gather.
void ond_caustics_add(struct OndTraceStage *stage);

/// Where a ray meets the ground; INFINITY where it does not.
static inline float ond_ground_distance(const OndGround *g, const OndRay *ray)
{
    const float down = -ond_f3_dot(ray->direction, g->normal);
    if (!g->there || down < 1e-4f) return INFINITY;
    const float t = ond_f3_dot(ond_f3_sub(ray->origin, g->middle), g->normal) / down;
    return t > 0.0f ? t : INFINITY;
}

/// Light that the ground sends back, at a place in texels from the map's middle.
static inline OndF3 ond_ground_at(const OndGround *g, float a, float b)
{
    const float half = 0.5f * (float)g->side, most = OND_GROUND_RIM * half;
    if (!(fabsf(a) < most && fabsf(b) < most)) return g->far;
    const float x = a + half - 0.5f, y = b + half - 0.5f;
    const int ix = (int)x, iy = (int)y;
    const OndF3 *at = g->light + iy * g->side + ix, *below = at + g->side;
    const float fx = x - (float)ix;
    return ond_f3_mix(ond_f3_mix(at[0], at[1], fx), ond_f3_mix(below[0], below[1], fx),
                      y - (float)iy);
}

/// The same at a point of the plane.
static inline OndF3 ond_ground_light(const OndGround *g, OndF3 point)
{
    const OndF3 d = ond_f3_sub(point, g->middle);
    const float texels = 0.5f * (float)g->side / g->half;
    return ond_ground_at(g, ond_f3_dot(d, g->u) * texels, ond_f3_dot(d, g->v) * texels);
}

#endif
