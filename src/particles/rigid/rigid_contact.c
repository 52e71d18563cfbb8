// SPDX-License-Identifier: MIT
// Solids meet walls.
//
// A particle that would pass a wall in this step is a contact: a stiff link to the wall, which only
// pushes. Along the wall it holds as far as the wall sticks (slip) or rubs (friction: no more than
// the coefficient times the push). Which contacts push, stick or slide is found while the system is
// solved (rigid_solve.c): let go of those that pull, soften those that rub too hard, add those that
// now pass, and go on from there (rigid_judge.c). A wall that sticks goes on holding along itself
// what it has touched in the step: were that let go with the push, there would be cases without any
// answer. Friction is a drag k v with k = coefficient x push / speed, found in the same rounds: it
// sticks where k comes out stiff, and never drives.
#include "base/memory.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define BODY_STIFFNESS 1e4 // times the body's mass
#define WAY_OUT        0.2 // of the depth, a step: how what is in a wall comes out

static float inward_of(int side)
{
    return side % 2 ? -1.0f : 1.0f;
}

static OndWallContact *add_contact(OndRigid *g, OndError *err)
{
    if (g->contact_count == g->contact_room) {
        const int room = 2 * g->contact_room + 1024;
        OndWallContact *more = OND_NEW_ARRAY(OndWallContact, room);
        if (!more) {
            ond_fail(err, OND_NO_MEMORY, "not enough memory for %d contacts", room);
            return NULL;
        }
        if (g->contact_count) memcpy(more, g->contact, (size_t)g->contact_count * sizeof *more);
        ond_free(g->contact);
        g->contact = more, g->contact_room = room;
    }
    return &g->contact[g->contact_count++];
}

// Least inward velocity: what is left of the gap may be used up. What stands nearer than the
// lattice would, but in front of the wall, stays there; what is in the wall comes out.
static float approach(const OndSph *s, int i, int side, float gap, float dt)
{
    if (gap > 0.0f) return -gap / dt;
    const float depth = inward_of(side) * (s->wall_at[side] - s->x[side / 2][i]);
    return depth > 0.0f ? fminf((float)WAY_OUT * depth / dt, 0.5f) : 0.0f; // m/s
}

// Friction is found from how things would slide without it.
double ond_contact_first_drag(const OndSide *wall, double stiff)
{
    return wall->slip >= 1.0f ? OND_SLIPPERY * stiff : stiff;
}

// What did not need its wall in the last step most likely does not now.
static bool was_lifted(const OndSph *s, const OndWallContact *c)
{
    return s->lifted[c->particle] >> c->side & 1u;
}

// The liquid's share of soft matter goes on until a mirror stops it, half a spacing later than what
// is rigid: the lowest layer would creep into that gap and be thrown out again. So it ends here.
void ond_rigid_stop_soft(OndSph *s)
{
    const OndRigid *g = s->rigid;
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        if (s->world.wall_model != OND_WALL_MIRROR || c->body != OND_NO_BODY) continue;
        float *v = &s->v[c->side / 2][c->particle];
        if (inward_of(c->side) * *v < c->target) *v = inward_of(c->side) * c->target;
    }
}

void ond_rigid_keep_contacts(OndSph *s)
{
    const OndRigid *g = s->rigid;
    memset(s->lifted, 0, (size_t)s->fields.count * sizeof *s->lifted);
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        s->lifted[c->particle] |= (uint32_t)c->lifted << c->side;
    }
}

// Stands within reach of the wall: the contact may come to bear in a later round.
static OndStatus consider(OndSph *s, int i, int side, float gap, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    const OndSide *wall = &s->world.side[side];
    const int body = g->member[i];
    OndWallContact *c = add_contact(g, err);
    if (!c) return OND_NO_MEMORY;
    const float speed = inward_of(side) * s->v[side / 2][i];
    const float bounce =
        speed < 0.0f && gap + dt * speed < 0.0f ? -wall->restitution * speed : 0.0f;
    *c = (OndWallContact){.local = body == OND_NO_BODY ? g->local[i] : -1,
                          .body = body,
                          .particle = (uint32_t)i,
                          .side = side,
                          .target = bounce > 0.0f ? bounce : approach(s, i, side, gap, dt),
                          .stiff = body == OND_NO_BODY
                                       ? s->def.rigidity.stiffness * s->mass[s->material[i]]
                                       : BODY_STIFFNESS * g->body[body].mass};
    c->drag = ond_contact_first_drag(wall, c->stiff);
    for (int a = 0; body != OND_NO_BODY && a < 3; ++a)
        c->arm[a] = (float)(s->x[a][i] - g->body[body].center[a]);
    c->active = c->grips = speed < c->target;
    return OND_OK;
}

