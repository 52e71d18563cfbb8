// SPDX-License-Identifier: MIT
// Narrow phase, where two things touch: by closed forms, by points of a surface, or for balls by the faces near
// their middle.
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_things.h"

#define PAIR_MAX      12   // contacts of a pair
#define POINT_MARGIN  0.05 // spacings: points count as touching so far outside
#define DEEPEST       2.0  // spacings: how deep inside points find their way out
#define CAPSULE_BALLS 9
#define FACING        0.25 // faces that look back at a point less than this do not touch it
#define LEAST_FACING  0.05 // but a point that is inside goes out somewhere
#define RIM           0.1  // spacings: how far a sheet is asked whether it goes on
#define APART         0.25 // spacings, and
#define APART_OF_SIZE 0.02 // of a body's size: touches nearer to each other are one

static double spacing_of(const OndBodyContacts *c)
{
    return c->bodies->solids->scene->spacing;
}

int ond_body_forms_touch(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b)
{
    dContactGeom found[PAIR_MAX];
    const int count = ond_ode_collide(a->geom, b->geom, PAIR_MAX, found);
    for (int k = 0; k < count; ++k)
        c->touch[k] = (OndBodyTouch){{found[k].pos[0], found[k].pos[1], found[k].pos[2]},
                                     {found[k].normal[0], found[k].normal[1], found[k].normal[2]},
                                     found[k].depth};
    return count < 0 ? 0 : count;
}

// ---- points

static void add(OndBodyContacts *c, OndVec at, OndVec normal, double depth, int *count)
{
    if (*count < OND_PAIR_TOUCHES_MAX) c->touch[(*count)++] = (OndBodyTouch){at, normal, depth};
}

static void touch_plane(OndBodyContacts *c, OndVec p, const OndBodyThing *plane, double sign,
                        int *count)
{
    const double margin = POINT_MARGIN * spacing_of(c);
    dVector4 sides;
    dGeomPlaneGetParams(plane->geom, sides);
    const OndVec n = ond_vec(sides[0], sides[1], sides[2]);
    const double depth = margin + sides[3] - ond_dot(n, p);
    if (depth > 0.0) add(c, p, ond_scale(n, sign), depth, count);
}

// Of the faces that a point is behind, one is the way out: the nearest, but one that looks back at
// the point rather than one that is nearer and does not.
static int way_out(const OndBodyPoint *point, OndVec way, const OndTouch *near, int count,
                   double margin)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < count; ++k) {
        const double facing = ond_body_point_facing(point, way, near[k].normal);
        const double cost = (margin - near[k].distance) / fmax(facing, LEAST_FACING);
        if (cost < least) least = cost, best = k;
    }
    return best;
}

// ---- sheets

static bool is_sheet(const OndBodyContacts *c, const OndBodyThing *t)
{
    const OndSolidDef *const def = &c->bodies->solids->solid[t->solid].solid;
    return def->kind == OND_SOLID_MESH && !def->closed;
}

// Which way a triangle of a sheet looks, to the side where a point is.
static OndVec sheet_normal(const OndBodyContacts *c, const OndBodyThing *sheet,
                           const OndTouch *touch, OndVec from)
{
    const OndSimSolid *const s = &c->bodies->solids->solid[sheet->solid];
    const OndPose pose = ond_solids_state(c->bodies->solids->solids, sheet->solid)->pose;
    const uint32_t *const corner = s->mesh.triangle + 3 * (size_t)touch->part;
    const float *const at = s->bent ? s->bent : s->mesh.corner;
    OndVec p[3];
    for (int k = 0; k < 3; ++k)
        p[k] = ond_vec(at[3 * corner[k]], at[3 * corner[k] + 1], at[3 * corner[k] + 2]);
    const OndVec across = ond_cross(ond_sub(p[1], p[0]), ond_sub(p[2], p[0]));
    const OndVec n = ond_pose_turn(&pose, ond_unit(across));
    return ond_dot(n, ond_sub(from, touch->at)) < 0.0 ? ond_scale(n, -1.0) : n;
}

// Whether what is nearest to a point is the rim of the sheet: there it does not go on towards the
// point.
static bool is_rim(const OndBodyContacts *c, const OndBodyThing *sheet, const OndTouch *touch,
                   OndVec normal)
{
    const OndVec aside = ond_sub(touch->normal, ond_scale(normal, ond_dot(normal, touch->normal)));
    const double size = ond_length(aside), step = RIM * spacing_of(c);
    if (size < 0.01) return false;
    OndTouch there[OND_TOUCHES_MAX];
    const OndVec p = ond_add(touch->at, ond_scale(aside, step / size));
    return ond_solids_near_one(c->bodies->solids->solids, sheet->solid, p, 0.7 * step, there) == 0;
}

