// SPDX-License-Identifier: MIT
// Contact solver: velocities that keep contacts, and how things that overlap are moved apart.
//
// The two are solved apart. First ODE finds the velocities with which no contact closes, with
// friction and restitution; how deep things overlap does not count, so no contact gives more than
// it took, and standing still is always an answer. Then, from rest and without friction, it finds
// how to move things that overlap apart; that changes their places in this step and no velocity. No
// part of a body is moved so faster than SETTLE_SPEED, whatever was found.
//
// Contacts yield a little (SOFT), so that those that ask for the impossible - a body between two
// things that close on it - have an answer in between, and those that say the same share the load.
// The exact solver stumbles over ties: four feet that stop at the same moment. So no two contacts
// ask for quite the same (UNTIE).
// ODE's exact solver may lose its way all the same. It says so, or it shows in energy from nowhere;
// then the iteration, which cannot gain any, is asked instead. What nobody could have made so fast
// is slowed down (solids/bodies/body_fair.c).
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_things.h"

#include <string.h>

#define DIRECT_MAX   80    // contacts that are solved exactly; more: by iteration
#define ROUNDS       60    // of that iteration
#define MORE_ROUNDS  300   // where the exact solver has failed
#define SETTLE_TIME  0.04  // s in which things that overlap are pushed apart
#define SETTLE_SPEED 0.5   // m/s, at most
#define SLACK        0.002 // of a body's size: overlap that is left alone
#define BOUNCE_SPEED 0.05  // m/s; slower contacts do not bounce
#define SOFT         1e-6  // of what a body yields by its mass
#define UNTIE        1e-8 // m: each contact asks for about this much more, and a little differently
#define GAIN         1e-3 // share of speed that a solver may have added by rounding

typedef enum SolveStage { SPEEDS, PUSHES } SolveStage;

static const OndSolidState *state_of(const OndBodyContacts *c, const OndBodyThing *t)
{
    return ond_solids_state(c->bodies->solids->solids, t->solid);
}

// ---- what ODE is told

static void put_body(const OndBodyThing *t, OndVec at, const OndPose *turn, OndVec velocity,
                     OndVec spin)
{
    const dQuaternion q = {turn->w, turn->x, turn->y, turn->z};
    dBodySetPosition(t->ode, at.x, at.y, at.z);
    dBodySetQuaternion(t->ode, q);
    dBodySetLinearVel(t->ode, velocity.x, velocity.y, velocity.z);
    dBodySetAngularVel(t->ode, spin.x, spin.y, spin.z);
}

static void put_bodies(const OndBodyContacts *c, SolveStage stage)
{
    const OndVec rest = {0, 0, 0};
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (!t->ode) continue;
        const OndSolidState *const s = state_of(c, t);
        OndVec at = s->pose.at, velocity = s->velocity, spin = s->spin;
        if (t->body >= 0) {
            at = ond_body_center(c->bodies, t->body);
            velocity = c->bodies->body[t->body].velocity;
            spin = ond_body_spin(c->bodies, t->body);
        }
        put_body(t, at, &s->pose, stage == SPEEDS ? velocity : rest, stage == SPEEDS ? spin : rest);
    }
}

static double yields(const OndBodyContacts *c, const OndBodyThing *t)
{
    return t->body >= 0 ? 1.0 / c->bodies->body[t->body].mass : 0.0;
}

static double slack(const OndBodyContacts *c, const OndBodyThing *t)
{
    const OndBox *const box = &c->bodies->solids->solid[t->solid].bounds;
    return SLACK * ond_length(ond_sub(box->max, box->min));
}

// A share of 1 to 2 that differs from one contact to the next.
static double untie(int which)
{
    return UNTIE * (1.0 + fmod(0.618 * which, 1.0));
}

static void join(const OndBodyContacts *c, const OndBodyContact *one, double dt, SolveStage stage)
{
    const OndBodyThing *const a = &c->thing[one->a], *const b = &c->thing[one->b];
    const OndBodyTouch *const touch = &one->touch;
    const double soft = SOFT * dt * (yields(c, a) + yields(c, b));
    dContact contact = {0};
    dSurfaceParameters *const s = &contact.surface;
    s->mode = dContactSoftERP | dContactSoftCFM | dContactSlip1 | dContactSlip2 | dContactApprox1;
    s->soft_cfm = s->slip1 = s->slip2 = soft;
    s->soft_erp = fmin(dt / SETTLE_TIME, 0.8);
    if (stage == SPEEDS) {
        s->mode |= dContactBounce;
        s->mu = fmaxf(a->friction, b->friction);
        s->bounce = fmaxf(a->restitution, b->restitution);
        s->bounce_vel = BOUNCE_SPEED;
    }
    contact.geom.depth = untie((int)(one - c->contact));
    if (stage == PUSHES) contact.geom.depth += fmax(touch->depth - slack(c, a), 0.0);
    contact.geom.pos[0] = touch->at.x, contact.geom.pos[1] = touch->at.y;
    contact.geom.pos[2] = c->bodies->flat ? 0.0 : touch->at.z;
    contact.geom.normal[0] = touch->normal.x, contact.geom.normal[1] = touch->normal.y;
    contact.geom.normal[2] = touch->normal.z;
    dJointAttach(dJointCreateContact(c->ode.world, c->group, &contact), a->ode, b->ode);
}

