// SPDX-License-Identifier: MIT
// The faces that a point sees near it.
//
// Each place where a surface is nearer than all round it is a face. Many are no news: the pieces of
// a wall that is bent a little, or made of many, all look the same way, and what lies behind the
// plane of a nearer face is hidden by it. The nearest of each direction is kept.
#include "solids/distance_grid.h"

#define FOUND_MAX  32
#define FEW_SOLIDS 4 ///< more are not worth to be looked at beforehand
/// For ond_solids_feel faces come and go by degrees: from the above to OND_OTHER_WAY, and until
/// their nearest place is so many spacings behind the plane of a nearer one, for what is in front
/// of that is near, too. Where the parts of one bent face are as near as each other to so many
/// spacings each gives its part.
#define SUNK    0.5
#define AS_NEAR 0.1

typedef struct FoundTouches {
    OndTouch touch[FOUND_MAX];
    int count;
    bool feel; ///< as ond_solids_feel does
} FoundTouches;

/// The nearest of those that the point is on the wrong side of, then the nearest of the others; by
/// solid and part where they are as near.
static bool comes_before(const OndTouch *a, const OndTouch *b)
{
    if ((a->distance < 0.0) != (b->distance < 0.0)) return a->distance < 0.0;
    if (a->distance != b->distance) return fabs(a->distance) < fabs(b->distance);
    if (a->solid != b->solid) return a->solid < b->solid;
    return a->part < b->part;
}

/// Notes one more; when there is no room the last in that order gives way.
static void note(FoundTouches *found, OndTouch one)
{
    if (found->count < FOUND_MAX) {
        found->touch[found->count++] = one;
        return;
    }
    OndTouch *last = found->touch;
    for (int i = 1; i < FOUND_MAX; ++i)
        if (comes_before(last, &found->touch[i])) last = &found->touch[i];
    if (comes_before(&one, last)) *last = one;
}

/// What stands out, seen from a way, in the solid's own frame.
static OndSharp sharp_from(const OndSolid *s, OndVec way, const OndVec normal[3], int faces)
{
    OndSharp sharp = {.faces = faces};
    double all = 0.0;
    for (int k = 0; k < faces; ++k)
        all += ond_dot(way, normal[k]);
    const double side = all < 0.0 ? -1.0 : 1.0; // from within, all of them are behind
    for (int k = 0; k < faces; ++k) {
        sharp.toward[k] = (float)(side * ond_dot(way, normal[k]));
        sharp.face[k] = ond_pose_turn(&s->start.pose, ond_scale(normal[k], side));
        sharp.cosine += (float)(ond_dot(normal[k], normal[(k + 1) % faces]) / faces);
    }
    return sharp;
}

static void add_touch(FoundTouches *found, const OndSolid *s, int solid, int part, OndVec own_at,
                      OndVec own_normal, double distance, double bend, OndSharp sharp)
{
    const OndVec at = ond_pose_out(&s->start.pose, own_at);
    note(found, (OndTouch){.solid = solid,
                           .part = part,
                           .at = at,
                           .normal = ond_pose_turn(&s->start.pose, own_normal),
                           .distance = distance,
                           .velocity = ond_solid_velocity_now(s, at),
                           .bend = bend,
                           .sharp = sharp});
}

static void near_plane(const OndSolid *s, int solid, OndVec own, double reach, FoundTouches *found)
{
    const double height = s->def.container ? -own.y : own.y;
    if (fabs(height) > reach) return;
    const OndVec normal = {0.0, s->def.container ? -1.0 : 1.0, 0.0};
    add_touch(found, s, solid, 0, ond_vec(own.x, 0.0, own.z), normal, height, 0.0, (OndSharp){0});
}

