// SPDX-License-Identifier: MIT
// The place of a triangle that is nearest to a point, and which part of it that is.
//
// The face is asked through its normal, not through barycentric products: a sliver's height is then
// as exact as its normal. A point beside the face is nearest to one of the edges it is beside.
#ifndef OND_GEOM_CLOSEST_H
#define OND_GEOM_CLOSEST_H

#include "base/vec.h"
#include "geom/minmax.h"

/// Part of a triangle: corner k is k, the edge from corner k to the next is OND_ON_EDGE + k.
enum { OND_ON_EDGE = 3, OND_ON_FACE = 6 };

typedef struct OndClosest {
    OndVec at;
    int part;
} OndClosest;

/// Share of the way a-b at which it is nearest to p.
static inline double ond_closest_share(OndVec a, OndVec b, OndVec p)
{
    const OndVec way = ond_sub(b, a);
    const double length2 = ond_dot(way, way);
    return length2 > 0.0 ? ond_clamp(ond_dot(ond_sub(p, a), way) / length2, 0.0, 1.0) : 0.0;
}

static inline double ond_distance2(OndVec a, OndVec b)
{
    const OndVec d = ond_sub(a, b);
    return ond_dot(d, d);
}

/// The nearest place on those of the three edges that are in `edges` (one bit each).
static inline OndClosest ond_closest_on_edges(const OndVec corner[3], OndVec p, int edges)
{
    OndClosest best = {corner[0], 0};
    double best2 = INFINITY;
    for (int k = 0; k < 3; ++k) {
        if (!(edges >> k & 1)) continue;
        const int next = k == 2 ? 0 : k + 1;
        const double t = ond_closest_share(corner[k], corner[next], p);
        const OndVec way = ond_sub(corner[next], corner[k]);
        const OndVec at = t >= 1.0 ? corner[next] : ond_add(corner[k], ond_scale(way, t));
        const double distance2 = ond_distance2(at, p);
        if (!(distance2 < best2)) continue;
        best2 = distance2;
        best.at = at;
        best.part = t <= 0.0 ? k : t >= 1.0 ? next : OND_ON_EDGE + k;
    }
    return best;
}

static inline OndVec ond_triangle_normal(const OndVec corner[3])
{
    return ond_cross(ond_sub(corner[1], corner[0]), ond_sub(corner[2], corner[0]));
}

/// A triangle without area is its three edges.
static inline OndClosest ond_closest_on_triangle(const OndVec corner[3], OndVec p)
{
    const OndVec normal = ond_triangle_normal(corner);
    const double normal2 = ond_dot(normal, normal);
    const OndVec ab = ond_sub(corner[1], corner[0]), ac = ond_sub(corner[2], corner[0]);
    // Below this the normal is rounding noise, and the edges are as good as the face.
    if (!(normal2 > 1e-24 * ond_dot(ab, ab) * ond_dot(ac, ac)))
        return ond_closest_on_edges(corner, p, 7);
    int beside = 0;
    for (int k = 0; k < 3; ++k) {
        const OndVec edge = ond_sub(corner[k == 2 ? 0 : k + 1], corner[k]);
        if (ond_dot(ond_cross(normal, edge), ond_sub(p, corner[k])) < 0.0) beside |= 1 << k;
    }
    if (beside) return ond_closest_on_edges(corner, p, beside);
    const double height = ond_dot(normal, ond_sub(p, corner[0]));
    const OndClosest face = {ond_sub(p, ond_scale(normal, height / normal2)), OND_ON_FACE};
    return face;
}

#endif
