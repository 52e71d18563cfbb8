// SPDX-License-Identifier: MIT
// How far to go from one motion to the next while contacts of a body are sought.
//
// A set of contacts gives a motion, and that another set (rigid_hold.c, by what a body's surroundings are taken to
// answer): steps towards the minimum of a convex energy that is made of pieces. But a letter that lies on its side may
// rock to and fro between two sets for ever. So each new motion is held against the last one: what matters is whether
// the energy still falls where it arrived. If not, it is least somewhere between both, and the contacts that push
// there are the next set; from then on the body's sets are those that push where it is (Newton's method).
//
// The slope of the energy between both needs no more than what each contact is short of at either end, and what it
// gave there: what all else is out of balance by is, in a motion that was solved for, what contacts gave. That
// friction and soft contacts have changed in the meantime is neglected.
#include "particles/rigid/rigid_state.h"

#define HALVES  30
#define ALMOST  0.99 // of the way: as good as all of it
#define NOTHING 1e-9 // of what the slope is the sum of

// What it gives beyond what it gave before soft parts counted.
static double given(const OndWallContact *c)
{
    return c->active ? c->push - c->base : 0.0;
}

static double between(double from, double to, double t)
{
    return (1.0 - t) * from + t * to;
}

static double push_at(const OndWallContact *c, double t)
{
    return c->base + c->stiff * between(c->before, c->passes, t);
}

// `size`: what it is the sum of
static double slope_at(const OndRigidPiece *body, double t, double *size)
{
    double sum = 0;
    *size = 0;
    for (const OndWallContact *c = body->contact; c; c = c->next) {
        const double way = c->before - c->passes, bears = between(c->gave, given(c), t) * way,
                     pushes = (fmax(0.0, push_at(c, t)) - c->base) * way;
        sum += bears - pushes, *size += fabs(bears) + fabs(pushes);
    }
    return sum;
}

static bool rises_at(const OndRigidPiece *body, double t)
{
    double size;
    const double slope = slope_at(body, t, &size);
    return slope > NOTHING * size;
}

static double find_least(const OndRigidPiece *body)
{
    double low = 0.0, high = 1.0;
    if (!rises_at(body, 1.0)) return 1.0;
    if (rises_at(body, 0.0)) return body->strict ? 1.0 : 0.0; // strict: it is another energy by now
    for (int half = 0; half < HALVES; ++half) {
        const double t = 0.5 * (low + high);
        *(rises_at(body, t) ? &high : &low) = t;
    }
    return 0.5 * (low + high);
}

bool ond_rigid_halfway(OndRigidPiece *body)
{
    const double t = body->looked ? find_least(body) : 1.0;
    bool changes = false;
    for (OndWallContact *c = body->contact; c; c = c->next) {
        if (!body->looked) c->before = c->passes, c->gave = given(c);
        c->holds = push_at(c, t) > 0.0;
        c->before = between(c->before, c->passes, t), c->gave = between(c->gave, given(c), t);
        changes |= c->holds != c->active;
    }
    body->looked = true;
    body->strict |= t < ALMOST;
    return body->strict && changes;
}

void ond_rigid_look_afresh(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].looked = g->body[b].strict = false;
}