static void near_shape(const OndSolid *s, int solid, bool flat, OndVec own, double reach,
                       FoundTouches *found)
{
    OndVec foot[16];
    const OndShape *shape = s->def.shape;
    const int count = ond_shape_feet(shape, own, reach, flat, foot, OND_COUNT(foot));
    if (count == 0) return;
    if (flat) own.z = 0.0;
    const double allowed = s->def.container ? -1.0 : 1.0;
    const double side = allowed * ond_shape_distance(shape, own, flat) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < count; ++i) {
        const OndVec way = ond_sub(own, foot[i]);
        const double distance = ond_length(way);
        const OndVec normal =
            distance > 1e-6 * reach
                ? ond_scale(way, side / distance)
                : ond_scale(ond_shape_gradient(shape, foot[i], 1e-4 * reach, flat), allowed);
        const double bend = found->feel ? allowed * ond_shape_bend(shape, foot[i], flat) : 0.0;
        OndVec face[3];
        const int faces = found->feel ? ond_shape_faces(shape, foot[i], flat, face) : 0;
        add_touch(found, s, solid, 0, foot[i], normal, side * distance, bend,
                  sharp_from(s, normal, face, faces));
    }
}

/// Towards the side where things may be; a point on the surface itself goes by the triangle.
static OndVec mesh_normal(const OndSolid *s, const OndMeshTouch *touch, OndVec own, double sign)
{
    if (touch->distance > 1e-12 * (fabs(own.x) + fabs(own.y) + fabs(own.z)))
        return ond_scale(ond_sub(own, touch->at), sign / touch->distance);
    OndVec corner[3];
    for (int k = 0; k < 3; ++k) {
        const uint32_t c = s->mesh.triangle[3 * (size_t)touch->triangle + k];
        const float *at = s->mesh.corner + 3 * (size_t)c;
        corner[k] = ond_vec(at[0], at[1], at[2]);
    }
    return ond_scale(ond_unit(ond_triangle_normal(corner)), s->def.container ? -1.0 : 1.0);
}

/// Whether that was enough to know what is near.
static bool feel_mesh(const OndSolid *s, int solid, OndVec own, double reach, FoundTouches *found)
{
    double distance;
    OndVec normal;
    const OndDistanceKind kind = ond_distance_grid_read(&s->mesh, own, reach, &distance, &normal);
    if (kind == OND_DISTANCE_ONE)
        add_touch(found, s, solid, -1, ond_sub(own, ond_scale(normal, distance)), normal, distance,
                  0.0, (OndSharp){0});
    return kind != OND_DISTANCE_ASK;
}

static void near_mesh(const OndSolid *s, int solid, OndVec own, double reach, FoundTouches *found)
{
    if (found->feel && feel_mesh(s, solid, own, reach, found)) return;
    OndMeshTouch touch[FOUND_MAX];
    const int count = ond_solid_mesh_touches(&s->mesh, own, reach, touch, FOUND_MAX);
    int nearest = 0;
    for (int i = 1; i < count; ++i)
        if (touch[i].distance < touch[nearest].distance) nearest = i;
    for (int i = 0; i < count; ++i) {
        // The nearest one tells the side; a face seen from its other side is behind the mesh.
        if (touch[i].behind != touch[nearest].behind) continue;
        const bool wrong = s->mesh.closed && touch[i].behind != s->def.container;
        const double sign = wrong ? -1.0 : 1.0;
        const OndVec normal = mesh_normal(s, &touch[i], own, sign);
        add_touch(found, s, solid, touch[i].triangle, touch[i].at, normal, sign * touch[i].distance,
                  0.0, sharp_from(s, normal, touch[i].face, touch[i].faces));
    }
}

static void near_one(const OndSolids *all, int solid, OndVec point, double reach,
                     FoundTouches *found)
{
    const OndSolid *s = &all->solid[solid];
    OndVec own = ond_pose_in(&s->start.pose, point);
    const OndBox box = {own, own};
    if (!ond_boxes_near(&box, &s->bounds, reach)) return;
    if (s->def.kind == OND_SOLID_PLANE)
        near_plane(s, solid, own, reach, found);
    else if (s->def.kind == OND_SOLID_SHAPE)
        near_shape(s, solid, all->flat, own, reach, found);
    else
        near_mesh(s, solid, own, reach, found);
}

