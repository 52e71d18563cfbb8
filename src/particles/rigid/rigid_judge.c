// SPDX-License-Identifier: MIT
// Contacts that are wrong: those that pull, those that would be passed, those that rub too hard.
//
// They are judged by the motion that is known so far, and changed; rigid_solve.c goes on with what they
// are then. Those of a body are settled together (rigid_hold.c).
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define SMALL 0.05 // of all push: what may be wrong with it
#define EXACT 1e-7
#define LEAPS 4 // rounds in which friction is found for a body as a whole

// What is wrong with contacts: momentum that they pull, or that is missing where they are not.
typedef struct Verdict {
    double wrong, push;
    double missed; // of what is wrong: that of contacts that are not there
    double weight; // of the particles that meet walls, over the step: what push is measured by
} Verdict;

static void feel(OndRigid *g, OndWallContact *c, const OndSide *wall)
{
    const int axis = c->side / 2, b = (axis + 1) % 3, d = (axis + 2) % 3;
    double lack[3] = {0};
    ond_contact_measure(g, c, wall, lack);
    c->passes = (c->side % 2 ? -lack[axis] : lack[axis]);
    c->push = c->base + c->stiff * c->passes;
    c->rub = c->drag * hypot(lack[b], lack[d]);
}

static bool is_right(const OndWallContact *c)
{
    return c->active ? c->push >= 0.0 : c->push <= 0.0;
}

// `pull` is what gravity gives a kilogram in the step.
static void count_push(OndWallContact *c, double mass, double pull, Verdict *sum)
{
    const bool right = is_right(c);
    c->lifted = !c->active && right;
    if (c->active) sum->push += fmax(c->push, 0.0);
    sum->weight += mass * pull;
    if (right) return;
    sum->wrong += c->active ? -c->push : mass * c->passes;
    if (!c->active) sum->missed += mass * c->passes;
}

static void flip(OndWallContact *c, const OndSide *wall)
{
    c->active = !c->active;
    c->base = c->push = 0.0;
    c->drag = ond_contact_first_drag(wall, c->stiff), c->glide = 0.0, c->tries = 0;
}

static void list_of_bodies(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].contact = NULL, g->body[b].wrong = false;
    for (int k = g->contact_count - 1; k >= 0; --k) {
        OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY) continue;
        OndRigidPiece *body = &g->body[c->body];
        c->next = body->contact, body->contact = c;
        body->wrong |= !is_right(c);
    }
}

static void change_bodies(OndRigid *g, const OndSide *side)
{
    list_of_bodies(g);
    for (int b = 0; b < g->body_count; ++b) {
        OndRigidPiece *body = &g->body[b];
        if (!body->wrong) body->looked = false;
        if (body->wrong && !ond_rigid_halfway(body)) ond_rigid_hold(g, body);
    }
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY || !g->body[c->body].wrong) continue;
        if (c->holds != c->active) flip(c, &side[c->side]);
    }
}

// ---- friction

static void add_rubbing(OndRubbing *sum, OndWallContact *c, const OndSide *wall)
{
    const double speed = c->rub / c->drag;
    if (!(c->glide > 0.0)) c->glide = speed;
    sum->most += wall->friction * fmax(c->push, 0.0), sum->rub += c->rub;
    sum->glide += c->glide, sum->speed += speed, sum->count += 1.0;
}

static bool rubs_here(const OndWallContact *c, const OndSide *side)
{
    const OndSide *wall = &side[c->side];
    return c->active && wall->slip >= 1.0f && wall->friction > 0.0f;
}

// A drag that brakes as friction allows, or stiff where that is enough. A drag k leaves the speed
// v = v_free m / (m + k), with some m that the last round tells, so k v = most can be solved for k
// at once; from then on each contact adjusts its own share.
static bool adjust(OndWallContact *c, const OndSide *wall, const OndRubbing *sum, double within)
{
    const double most = wall->friction * (c->active ? fmax(c->push, 0.0) : 0.0), before = c->drag;
    const double speed = c->rub / before, mean = sum->speed / sum->count;
    if (!(speed > 0.0) || !(sum->rub > 0.0)) return false;
    if (c->tries++ < LEAPS) {
        const double glide = sum->glide / sum->count;
        const double left =
            c->tries == 1 ? mean : glide - sum->most / sum->rub * fmax(glide - mean, 0.0);
        c->drag = left > 0.0 ? most / (left * speed / mean) : c->stiff;
    } else {
        c->drag *= most / c->rub;
    }
    c->drag = fmin(fmax(c->drag, OND_SLIPPERY * c->stiff), c->stiff);
    return fabs(c->drag - before) > within * before;
}

static bool judge_friction(OndRigid *g, const OndSide *side, double within)
{
    bool changed = false;
    for (int b = 0; b < g->body_count; ++b)
        memset(g->body[b].rubbing, 0, sizeof g->body[b].rubbing);
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        if (c->body != OND_NO_BODY && rubs_here(c, side))
            add_rubbing(&g->body[c->body].rubbing[c->side], c, &side[c->side]);
    }
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        OndRubbing alone = {0};
        if (!rubs_here(c, side)) continue;
        if (c->body == OND_NO_BODY) add_rubbing(&alone, c, &side[c->side]);
        changed |=
            adjust(c, &side[c->side],
                   c->body == OND_NO_BODY ? &alone : &g->body[c->body].rubbing[c->side], within);
    }
    return changed;
}

static Verdict feel_all(OndSph *s, float dt, bool bodies)
{
    OndRigid *g = s->rigid;
    const float *down = s->world.gravity;
    const double pull = dt * sqrt(down[0] * down[0] + down[1] * down[1] + down[2] * down[2]);
    Verdict sum = {0};
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        if ((c->body != OND_NO_BODY) != bodies) continue;
        feel(g, c, &s->world.side[c->side]);
        count_push(c, s->mass[s->material[c->particle]], pull, &sum);
    }
    return sum;
}

static void change_soft(OndRigid *g, const OndSide *side, bool let_go)
{
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        if (c->body != OND_NO_BODY || is_right(c)) continue;
        if (let_go || !c->active) flip(c, &side[c->side]);
    }
}

// Of bodies alone, which are solved exactly.
bool ond_rigid_judge_bodies(OndSph *s, float dt)
{
    const Verdict sum = feel_all(s, dt, true);
    change_bodies(s->rigid, s->world.side);
    const bool rubs = judge_friction(s->rigid, s->world.side, 1e-3);
    return rubs || sum.wrong > EXACT * fmax(sum.push, sum.weight);
}

unsigned ond_rigid_judge(OndSph *s, float dt, unsigned of)
{
    OndRigid *g = s->rigid;
    const Verdict soft = feel_all(s, dt, false), body = feel_all(s, dt, true);
    unsigned wrong = 0;
    if (soft.wrong > SMALL * soft.push) wrong |= OND_WRONG_SOFT;
    if (body.wrong > SMALL * fmax(body.push, body.weight)) wrong |= OND_WRONG_BODY;
    if (soft.missed > SMALL * soft.push) wrong |= OND_WRONG_MISSED;
    if (wrong & of & (OND_WRONG_SOFT | OND_WRONG_MISSED))
        change_soft(g, s->world.side, of & OND_WRONG_SOFT);
    if (wrong & of & OND_WRONG_BODY) change_bodies(g, s->world.side);
    if ((of & OND_WRONG_FRICTION) && judge_friction(g, s->world.side, 0.1))
        wrong |= OND_WRONG_FRICTION;
    return wrong;
}
