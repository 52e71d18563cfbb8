// SPDX-License-Identifier: MIT
// Box, sphere, cylinder and capsule: closed forms.
#include "geom/shape_kind.h"

// ---- box -----------------------------------------------------------------------------------

typedef struct BoxShape {
    OndShape base;
    OndVec center, half;
} BoxShape;

static double box_distance(const OndShape *shape, OndVec p, bool flat)
{
    const BoxShape *box = (const BoxShape *)shape;
    const double x = fabs(p.x - box->center.x) - box->half.x;
    const double y = fabs(p.y - box->center.y) - box->half.y;
    const double z = flat ? -INFINITY : fabs(p.z - box->center.z) - box->half.z;
    const OndVec out = {ond_max(x, 0.0), ond_max(y, 0.0), ond_max(z, 0.0)};
    return ond_min(ond_max(x, ond_max(y, z)), 0.0) + ond_length(out);
}

/// Adds a place when it is near enough and there is room.
static int add_foot(OndVec *foot, int count, int room, OndVec at, OndVec p, double reach)
{
    const OndVec way = ond_sub(p, at);
    if (count < room && ond_dot(way, way) <= reach * reach) foot[count++] = at;
    return count;
}

static int box_feet(const OndShape *shape, OndVec p, double reach, bool flat, OndVec *foot,
                    int room)
{
    const BoxShape *box = (const BoxShape *)shape;
    const OndVec c = box->center, h = box->half;
    if (box_distance(shape, p, flat) >= 0.0) {
        const OndVec at = {ond_clamp(p.x, c.x - h.x, c.x + h.x),
                           ond_clamp(p.y, c.y - h.y, c.y + h.y),
                           flat ? p.z : ond_clamp(p.z, c.z - h.z, c.z + h.z)};
        return add_foot(foot, 0, room, at, p, reach);
    }
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        count = add_foot(foot, count, room, ond_vec(c.x + side * h.x, p.y, p.z), p, reach);
        count = add_foot(foot, count, room, ond_vec(p.x, c.y + side * h.y, p.z), p, reach);
        if (flat) continue;
        count = add_foot(foot, count, room, ond_vec(p.x, p.y, c.z + side * h.z), p, reach);
    }
    return count;
}

static int box_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3])
{
    static const OndVec axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const BoxShape *box = (const BoxShape *)shape;
    int count = 0;
    for (int a = 0; a < (flat ? 2 : 3); ++a) {
        const double from = ond_axis(foot, a) - ond_axis(box->center, a);
        if (fabs(from) < (1.0 - 1e-9) * ond_axis(box->half, a)) continue;
        normal[count++] = ond_scale(axis[a], from < 0.0 ? -1.0 : 1.0);
    }
    return count > 1 ? count : 0;
}

static const OndShapeKind box_kind = {box_distance, NULL, NULL, box_feet, true, NULL, box_faces};

OndShape *ond_shape_box(OndArena *arena, OndVec min, OndVec max)
{
    BoxShape *box = ond_arena_take(arena, sizeof *box);
    if (!box) return NULL;
    *box = (BoxShape){{&box_kind, {min, max}},
                      ond_scale(ond_add(min, max), 0.5),
                      ond_scale(ond_sub(max, min), 0.5)};
    return &box->base;
}

// ---- sphere, cylinder, capsule: all that is within `radius` of a segment ---------------------

typedef struct RoundShape {
    OndShape base;
    OndVec from, axis; ///< axis has length 1
    OndVec flat_axis;  ///< the axis seen along z; 0 when it is z itself
    double length, flat_length;
    double radius;
} RoundShape;

/// A point seen from a segment: how far along it, and how far from its line.
typedef struct SegmentView {
    double along, aside;
} SegmentView;

static SegmentView look(const RoundShape *round, OndVec p, bool flat)
{
    OndVec offset = ond_sub(p, round->from);
    if (flat) offset.z = 0.0;
    const OndVec axis = flat ? round->flat_axis : round->axis;
    const double along = ond_dot(offset, axis);
    const SegmentView seen = {along, ond_length(ond_sub(offset, ond_scale(axis, along)))};
    return seen;
}

