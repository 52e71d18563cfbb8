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
    OndF3 *scratch;   ///< for the blur
    uint32_t *caught; ///< photons, three channels a texel
    OndF3 open;       ///< light from all but the key where nothing is in the way
} OndGround;

OndStatus ond_ground_create(OndGround *ground, int side, OndError *err);
void ond_ground_free(OndGround *ground);

/// What reaches open ground: sets `open`.
void ond_ground_open(struct OndTraceStage *stage);

/// Fills the map; `open` is known.
void ond_ground_gather(struct OndTraceStage *stage);

/// Lets the key light through clear things onto the map; called by ond_ground_gather.
void ond_caustics_add(struct OndTraceStage *stage);

/// Where a ray meets the ground; INFINITY where it does not.
float ond_ground_distance(const OndGround *ground, const OndRay *ray);

/// Light of sky and key that falls on a point of the plane.
void ond_ground_light(const OndGround *ground, OndF3 point, OndF3 *sky, OndF3 *key);

#endif
