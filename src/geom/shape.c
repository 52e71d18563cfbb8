// SPDX-License-Identifier: MIT
// The tree of shapes: union, difference, intersection, and how any shape is asked.
#include "geom/shape_kind.h"

#include <string.h>

// Far from everything, yet safe to square.
#define NOWHERE 1e30

// ---- asking any shape ----------------------------------------------------------------------

static double distance_at(const OndShape *shape, OndVec point, bool flat)
{
    return shape->kind->distance(shape, point, flat);
}

double ond_shape_distance(const OndShape *shape, OndVec point, bool flat)
{
    if (flat) point.z = 0.0;
    return distance_at(shape, point, flat);
}

OndBox ond_shape_bounds(const OndShape *shape)
{
    return shape->bounds;
}

bool ond_shape_is_convex(const OndShape *shape)
{
    return shape->kind->convex;
}

static bool boxes_meet(const OndBox *a, const OndBox *b, bool flat)
{
    return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.y <= b->max.y &&
           a->max.y >= b->min.y && (flat || (a->min.z <= b->max.z && a->max.z >= b->min.z));
}

bool ond_shape_touches(const OndShape *shape, const OndBox *box, bool flat)
{
    if (!boxes_meet(&shape->bounds, box, flat)) return false;
    return !shape->kind->touches || shape->kind->touches(shape, box, flat);
}

/// A distance d says that all points nearer than |d| are on the same side: they need no question.
static void walk_row(const OndShape *shape, const OndPointRow *row, bool flat,
                     unsigned char *inside)
{
    for (int i = 0; i < row->count;) {
        const OndVec point = {row->x + i * row->step, row->y, row->z};
        const double distance = distance_at(shape, point, flat);
        const double stride = ceil(fabs(distance) / row->step);
        int same = row->count - i;
        if (!(stride >= same)) same = stride > 1.0 ? (int)stride : 1;
        memset(inside + i, distance < 0.0, (size_t)same);
        i += same;
    }
}

void ond_shape_row(const OndShape *shape, const OndPointRow *row, bool flat, unsigned char *inside)
{
    const OndBox box = {{row->x, row->y, row->z},
                        {row->x + row->step * (row->count - 1), row->y, row->z}};
    if (!boxes_meet(&shape->bounds, &box, flat))
        memset(inside, 0, (size_t)row->count);
    else if (shape->kind->row)
        shape->kind->row(shape, row, flat, inside);
    else
        walk_row(shape, row, flat, inside);
}

// ---- union and difference ------------------------------------------------------------------

typedef struct Group {
    OndShape base;
    OndShape **part;
    int count;
} Group;

static double union_distance(const OndShape *shape, OndVec point, bool flat)
{
    const Group *group = (const Group *)shape;
    double nearest = NOWHERE;
    for (int i = 0; i < group->count; ++i)
        nearest = ond_min(nearest, distance_at(group->part[i], point, flat));
    return nearest;
}

static void union_row(const OndShape *shape, const OndPointRow *row, bool flat,
                      unsigned char *inside)
{
    const Group *group = (const Group *)shape;
    unsigned char part[OND_ROW_MAX];
    memset(inside, 0, (size_t)row->count);
    for (int p = 0; p < group->count; ++p) {
        ond_shape_row(group->part[p], row, flat, part);
        for (int i = 0; i < row->count; ++i)
            inside[i] |= part[i];
    }
}

static bool union_touches(const OndShape *shape, const OndBox *box, bool flat)
{
    const Group *group = (const Group *)shape;
    for (int i = 0; i < group->count; ++i)
        if (ond_shape_touches(group->part[i], box, flat)) return true;
    return false;
}

static double difference_distance(const OndShape *shape, OndVec point, bool flat)
{
    const Group *group = (const Group *)shape;
    if (group->count == 0) return NOWHERE;
    double farthest = distance_at(group->part[0], point, flat);
    for (int i = 1; i < group->count; ++i)
        farthest = ond_max(farthest, -distance_at(group->part[i], point, flat));
    return farthest;
}

static void difference_row(const OndShape *shape, const OndPointRow *row, bool flat,
                           unsigned char *inside)
{
    const Group *group = (const Group *)shape;
    unsigned char part[OND_ROW_MAX];
    memset(inside, 0, (size_t)row->count);
    for (int p = 0; p < group->count; ++p) {
        ond_shape_row(group->part[p], row, flat, p == 0 ? inside : part);
        for (int i = 0; p > 0 && i < row->count; ++i)
            inside[i] &= (unsigned char)!part[i];
    }
}

static bool difference_touches(const OndShape *shape, const OndBox *box, bool flat)
{
    const Group *group = (const Group *)shape;
    return group->count > 0 && ond_shape_touches(group->part[0], box, flat);
}

static double intersection_distance(const OndShape *shape, OndVec point, bool flat)
{
    const Group *group = (const Group *)shape;
    if (group->count == 0) return NOWHERE;
    double farthest = -NOWHERE;
    for (int i = 0; i < group->count; ++i)
        farthest = ond_max(farthest, distance_at(group->part[i], point, flat));
    return farthest;
}

static void intersection_row(const OndShape *shape, const OndPointRow *row, bool flat,
                             unsigned char *inside)
{
    const Group *group = (const Group *)shape;
    unsigned char part[OND_ROW_MAX];
    memset(inside, group->count > 0, (size_t)row->count);
    for (int p = 0; p < group->count; ++p) {
        ond_shape_row(group->part[p], row, flat, part);
        for (int i = 0; i < row->count; ++i)
            inside[i] &= part[i];
    }
}