// A sheet has no inside, so a point that has passed it looks free. But it belongs on the side where
// the middle of its body is; only beyond the rim it may be on both.
static void touch_sheet(OndBodyContacts *c, const OndBodyPoint *point, const OndBodyThing *of,
                        const OndPose *pose, const OndBodyThing *sheet, int *count)
{
    OndTouch near[OND_TOUCHES_MAX];
    const double margin = POINT_MARGIN * spacing_of(c);
    const double reach = margin + DEEPEST * spacing_of(c);
    const OndVec p = ond_pose_out(pose, point->at), way = ond_pose_turn(pose, point->way);
    const OndVec middle = ond_body_center(c->bodies, of->body);
    const int all = ond_solids_near_one(c->bodies->solids->solids, sheet->solid, p, reach, near);
    for (int k = 0; k < all; ++k) {
        const OndVec n = sheet_normal(c, sheet, &near[k], middle);
        const bool passed = ond_dot(n, near[k].normal) < 0.0;
        const OndVec out = passed ? n : near[k].normal;
        const double depth = margin + (passed ? near[k].distance : -near[k].distance);
        if (!(depth > 0.0) || ond_body_point_facing(point, way, out) <= FACING) continue;
        if (!passed || !is_rim(c, sheet, &near[k], n)) add(c, p, out, depth, count);
    }
}

// ---- faces

// All faces that a point sees are in front of it, as in the corner of a container, or it is behind
// them all.
static void touch_faces(OndBodyContacts *c, const OndBodyPoint *point, const OndPose *pose,
                        const OndBodyThing *b, double sign, int *count)
{
    OndTouch near[OND_TOUCHES_MAX];
    const double margin = POINT_MARGIN * spacing_of(c);
    const double reach = margin + DEEPEST * spacing_of(c);
    const OndVec p = ond_pose_out(pose, point->at), way = ond_pose_turn(pose, point->way);
    const int all = ond_solids_near_one(c->bodies->solids->solids, b->solid, p, reach, near);
    if (all > 0 && near[0].distance < 0.0) {
        const OndTouch *const out = &near[way_out(point, way, near, all, margin)];
        add(c, p, ond_scale(out->normal, sign), margin - out->distance, count);
        return;
    }
    for (int k = 0; k < all; ++k)
        if (near[k].distance < margin && ond_body_point_facing(point, way, near[k].normal) > FACING)
            add(c, p, ond_scale(near[k].normal, sign), margin - near[k].distance, count);
}

static double apart(const OndBodyContacts *c, const OndBodyThing *a)
{
    const OndBox *const box = &c->bodies->solids->solid[a->solid].bounds;
    return fmin(APART * spacing_of(c), APART_OF_SIZE * ond_length(ond_sub(box->max, box->min)));
}

static bool is_plane(const OndBodyThing *t)
{
    return t->geom && dGeomGetClass(t->geom) == dPlaneClass;
}

static int touch_points(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b)
{
    int count = 0;
    for (int way = 0; way < 2; ++way) {
        const OndBodyThing *const of = way ? b : a, *const at = way ? a : b;
        const double sign = way ? -1.0 : 1.0;
        if (of->body < 0) continue;
        const OndPose pose = ond_solids_state(c->bodies->solids->solids, of->solid)->pose;
        for (int k = 0; k < of->points.count; ++k) {
            const OndBodyPoint *const point = &of->points.point[k];
            if (!way && at->solid >= 0 && is_sheet(c, at))
                touch_sheet(c, point, of, &pose, at, &count);
            else if (is_plane(at))
                touch_plane(c, ond_pose_out(&pose, point->at), at, sign, &count);
            else
                touch_faces(c, point, &pose, at, sign, &count);
        }
    }
    return ond_body_touches_thin(c->touch, count, apart(c, a), PAIR_MAX);
}

// ---- balls

static void touch_ball(OndBodyContacts *c, OndVec at, double radius, const OndBodyThing *b,
                       int *count)
{
    OndTouch near[OND_TOUCHES_MAX];
    int all = ond_solids_near_one(c->bodies->solids->solids, b->solid, at, radius, near);
    if (all > 0 && near[0].distance < 0.0) all = 1; // its middle is inside: the nearest way out
    for (int k = 0; k < all; ++k)
        add(c, ond_sub(at, ond_scale(near[k].normal, radius)), near[k].normal,
            radius - near[k].distance, count);
}

// Balls and capsules need no points: every face nearer than their radius touches them, at the ball
// or at some balls along the capsule.
static int touch_round(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b)
{
    const dReal *const p = dGeomGetPosition(a->geom), *const r = dGeomGetRotation(a->geom);
    const OndVec middle = ond_vec(p[0], p[1], p[2]), axis = ond_vec(r[2], r[6], r[10]);
    int count = 0;
    if (dGeomGetClass(a->geom) == dSphereClass) {
        touch_ball(c, middle, dGeomSphereGetRadius(a->geom), b, &count);
        return count;
    }
    dReal radius, length;
    dGeomCapsuleGetParams(a->geom, &radius, &length);
    for (int k = 0; k < CAPSULE_BALLS; ++k) {
        const double along = length * ((double)k / (CAPSULE_BALLS - 1) - 0.5);
        touch_ball(c, ond_add(middle, ond_scale(axis, along)), radius, b, &count);
    }
    return ond_body_touches_thin(c->touch, count, apart(c, a), PAIR_MAX);
}

static bool is_round(const OndBodyThing *t)
{
    const int kind = t->geom ? dGeomGetClass(t->geom) : -1;
    return kind == dSphereClass || kind == dCapsuleClass;
}

int ond_body_things_touch(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b)
{
    if (a->geom && b->geom) return ond_body_forms_touch(c, a, b);
    if (b->body < 0 && is_round(a)) return touch_round(c, a, b);
    return touch_points(c, a, b);
}

#endif