static double capsule_distance(const OndShape *shape, OndVec p, bool flat)
{
    const RoundShape *round = (const RoundShape *)shape;
    const double length = flat ? round->flat_length : round->length;
    const SegmentView seen = look(round, p, flat);
    const double past = seen.along - ond_clamp(seen.along, 0.0, length);
    return sqrt(past * past + seen.aside * seen.aside) - round->radius;
}

static double cylinder_distance(const OndShape *shape, OndVec p, bool flat)
{
    const RoundShape *round = (const RoundShape *)shape;
    const SegmentView seen = look(round, p, flat);
    const double side = seen.aside - round->radius;
    if (flat && round->flat_length == 0.0) return side;
    const double half = 0.5 * (flat ? round->flat_length : round->length);
    return ond_distance_both(side, fabs(seen.along - half) - half);
}

/// Which way a point is from the axis, one long; any way square to it when it is on the axis.
static OndVec aside_of(const RoundShape *round, OndVec p, bool flat)
{
    OndVec offset = ond_sub(p, round->from);
    if (flat) offset.z = 0.0;
    const OndVec axis = flat ? round->flat_axis : round->axis;
    const OndVec aside = ond_sub(offset, ond_scale(axis, ond_dot(offset, axis)));
    if (ond_dot(aside, aside) > 0.0) return ond_unit(aside);
    if (flat) return ond_dot(axis, axis) > 0.0 ? ond_vec(-axis.y, axis.x, 0.0) : ond_vec(1, 0, 0);
    const OndVec other = fabs(axis.x) < 0.7 ? ond_vec(1, 0, 0) : ond_vec(0, 1, 0);
    return ond_unit(ond_cross(axis, other));
}

/// The place that far along the axis and that far from it, on the point's side.
static OndVec round_place(const RoundShape *round, OndVec p, bool flat, SegmentView seen)
{
    OndVec from = round->from;
    if (flat) from.z = p.z;
    const OndVec axis = flat ? round->flat_axis : round->axis;
    return ond_add(ond_add(from, ond_scale(axis, seen.along)),
                   ond_scale(aside_of(round, p, flat), seen.aside));
}

static int capsule_feet(const OndShape *shape, OndVec p, double reach, bool flat, OndVec *foot,
                        int room)
{
    const RoundShape *round = (const RoundShape *)shape;
    const double length = flat ? round->flat_length : round->length;
    const SegmentView seen = look(round, p, flat);
    const double middle = ond_clamp(seen.along, 0.0, length), past = seen.along - middle;
    const double away = sqrt(past * past + seen.aside * seen.aside);
    const double scale = away > 0.0 ? round->radius / away : 0.0;
    const SegmentView at = {middle + past * scale, away > 0.0 ? seen.aside * scale : round->radius};
    return add_foot(foot, 0, room, round_place(round, p, flat, at), p, reach);
}

static int cylinder_feet(const OndShape *shape, OndVec p, double reach, bool flat, OndVec *foot,
                         int room)
{
    const RoundShape *round = (const RoundShape *)shape;
    const bool disc = flat && round->flat_length == 0.0;
    const double length = flat ? round->flat_length : round->length;
    const SegmentView seen = look(round, p, flat);
    if (!disc && cylinder_distance(shape, p, flat) >= 0.0) {
        const SegmentView at = {ond_clamp(seen.along, 0.0, length),
                                ond_min(seen.aside, round->radius)};
        return add_foot(foot, 0, room, round_place(round, p, flat, at), p, reach);
    }
    const SegmentView at[3] = {
        {seen.along, round->radius}, {0.0, seen.aside}, {length, seen.aside}};
    int count = 0;
    for (int k = 0; k < (disc ? 1 : 3); ++k)
        count = add_foot(foot, count, room, round_place(round, p, flat, at[k]), p, reach);
    if (flat && !disc) { // a rectangle's other side
        const SegmentView other = {seen.along, -round->radius};
        count = add_foot(foot, count, room, round_place(round, p, flat, other), p, reach);
    }
    return count;
}

/// Between its ends, where a round shape is curved one way only (flat: not at all).
static bool beside_axis(const RoundShape *round, OndVec at, bool flat, SegmentView *seen)
{
    const double length = flat ? round->flat_length : round->length;
    *seen = look(round, at, flat);
    return seen->along > 1e-9 * length && seen->along < (1.0 - 1e-9) * length;
}