// Bodies have met their walls when what is soft comes to them: what a wall pushes with already is
// the base of what it pushes with in the end, and may become less. What slides is not braked again.
static void keep_bodies(OndSph *s, float dt)
{
    OndRigid *g = s->rigid;
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        const OndSide *wall = &s->world.side[c->side];
        const float gap =
            inward_of(c->side) * (s->x[c->side / 2][c->particle] - s->rigid_at[c->side]);
        const OndRigidPiece *body = &g->body[c->body];
        if (body->rim_last > body->rim_first && was_lifted(s, c)) c->active = false;
        c->base = c->active ? fmax(c->push, 0.0) : 0.0;
        c->push = 0.0;
        c->target = fmaxf(approach(s, (int)c->particle, c->side, gap, dt),
                          c->active ? c->target : -INFINITY);
        if (wall->slip >= 1.0f && c->drag < 0.5 * c->stiff) c->drag = OND_SLIPPERY * c->stiff;
    }
}

OndStatus ond_rigid_find_contacts(OndSph *s, float dt, bool bodies, OndError *err)
{
    OndRigid *g = s->rigid;
    const float near = 0.25f * (float)s->world.spacing;
    if (bodies)
        g->contact_count = 0;
    else
        keep_bodies(s, dt);
    OndStatus status = OND_OK;
    for (int side = 0; side < 2 * s->world.dimension; ++side) {
        if (s->world.side[side].kind != OND_SIDE_WALL) continue;
        const float plane = s->rigid_at[side], inward = inward_of(side);
        const float *x = s->x[side / 2], *v = s->v[side / 2];
        for (int i = 0; i < s->fields.count && status == OND_OK; ++i) {
            const float gap = inward * (x[i] - plane), way = dt * fabsf(v[i]) + near;
            if (gap > way || s->rigidity[i] <= 0.0f || s->held[i]) continue;
            const int body = g->member[i];
            if ((body != OND_NO_BODY) != bodies || (bodies && g->body[body].driven)) continue;
            status = consider(s, i, side, gap, dt, err);
        }
    }
    return status;
}

// ---- into the system

// What the wall takes of the tangential velocity, and whether it holds at most the friction.
static float grip_of(const OndSide *wall, bool *rubs)
{
    *rubs = wall->slip >= 1.0f && wall->friction > 0.0f;
    return *rubs ? 1.0f : 1.0f - wall->slip;
}

// Whether the wall holds it along itself.
static bool is_gripped(const OndWallContact *c, const OndSide *wall)
{
    bool rubs;
    return grip_of(wall, &rubs) > 0.0f && (rubs ? c->active : c->grips);
}

static void put_soft(OndRigid *g, const OndWallContact *c, const OndSide *wall)
{
    bool rubs;
    const int l = c->local, axis = c->side / 2;
    const float hold = g->hold[l], grip = grip_of(wall, &rubs), k = (float)c->stiff;
    for (int a = 0; a < g->dimension; ++a) {
        if (a == axis && c->active) {
            g->ground[a][l] += k;
            g->c.at[a][l] -= k * hold * (g->w[a][l] - inward_of(c->side) * c->target);
        } else if (a != axis && is_gripped(c, wall)) {
            g->ground[a][l] += (float)c->drag;
            g->c.at[a][l] -= (float)c->drag * hold * grip * (g->w[a][l] - wall->velocity[a]);
        }
    }
}

// The velocity of a member along `axis` is row . (motion of the body).
static void make_row(const OndWallContact *c, int axis, double row[6])
{
    const double r[3] = {c->arm[0], c->arm[1], c->arm[2]};
    ond_motion_row(r, axis, row);
}

