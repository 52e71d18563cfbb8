// SPDX-License-Identifier: MIT
// What bodies can touch, as contacts see it: solids and the sides of the domain, with their boxes for
// the broad phase; inside solids/bodies/body_*.c, in builds with ODE.
#ifndef OND_SOLIDS_BODY_THINGS_H
#define OND_SOLIDS_BODY_THINGS_H

#include "solids/bodies/bodies.h"
#include "solids/bodies/body_contacts.h"
#include "solids/bodies/body_ode.h"
#include "solids/bodies/body_points.h"

#define OND_PAIR_TOUCHES_MAX 4096 // between two things, before they are thinned out

// A solid, or a side of the domain.
typedef struct OndBodyThing {
    int solid;            // -1: a side
    int body;             // -1: not moved by what it touches
    dGeomID geom;         // NULL: only points know
    OndVec middle;        // of the geom, in its own frame
    OndPose turn;         // of the geom, in its own frame
    dBodyID ode;          // NULL: it never moves
    OndBodyPoints points; // of bodies
    float friction, restitution;
    OndVec low, high; // box in the world, now
} OndBodyThing;

// Two things that touch.
typedef struct OndBodyContact {
    int a, b; // things; `a` is a body, and the normal points towards it
    OndBodyTouch touch;
} OndBodyContact;

// Bodies that touch, directly or through others; solids/bodies/body_fair.c.
typedef struct OndBodyHeap {
    int up;                 // another of them; the one where that is itself knows the rest
    int who;                // the fastest; -1: what moves as told
    double fastest, second; // m/s
    double bounce;          // the largest restitution
} OndBodyHeap;

struct OndBodyContacts {
    OndBodies *bodies;
    OndOdeWorld ode;
    dJointGroupID group;
    OndArena arena;
    int count;
    OndBodyThing *thing;
    OndBodyContact *contact;
    int contact_count, contact_room;
    bool unsettled; // the last solve was not the exact one
    bool *involved; // by body
    double *fair;   // by body: the share of its speed after contacts that it may keep
    OndBodyHeap *heap;
    OndBodyTouch touch[OND_PAIR_TOUCHES_MAX];
};

/// All things of the scene. `c` has its world.
OndStatus ond_body_things_make(OndBodyContacts *c, OndError *err);
/// Where they are now: boxes and geoms.
void ond_body_things_place(OndBodyContacts *c);
bool ond_body_things_near(const OndBodyThing *a, const OndBodyThing *b);

/// Where two of them touch, in c->touch; `a` is a body. Returns how many.
int ond_body_things_touch(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b);
/// The same for closed forms, all that ODE tells.
int ond_body_forms_touch(OndBodyContacts *c, const OndBodyThing *a, const OndBodyThing *b);

/// What starts where something else is; solids/bodies/body_start.c.
OndStatus ond_body_start_check(OndBodyContacts *c, OndError *err);
/// Velocities that keep contacts; solids/bodies/body_solve.c.
OndStatus ond_body_solve(OndBodyContacts *c, double dt, OndError *err);

/// What ODE says of a body after a step.
OndVec ond_body_told_velocity(const OndBodyContacts *c, const OndBodyThing *t);
OndVec ond_body_told_spin(const OndBodyContacts *c, const OndBodyThing *t);
OndVec ond_body_told_momentum(const OndBodyContacts *c, const OndBodyThing *t);
/// By how much all speeds that ODE says must be shrunk to be no more than bodies had; 0: they are
/// no numbers.
double ond_body_fair_share(const OndBodyContacts *c);
/// The same for each, in c->fair. False when one of them must be slowed down.
bool ond_body_fair_find(const OndBodyContacts *c);

#endif
