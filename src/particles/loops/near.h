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

typedef float OndOct __attribute__((vector_size(32)));

typedef struct OndNear {
    _Alignas(32) float x[OND_LANES], y[OND_LANES], z[OND_LANES], w[OND_LANES];
} OndNear;
_Static_assert(OND_LANES == 8, "two quads");

#define OND_BOTH(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)

OND_INLINE void ond_near_take(const OndQuad *restrict of, const uint32_t *restrict list,
                              OndNear *restrict near)
{
    const OndOct a = OND_BOTH(of[list[0]], of[list[4]]), b = OND_BOTH(of[list[1]], of[list[5]]);
    const OndOct c = OND_BOTH(of[list[2]], of[list[6]]), d = OND_BOTH(of[list[3]], of[list[7]]);
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

// Lanes that are summed.
typedef struct OndLanes {
    _Alignas(32) float at[OND_LANES];
} OndLanes;

OND_INLINE float ond_lanes_sum(const OndLanes *l)
{
    const float *a = l->at;
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

#endif