static void sort_touches(FoundTouches *found)
{
    for (int i = 1; i < found->count; ++i) {
        const OndTouch one = found->touch[i];
        int k = i;
        for (; k > 0 && comes_before(&one, &found->touch[k - 1]); --k)
            found->touch[k] = found->touch[k - 1];
        found->touch[k] = one;
    }
}

static bool is_news(const OndTouch *touch, const OndTouch *nearer, double reach)
{
    if (ond_dot(touch->normal, nearer->normal) > OND_SAME_WAY) return false;
    return ond_dot(ond_sub(touch->at, nearer->at), nearer->normal) > OND_TOUCH_BEHIND * reach;
}

/// Sorts, and keeps the nearest of each direction.
static int keep_news(FoundTouches *found, double reach, OndTouch touch[OND_TOUCHES_MAX])
{
    sort_touches(found);
    int count = 0;
    for (int i = 0; i < found->count && count < OND_TOUCHES_MAX; ++i) {
        bool news = true;
        for (int k = 0; k < count && news; ++k)
            news = is_news(&found->touch[i], &touch[k], reach);
        if (news) touch[count++] = found->touch[i];
    }
    return count;
}

/// How much of what a face and a nearer one give is of both: 0, they are two; 1, they are one bent
/// face or the nearer hides the other.
static double alike(const OndTouch *touch, const OndTouch *nearer, double spacing)
{
    const double apart = ond_touch_apart(ond_dot(touch->normal, nearer->normal));
    const double height = ond_dot(ond_sub(touch->at, nearer->at), nearer->normal);
    return 1.0 - apart * ond_clamp(1.0 + height / (SUNK * spacing), 0.0, 1.0);
}

/// What the farther of two faces that are as near as each other keeps of what both give: one half
/// where it is just as near.
static double keeps(const OndTouch *touch, const OndTouch *nearer, double spacing)
{
    const double farther = fabs(touch->distance) - fabs(nearer->distance);
    const bool one_side = (touch->distance < 0.0) == (nearer->distance < 0.0);
    return one_side ? 0.5 * ond_clamp(1.0 - farther / (AS_NEAR * spacing), 0.0, 1.0) : 0.0;
}

/// Whether a face may go on where another solid has an edge before it.
static bool may_go_on(const OndTouch *touch, const OndTouch *list, int count, double spacing)
{
    const double reach = OND_GOES_ON * spacing;
    for (int k = 0; k < count && touch->sharp.faces < 2; ++k)
        if (list[k].sharp.faces > 1 && list[k].solid != touch->solid &&
            touch->distance < list[k].distance + reach)
            return true;
    return false;
}

/// The same by degrees.
static int keep_weighted(FoundTouches *found, double spacing, OndTouch touch[OND_TOUCHES_MAX])
{
    sort_touches(found);
    int count = 0;
    for (int i = 0; i < found->count && count < OND_TOUCHES_MAX; ++i) {
        double given[OND_TOUCHES_MAX], news = 1.0;
        for (int k = 0; k < count; ++k) {
            const double both = alike(&found->touch[i], &touch[k], spacing);
            given[k] = both * keeps(&found->touch[i], &touch[k], spacing);
            news *= 1.0 - both + given[k];
        }
        if (!(news > 0.0) && !may_go_on(&found->touch[i], touch, count, spacing)) continue;
        for (int k = 0; k < count; ++k)
            touch[k].news *= 1.0 - given[k];
        touch[count] = found->touch[i];
        touch[count++].news = news;
    }
    return count;
}

static int near_all(const OndSolids *solids, OndVec point, double reach, FoundTouches *found)
{
    int list[OND_SOLIDS_NEARBY];
    if (ond_solids_count(solids) == 0) return 0;
    const OndBox box = {point, point};
    const int listed = ond_solids_list(solids, box, reach, list);
    for (int i = 0; i < (listed < 0 ? solids->count : listed); ++i)
        near_one(solids, listed < 0 ? i : list[i], point, reach, found);
    return found->count;
}