static bool intersection_touches(const OndShape *shape, const OndBox *box, bool flat)
{
    const Group *group = (const Group *)shape;
    for (int i = 0; i < group->count; ++i)
        if (!ond_shape_touches(group->part[i], box, flat)) return false;
    return group->count > 0;
}

static int group_feet(const OndShape *shape, OndVec p, double reach, bool flat, OndVec *foot,
                      int room)
{
    const Group *group = (const Group *)shape;
    int count = 0;
    for (int i = 0; i < group->count; ++i) {
        const OndShape *part = group->part[i];
        if (fabs(distance_at(part, p, flat)) > reach || !part->kind->feet) continue;
        count += part->kind->feet(part, p, reach, flat, foot + count, room - count);
    }
    return count;
}

/// The part whose face a place of the surface is on; -1 without parts.
static int part_at(const Group *group, OndVec foot, bool flat)
{
    int nearest = -1;
    double least = INFINITY;
    for (int i = 0; i < group->count; ++i) {
        const double distance = fabs(distance_at(group->part[i], foot, flat));
        if (distance < least) least = distance, nearest = i;
    }
    return nearest;
}

static double group_bend(const OndShape *shape, OndVec foot, bool flat)
{
    const Group *group = (const Group *)shape;
    const int part = part_at(group, foot, flat);
    return part < 0 ? 0.0 : ond_shape_bend(group->part[part], foot, flat);
}

/// What is taken away leaves its face hollow.
static double difference_bend(const OndShape *shape, OndVec foot, bool flat)
{
    const double bend = group_bend(shape, foot, flat);
    return part_at((const Group *)shape, foot, flat) > 0 ? -bend : bend;
}

static bool same_faces(const OndVec a[3], const OndVec b[3], int count)
{
    for (int k = 0; k < count; ++k)
        if (ond_dot(a[k], b[k]) < 1.0 - 1e-6) return false;
    return true;
}

/// Of the parts that are there, when they say the same; where others meet nobody knows: the edge of
/// one may lie within the face of the next.
static int group_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3])
{
    const Group *group = (const Group *)shape;
    const double fine = 1e-9 * (fabs(foot.x) + fabs(foot.y) + fabs(foot.z));
    const int part = part_at(group, foot, flat);
    const int count = part < 0 ? 0 : ond_shape_faces(group->part[part], foot, flat, normal);
    for (int i = 0; i < group->count && count > 0; ++i) {
        OndVec other[3];
        if (i == part || fabs(distance_at(group->part[i], foot, flat)) > fine) continue;
        if (ond_shape_faces(group->part[i], foot, flat, other) != count) return 0;
        if (!same_faces(normal, other, count)) return 0;
    }
    return count;
}

/// What is taken away leaves no edge that stands out.
static int difference_faces(const OndShape *shape, OndVec foot, bool flat, OndVec normal[3])
{
    return part_at((const Group *)shape, foot, flat) > 0 ? 0
                                                         : group_faces(shape, foot, flat, normal);
}

static const OndShapeKind union_kind = {union_distance, union_row,  union_touches, group_feet,
                                        false,          group_bend, group_faces};
static const OndShapeKind difference_kind = {
    difference_distance, difference_row,  difference_touches, group_feet, false,
    difference_bend,     difference_faces};
static const OndShapeKind intersection_kind = {intersection_distance,
                                               intersection_row,
                                               intersection_touches,
                                               group_feet,
                                               false,
                                               group_bend,
                                               group_faces};

static Group *make_group(OndArena *arena, const OndShapeKind *kind, OndShape *const *part,
                         int count)
{
    if (count < 0 || (size_t)count > SIZE_MAX / sizeof *part / 2) return NULL;
    Group *group = ond_arena_take(arena, sizeof *group);
    OndShape **copy = ond_arena_take(arena, (size_t)count * sizeof *copy);
    if (!group || !copy) return NULL;
    for (int i = 0; i < count; ++i) {
        if (!part[i]) return NULL;
        copy[i] = part[i];
    }
    *group = (Group){{kind, ond_box_empty()}, copy, count};
    return group;
}

OndShape *ond_shape_union(OndArena *arena, OndShape *const *part, int count)
{
    Group *group = make_group(arena, &union_kind, part, count);
    if (!group) return NULL;
    for (int i = 0; i < count; ++i)
        group->base.bounds = ond_box_join(group->base.bounds, part[i]->bounds);
    return &group->base;
}

OndShape *ond_shape_difference(OndArena *arena, OndShape *const *part, int count)
{
    Group *group = make_group(arena, &difference_kind, part, count);
    if (!group) return NULL;
    if (count > 0) group->base.bounds = part[0]->bounds;
    return &group->base;
}

OndShape *ond_shape_intersection(OndArena *arena, OndShape *const *part, int count)
{
    Group *group = make_group(arena, &intersection_kind, part, count);
    if (!group) return NULL;
    OndBox box = count > 0 ? part[0]->bounds : ond_box_empty();
    for (int i = 1; i < count; ++i)
        box = ond_box_meet(box, part[i]->bounds);
    const bool some = box.min.x <= box.max.x && box.min.y <= box.max.y;
    group->base.bounds = some ? box : ond_box_empty(); // z may be flat: it does not count in 2D
    return &group->base;
}
