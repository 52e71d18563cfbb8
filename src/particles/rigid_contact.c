// SPDX-License-Identifier: MIT
// Solids meet walls.
//
// A particle that would pass a wall in this step is a contact: a stiff link to the wall, which only
// pushes. Along the wall it holds as far as the wall sticks (slip) or rubs (friction: no more than
// the coefficient times the push). Which contacts push, stick or slide is found in a few rounds:
// solve, let go of those that pull, let those slide that hold too hard, add those that now pass,
// solve again.
#include "base/memory.h"
#include "particles/rigid_state.h"

#include <string.h>

#define BODY_STIFFNESS 1e4  // times the body's mass
#define LET_GO         1e-3 // spacings a step, by which a wall may be passed, or hold on

static float contact_plane(const OndSph *s, int side)
{
    const float half =
        s->world.wall_model == OND_WALL_MIRROR ? 0.5f * (float)s->world.spacing : 0.0f;
    const float at = (float)(side % 2 ? ond_axis(s->world.box.max, side / 2)
                                      : ond_axis(s->world.box.min, side / 2));
    const float inward = side % 2 ? -1.0f : 1.0f;
    return at + inward * fmaxf(half, s->world.margin);
}

static float inward_of(int side)
{
    return side % 2 ? -1.0f : 1.0f;
}