static double along(const double row[6], const double motion[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += row[k] * motion[k];
    return sum;
}

static void put_row(OndRigidPiece *body, double right[6], const double row[6], double k,
                    double wanted)
{
    const double miss = k * (along(row, body->motion) - wanted);
    for (int a = 0; a < 6; ++a) {
        right[a] -= miss * row[a];
        for (int b = 0; b < 6; ++b)
            body->block[a][b] += k * row[a] * row[b];
    }
}

static void put_body(OndRigid *g, const OndWallContact *c, const OndSide *wall)
{
    bool rubs;
    const float grip = grip_of(wall, &rubs);
    OndRigidPiece *body = &g->body[c->body];
    double *right = g->c.body[c->body], row[6];
    for (int a = 0; a < g->dimension; ++a) {
        make_row(c, a, row);
        const double now = along(row, body->motion);
        if (a == c->side / 2 && c->active)
            put_row(body, right, row, c->stiff, inward_of(c->side) * c->target);
        if (a != c->side / 2 && is_gripped(c, wall))
            put_row(body, right, row, c->drag, now - grip * (now - wall->velocity[a]));
    }
}

// Notes whether the system has it as it is now.
static void note_change(OndRigid *g, OndWallContact *c, const OndSide *wall)
{
    const double held[2] = {c->active ? c->stiff : 0.0, is_gripped(c, wall) ? c->drag : 0.0};
    c->changed = held[0] != c->held[0] || held[1] != c->held[1];
    memcpy(c->held, held, sizeof held);
    if (c->changed && c->body != OND_NO_BODY) g->body[c->body].changed = true;
}

static void clear_contacts(OndRigid *g)
{
    ond_rigid_clear(g, &g->c);
    for (int a = 0; a < 3; ++a)
        if (g->count) memset(g->ground[a], 0, (size_t)g->count * sizeof(float));
    for (int b = 0; b < g->body_count; ++b) {
        memcpy(g->body[b].block, g->body[b].own, sizeof g->body[b].block);
        g->body[b].changed = false;
    }
}

void ond_rigid_put_contacts(OndSph *s)
{
    OndRigid *g = s->rigid;
    clear_contacts(g);
    for (int k = 0; k < g->contact_count; ++k) {
        OndWallContact *c = &g->contact[k];
        const OndSide *wall = &s->world.side[c->side];
        c->grips |= c->active;
        note_change(g, c, wall);
        if (c->body != OND_NO_BODY)
            put_body(g, c, wall);
        else
            put_soft(g, c, wall);
    }
}

// ---- what they push with

// What the contact's particle lacks of the change of velocity that the wall asks for, an axis each.
// Of what is only partly rigid the wall asks for that part: the rest is the liquid's affair.
void ond_contact_measure(const OndRigid *g, const OndWallContact *c, const OndSide *wall,
                         double lack[3])
{
    bool rubs;
    const float grip = grip_of(wall, &rubs);
    for (int a = 0; a < g->dimension; ++a) {
        double before, change, hold = 1.0;
        if (c->body == OND_NO_BODY) {
            before = g->w[a][c->local], change = g->x.at[a][c->local], hold = g->hold[c->local];
        } else {
            double row[6];
            make_row(c, a, row);
            before = along(row, g->body[c->body].motion), change = along(row, g->x.body[c->body]);
        }
        const bool normal = a == c->side / 2;
        const double wanted = normal ? inward_of(c->side) * c->target : wall->velocity[a];
        lack[a] = -change - hold * (normal ? 1.0f : grip) * (before - wanted);
    }
}

static void add_force(OndRigid *g, const OndWallContact *c, int axis, double force)
{
    if (c->body == OND_NO_BODY) {
        g->c.at[axis][c->local] += (float)force;
        return;
    }
    double row[6];
    make_row(c, axis, row);
    for (int k = 0; k < 6; ++k)
        g->c.body[c->body][k] += force * row[k];
}

static void push_one(OndRigid *g, const OndWallContact *c, const OndSide *wall)
{
    const int axis = c->side / 2;
    const bool grips = is_gripped(c, wall);
    double lack[3] = {0};
    if (!c->active && !grips) return;
    ond_contact_measure(g, c, wall, lack);
    if (c->active) add_force(g, c, axis, c->stiff * lack[axis]);
    for (int a = 0; a < g->dimension && grips; ++a)
        if (a != axis) add_force(g, c, a, c->drag * lack[a]);
}

void ond_rigid_press(OndSph *s)
{
    OndRigid *g = s->rigid;
    ond_rigid_clear(g, &g->c);
    for (int k = 0; k < g->contact_count; ++k)
        push_one(g, &g->contact[k], &s->world.side[g->contact[k].side]);
    for (int b = 0; b < g->body_count; ++b)
        if (g->body[b].driven) memset(g->c.body[b], 0, sizeof g->c.body[b]);
}
