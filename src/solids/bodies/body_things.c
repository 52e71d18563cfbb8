// SPDX-License-Identifier: MIT
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_things.h"

#define OWN_BOX_DEPTH 4.0 // times the size: how deep boxes are in 2D

// ---- making

static void turn_to_z(OndVec way, OndPose *out)
{
    const OndVec n = ond_unit(way), z = ond_vec(0, 0, 1), axis = ond_cross(z, n);
    const double w = 1.0 + n.z, length = sqrt(w * w + ond_dot(axis, axis));
    *out = (OndPose){{0, 0, 0}, 0, 1, 0, 0}; // upside down: half a turn about x
    if (length > 1e-9)
        *out = (OndPose){{0, 0, 0}, w / length, axis.x / length, axis.y / length, axis.z / length};
}

// What ODE has a closed form for; a container's inside is none.
static void make_geom(const OndBodyContacts *c, OndBodyThing *t, const OndSimSolid *solid)
{
    const OndVariant *const shape = &solid->def->shape;
    const bool flat = c->bodies->flat;
    t->turn = ond_pose_still();
    if (solid->solid.kind == OND_SOLID_PLANE) t->geom = dCreatePlane(0, 0, 1, 0, 0);
    if (solid->solid.container || solid->sequence.count > 0 || solid->mesh.triangle_count > 0)
        return;
    if (shape->which == OND_SHAPE_SPHERE) {
        const OndSphereDef *const ball = shape->def;
        t->middle = ball->center;
        t->geom = dCreateSphere(0, ball->radius);
    } else if (shape->which == OND_SHAPE_BOX) {
        const OndBoxDef *const box = shape->def;
        const OndVec size = ond_sub(box->max, box->min);
        t->middle = ond_scale(ond_add(box->min, box->max), 0.5);
        t->geom =
            dCreateBox(0, size.x, size.y, flat ? OWN_BOX_DEPTH * fmax(size.x, size.y) : size.z);
    } else if (!flat && (shape->which == OND_SHAPE_CYLINDER || shape->which == OND_SHAPE_CAPSULE)) {
        const OndRodDef *const rod = shape->def;
        const OndVec way = ond_sub(rod->to, rod->from);
        const double length = ond_length(way);
        if (!(length > 0.0)) return;
        turn_to_z(way, &t->turn);
        t->middle = ond_scale(ond_add(rod->from, rod->to), 0.5);
        t->geom = shape->which == OND_SHAPE_CYLINDER ? dCreateCylinder(0, rod->radius, length)
                                                     : dCreateCapsule(0, rod->radius, length);
    }
    if (flat) t->middle.z = 0.0;
}

// Where nobody gave one, bodies slide: grains hold on to what they touch otherwise.
static float friction_of(float given)
{
    return given < (float)OND_FRICTION_UNBOUNDED ? given : 0.0f;
}

static OndStatus make_thing(OndBodyContacts *c, int solid, int body, OndError *err)
{
    const OndSimSolid *const s = &c->bodies->solids->solid[solid];
    OndBodyThing *const t = &c->thing[c->count++];
    *t = (OndBodyThing){.solid = solid,
                        .body = body,
                        .friction = friction_of(s->solid.friction),
                        .restitution = s->solid.restitution};
    make_geom(c, t, s);
    const bool moves = body >= 0 || ond_motion_moves(&s->motion);
    if (moves) t->ode = dBodyCreate(c->ode.world);
    if (body < 0) {
        if (moves) dBodySetKinematic(t->ode);
        return OND_OK;
    }
    const OndBody *const b = &c->bodies->body[body];
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia.xx, b->inertia.yy, b->inertia.zz,
                       b->inertia.xy, b->inertia.xz, b->inertia.yz);
    dBodySetMass(t->ode, &mass);
    dBodySetGyroscopicMode(t->ode, 0); // we turn it ourselves
    return ond_body_points_make(s, 2.0 * c->bodies->solids->scene->spacing, c->bodies->flat,
                                &c->arena, &t->points, err);
}

static void make_sides(OndBodyContacts *c)
{
    const OndSceneDef *const scene = c->bodies->solids->scene;
    for (int side = 0; scene->has_domain && side < 2 * scene->dimension; ++side) {
        const OndSide *const s = &scene->domain.side[side];
        const int axis = side / 2;
        const double in = side % 2 ? -1.0 : 1.0;
        const double at = in * ond_axis(side % 2 ? scene->domain.max : scene->domain.min, axis);
        if (s->kind != OND_SIDE_WALL) continue;
        OndBodyThing *const t = &c->thing[c->count++];
        *t = (OndBodyThing){.solid = -1,
                            .body = -1,
                            .friction = friction_of(s->friction),
                            .restitution = s->restitution};
        t->geom = dCreatePlane(0, axis == 0 ? in : 0, axis == 1 ? in : 0, axis == 2 ? in : 0, at);
        t->low = ond_vec(-INFINITY, -INFINITY, -INFINITY);
        t->high = ond_vec(INFINITY, INFINITY, INFINITY);
    }
}

OndStatus ond_body_things_make(OndBodyContacts *c, OndError *err)
{
    const OndSimSolids *const solids = c->bodies->solids;
    OndStatus status = OND_OK;
    for (int k = 0, body = 0; k < solids->count && status == OND_OK; ++k) {
        const bool is_body = ond_solid_is_body(solids->solid[k].def);
        status = make_thing(c, k, is_body ? body++ : -1, err);
    }
    if (status == OND_OK) make_sides(c);
    return status;
}

// ---- where things are

static void find_box(const OndBodyContacts *c, OndBodyThing *t, const OndPose *pose)
{
    const OndSimSolid *const s = &c->bodies->solids->solid[t->solid];
    t->low = ond_vec(-INFINITY, -INFINITY, -INFINITY), t->high = ond_scale(t->low, -1.0);
    if (s->solid.kind == OND_SOLID_PLANE || s->solid.container || s->sequence.count > 0) return;
    const OndVec half = ond_scale(ond_sub(s->bounds.max, s->bounds.min), 0.5);
    const OndVec middle = ond_pose_out(pose, ond_scale(ond_add(s->bounds.min, s->bounds.max), 0.5));
    const double reach = ond_length(half) + c->bodies->solids->scene->spacing;
    const OndVec r = ond_vec(reach, reach, reach);
    t->low = ond_sub(middle, r), t->high = ond_add(middle, r);
}

static void put_geom(const OndBodyThing *t, const OndPose *pose)
{
    if (!t->geom) return;
    if (dGeomGetClass(t->geom) == dPlaneClass) {
        const OndVec up = ond_pose_turn(pose, ond_vec(0, 1, 0));
        dGeomPlaneSetParams(t->geom, up.x, up.y, up.z, ond_dot(up, pose->at));
        return;
    }
    const OndVec at = ond_pose_out(pose, t->middle);
    const OndPose turn = ond_pose_chain(pose, &t->turn);
    const dQuaternion q = {turn.w, turn.x, turn.y, turn.z};
    dGeomSetPosition(t->geom, at.x, at.y, at.z);
    dGeomSetQuaternion(t->geom, q);
}

void ond_body_things_place(OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        OndBodyThing *const t = &c->thing[k];
        if (t->solid < 0) continue;
        const OndPose *const pose = &ond_solids_state(c->bodies->solids->solids, t->solid)->pose;
        find_box(c, t, pose);
        put_geom(t, pose);
    }
}

bool ond_body_things_near(const OndBodyThing *a, const OndBodyThing *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

#endif