static OndContact *add_contact(OndRigid *g, OndError *err)
{
    if (g->contact_count == g->contact_room) {
        const int room = 2 * g->contact_room + 1024;
        OndContact *more = OND_NEW_ARRAY(OndContact, room);
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

// Stands within reach of the wall: the contact may come to bear in a later round.
static OndStatus consider(OndSph *s, int i, int side, float gap, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    const OndSide *wall = &s->world.side[side];
    const int body = g->member[i];
    OndContact *c = add_contact(g, err);
    if (!c) return OND_NO_MEMORY;
    const float speed = inward_of(side) * s->v[side / 2][i];
    const float bounce =
        speed < 0.0f && gap + dt * speed < 0.0f ? -wall->restitution * speed : 0.0f;
    *c = (OndContact){.local = body == OND_NO_BODY ? g->local[i] : -1,
                      .body = body,
                      .particle = (uint32_t)i,
                      .side = side,
                      .target = bounce > 0.0f ? bounce
                                : gap > 0.0f  ? -gap / dt
                                              : 0.0f,
                      .stiff = body == OND_NO_BODY
                                   ? ond_rigid_stiffness(s, dt) * s->mass[s->material[i]]
                                   : BODY_STIFFNESS * g->body[body].mass};
    for (int a = 0; body != OND_NO_BODY && a < 3; ++a)
        c->arm[a] = (float)(s->x[a][i] - g->body[body].center[a]);
    c->active = speed < c->target;
    return OND_OK;
}

OndStatus ond_rigid_find_contacts(OndSph *s, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    const float near = 0.25f * (float)s->world.spacing;
    g->contact_count = 0;
    OndStatus status = OND_OK;
    for (int side = 0; side < 2 * s->world.dimension; ++side) {
        if (s->world.side[side].kind != OND_SIDE_WALL) continue;
        const float plane = contact_plane(s, side), inward = inward_of(side);
        const float *x = s->x[side / 2], *v = s->v[side / 2];
        for (int i = 0; i < s->fields.count && status == OND_OK; ++i) {
            const float gap = inward * (x[i] - plane), way = dt * fabsf(v[i]) + near;
            if (gap > way || s->rigidity[i] <= 0.0f || s->held[i]) continue;
            const int body = g->member[i];
            if (body != OND_NO_BODY && g->body[body].driven) continue;
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

static void put_soft(OndRigid *g, const OndContact *c, const OndSide *wall)
{
    bool rubs;
    const int l = c->local, axis = c->side / 2;
    const float hold = g->hold[l], grip = grip_of(wall, &rubs), k = (float)c->stiff;
    for (int a = 0; a < 3; ++a) {
        if (a == axis) {
            g->ground[a][l] += k;
            g->b.at[a][l] -= k * hold * (g->w[a][l] - inward_of(c->side) * c->target);
        } else if (c->slides) {
            g->b.at[a][l] += (float)c->drag[a];
        } else if (grip > 0.0f) {
            g->ground[a][l] += k;
            g->b.at[a][l] -= k * hold * grip * (g->w[a][l] - wall->velocity[a]);
        }
    }
}

// The velocity of a member along `axis` is row . (motion of the body).
static void make_row(const OndContact *c, int axis, double row[6])
{
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    memset(row, 0, 6 * sizeof *row);
    row[axis] = 1.0;
    row[3 + b] = c->arm[d];
    row[3 + d] = -c->arm[b];
}

static double along(const double row[6], const double motion[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += row[k] * motion[k];
    return sum;
}

static void put_row(OndBody *body, double right[6], const double row[6], double k, double wanted)
{
    const double miss = k * (along(row, body->motion) - wanted);
    for (int a = 0; a < 6; ++a) {
        right[a] -= miss * row[a];
        for (int b = 0; b < 6; ++b)
            body->block[a][b] += k * row[a] * row[b];
    }
}

static void put_body(OndRigid *g, const OndContact *c, const OndSide *wall)
{
    bool rubs;
    const float grip = grip_of(wall, &rubs);
    OndBody *body = &g->body[c->body];
    double *right = g->b.body[c->body], row[6];
    for (int a = 0; a < 3; ++a) {
        make_row(c, a, row);
        const double now = along(row, body->motion);
        if (a == c->side / 2)
            put_row(body, right, row, c->stiff, inward_of(c->side) * c->target);
        else if (c->slides)
            for (int k = 0; k < 6; ++k)
                right[k] += c->drag[a] * row[k];
        else if (grip > 0.0f)
            put_row(body, right, row, c->stiff, now - grip * (now - wall->velocity[a]));
    }
}

void ond_rigid_put_contacts(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int l = 0; l < g->count; ++l)
        g->ground[0][l] = g->ground[1][l] = g->ground[2][l] = 0.0f;
    for (int k = 0; k < g->contact_count; ++k) {
        const OndContact *c = &g->contact[k];
        if (!c->active) continue;
        if (c->body == OND_NO_BODY)
            put_soft(g, c, &s->world.side[c->side]);
        else
            put_body(g, c, &s->world.side[c->side]);
    }
}

// ---- after a solve

// How the contact's particle moves now, and what the wall gives it: velocity, and momentum.
static void measure(const OndRigid *g, const OndContact *c, const OndSide *wall, double v[3],
                    double given[3])
{
    bool rubs;
    const float grip = grip_of(wall, &rubs);
    for (int a = 0; a < 3; ++a) {
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
        v[a] = before + change;
        given[a] = -c->stiff * (change + hold * (normal ? 1.0f : grip) * (before - wanted));
        if (!normal && c->slides) given[a] = c->drag[a];
    }
}

static bool judge(const OndRigid *g, OndContact *c, const OndSide *wall, double mass, double slack)
{
    const int axis = c->side / 2;
    const double inward = inward_of(c->side);
    double v[3], given[3];
    bool rubs;
    grip_of(wall, &rubs);
    measure(g, c, wall, v, given);
    if (!c->active) {
        c->active = inward * v[axis] < c->target - slack;
        return c->active;
    }
    c->push = inward * given[axis];
    if (c->push < -mass * slack) {
        c->active = c->slides = false;
        return true;
    }
    if (!rubs) return false;
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    const double size = sqrt(given[b] * given[b] + given[d] * given[d]);
    const double most = wall->friction * c->push;
    if (!c->slides && size <= most) return false;
    const double before = fabs(c->drag[b]) + fabs(c->drag[d]);
    const double scale = size > 0.0 ? most / size : 0.0;
    c->drag[axis] = 0.0, c->drag[b] = scale * given[b], c->drag[d] = scale * given[d];
    const bool news =
        !c->slides || fabs(fabs(c->drag[b]) + fabs(c->drag[d]) - before) > 0.01 * before;
    c->slides = true;
    return news;
}

bool ond_rigid_judge_contacts(OndSph *s, double dt)
{
    OndRigid *g = s->rigid;
    const double slack = LET_GO * s->world.spacing / dt;
    bool changed = false;
    for (int k = 0; k < g->contact_count; ++k) {
        OndContact *c = &g->contact[k];
        const double mass = s->mass[s->material[c->particle]];
        changed |= judge(g, c, &s->world.side[c->side], mass, slack);
    }
    return changed;
}