int ond_solids_near(const OndSolids *solids, OndVec point, double reach,
                    OndTouch touch[OND_TOUCHES_MAX])
{
    FoundTouches found;
    found.count = 0, found.feel = false;
    return near_all(solids, point, reach, &found) ? keep_news(&found, reach, touch) : 0;
}

int ond_solids_feel(const OndSolids *solids, OndVec point, double reach,
                    OndTouch touch[OND_TOUCHES_MAX])
{
    FoundTouches found;
    found.count = 0, found.feel = true;
    return near_all(solids, point, reach, &found) ? keep_weighted(&found, solids->spacing, touch)
                                                  : 0;
}

void ond_solids_feel_soon(const OndSolids *solids, OndVec point)
{
    for (int i = 0; i < ond_solids_count(solids) && i < FEW_SOLIDS; ++i)
        if (solids->solid[i].mesh.distance.cell)
            ond_distance_grid_fetch(&solids->solid[i].mesh,
                                    ond_pose_in(&solids->solid[i].start.pose, point));
}

int ond_solids_near_one(const OndSolids *solids, int which, OndVec point, double reach,
                        OndTouch touch[OND_TOUCHES_MAX])
{
    FoundTouches found;
    found.count = 0, found.feel = false;
    near_one(solids, which, point, reach, &found);
    return keep_news(&found, reach, touch);
}

// ---- whole cells -----------------------------------------------------------------------------

/// A box of the world, turned into a solid's frame: wider, but round the same middle.
static OndBox turned_in(const OndPose *pose, OndVec middle, OndVec half)
{
    const OndVec own = ond_pose_in(pose, middle);
    const OndVec x = ond_pose_unturn(pose, ond_vec(half.x, 0, 0)),
                 y = ond_pose_unturn(pose, ond_vec(0, half.y, 0)),
                 z = ond_pose_unturn(pose, ond_vec(0, 0, half.z));
    const OndVec wide = {fabs(x.x) + fabs(y.x) + fabs(z.x), fabs(x.y) + fabs(y.y) + fabs(z.y),
                         fabs(x.z) + fabs(y.z) + fabs(z.z)};
    return (OndBox){ond_sub(own, wide), ond_add(own, wide)};
}

static bool may_touch_at(const OndSolid *s, bool flat, const OndPose *pose, const OndBox *world,
                         double reach)
{
    const OndVec half = ond_scale(ond_sub(world->max, world->min), 0.5);
    const OndBox box = turned_in(pose, ond_add(world->min, half), half);
    const OndVec own = ond_scale(ond_add(box.min, box.max), 0.5);
    const double around = reach + ond_length(half);
    if (!ond_boxes_near(&box, &s->bounds, reach)) return false;
    if (s->def.kind == OND_SOLID_PLANE) return fabs(own.y) <= around;
    if (s->def.kind == OND_SOLID_SHAPE)
        return fabs(ond_shape_distance(s->def.shape, own, flat)) <= around;
    if (ond_distance_grid_knows(&s->mesh, reach))
        return ond_distance_grid_may_touch(&s->mesh, &box);
    return ond_solid_mesh_may_touch(&s->mesh, own, around);
}

bool ond_solids_may_touch(const OndSolids *solids, OndBox box, double reach)
{
    int list[OND_SOLIDS_NEARBY];
    if (ond_solids_count(solids) == 0) return false;
    const int listed = ond_solids_list(solids, box, reach, list);
    if (listed < 0) return true;
    for (int i = 0; i < listed; ++i) {
        const OndSolid *s = &solids->solid[list[i]];
        if (may_touch_at(s, solids->flat, &s->start.pose, &box, reach)) return true;
        if (s->moves && may_touch_at(s, solids->flat, &s->end.pose, &box, reach)) return true;
    }
    return false;
}
