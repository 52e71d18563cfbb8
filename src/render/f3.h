// SPDX-License-Identifier: MIT
// Three floats: what rays and colours are made of. Pictures need no doubles once the scene has been
// moved to the origin and scaled to about one.
#ifndef OND_RENDER_F3_H
#define OND_RENDER_F3_H

#include "base/vec.h"

typedef struct OndF3 {
    float x, y, z;
} OndF3;

static inline OndF3 ond_f3(float x, float y, float z)
{
    const OndF3 v = {x, y, z};
    return v;
}
static inline OndF3 ond_f3_of(OndVec v)
{
    return ond_f3((float)v.x, (float)v.y, (float)v.z);
}
static inline OndF3 ond_f3_add(OndF3 a, OndF3 b)
{
    return ond_f3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline OndF3 ond_f3_sub(OndF3 a, OndF3 b)
{
    return ond_f3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline OndF3 ond_f3_scale(OndF3 a, float s)
{
    return ond_f3(a.x * s, a.y * s, a.z * s);
}
/// a + b s
static inline OndF3 ond_f3_step(OndF3 a, OndF3 b, float s)
{
    return ond_f3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}
static inline OndF3 ond_f3_mul(OndF3 a, OndF3 b)
{
    return ond_f3(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline OndF3 ond_f3_mix(OndF3 a, OndF3 b, float t)
{
    return ond_f3_step(a, ond_f3_sub(b, a), t);
}
static inline float ond_f3_dot(OndF3 a, OndF3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline OndF3 ond_f3_cross(OndF3 a, OndF3 b)
{
    return ond_f3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// `a` made one long; the zero vector stays zero.
static inline OndF3 ond_f3_unit(OndF3 a)
{
    const float square = ond_f3_dot(a, a);
    return square > 0.0f ? ond_f3_scale(a, 1.0f / sqrtf(square)) : a;
}
/// Two directions that make a right-handed frame with the unit vector `n`.
static inline void ond_f3_frame(OndF3 n, OndF3 *u, OndF3 *v)
{
    const OndF3 other = fabsf(n.x) < 0.7f ? ond_f3(1, 0, 0) : ond_f3(0, 0, 1);
    *u = ond_f3_unit(ond_f3_cross(other, n));
    *v = ond_f3_cross(n, *u);
}
/// Of two numbers. fminf and fmaxf are calls: what they promise for NaN no instruction does.
static inline float ond_f_min(float a, float b)
{
    return a < b ? a : b;
}
static inline float ond_f_max(float a, float b)
{
    return a > b ? a : b;
}
static inline float ond_clamp01(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; // NaN becomes 0
}
/// How bright a linear colour looks.
static inline float ond_brightness(OndF3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}
static inline float ond_smoothstep(float from, float to, float x)
{
    const float t = ond_clamp01((x - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

#endif