// Nobody else moves, and bodies of 2D stay in their plane.
static void wake_involved(const OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (t->body < 0) continue;
        if (c->involved[t->body])
            dBodyEnable(t->ode);
        else
            dBodyDisable(t->ode);
        if (c->bodies->flat && c->involved[t->body])
            dJointAttach(dJointCreatePlane2D(c->ode.world, c->group), t->ode, 0);
    }
}

static OndOdeEnd step(OndBodyContacts *c, double dt, SolveStage stage, int rounds)
{
    dJointGroupEmpty(c->group);
    put_bodies(c, stage);
    for (int k = 0; k < c->contact_count; ++k)
        join(c, &c->contact[k], dt, stage);
    wake_involved(c);
    return ond_ode_step(&c->ode, dt, rounds);
}

// ---- what it says

static void take_speeds(const OndBodyContacts *c, double share)
{
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (t->body < 0 || !c->involved[t->body]) continue;
        OndBody *const body = &c->bodies->body[t->body];
        const double part = fmin(share, c->fair[t->body]);
        const OndVec rest = {0, 0, 0};
        body->momentum = part > 0.0 ? ond_scale(ond_body_told_momentum(c, t), part) : rest;
        body->velocity = part > 0.0 ? ond_scale(ond_body_told_velocity(c, t), part) : rest;
    }
}

// No part of it is moved faster than SETTLE_SPEED.
static void take_pushes(const OndBodyContacts *c)
{
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (t->body < 0 || !c->involved[t->body]) continue;
        OndBody *const body = &c->bodies->body[t->body];
        const OndVec v = ond_body_told_velocity(c, t), w = ond_body_told_spin(c, t);
        const double speed = ond_length(v) + ond_body_arm(c->bodies, t->body) * ond_length(w);
        if (!isfinite(speed)) continue;
        const double share = speed > SETTLE_SPEED ? SETTLE_SPEED / speed : 1.0;
        body->push = ond_scale(v, share);
        body->push_spin = ond_scale(w, share);
    }
}

// ---- both

static void find_involved(const OndBodyContacts *c)
{
    memset(c->involved, 0, (size_t)c->bodies->count * sizeof *c->involved);
    for (int k = 0; k < c->contact_count; ++k) {
        const int a = c->thing[c->contact[k].a].body, b = c->thing[c->contact[k].b].body;
        if (a >= 0) c->involved[a] = true;
        if (b >= 0) c->involved[b] = true;
    }
}

static OndStatus broken(OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY,
                    "the Open Dynamics Engine has failed at the contacts of bodies, perhaps for "
                    "want of memory");
}

static OndStatus solve_speeds(OndBodyContacts *c, double dt, OndError *err)
{
    const bool direct = c->contact_count <= DIRECT_MAX;
    OndOdeEnd end = step(c, dt, SPEEDS, direct ? 0 : ROUNDS);
    double share = ond_body_fair_share(c);
    if (direct && end != OND_ODE_BROKEN && (end == OND_ODE_LOST || share < 1.0)) {
        end = step(c, dt, SPEEDS, MORE_ROUNDS);
        share = ond_body_fair_share(c);
        c->unsettled = true;
    }
    if (end == OND_ODE_BROKEN) return broken(err);
    if (share < 1.0) c->unsettled = true;
    const bool fair = ond_body_fair_find(c);
    take_speeds(c, share);
    if (!fair) c->unsettled = true;
    return OND_OK;
}

static bool overlap(const OndBodyContacts *c)
{
    for (int k = 0; k < c->contact_count; ++k)
        if (c->contact[k].touch.depth > slack(c, &c->thing[c->contact[k].a])) return true;
    return false;
}

static OndStatus solve_pushes(OndBodyContacts *c, double dt, OndError *err)
{
    if (!overlap(c)) return OND_OK;
    dWorldSetContactMaxCorrectingVel(c->ode.world, SETTLE_SPEED);
    const bool direct = c->contact_count <= DIRECT_MAX;
    OndOdeEnd end = step(c, dt, PUSHES, direct ? 0 : ROUNDS);
    if (end == OND_ODE_LOST) end = step(c, dt, PUSHES, MORE_ROUNDS);
    if (end == OND_ODE_BROKEN) return broken(err);
    take_pushes(c);
    return OND_OK;
}

OndStatus ond_body_solve(OndBodyContacts *c, double dt, OndError *err)
{
    find_involved(c);
    const OndStatus status = solve_speeds(c, dt, err);
    return status == OND_OK ? solve_pushes(c, dt, err) : status;
}

#endif
