// SPDX-License-Identifier: MIT
// Values of eight neighbours, side by side.
//
// Values that stand at scattered places are gathered one by one, which is what pair loops spend most
// of their time on. Where four values of a particle stand together (OndQuad), one load brings all
// four, and a few shuffles put those of eight neighbours side by side. That is quicker than four
// gathers on AVX2, and SSE2 has none at all. Sums are kept lane by lane and added up at the end, two
// and two.
#ifndef OND_PARTICLES_NEAR_H
#define OND_PARTICLES_NEAR_H

#include "particles/loops/loops.h"

#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

typedef struct OndNear {
    _Alignas(32) float x[OND_LANES], y[OND_LANES], z[OND_LANES], w[OND_LANES];
} OndNear;
_Static_assert(OND_LANES == 8, "two quads");

// Clang would take a loop's first value out of the quads themselves, and then not vectorise the loop: it does not see
// through this.
#ifdef __wasm__
#define OND_NEAR_WHOLE(quad) __asm__("" : "+r"(quad))
#else
#define OND_NEAR_WHOLE(quad) ((void)0)
#endif

// Four quads (x y z w) become all x, all y, all z, all w; and back.
OND_INLINE void ond_near_turn(OndQuad q[4])
{
    const OndQuad xy_ab = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5);
    const OndQuad xy_cd = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
    const OndQuad zw_ab = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7);
    const OndQuad zw_cd = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
    q[0] = __builtin_shufflevector(xy_ab, xy_cd, 0, 1, 4, 5);
    q[1] = __builtin_shufflevector(xy_ab, xy_cd, 2, 3, 6, 7);
    q[2] = __builtin_shufflevector(zw_ab, zw_cd, 0, 1, 4, 5);
    q[3] = __builtin_shufflevector(zw_ab, zw_cd, 2, 3, 6, 7);
}

#ifdef __AVX__
typedef float OndOct __attribute__((vector_size(32)));

OND_INLINE OndOct ond_near_both(const OndQuad *restrict of, uint32_t low, uint32_t high)
{
    const __m256 one = _mm256_castps128_ps256(_mm_load_ps((const float *)&of[low]));
    return (OndOct)_mm256_insertf128_ps(one, _mm_load_ps((const float *)&of[high]), 1);
}

OND_INLINE void ond_near_take(const OndQuad *restrict of, const uint32_t *restrict list,
                              OndNear *restrict near)
{
    const OndOct a = ond_near_both(of, list[0], list[4]), b = ond_near_both(of, list[1], list[5]);
    const OndOct c = ond_near_both(of, list[2], list[6]), d = ond_near_both(of, list[3], list[7]);
    const OndOct xy_ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const OndOct xy_cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const OndOct zw_ab = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const OndOct zw_cd = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    const OndOct x = __builtin_shufflevector(xy_ab, xy_cd, 0, 1, 8, 9, 4, 5, 12, 13);
    const OndOct y = __builtin_shufflevector(xy_ab, xy_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    const OndOct z = __builtin_shufflevector(zw_ab, zw_cd, 0, 1, 8, 9, 4, 5, 12, 13);
    const OndOct w = __builtin_shufflevector(zw_ab, zw_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    memcpy(near->x, &x, sizeof x);
    memcpy(near->y, &y, sizeof y);
    memcpy(near->z, &z, sizeof z);
    memcpy(near->w, &w, sizeof w);
}
#else
// Vectors of eight would be taken apart number by number here.
OND_INLINE void ond_near_take_four(const OndQuad *restrict of, const uint32_t *restrict list,
                                   OndNear *restrict near, const int to)
{
    OndQuad q[4] = {of[list[0]], of[list[1]], of[list[2]], of[list[3]]};
    ond_near_turn(q);
    for (int k = 0; k < 4; ++k)
        OND_NEAR_WHOLE(q[k]);
    memcpy(near->x + to, &q[0], sizeof *q);
    memcpy(near->y + to, &q[1], sizeof *q);
    memcpy(near->z + to, &q[2], sizeof *q);
    memcpy(near->w + to, &q[3], sizeof *q);
}

OND_INLINE void ond_near_take(const OndQuad *restrict of, const uint32_t *restrict list,
                              OndNear *restrict near)
{
    ond_near_take_four(of, list, near, 0);
    ond_near_take_four(of, list + 4, near, 4);
}
#endif

// Lanes that are summed.
typedef struct OndLanes {
    _Alignas(32) float at[OND_LANES];
} OndLanes;

OND_INLINE float ond_lanes_sum(const OndLanes *l)
{
    const float *a = l->at;
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

// From the first lane to the last, as the compiler adds up what it reduces by itself.
OND_INLINE float ond_lanes_in_turn(const OndLanes *l)
{
    float sum = l->at[0];
    for (int k = 1; k < OND_LANES; ++k)
        sum += l->at[k];
    return sum;
}

// Three such sums side by side.
OND_INLINE OndQuad ond_lanes_in_turn3(const OndLanes *x, const OndLanes *y, const OndLanes *z)
{
    OndQuad low[4] = {{0}}, high[4] = {{0}};
    memcpy(&low[0], x->at, sizeof *low), memcpy(&high[0], x->at + 4, sizeof *high);
    memcpy(&low[1], y->at, sizeof *low), memcpy(&high[1], y->at + 4, sizeof *high);
    memcpy(&low[2], z->at, sizeof *low), memcpy(&high[2], z->at + 4, sizeof *high);
    ond_near_turn(low), ond_near_turn(high);
    return low[0] + low[1] + low[2] + low[3] + high[0] + high[1] + high[2] + high[3];
}

#endif
