// SPDX-License-Identifier: MIT
#include "render/trace/trace_sky.h"

#define PI 3.14159265f

// A lamp at `azimuth` to the right of straight ahead and `height` above level, in degrees. `light`
// is what a white wall that faces it sends back.
static OndLamp hang(const OndSky *sky, OndF3 ahead, OndF3 right, float azimuth, float height,
                    float half_u, float half_v, float edge, OndF3 light)
{
    const float a = azimuth * PI / 180.0f, h = height * PI / 180.0f;
    const OndF3 level = ond_f3_step(ond_f3_scale(ahead, cosf(a)), right, sinf(a));
    OndLamp lamp = {.half_u = half_u, .half_v = half_v, .edge = edge};
    lamp.to = ond_f3_unit(ond_f3_step(ond_f3_scale(level, cosf(h)), sky->up, sinf(h)));
    lamp.u = ond_f3_unit(ond_f3_cross(sky->up, lamp.to));
    if (ond_f3_dot(lamp.u, lamp.u) < 0.5f) lamp.u = right; // straight overhead
    lamp.v = ond_f3_cross(lamp.to, lamp.u);
    // the soft edge is left out, so that mirror images are brighter than walls by as much
    const float solid = 4.0f * half_u * half_v * (1.0f - edge);
    lamp.light = ond_f3_scale(light, PI / solid);
    return lamp;
}

static void paint_dome(OndSky *sky, bool dark)
{
    sky->below = dark ? ond_f3(0.030f, 0.036f, 0.045f) : ond_f3(0.40f, 0.42f, 0.45f);
    sky->horizon = dark ? ond_f3(0.060f, 0.074f, 0.095f) : ond_f3(0.40f, 0.45f, 0.52f);
    sky->above = dark ? ond_f3(0.016f, 0.022f, 0.034f) : ond_f3(0.13f, 0.175f, 0.25f);
}

void ond_sky_make(OndSky *sky, OndF3 up, OndF3 forward, OndF3 right, bool dark, bool aside)
{
    *sky = (OndSky){.up = up};
    OndF3 ahead = ond_f3_unit(ond_f3_step(forward, up, -ond_f3_dot(forward, up)));
    if (ond_f3_dot(ahead, ahead) < 0.5f) ahead = ond_f3_cross(up, right); // looks straight down
    paint_dome(sky, dark);
    const float key = dark ? 0.75f : 1.00f, strip = dark ? 0.16f : 0.24f,
                panel = dark ? 0.10f : 0.20f;
    sky->key_light = ond_f3(1.06f * key, 1.0f * key, 0.90f * key);
    sky->lamp[OND_LAMP_KEY] = hang(sky, ahead, right, aside ? -76.0f : -118.0f,
                                   aside ? 46.0f : 52.0f, 0.13f, 0.13f, 0.25f, sky->key_light);
    sky->lamp[OND_LAMP_STRIP] = hang(sky, ahead, right, 38.0f, 22.0f, 0.10f, 0.42f, 0.35f,
                                     ond_f3(0.93f * strip, 1.0f * strip, 1.08f * strip));
    sky->lamp[OND_LAMP_PANEL] = hang(sky, ahead, right, -22.0f, 58.0f, 0.55f, 0.22f, 0.40f,
                                     ond_f3(0.98f * panel, 1.0f * panel, 1.02f * panel));
}

static float across(float x, float half, float edge)
{
    return 1.0f - ond_smoothstep(half - edge, half + edge, fabsf(x));
}

// A lamp seen through roughness: its edge grows wide, its light is shared out over more.
static float lamp_share(const OndLamp *lamp, OndF3 d, float rough)
{
    const float z = ond_f3_dot(d, lamp->to);
    if (z < 0.3f) return 0.0f;
    const float spread = 1.6f * rough * rough;
    const float x = ond_f3_dot(d, lamp->u) / z, y = ond_f3_dot(d, lamp->v) / z;
    const float wide_u = ond_f_max(lamp->half_u, spread), wide_v = ond_f_max(lamp->half_v, spread);
    const float share = across(x, wide_u, ond_f_min(lamp->edge * lamp->half_u + spread, wide_u)) *
                        across(y, wide_v, ond_f_min(lamp->edge * lamp->half_v + spread, wide_v));
    return share * lamp->half_u * lamp->half_v / (wide_u * wide_v);
}

OndF3 ond_sky_mirrored(const OndSky *sky, OndF3 direction, float rough)
{
    OndF3 sum = ond_sky_dome(sky, direction);
    for (int k = 0; k < OND_LAMPS; ++k)
        sum = ond_f3_step(sum, sky->lamp[k].light, lamp_share(&sky->lamp[k], direction, rough));
    return sum;
}

OndF3 ond_sky_soft(const OndSky *sky, OndF3 direction)
{
    OndF3 sum = ond_sky_dome(sky, direction);
    for (int k = OND_LAMP_STRIP; k < OND_LAMPS; ++k) {
        const OndLamp *lamp = &sky->lamp[k];
        const float near = ond_f_max(ond_f3_dot(direction, lamp->to), 0.0f), n2 = near * near;
        const float solid = 4.0f * lamp->half_u * lamp->half_v * (1.0f - lamp->edge);
        // cos^4 over the half sphere holds 2 pi / 5
        sum = ond_f3_step(sum, lamp->light, n2 * n2 * solid * 5.0f / (2.0f * PI));
    }
    return sum;
}

OndF3 ond_sky_key(const OndSky *sky, float u, float v)
{
    const OndLamp *lamp = &sky->lamp[OND_LAMP_KEY];
    const OndF3 aside = ond_f3_step(lamp->to, lamp->u, (2.0f * u - 1.0f) * lamp->half_u);
    return ond_f3_unit(ond_f3_step(aside, lamp->v, (2.0f * v - 1.0f) * lamp->half_v));
}
