// SPDX-License-Identifier: MIT
#include "render/colour.h"

#include "base/memory.h"

// OKLab colours at even places along each map. L is not listed: it runs straight from `dark` to
// `light`.
typedef struct Ramp {
    float dark, light;
    float ab[6][2];
} Ramp;

static const Ramp ramps[] = {
    [OND_PALETTE_WATER] = {0.36f,
                           0.985f,
                           {{-0.005f, -0.155f},
                            {-0.030f, -0.160f},
                            {-0.062f, -0.132f},
                            {-0.078f, -0.086f},
                            {-0.045f, -0.034f},
                            {-0.004f, -0.005f}}},
    [OND_PALETTE_LAGOON] = {0.37f,
                            0.87f,
                            {{0.000f, -0.145f},
                             {-0.020f, -0.160f},
                             {-0.055f, -0.140f},
                             {-0.085f, -0.105f},
                             {-0.105f, -0.060f},
                             {-0.110f, -0.015f}}},
    [OND_PALETTE_HEAT] = {0.27f,
                          0.96f,
                          {{0.055f, -0.075f},
                           {0.135f, -0.040f},
                           {0.180f, 0.060f},
                           {0.135f, 0.130f},
                           {0.045f, 0.150f},
                           {-0.015f, 0.075f}}},
    [OND_PALETTE_DEPTH] = {0.30f,
                           0.93f,
                           {{0.065f, -0.110f},
                            {0.000f, -0.105f},
                            {-0.055f, -0.050f},
                            {-0.105f, 0.020f},
                            {-0.105f, 0.110f},
                            {-0.040f, 0.175f}}},
    [OND_PALETTE_FROST] = {0.38f,
                           0.97f,
                           {{-0.010f, -0.125f},
                            {-0.020f, -0.130f},
                            {-0.032f, -0.115f},
                            {-0.035f, -0.085f},
                            {-0.028f, -0.045f},
                            {-0.010f, -0.012f}}},
    [OND_PALETTE_SAND] = {0.60f,
                          0.86f,
                          {{0.030f, 0.058f},
                           {0.026f, 0.070f},
                           {0.020f, 0.076f},
                           {0.014f, 0.076f},
                           {0.010f, 0.066f},
                           {0.008f, 0.048f}}},
};

static OndF3 linear_of_oklab(float lightness, float a, float b)
{
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    const float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return ond_f3(ond_clamp01(4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3),
                  ond_clamp01(-1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3),
                  ond_clamp01(-0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3));
}

// Catmull-Rom through the ramp's points, so that the hue turns without corners.
static float along(const Ramp *ramp, int part, float t)
{
    const int last = OND_COUNT(ramp->ab) - 1;
    const float x = t * (float)last;
    const int i = x >= (float)last ? last - 1 : (int)x;
    const float f = x - (float)i;
    const float p1 = ramp->ab[i][part], p2 = ramp->ab[i + 1][part];
    const float p0 = i > 0 ? ramp->ab[i - 1][part] : 2.0f * p1 - p2;
    const float p3 = i + 2 <= last ? ramp->ab[i + 2][part] : 2.0f * p2 - p1;
    return p1 +
           0.5f * f *
               (p2 - p0 +
                f * (2.0f * p0 - 5.0f * p1 + 4.0f * p2 - p3 + f * (3.0f * (p1 - p2) + p3 - p0)));
}

void ond_colour_map(OndPalette palette, OndF3 map[OND_COLOUR_STEPS])
{
    const Ramp *ramp = &ramps[palette];
    for (int i = 0; i < OND_COLOUR_STEPS; ++i) {
        const float t = (float)i / (OND_COLOUR_STEPS - 1);
        map[i] = linear_of_oklab(ramp->dark + (ramp->light - ramp->dark) * t, along(ramp, 0, t),
                                 along(ramp, 1, t));
    }
}

static float linear_of_srgb(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

OndF3 ond_colour_hex(unsigned hex)
{
    return ond_f3(linear_of_srgb((float)(hex >> 16 & 255) / 255.0f),
                  linear_of_srgb((float)(hex >> 8 & 255) / 255.0f),
                  linear_of_srgb((float)(hex & 255) / 255.0f));
}

float ond_colour_gamma(float linear)
{
    const float c = ond_clamp01(linear);
    return c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1.0f / 2.4f) - 0.055f;
}

// Straight up to `knee`, then bent towards 1, which it never reaches.
static float roll_off(float x)
{
    const float knee = 0.72f;
    if (!(x > knee)) return x;
    return 1.0f - (1.0f - knee) * expf((knee - x) / (1.0f - knee));
}

// Interleaved gradient noise (Jimenez 2014): even over any small neighbourhood, the same in every
// frame.
static float dither(int x, int y)
{
    const float a = 0.06711056f * (float)x + 0.00583715f * (float)y;
    const float b = 52.9829189f * (a - (float)(int)a); // both are 0 or more
    return b - (float)(int)b;
}

void ond_colour_tone(OndTone *tone)
{
    for (int i = 0; i < OND_GAMMA_STEPS + 2; ++i) {
        const float light = 2.0f * (float)i / OND_GAMMA_STEPS;
        tone->level[i] = 255.0f * ond_colour_gamma(roll_off(light));
    }
}

void ond_colour_encode(const OndTone *tone, OndF3 light, int x, int y, uint8_t rgb[3])
{
    const float c[3] = {light.x, light.y, light.z};
    const float offset = dither(x, y);
    for (int k = 0; k < 3; ++k) {
        const float at = ond_clamp01(0.5f * c[k]) * OND_GAMMA_STEPS;
        const int i = (int)at;
        const float v =
            tone->level[i] + (tone->level[i + 1] - tone->level[i]) * (at - (float)i) + offset;
        rgb[k] = (uint8_t)(v < 255.0f ? v : 255.0f);
    }
}

// ---- film

#define FILM_TOP 16.0f // light at the end of the table, which runs over its square root

// A curve of the kind film has: a toe, a straight part, a shoulder that ends in white. The form and
// its numbers are Narkowicz's fit of the ACES curve (2015).
static float film_curve(float light)
{
    const float x = 0.80f * light;
    return ond_clamp01(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

void ond_colour_film(OndTone *tone)
{
    for (int i = 0; i < OND_GAMMA_STEPS + 2; ++i) {
        const float root = (float)i / OND_GAMMA_STEPS;
        tone->level[i] = 255.0f * ond_colour_gamma(film_curve(FILM_TOP * root * root));
    }
}

void ond_colour_encode_film(const OndTone *tone, OndF3 light, int x, int y, uint8_t rgb[3])
{
    const float c[3] = {light.x, light.y, light.z};
    const float offset = dither(x, y);
    for (int k = 0; k < 3; ++k) {
        const float at = sqrtf(ond_clamp01(c[k] / FILM_TOP)) * OND_GAMMA_STEPS;
        const int i = (int)at;
        const float v =
            tone->level[i] + (tone->level[i + 1] - tone->level[i]) * (at - (float)i) + offset;
        rgb[k] = (uint8_t)(v < 255.0f ? v : 255.0f);
    }
}
