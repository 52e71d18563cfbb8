// SPDX-License-Identifier: MIT
// Four floats at once, for gcc and clang on any machine; compilers make one instruction of each
// operation where there is one. Comparisons give masks: all bits of a lane, or none.
#ifndef OND_SPACE_WIDE_H
#define OND_SPACE_WIDE_H

#include "base/vec.h"

#include <stdint.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

typedef float OndFour __attribute__((vector_size(16)));
typedef int32_t OndFourMask __attribute__((vector_size(16)));

/// Four points, or the same one four times.
typedef struct OndFour3 {
    OndFour x, y, z;
} OndFour3;

static inline OndFour ond_four(float a)
{
    const OndFour four = {a, a, a, a};
    return four;
}
static inline OndFour3 ond_four_same(OndVec p)
{
    const OndFour3 four = {ond_four((float)p.x), ond_four((float)p.y), ond_four((float)p.z)};
    return four;
}
static inline OndVec ond_four_lane(const OndFour3 *four, int lane)
{
    return ond_vec(four->x[lane], four->y[lane], four->z[lane]);
}
static inline OndFour ond_four_abs(OndFour a)
{
    const OndFourMask magnitude = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    return (OndFour)((OndFourMask)a & magnitude);
}
/// a where it is above 0, else 0.
static inline OndFour ond_four_above(OndFour a)
{
    return (OndFour)((OndFourMask)a & (a > ond_four(0.0f)));
}
static inline OndFour ond_four_min(OndFour a, OndFour b)
{
    const OndFourMask first = a < b;
    return (OndFour)(((OndFourMask)a & first) | ((OndFourMask)b & ~first));
}
static inline OndFour ond_four_max(OndFour a, OndFour b)
{
    const OndFourMask first = a > b;
    return (OndFour)(((OndFourMask)a & first) | ((OndFourMask)b & ~first));
}
static inline OndFour3 ond_four_sub(OndFour3 a, OndFour3 b)
{
    const OndFour3 four = {a.x - b.x, a.y - b.y, a.z - b.z};
    return four;
}
static inline OndFour ond_four_dot(OndFour3 a, OndFour3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline OndFour3 ond_four_cross(OndFour3 a, OndFour3 b)
{
    const OndFour3 four = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return four;
}

/// One bit a lane.
static inline unsigned ond_four_bits(OndFourMask mask)
{
#ifdef __SSE__
    return (unsigned)_mm_movemask_ps((__m128)mask);
#endif
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

#endif
