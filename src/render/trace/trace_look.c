// SPDX-License-Identifier: MIT
#include "render/trace/trace_look.h"

#include "base/memory.h"

#include <string.h>

// The first is what unnamed liquids look like, "clay" what unnamed solids do.
// clang-format off
static const OndLook looks[] = {
    // name        kind            colour                  inside                  ior     depth   haze   rough  solid  thin
    {"water",     OND_LOOK_CLEAR, {1, 1, 1},              {1.70f, 0.42f, 0.24f},  1.333f, 0,      0.10f, 0,     0.15f, false},
    {"ice",       OND_LOOK_CLEAR, {1, 1, 1},              {0.75f, 0.26f, 0.16f},  1.31f,  0,      1.10f, 0,     0.12f, false},
    {"glass",     OND_LOOK_CLEAR, {1, 1, 1},              {0.42f, 0.16f, 0.30f},  1.5f,   0,      0,     0,     0, false},
    {"wax",       OND_LOOK_WAXY,  {0.76f, 0.52f, 0.24f},  {0.95f, 0.42f, 0.12f},  1.44f,  0.110f, 0,     0.06f, 0.36f, false},
    {"chocolate", OND_LOOK_WAXY,  {0.06f, 0.024f, 0.012f}, {0.12f, 0.035f, 0.012f}, 1.46f, 0.020f, 0,    0.12f, 0.34f, false},
    {"butter",    OND_LOOK_WAXY,  {0.88f, 0.70f, 0.28f},  {0.98f, 0.62f, 0.12f},  1.46f,  0.080f, 0,     0.08f, 0.40f, false},
    {"lava",      OND_LOOK_GLOW,  {0.045f, 0.040f, 0.038f}, {0, 0, 0},            1.5f,   0,      0,     0.30f, 0.62f, false},
    {"steel",     OND_LOOK_METAL, {0.56f, 0.57f, 0.58f},  {0, 0, 0},              2.5f,   0,      0,     0.12f, 0.30f, false},
    {"clay",      OND_LOOK_WAXY,  {0.52f, 0.50f, 0.48f},  {0.5f, 0.4f, 0.3f},     1.4f,   0.015f, 0,     0.30f, 0.60f, false},
    {"sand",      OND_LOOK_WAXY,  {0.56f, 0.40f, 0.21f},  {0.6f, 0.4f, 0.2f},     1.4f,   0.010f, 0,     0.60f, 0.60f, false},
    {"paint",     OND_LOOK_PAINT, {1, 1, 1},              {0, 0, 0},              1.45f,  0,      0,     0.16f, 0.30f, false},
};
// clang-format on

int ond_look_count(void)
{
    return OND_COUNT(looks);
}

const OndLook *ond_look(int index)
{
    return &looks[index >= 0 && index < OND_COUNT(looks) ? index : 0];
}

int ond_look_of(const uint8_t *of, int count, float material)
{
    const int k = material >= 0.5f && material < 1e6f ? (int)(material + 0.5f) : 0;
    const int look = count > 0 ? of[k < count ? k : 0] : 0;
    return look < OND_COUNT(looks) ? look : 0;
}

int ond_look_find(const char *name)
{
    for (int k = 0; name && k < OND_COUNT(looks); ++k)
        if (strcmp(looks[k].name, name) == 0) return k;
    return OND_LOOK_NONE;
}

OndF3 ond_look_heat(float celsius)
{
    const float t = ond_clamp01((celsius - 520.0f) / 780.0f);
    const float strength = 4.6f * t * t * t;
    const float green = 0.03f + 0.40f * t * t * t, blue = 0.003f + 0.10f * t * t * t * t;
    return ond_f3(strength, strength * green, strength * blue);
}

float ond_look_fresnel(float cosine, float ratio)
{
    const float c = ond_clamp01(cosine), sine2 = ratio * ratio * (1.0f - c * c);
    if (!(sine2 < 1.0f)) return 1.0f;
    const float t = sqrtf(1.0f - sine2);
    const float across = (ratio * c - t) / (ratio * c + t),
                along = (c - ratio * t) / (c + ratio * t);
    return 0.5f * (across * across + along * along);
}