static double capsule_bend(const OndShape *shape, OndVec foot, bool flat)
{
    const RoundShape *round = (const RoundShape *)shape;
    SegmentView seen;
    const bool beside = beside_axis(round, foot, flat, &seen);
    const int curved = (flat ? 1 : 2) - (beside ? 1 : 0); // ways
    return round->radius > 0.0 ? 0.5 * curved / round->radius : 0.0;
}

static double cylinder_bend(const OndShape *shape, OndVec foot, bool flat)
{
    const RoundShape *round = (const RoundShape *)shape;
    SegmentView seen;
    const bool beside = beside_axis(round, foot, flat, &seen), disc = round->flat_length == 0.0;
    if (!(round->radius > 0.0) || !(flat ? disc : beside)) return 0.0;
    return seen.aside > (1.0 - 1e-9) * round->radius ? 0.5 / round->radius : 0.0;
}

/// Round its rims (flat: in its corners).
static int cylinder_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3])
{
    const RoundShape *round = (const RoundShape *)shape;
    SegmentView seen;
    const bool disc = flat && round->flat_length == 0.0;
    if (disc || beside_axis(round, foot, flat, &seen)) return 0;
    if (seen.aside < (1.0 - 1e-9) * round->radius) return 0;
    normal[0] = aside_of(round, foot, flat);
    normal[1] = ond_scale(flat ? round->flat_axis : round->axis, seen.along > 0.0 ? 1.0 : -1.0);
    return 2;
}

static const OndShapeKind capsule_kind = {capsule_distance, NULL, NULL, capsule_feet, true,
                                          capsule_bend,     NULL};
static const OndShapeKind cylinder_kind = {
    cylinder_distance, NULL, NULL, cylinder_feet, true, cylinder_bend, cylinder_faces};

static RoundShape *make_round(OndArena *arena, const OndShapeKind *kind, OndVec from, OndVec to,
                              double radius)
{
    RoundShape *round = ond_arena_take(arena, sizeof *round);
    if (!round) return NULL;
    const OndVec way = ond_sub(to, from), flat_way = {way.x, way.y, 0.0};
    round->base.kind = kind;
    round->from = from;
    round->length = ond_length(way);
    round->flat_length = ond_length(flat_way);
    // An axis that is z but for rounding must not become a rectangle of no length.
    if (round->flat_length <= 1e-9 * round->length) round->flat_length = 0.0;
    round->axis = round->length > 0.0 ? ond_unit(way) : ond_vec(0.0, 1.0, 0.0);
    round->flat_axis = round->flat_length > 0.0 ? ond_unit(flat_way) : ond_vec(0.0, 0.0, 0.0);
    round->radius = radius;
    return round;
}

/// Bounds of the segment, wider by `reach` in each direction.
static OndBox bounds_around(OndVec from, OndVec to, OndVec reach)
{
    const OndBox box = ond_box_add((OndBox){from, from}, to);
    const OndBox wide = {ond_sub(box.min, reach), ond_add(box.max, reach)};
    return wide;
}

OndShape *ond_shape_capsule(OndArena *arena, OndVec from, OndVec to, double radius)
{
    RoundShape *round = make_round(arena, &capsule_kind, from, to, radius);
    if (!round) return NULL;
    round->base.bounds = bounds_around(from, to, ond_vec(radius, radius, radius));
    return &round->base;
}

OndShape *ond_shape_sphere(OndArena *arena, OndVec center, double radius)
{
    return ond_shape_capsule(arena, center, center, radius);
}

OndShape *ond_shape_cylinder(OndArena *arena, OndVec from, OndVec to, double radius)
{
    RoundShape *round = make_round(arena, &cylinder_kind, from, to, radius);
    if (!round) return NULL;
    // A disc square to the axis reaches radius * sin(angle between axis and x) along x.
    const OndVec a = round->axis;
    const OndVec reach = {radius * sqrt(a.y * a.y + a.z * a.z),
                          radius * sqrt(a.x * a.x + a.z * a.z),
                          radius * sqrt(a.x * a.x + a.y * a.y)};
    round->base.bounds = bounds_around(from, to, reach);
    return &round->base;
}
