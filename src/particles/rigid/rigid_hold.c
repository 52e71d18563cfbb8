// SPDX-License-Identifier: MIT
// Which contacts hold a body.
//
// A body on a floor touches it in more places than it can move, so contacts that are let go and
// taken up one by one, or all at once, change for ever. Here all contacts of a body are settled
// together: the body alone may move by a little more, d, while what is soft around it answers as
// its group would, with the stiffness M. Each contact pushes with k (q - n d) where that is above
// zero, and not at all otherwise. What is sought is where
//
//     M d + F = sum of k max(0, q - n d) n,      F: what the contacts push with now,
//
// the minimum of a convex energy: Newton's steps, each shortened where it would go too far, find it
// in a few rounds. Contacts that push there are those that hold.
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define STEPS   30
#define HALVES  24
#define SETTLED 1e-9 // of the forces at the start

static double dot6(const double a[6], const double b[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += a[k] * b[k];
    return sum;
}

// What a contact is short of when the body moves by d more: it pushes where that is above zero.
static double short_of(const OndWallContact *c, const double d[6])
{
    return c->enters - dot6(c->row, d);
}

static void set_up(OndWallContact *c)
{
    const double r[3] = {c->arm[0], c->arm[1], c->arm[2]}, inward = c->side % 2 ? -1.0 : 1.0;
    ond_motion_row(r, c->side / 2, c->row);
    for (int k = 0; k < 6; ++k)
        c->row[k] *= inward;
    c->enters = c->passes + c->base / c->stiff;
}

typedef struct Balance {
    const OndRigid *g;
    const OndRigidPiece *body;
    double m[6][6], force[6]; // M, F
} Balance;

static Balance begin(const OndRigid *g, const OndRigidPiece *body)
{
    Balance b = {.g = g, .body = body};
    const bool grouped = g->count && body->group >= 0;
    memcpy(b.m, grouped ? g->level[0].whole[body->group] : body->block[0], sizeof b.m);
    for (OndWallContact *c = body->contact; c; c = c->next) {
        set_up(c);
        if (!c->active) continue;
        ond_add_square(b.m, c->row, -c->stiff);
        for (int k = 0; k < 6; ++k)
            b.force[k] += c->stiff * c->enters * c->row[k];
    }
    return b;
}

// What is out of balance at d.
static void miss(const Balance *b, const double d[6], double out[6])
{
    for (int k = 0; k < 6; ++k)
        out[k] = b->force[k] + dot6(b->m[k], d);
    for (const OndWallContact *c = b->body->contact; c; c = c->next) {
        const double push = c->stiff * short_of(c, d);
        for (int k = 0; push > 0.0 && k < 6; ++k)
            out[k] -= push * c->row[k];
    }
}

// Share of the step at which the energy is least: its slope only grows.
static double search(const Balance *b, const double d[6], const double step[6])
{
    double low = 0.0, high = 1.0;
    for (int half = 0; half < HALVES; ++half) {
        const double t = half ? 0.5 * (low + high) : 1.0;
        double at[6], slope[6];
        for (int k = 0; k < 6; ++k)
            at[k] = d[k] + t * step[k];
        miss(b, at, slope);
        const bool beyond = dot6(slope, step) > 0.0;
        if (!beyond && !half) return 1.0;
        *(beyond ? &high : &low) = t;
    }
    return 0.5 * (low + high);
}

// From what is out of balance to Newton's step, in place.
static void find_step(const Balance *b, const double d[6], double step[6])
{
    double h[6][6];
    memcpy(h, b->m, sizeof h);
    for (const OndWallContact *c = b->body->contact; c; c = c->next)
        if (short_of(c, d) > 0.0) ond_add_square(h, c->row, c->stiff);
    ond_body_factor(b->body, b->g->dimension, h);
    for (int k = 0; k < 6; ++k)
        step[k] = -step[k];
    ond_cholesky6_solve((const double(*)[6])h, step);
}

void ond_rigid_hold(const OndRigid *g, const OndRigidPiece *body)
{
    const Balance b = begin(g, body);
    double d[6] = {0}, step[6], first = 0;
    for (int round = 0; round < STEPS; ++round) {
        miss(&b, d, step);
        const double left = sqrt(dot6(step, step));
        if (round == 0) first = left;
        if (!(left > SETTLED * first)) break;
        find_step(&b, d, step);
        const double share = search(&b, d, step);
        for (int k = 0; k < 6; ++k)
            d[k] += share * step[k];
    }
    for (OndWallContact *c = body->contact; c; c = c->next)
        c->holds = short_of(c, d) > 0.0;
}
