// SPDX-License-Identifier: MIT
// What contacts may give: no more than they took.
//
// All bodies together leave with no more energy than they came with, but for what things that move
// as told add: by their own speed, and that again in a bounce. That tells a wrong answer of a
// solver from a right one.
//
// A light body among heavy ones may have any speed by that rule. A pip between two crates, without
// friction, would leave at a hundred metres a second, for rigid things know no other way out. So
// each leaves no faster than it came, or than a lever of LEVER makes of the fastest that it
// touches, directly or through others. Speeds here are those of the energy: sqrt(2 E / m).
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_things.h"

#define GAIN  1e-3 // share of speed that a solver may have added by rounding
#define LEVER 3.0

OndVec ond_body_told_velocity(const OndBodyContacts *c, const OndBodyThing *t)
{
    const dReal *const v = dBodyGetLinearVel(t->ode);
    return ond_vec(v[0], v[1], c->bodies->flat ? 0.0 : v[2]);
}

OndVec ond_body_told_spin(const OndBodyContacts *c, const OndBodyThing *t)
{
    const dReal *const w = dBodyGetAngularVel(t->ode);
    const bool flat = c->bodies->flat;
    return ond_vec(flat ? 0.0 : w[0], flat ? 0.0 : w[1], w[2]);
}

OndVec ond_body_told_momentum(const OndBodyContacts *c, const OndBodyThing *t)
{
    const OndPose pose = ond_solids_state(c->bodies->solids->solids, t->solid)->pose;
    const OndVec own = ond_pose_unturn(&pose, ond_body_told_spin(c, t));
    return ond_pose_turn(&pose, ond_inertia_times(&c->bodies->body[t->body].inertia, own));
}

// ---- all together

// Twice the energy before a step of ODE, and after.
static double before(const OndBodyContacts *c, const OndBodyThing *t)
{
    const OndBody *const b = &c->bodies->body[t->body];
    return b->mass * ond_dot(b->velocity, b->velocity) +
           ond_dot(b->momentum, ond_body_spin(c->bodies, t->body));
}

static double after(const OndBodyContacts *c, const OndBodyThing *t)
{
    const OndVec v = ond_body_told_velocity(c, t);
    return c->bodies->body[t->body].mass * ond_dot(v, v) +
           ond_dot(ond_body_told_momentum(c, t), ond_body_told_spin(c, t));
}

// How fast a thing that moves as told is where it is touched.
static double told_speed(const OndBodyContacts *c, const OndBodyContact *one)
{
    const OndBodyThing *const b = &c->thing[one->b];
    if (b->body >= 0 || !b->ode) return 0.0;
    const OndSolidState *const s = ond_solids_state(c->bodies->solids->solids, b->solid);
    const OndVec arm = ond_sub(one->touch.at, s->pose.at);
    return ond_length(ond_add(s->velocity, ond_cross(s->spin, arm)));
}

double ond_body_fair_share(const OndBodyContacts *c)
{
    double had = 0.0, has = 0.0, mass = 0.0, told = 0.0;
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (t->body < 0 || !c->involved[t->body]) continue;
        mass += c->bodies->body[t->body].mass;
        had += before(c, t), has += after(c, t);
    }
    for (int k = 0; k < c->contact_count; ++k)
        told = fmax(told, told_speed(c, &c->contact[k]));
    if (!isfinite(has)) return 0.0;
    const double most = sqrt(had) * (1.0 + GAIN) + 2.0 * sqrt(mass) * told + 1e-12;
    return sqrt(has) <= most ? 1.0 : most / sqrt(has);
}

// ---- each

// The fastest of those that hang together, who it is, and the fastest of the others.
typedef OndBodyHeap Heap;

static int root(Heap *heap, int body)
{
    while (heap[body].up != body)
        body = heap[body].up = heap[heap[body].up].up;
    return body;
}

// One more thing of that speed; `who` is -1 for what moves as told.
static void note(Heap *h, int who, double speed, double bounce)
{
    if (speed > h->fastest) {
        h->second = h->fastest;
        h->fastest = speed, h->who = who;
    } else {
        h->second = fmax(h->second, speed);
    }
    h->bounce = fmax(h->bounce, bounce);
}

static double point_speed(const OndBodyContacts *c, int body)
{
    return ond_length(c->bodies->body[body].velocity) +
           ond_body_arm(c->bodies, body) * ond_length(ond_body_spin(c->bodies, body));
}

static void find_heaps(const OndBodyContacts *c)
{
    Heap *const heap = c->heap;
    for (int k = 0; k < c->bodies->count; ++k)
        heap[k] = (Heap){.up = k, .who = -1};
    for (int k = 0; k < c->contact_count; ++k) {
        const int a = c->thing[c->contact[k].a].body, b = c->thing[c->contact[k].b].body;
        if (b >= 0) heap[root(heap, a)].up = root(heap, b);
    }
    for (int k = 0; k < c->bodies->count; ++k)
        if (c->involved[k]) note(&heap[root(heap, k)], k, point_speed(c, k), 0.0);
    for (int k = 0; k < c->contact_count; ++k) {
        const OndBodyThing *const a = &c->thing[c->contact[k].a], *const b =
                                                                      &c->thing[c->contact[k].b];
        note(&heap[root(heap, a->body)], -1, told_speed(c, &c->contact[k]),
             fmaxf(a->restitution, b->restitution));
    }
}

bool ond_body_fair_find(const OndBodyContacts *c)
{
    bool all = true;
    find_heaps(c);
    for (int k = 0; k < c->count; ++k) {
        const OndBodyThing *const t = &c->thing[k];
        if (t->body < 0 || !c->involved[t->body]) continue;
        const Heap *const h = &c->heap[root(c->heap, t->body)];
        const double mass = c->bodies->body[t->body].mass, own = sqrt(before(c, t) / mass),
                     others = h->who == t->body ? h->second : h->fastest,
                     hit = LEVER * (1.0 + h->bounce) * others + h->bounce * own,
                     most = fmax(own, hit) * (1.0 + GAIN) + 1e-6, now = sqrt(after(c, t) / mass);
        c->fair[t->body] = now <= most ? 1.0 : most / now;
        all = all && now <= most;
    }
    return all;
}

#endif
