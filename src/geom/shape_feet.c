// SPDX-License-Identifier: MIT
// Which places of a shape's surface are nearest to a point, face by face.
//
// Primitives know their faces. A face of a part is a face of the whole where nothing covers it and
// nothing cuts it away, which the whole's distance tells: it is zero there, and on the way to the
// point it has the point's sign. Where shapes meet in an edge no part knows the place; then the
// point walks down its distance, which leads to some place that is near enough to the nearest.
#include "geom/shape_kind.h"

OndVec ond_shape_gradient(const OndShape *shape, OndVec point, double step, bool flat)
{
    const OndVec axis[3] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}};
    double slope[3] = {0, 0, 0};
    for (int k = 0; k < (flat ? 2 : 3); ++k)
        slope[k] = ond_shape_distance(shape, ond_add(point, axis[k]), flat) -
                   ond_shape_distance(shape, ond_sub(point, axis[k]), flat);
    return ond_unit(ond_vec(slope[0], slope[1], slope[2]));
}

double ond_shape_bend(const OndShape *shape, OndVec foot, bool flat)
{
    return shape->kind->bend ? shape->kind->bend(shape, foot, flat) : 0.0;
}

int ond_shape_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3])
{
    return shape->kind->faces ? shape->kind->faces(shape, foot, flat, normal) : 0;
}

/// Whether a straight way leads from `at`, on the surface, to `p` on its side.
static bool bare(const OndShape *shape, OndVec at, OndVec p, double side, bool flat, double fine)
{
    if (fabs(ond_shape_distance(shape, at, flat)) > fine) return false;
    const OndVec way = ond_sub(p, at);
    const double length = ond_length(way);
    if (length <= 10.0 * fine) return true;
    const OndVec off = ond_add(at, ond_scale(way, 10.0 * fine / length));
    return side * ond_shape_distance(shape, off, flat) > 0.0;
}

static int walk_down(const OndShape *shape, OndVec p, double reach, bool flat, double fine,
                     OndVec *foot)
{
    OndVec at = p;
    for (int round = 0; round < 24; ++round) {
        const double distance = ond_shape_distance(shape, at, flat);
        if (fabs(distance) <= fine) break;
        const OndVec slope = ond_shape_gradient(shape, at, fine, flat);
        at = ond_sub(at, ond_scale(slope, distance));
    }
    const OndVec way = ond_sub(p, at);
    if (fabs(ond_shape_distance(shape, at, flat)) > 1e-3 * reach) return 0;
    if (ond_dot(way, way) > reach * reach) return 0;
    *foot = at;
    return 1;
}

int ond_shape_feet(const OndShape *shape, OndVec point, double reach, bool flat, OndVec *foot,
                   int room)
{
    if (flat) point.z = 0.0;
    const double distance = ond_shape_distance(shape, point, flat), fine = 1e-6 * reach;
    if (!(fabs(distance) <= reach) || room <= 0) return 0;
    const int all =
        shape->kind->feet ? shape->kind->feet(shape, point, reach, flat, foot, room) : 0;
    int count = 0;
    for (int i = 0; i < all; ++i)
        if (bare(shape, foot[i], point, distance < 0.0 ? -1.0 : 1.0, flat, fine))
            foot[count++] = foot[i];
    return count > 0 ? count : walk_down(shape, point, reach, flat, fine, foot);
}
