// SPDX-License-Identifier: MIT
#include "sim/body_contacts.h"

#ifndef OND_HAVE_ODE

OndStatus ond_body_contacts_make(OndBodies *bodies, OndBodyContacts **out, OndError *err)
{
    const OndSceneSolid *const def = bodies->solids->solid[bodies->body[0].solid].def;
    *out = NULL;
    return ond_tree_fail(&bodies->solids->scene->tree, def->node, err,
                         "solid '%.60s' is a body, but this build has no ODE, which keeps bodies "
                         "apart: build with libode-dev, or leave out its density or mass",
                         def->name);
}

void ond_body_contacts_free(OndBodyContacts *contacts)
{
}

OndStatus ond_body_contacts_solve(OndBodyContacts *contacts, double dt, OndError *err)
{
    return OND_OK;
}

int ond_body_contacts_count(const OndBodyContacts *contacts)
{
    return 0;
}

#else

#include "sim/body_points.h"

#include <ode/ode.h>
#include <string.h>

#define TOUCHES_MAX   4096  // between two things, before they are thinned out
#define PAIR_MAX      12    // contacts of a pair
#define DIRECT_MAX    80    // contacts that are solved exactly; more: by iteration
#define ROUNDS        60    // of that iteration
#define SETTLE_TIME   0.04  // s in which things that overlap are pushed apart
#define SETTLE_SPEED  0.5   // m/s, at most
#define SLACK         0.002 // of a body's size: overlap that is left alone
#define POINT_MARGIN  0.05  // spacings: points count as touching so far outside
#define DEEPEST       2.0   // spacings: how deep inside points find their way out
#define CAPSULE_BALLS 9
#define BOUNCE_SPEED  0.05 // m/s; slower contacts do not bounce
#define OWN_BOX_DEPTH 4.0  // times the size: how deep boxes are in 2D

// A solid, or a side of the domain.
typedef struct Thing {
    int solid;            // -1: a side
    int body;             // -1: not moved by what it touches
    dGeomID geom;         // NULL: only points know
    OndVec middle;        // of the geom, in its own frame
    OndPose turn;         // of the geom, in its own frame
    dBodyID ode;          // NULL: it never moves
    OndBodyPoints points; // of bodies
    float friction, restitution;
    OndVec low, high; // box in the world, now
} Thing;

struct OndBodyContacts {
    OndBodies *bodies;
    dWorldID world;
    dJointGroupID group;
    OndArena arena;
    int count;
    Thing *thing;
    int contact_count;
    bool *involved; // by body
    OndBodyTouch touch[TOUCHES_MAX];
};

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
static void make_geom(const OndBodyContacts *c, Thing *t, const OndSimSolid *solid)
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
    return given < (float)OND_DEM_GRIP ? given : 0.0f;
}

static OndStatus make_thing(OndBodyContacts *c, int solid, int body, OndError *err)
{
    const OndSimSolid *const s = &c->bodies->solids->solid[solid];
    Thing *const t = &c->thing[c->count++];
    *t = (Thing){.solid = solid,
                 .body = body,
                 .friction = friction_of(s->solid.friction),
                 .restitution = s->solid.restitution};
    make_geom(c, t, s);
    const bool moves = body >= 0 || ond_motion_moves(&s->motion);
    if (moves) t->ode = dBodyCreate(c->world);
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
    const OndScene *const scene = c->bodies->solids->scene;
    for (int side = 0; scene->has_domain && side < 2 * scene->dimension; ++side) {
        const OndSide *const s = &scene->domain.side[side];
        const int axis = side / 2;
        const double in = side % 2 ? -1.0 : 1.0;
        const double at = in * ond_axis(side % 2 ? scene->domain.max : scene->domain.min, axis);
        if (s->kind != OND_SIDE_WALL) continue;
        Thing *const t = &c->thing[c->count++];
        *t = (Thing){.solid = -1,
                     .body = -1,
                     .friction = friction_of(s->friction),
                     .restitution = s->restitution};
        t->geom = dCreatePlane(0, axis == 0 ? in : 0, axis == 1 ? in : 0, axis == 2 ? in : 0, at);
        t->low = ond_vec(-INFINITY, -INFINITY, -INFINITY);
        t->high = ond_vec(INFINITY, INFINITY, INFINITY);
    }
}

static OndStatus make_things(OndBodyContacts *c, OndError *err)
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

OndStatus ond_body_contacts_make(OndBodies *bodies, OndBodyContacts **out, OndError *err)
{
    OndBodyContacts *const c = OND_NEW(OndBodyContacts);
    *out = c;
    if (!c) return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    c->bodies = bodies;
    c->world = dWorldCreate();
    c->group = dJointGroupCreate(0);
    const size_t room = (size_t)bodies->solids->count + 6;
    c->thing = ond_arena_take(&c->arena, room * sizeof *c->thing);
    c->involved = ond_arena_take(&c->arena, (size_t)bodies->count * sizeof *c->involved);
    if (!c->thing || !c->involved)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    dWorldSetContactMaxCorrectingVel(c->world, SETTLE_SPEED);
    dWorldSetQuickStepNumIterations(c->world, ROUNDS);
    return make_things(c, err);
}

