// SPDX-License-Identifier: MIT
// The light around a scene: a dome that is bright above and dims to the floor, and lamps.
//
// Three lamps with soft edges do what a photographer's do: a key light from the upper left, a tall
// strip behind on the right that draws rims, a wide panel overhead that lies in every puddle. Water
// is mostly what it mirrors; without lamps it has nothing to show.
//
// Light is in units of the key: a white wall that faces it sends back 1.
#ifndef OND_RENDER_TRACE_SKY_H
#define OND_RENDER_TRACE_SKY_H

#include "render/f3.h"

#include <stdbool.h>

typedef struct OndLamp {
    OndF3 to;             ///< towards its middle, unit
    OndF3 u, v;           ///< across it, unit
    float half_u, half_v; ///< half its sides at distance 1
    float edge;           ///< width of its soft edge, as a share of the half sides
    OndF3 light;          ///< how bright it is
} OndLamp;

enum { OND_LAMP_KEY, OND_LAMP_STRIP, OND_LAMP_PANEL, OND_LAMPS };

typedef struct OndSky {
    OndF3 up;
    OndF3 below, horizon, above; ///< of the dome
    OndLamp lamp[OND_LAMPS];
    OndF3 key_light; ///< what a white wall that faces the key light sends back
} OndSky;

/// A studio round a camera that looks along `forward` with `right` on its right. With the key light
/// more from the side, `aside`, smoke shows its folds.
void ond_sky_make(OndSky *sky, OndF3 up, OndF3 forward, OndF3 right, bool dark, bool aside);

/// The dome alone: what the camera sees behind things, and what lights rough ones.
static inline OndF3 ond_sky_dome(const OndSky *sky, OndF3 direction)
{
    const float h = ond_f3_dot(direction, sky->up);
    if (h < 0.0f) return ond_f3_mix(sky->horizon, sky->below, ond_smoothstep(0.0f, 0.6f, -h));
    return ond_f3_mix(sky->horizon, sky->above, ond_smoothstep(0.0f, 0.75f, h));
}

/// What falls on a wall with that normal straight from the key light.
static inline OndF3 ond_sky_on(const OndSky *sky, OndF3 normal)
{
    const float facing = ond_f3_dot(normal, sky->lamp[OND_LAMP_KEY].to);
    return ond_f3_scale(sky->key_light, facing > 0.0f ? facing : 0.0f);
}

/// Dome and lamps: what a surface mirrors. The lamps are spread by its roughness, so that one
/// direction stands for all that a rough surface would mirror together.
OndF3 ond_sky_mirrored(const OndSky *sky, OndF3 direction, float rough);

/// Dome and lamps except the key, the lamps spread wide: the same light in sum, with less noise for
/// what gathers it by few rays.
OndF3 ond_sky_soft(const OndSky *sky, OndF3 direction);

/// The direction to a place of the key light; u and v in [0, 1).
OndF3 ond_sky_key(const OndSky *sky, float u, float v);

#endif
