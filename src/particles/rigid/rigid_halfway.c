// SPDX-License-Identifier: MIT
// How far to go from one motion to the next while contacts of bodies are sought.
//
// A set of contacts gives a motion, and that another set (rigid_hold.c, by what a body's surroundings are taken to
// answer): steps towards the minimum of a convex energy that is made of pieces. But a letter that lies on its side may
// rock to and fro between two sets for ever. So each new motion is held against the last one: what matters is whether
// the energy still falls where it arrived. If not, it is least somewhere between both, and the contacts that push
// there are the next set; from then on sets are those that push where one is (Newton's method), which always ends.
//
// The slope of the energy between both needs no more than what each contact is short of at either end, and what it
// gave there: what all else is out of balance by is, in a motion that was solved for, what contacts gave.
#include "particles/rigid/rigid_state.h"

#define HALVES 30
#define ALMOST 0.99 // of the way: as good as all of it

static double push_at(const OndWallContact *c, double t)
{
    return c->base + c->stiff * (c->before + t * (c->passes - c->before));
}

static double given(const OndWallContact *c)
{
    return c->active ? c->push : 0.0;
}

static double slope_at(const OndRigid *g, double t)
{
    double sum = 0;
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY) continue;
        const double bears = c->gave + t * (given(c) - c->gave), way = c->before - c->passes;
        sum += (bears - fmax(0.0, push_at(c, t))) * way;
    }
    return sum;
}

static double find_least(const OndRigid *g)
{
    double low = 0.0, high = 1.0;
    if (!(slope_at(g, 1.0) > 0.0)) return 1.0;
    if (slope_at(g, 0.0) > 0.0) return g->strict ? 1.0 : 0.0; // strict: friction has changed
    for (int half = 0; half < HALVES; ++half) {
        const double t = 0.5 * (low + high);
        *(slope_at(g, t) > 0.0 ? &high : &low) = t;
    }
    return 0.5 * (low + high);
}

bool ond_rigid_halfway(OndRigid *g)
{
    const double t = g->looked ? find_least(g) : 1.0;
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY) continue;
        c->holds = push_at(c, t) > 0.0;
        c->before = g->looked ? c->before + t * (c->passes - c->before) : c->passes;
        c->gave = g->looked ? c->gave + t * (given(c) - c->gave) : given(c);
    }
    g->looked = true;
    g->strict |= t < ALMOST;
    return g->strict;
}