void ond_body_contacts_free(OndBodyContacts *c)
{
    if (!c) return;
    for (int k = 0; k < c->count; ++k)
        if (c->thing[k].geom) dGeomDestroy(c->thing[k].geom);
    dJointGroupDestroy(c->group);
    dWorldDestroy(c->world);
    dCloseODE();
    ond_arena_free(&c->arena);
    ond_free(c);
}

// ---- where things are

static void find_box(const OndBodyContacts *c, Thing *t, const OndPose *pose)
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

static void put_geom(const Thing *t, const OndPose *pose)
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

static void put_things(OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        Thing *const t = &c->thing[k];
        if (t->solid < 0) continue;
        const OndSolidState *const s = ond_solids_state(c->bodies->solids->solids, t->solid);
        find_box(c, t, &s->pose);
        put_geom(t, &s->pose);
        if (!t->ode) continue;
        OndVec at = s->pose.at, velocity = s->velocity, spin = s->spin;
        if (t->body >= 0) {
            at = ond_body_center(c->bodies, t->body);
            velocity = c->bodies->body[t->body].velocity;
            spin = ond_body_spin(c->bodies, t->body);
        }
        const dQuaternion q = {s->pose.w, s->pose.x, s->pose.y, s->pose.z};
        dBodySetPosition(t->ode, at.x, at.y, at.z);
        dBodySetQuaternion(t->ode, q);
        dBodySetLinearVel(t->ode, velocity.x, velocity.y, velocity.z);
        dBodySetAngularVel(t->ode, spin.x, spin.y, spin.z);
    }
}

// ---- what touches

static int touch_forms(OndBodyContacts *c, const Thing *a, const Thing *b)
{
    dContactGeom found[PAIR_MAX];
    const int count = dCollide(a->geom, b->geom, PAIR_MAX, found, sizeof found[0]);
    for (int k = 0; k < count; ++k)
        c->touch[k] = (OndBodyTouch){{found[k].pos[0], found[k].pos[1], found[k].pos[2]},
                                     {found[k].normal[0], found[k].normal[1], found[k].normal[2]},
                                     found[k].depth};
    return count;
}

// A point of `a` at `p` against a plane or whatever else `b` is; `sign` turns the normals.
static void touch_point(OndBodyContacts *c, OndVec p, const Thing *b, double sign, int *count)
{
    const double margin = POINT_MARGIN * c->bodies->solids->scene->spacing;
    if (b->geom && dGeomGetClass(b->geom) == dPlaneClass) {
        dVector4 plane;
        dGeomPlaneGetParams(b->geom, plane);
        const OndVec n = ond_vec(plane[0], plane[1], plane[2]);
        const double depth = margin + plane[3] - ond_dot(n, p);
        if (depth > 0.0 && *count < TOUCHES_MAX)
            c->touch[(*count)++] = (OndBodyTouch){p, ond_scale(n, sign), depth};
        return;
    }
    OndTouch near[OND_TOUCHES_MAX];
    const double reach = margin + DEEPEST * c->bodies->solids->scene->spacing;
    const int all = ond_solids_near_one(c->bodies->solids->solids, b->solid, p, reach, near);
    for (int k = 0; k < all; ++k)
        if (near[k].distance < margin && *count < TOUCHES_MAX)
            c->touch[(*count)++] =
                (OndBodyTouch){p, ond_scale(near[k].normal, sign), margin - near[k].distance};
}

static void touch_ball(OndBodyContacts *c, OndVec at, double radius, const Thing *b, int *count)
{
    OndTouch near[OND_TOUCHES_MAX];
    const int all = ond_solids_near_one(c->bodies->solids->solids, b->solid, at, radius, near);
    for (int k = 0; k < all; ++k)
        c->touch[(*count)++] = (OndBodyTouch){ond_sub(at, ond_scale(near[k].normal, radius)),
                                              near[k].normal, radius - near[k].distance};
}

// Balls and capsules need no points: every face nearer than their radius touches them, at the ball
// or at some balls along the capsule.
static int touch_round(OndBodyContacts *c, const Thing *a, const Thing *b)
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
    return ond_body_touches_thin(c->touch, count, PAIR_MAX);
}

static bool is_round(const Thing *t)
{
    const int kind = t->geom ? dGeomGetClass(t->geom) : -1;
    return kind == dSphereClass || kind == dCapsuleClass;
}

