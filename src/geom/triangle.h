// SPDX-License-Identifier: MIT
// One triangle: how far a point is from it, and where a line along x crosses it.
#ifndef OND_GEOM_TRIANGLE_H
#define OND_GEOM_TRIANGLE_H

#include "base/vec.h"
#include "geom/minmax.h"

#include <stdbool.h>
#include <stdint.h>

static inline double ond_segment_distance2(OndVec a, OndVec b, OndVec p)
{
    const OndVec way = ond_sub(b, a), offset = ond_sub(p, a);
    const double length2 = ond_dot(way, way);
    const double t = length2 > 0.0 ? ond_clamp(ond_dot(offset, way) / length2, 0.0, 1.0) : 0.0;
    const OndVec away = ond_sub(offset, ond_scale(way, t));
    return ond_dot(away, away);
}

/// Whether `p`, seen along the normal, is left of the edge a-b.
static inline bool ond_left_of_edge(OndVec a, OndVec b, OndVec normal, OndVec p)
{
    return ond_dot(ond_cross(normal, ond_sub(b, a)), ond_sub(p, a)) >= 0.0;
}

/// Squared distance to the triangle a b c; one without area is its three edges.
static inline double ond_triangle_distance2(OndVec a, OndVec b, OndVec c, OndVec p)
{
    const OndVec ab = ond_sub(b, a), ac = ond_sub(c, a), normal = ond_cross(ab, ac);
    const double normal2 = ond_dot(normal, normal);
    // Below this the normal is rounding noise, and the edges are as good as the face.
    const bool has_area = normal2 > 1e-24 * ond_dot(ab, ab) * ond_dot(ac, ac);
    if (has_area && ond_left_of_edge(a, b, normal, p) && ond_left_of_edge(b, c, normal, p) &&
        ond_left_of_edge(c, a, normal, p)) {
        const double height = ond_dot(normal, ond_sub(p, a));
        return height * height / normal2;
    }
    const double ab2 = ond_segment_distance2(a, b, p), bc2 = ond_segment_distance2(b, c, p);
    return ond_min(ond_min(ab2, bc2), ond_segment_distance2(c, a, p));
}

/// How the edge a-b, seen along x, turns around the line (y, z): +1, -1 or 0. `flipped` says that
/// the caller met it from b to a. Two triangles that share an edge must pass it the same way round,
/// so that they compute the same bits: then a line slips neither between them nor through both.
static inline int ond_edge_turn(OndVec a, OndVec b, bool flipped, double y, double z)
{
    const int turn = (b.z > z) - (a.z > z);
    if (turn == 0) return 0;
    const double across = a.y + (z - a.z) / (b.z - a.z) * (b.y - a.y);
    if (!(across > y)) return 0;
    return flipped ? -turn : turn;
}

/// x at which the triangle's plane meets the line (y, z), kept within the triangle.
static inline double ond_triangle_x_at(OndVec a, OndVec b, OndVec c, double y, double z)
{
    const double low = ond_min(a.x, ond_min(b.x, c.x)), high = ond_max(a.x, ond_max(b.x, c.x));
    const OndVec normal = ond_cross(ond_sub(b, a), ond_sub(c, a));
    const double x = a.x - (normal.y * (y - a.y) + normal.z * (z - a.z)) / normal.x;
    return x >= low ? (x <= high ? x : high) : x < low ? low : 0.5 * (low + high); // last: NaN
}

#endif
