// SPDX-License-Identifier: MIT
// The floor: a plane under the scene (behind it in 2D) that catches the shadow.
//
// Its light is gathered in a map that is fixed to the plane, not to the picture: many rays a texel
// would be dear, so each texel takes a few, neighbours take others, and a small blur lets them
// share. The map does not move with the camera or the particles, so a film's shadows do not
// shimmer.
#ifndef OND_RENDER_SPHERES_FLOOR_H
#define OND_RENDER_SPHERES_FLOOR_H

#include "render/spheres/light.h"

#define OND_FLOOR_SIDE                                                                             \
    192 // texels; at 192 one is about as large as a particle of a 60 000-particle scene

typedef struct OndFloor {
    OndF3 middle;   ///< of the map
    OndF3 normal;   ///< towards the scene
    OndF3 u, v;     ///< along the map's sides
    float half;     ///< half the map's side
    float *sky;     ///< open part of the sky, per texel
    float *key;     ///< open part of the key light
    float *scratch; ///< for the blur
} OndFloor;

OndStatus ond_floor_create(OndFloor *floor, OndError *err);
void ond_floor_free(OndFloor *floor);

/// Fills the map from what stands in the way of the lights.
void ond_floor_gather(OndFloor *floor, const OndLights *lights, const OndCloud *cloud);

/// Open part of sky and key light at a point of the plane; 1 beyond the map, which fades out
/// towards its rim.
void ond_floor_light(const OndFloor *floor, OndF3 point, float *sky, float *key);

#endif