static int touch_points(OndBodyContacts *c, const Thing *a, const Thing *b)
{
    int count = 0;
    if (b->body < 0 && is_round(a)) return touch_round(c, a, b);
    for (int way = 0; way < 2; ++way) {
        const Thing *const of = way ? b : a, *const at = way ? a : b;
        if (of->body < 0) continue;
        const OndPose pose = ond_solids_state(c->bodies->solids->solids, of->solid)->pose;
        for (int k = 0; k < of->points.count; ++k)
            touch_point(c, ond_pose_out(&pose, of->points.point[k]), at, way ? -1.0 : 1.0, &count);
    }
    return ond_body_touches_thin(c->touch, count, PAIR_MAX);
}

static bool boxes_meet(const Thing *a, const Thing *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static double size_of(const OndBodyContacts *c, const Thing *t)
{
    const OndBox *const box = &c->bodies->solids->solid[t->solid].bounds;
    return ond_length(ond_sub(box->max, box->min));
}

// `a` is a body.
static void join(OndBodyContacts *c, const Thing *a, const Thing *b, const OndBodyTouch *touch,
                 double dt)
{
    const double slack = SLACK * size_of(c, a);
    dContact contact = {0};
    contact.surface.mode = dContactBounce | dContactSoftERP | dContactApprox1;
    contact.surface.mu = fmaxf(a->friction, b->friction);
    contact.surface.bounce = fmaxf(a->restitution, b->restitution);
    contact.surface.bounce_vel = BOUNCE_SPEED;
    contact.surface.soft_erp = fmin(dt / SETTLE_TIME, 0.8);
    contact.geom.pos[0] = touch->at.x, contact.geom.pos[1] = touch->at.y;
    contact.geom.pos[2] = c->bodies->flat ? 0.0 : touch->at.z;
    contact.geom.normal[0] = touch->normal.x, contact.geom.normal[1] = touch->normal.y;
    contact.geom.normal[2] = touch->normal.z;
    contact.geom.depth = fmax(touch->depth - slack, 0.0);
    dJointAttach(dJointCreateContact(c->world, c->group, &contact), a->ode, b->ode);
    c->involved[a->body] = true;
    if (b->body >= 0) c->involved[b->body] = true;
    ++c->contact_count;
}

static void meet(OndBodyContacts *c, const Thing *a, const Thing *b, double dt)
{
    if (!boxes_meet(a, b)) return;
    const int count = a->geom && b->geom ? touch_forms(c, a, b) : touch_points(c, a, b);
    for (int k = 0; k < count; ++k) {
        if (c->bodies->flat && fabs(c->touch[k].normal.z) > 0.5) continue;
        join(c, a, b, &c->touch[k], dt);
    }
}

static void find_contacts(OndBodyContacts *c, double dt)
{
    dJointGroupEmpty(c->group);
    c->contact_count = 0;
    memset(c->involved, 0, (size_t)c->bodies->count * sizeof *c->involved);
    for (int i = 0; i < c->count; ++i) {
        if (c->thing[i].body < 0) continue;
        for (int j = 0; j < c->count; ++j)
            if (c->thing[j].body < 0 || j > i) meet(c, &c->thing[i], &c->thing[j], dt);
    }
}

// ---- velocities

// Nobody else moves, and bodies of 2D stay in their plane.
static void prepare(OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        const Thing *const t = &c->thing[k];
        if (t->body < 0) continue;
        if (c->involved[t->body])
            dBodyEnable(t->ode);
        else
            dBodyDisable(t->ode);
        if (c->bodies->flat && c->involved[t->body])
            dJointAttach(dJointCreatePlane2D(c->world, c->group), t->ode, 0);
    }
}

static void take_over(OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        const Thing *const t = &c->thing[k];
        if (t->body < 0 || !c->involved[t->body]) continue;
        OndBody *const body = &c->bodies->body[t->body];
        const dReal *const v = dBodyGetLinearVel(t->ode), *const w = dBodyGetAngularVel(t->ode);
        const bool flat = c->bodies->flat;
        const OndVec spin = ond_vec(flat ? 0.0 : w[0], flat ? 0.0 : w[1], w[2]);
        const OndPose pose = ond_solids_state(c->bodies->solids->solids, t->solid)->pose;
        body->velocity = ond_vec(v[0], v[1], flat ? 0.0 : v[2]);
        body->momentum =
            ond_pose_turn(&pose, ond_inertia_times(&body->inertia, ond_pose_unturn(&pose, spin)));
    }
}

OndStatus ond_body_contacts_solve(OndBodyContacts *c, double dt, OndError *err)
{
    put_things(c);
    find_contacts(c, dt);
    if (c->contact_count == 0) return OND_OK;
    prepare(c);
    dRandSetSeed(1); // the iteration shuffles its rows
    const int good =
        c->contact_count <= DIRECT_MAX ? dWorldStep(c->world, dt) : dWorldQuickStep(c->world, dt);
    if (!good) return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    take_over(c);
    return OND_OK;
}

int ond_body_contacts_count(const OndBodyContacts *c)
{
    return c ? c->contact_count : 0;
}

#endif
