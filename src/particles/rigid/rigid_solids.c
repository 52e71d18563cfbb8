// SPDX-License-Identifier: MIT
// Bodies meet solids.
//
// Members that would pass a face in this step get an impulse along its normal, and along the face
// as far as it sticks (slip) or rubs (friction: no more than the coefficient times the normal
// impulse). Contacts are gone through in order, again and again, each one put right as if alone,
// until nothing changes [sequential impulses], each time going on along what the rounds before did
// [Silcowitz 2010: nonsmooth nonlinear conjugate gradients]: what is heavy on what is light would
// take thousands of rounds. Faces may look any way, so the sides of rigid_contact.c do not serve.
// Walls that a body stands at are among them, or a solid would push it through; what they push with
// already may become less. A solid that is free gains what the body loses, by its own mass. The
// body's soft parts feel it in the next step.
//
// What still ends in a face after that is found by the way of each member (rigid_room.c), and
// becomes a contact of its own.
#include "base/memory.h"
#include "particles/rigid/rigid_state.h"
#include "particles/sph/sph_solids.h"

#include <string.h>

#define ROUNDS  100
#define TURNS   24   // in which contacts are taken in
#define PASSES  1e-6 // spacings, a step: less passes nothing
#define EXACT   1e-7 // of all impulses: a change that is none
#define REST    0.5f // spacings: the lattice ends as far from a face as it does from a mirror
#define WAY_OUT 0.2f // of the depth, a step: how what is too near comes out
#define SLOWLY  0.5f // m/s at most
#define LOOKS   6    // at where members end

// ---- room

static OndStatus make_room(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    const int solids = ond_solids_count(s->world.solids);
    g->meeting_count = g->meeting_live = 0;
    if (!g->moving) g->moving = ond_alloc((size_t)solids * sizeof *g->moving);
    if (!g->moving) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solids", solids);
    for (int k = 0; k < solids; ++k) {
        const OndSolidState *end = ond_solids_end(s->world.solids, k);
        const double motion[6] = {end->velocity.x, end->velocity.y, end->velocity.z,
                                  end->spin.x,     end->spin.y,     end->spin.z};
        memcpy(g->moving[k], motion, sizeof motion);
    }
    return OND_OK;
}

static OndMeeting *add_meeting(OndRigid *g, OndError *err)
{
    if (g->meeting_count == g->meeting_room) {
        const int room = 2 * g->meeting_room + 256;
        OndMeeting *more = OND_NEW_ARRAY(OndMeeting, room);
        if (!more) {
            ond_fail(err, OND_NO_MEMORY, "not enough memory for %d contacts", room);
            return NULL;
        }
        if (g->meeting_count) memcpy(more, g->meeting, (size_t)g->meeting_count * sizeof *more);
        ond_free(g->meeting);
        g->meeting = more, g->meeting_room = room;
    }
    return &g->meeting[g->meeting_count++];
}

// ---- what an impulse does

// Three directions: the normal, and two along the face.
static void find_frame(const double n[3], double frame[3][3])
{
    const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                              : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double length = 0;
    for (int a = 0; a < 3; ++a) {
        frame[0][a] = n[a];
        frame[1][a] = (a == least) - n[least] * n[a];
        length += frame[1][a] * frame[1][a];
    }
    for (int a = 0; a < 3; ++a)
        frame[1][a] /= sqrt(length);
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        frame[2][a] = frame[0][b] * frame[1][c] - frame[0][c] * frame[1][b];
    }
}

static double along(const double row[6], const double motion[6])
{
    double sum = 0;
    for (int k = 0; k < 6; ++k)
        sum += row[k] * motion[k];
    return sum;
}

// The velocity along `way` at an arm r is row . motion.
static void make_row(const double way[3], const double r[3], double row[6])
{
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        row[a] = way[a];
        row[3 + a] = r[b] * way[d] - r[d] * way[b];
    }
}

static void find_mass(const OndSph *s, const OndRigidPiece *body, double mass[6][6])
{
    memset(mass, 0, 36 * sizeof mass[0][0]);
    for (int a = 0; a < 3; ++a) {
        mass[a][a] = body->mass;
        for (int b = 0; b < 3; ++b)
            mass[3 + a][3 + b] = body->inertia[a][b];
    }
    ond_body_factor(body, s->world.dimension, mass);
}

// Velocities by the motion of the body, and by that of a free solid, about its own origin.
static void find_rows(const OndSph *s, OndMeeting *m, const double normal[3])
{
    const OndRigidPiece *body = &s->rigid->body[m->body];
    double frame[3][3], r[3], arm[3] = {0};
    find_frame(normal, frame);
    const OndVec origin =
        m->free ? ond_solids_state(s->world.solids, m->solid)->pose.at : ond_vec(0, 0, 0);
    for (int a = 0; a < 3; ++a) {
        r[a] = s->x[a][m->particle] - body->center[a];
        arm[a] = s->x[a][m->particle] - ond_axis(origin, a);
    }
    for (int k = 0; k < 3; ++k) {
        make_row(frame[k], r, m->row[k]);
        make_row(frame[k], arm, m->theirs[k]);
        for (int a = 0; a < 3; ++a)
            m->face[k] += frame[k][a] * m->velocity[a];
    }
}

// What an impulse does to both; to a solid that stands with its load.
static void find_answers(const OndSph *s, OndMeeting *m)
{
    double mass[6][6];
    find_mass(s, &s->rigid->body[m->body], mass);
    for (int k = 0; k < 3; ++k) {
        memcpy(m->answer[k], m->row[k], sizeof m->row[k]);
        ond_cholesky6_solve((const double(*)[6])mass, m->answer[k]);
        m->ease[k] = along(m->row[k], m->answer[k]);
        if (!m->free) continue;
        const OndSolidLoad *load = &ond_solids_loads(s->world.solids)[m->solid];
        for (int a = 0; a < 6; ++a)
            m->recoil[k][a] = along(load->ease[a], m->theirs[k]);
        m->ease[k] += along(m->theirs[k], m->recoil[k]);
    }
}

// How fast the member leaves the face, or slides along it.
static double speed_of(const OndRigid *g, const OndMeeting *m, int k)
{
    const double face = m->free ? along(m->theirs[k], g->moving[m->solid]) : m->face[k];
    return along(m->row[k], g->body[m->body].motion) - face;
}

// ---- who meets what

static void take_face(const OndSph *s, OndMeeting *m, int solid, const double velocity[3])
{
    const OndSolidDef *def = ond_solids_def(s->world.solids, solid);
    m->solid = solid, m->free = def->free;
    m->slip = def->slip, m->friction = def->friction, m->restitution = def->restitution;
    memcpy(m->velocity, velocity, sizeof m->velocity);
}

// What is left of the gap may be used up; what is hit hard comes back. What is free, and moved on
// before the body could hold it, is pushed back.
static double least_speed(const OndSph *s, const OndMeeting *m, float distance, float dt)
{
    const float gap = distance - REST * (float)s->world.spacing;
    const double speed = speed_of(s->rigid, m, 0);
    if (gap + dt * speed >= 0.0) return -gap / dt;
    const double bounce = speed < 0.0 ? -m->restitution * speed : 0.0;
    const float deep = m->free ? -gap : s->solids->radius - distance;
    const double out = deep > 0.0f ? fminf(WAY_OUT * deep / dt, SLOWLY) : 0.0f;
    return fmax(bounce, gap > 0.0f ? -gap / dt : out);
}

static OndStatus meet_touch(OndSph *s, int i, const OndRowTouch *t, float dt, OndError *err)
{
    OndMeeting *m = add_meeting(s->rigid, err);
    if (!m) return OND_NO_MEMORY;
    const double normal[3] = {t->normal[0], t->normal[1], t->normal[2]};
    const double velocity[3] = {t->velocity[0], t->velocity[1], t->velocity[2]};
    *m = (OndMeeting){.body = s->rigid->member[i], .particle = i};
    take_face(s, m, t->solid, velocity);
    find_rows(s, m, normal);
    m->target = least_speed(s, m, t->distance, dt);
    s->rigid->body[m->body].meets = true;
    return OND_OK;
}

static OndStatus meet_touches(OndSph *s, float dt, OndError *err)
{
    const OndRigid *g = s->rigid;
    const float near = (REST + 0.25f) * (float)s->world.spacing;
    OndStatus status = OND_OK;
    for (int k = 0; k < s->solids->used_count; ++k) {
        const int slot = s->solids->used[k], i = s->solids->row[slot].particle;
        const int body = g->member[i];
        if (body == OND_NO_BODY || g->body[body].driven) continue;
        const float v[3] = {s->v[0][i], s->v[1][i], s->v[2][i]};
        const float way = near + dt * (sqrtf(ond_dot3(v, v)) + s->solids->speed);
        const OndRow *row = &s->solids->row[slot];
        for (int t = 0; t < row->count && status == OND_OK; ++t)
            if (row->touch[t].distance <= way) status = meet_touch(s, i, &row->touch[t], dt, err);
    }
    return status;
}

static void take_wall(const OndSph *s, OndMeeting *m, int side)
{
    const OndSide *wall = &s->world.side[side];
    m->solid = OND_NO_SOLID, m->side = side;
    m->slip = wall->slip, m->friction = wall->friction;
    for (int a = 0; a < 3; ++a)
        m->velocity[a] = a == side / 2 ? 0.0 : wall->velocity[a];
}

// Walls that bodies stand at, as rigid_contact.c found them.
static OndStatus meet_walls(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY || !g->body[c->body].meets) continue;
        OndMeeting *m = add_meeting(g, err);
        if (!m) return OND_NO_MEMORY;
        double normal[3] = {0};
        normal[c->side / 2] = c->side % 2 ? -1.0 : 1.0;
        *m = (OndMeeting){.body = c->body, .particle = (int)c->particle, .target = c->target};
        take_wall(s, m, c->side);
        m->impulse[0] = m->borne = c->active ? fmax(c->push, 0.0) : 0.0;
        find_rows(s, m, normal);
    }
    return OND_OK;
}

// A member that would end in a face goes there no farther than it may.
OndStatus ond_rigid_meet_end(OndSph *s, const OndRigidEnd *end, float dt, OndError *err)
{
    OndMeeting *m = add_meeting(s->rigid, err);
    if (!m) return OND_NO_MEMORY;
    *m = (OndMeeting){.body = s->rigid->member[end->particle], .particle = end->particle};
    if (end->solid == OND_NO_SOLID)
        take_wall(s, m, end->side);
    else
        take_face(s, m, end->solid, end->velocity);
    m->free = false; // it has moved already
    find_rows(s, m, end->normal);
    m->target = speed_of(s->rigid, m, 0) + end->lift / dt;
    s->rigid->body[m->body].meets = true;
    return OND_OK;
}

// ---- solving

static void apply(OndRigid *g, OndMeeting *m, int k, double change)
{
    m->impulse[k] += change;
    for (int a = 0; a < 6; ++a) {
        g->body[m->body].motion[a] += change * m->answer[k][a];
        if (m->free) g->moving[m->solid][a] -= change * m->recoil[k][a];
    }
}

// Brings the total impulse along one direction into its bounds, as near as it can to what is asked.
static void press(OndRigid *g, OndMeeting *m, int k, double wanted, double low, double high)
{
    if (!(m->ease[k] > 0.0)) return;
    const double best = m->impulse[k] + (wanted - speed_of(g, m, k)) / m->ease[k];
    apply(g, m, k, fmin(fmax(best, low), high) - m->impulse[k]);
}

static void put_right(OndRigid *g, OndMeeting *m)
{
    press(g, m, 0, m->target, 0.0, INFINITY);
    const double more = fmax(m->impulse[0] - m->borne, 0.0); // what is borne is rubbed already
    const double most = m->slip >= 1.0f ? m->friction * more : (more > 0.0 ? INFINITY : 0.0);
    for (int k = 1; k < 3 && (most > 0.0 || m->impulse[k] != 0.0); ++k)
        press(g, m, k, 0.0, -most, most);
}

// To and fro, so that what is done is symmetric. Returns the sum of squares of all changes.
static double go_through(OndRigid *g)
{
    double sum = 0;
    for (int k = 0; k < g->meeting_live; ++k)
        memcpy(g->meeting[k].before, g->meeting[k].impulse, sizeof g->meeting[k].before);
    for (int k = 0; k < g->meeting_live; ++k)
        put_right(g, &g->meeting[k]);
    for (int k = g->meeting_live - 1; k >= 0; --k)
        put_right(g, &g->meeting[k]);
    for (int k = 0; k < g->meeting_live; ++k)
        for (int a = 0; a < 3; ++a) {
            const double change = g->meeting[k].impulse[a] - g->meeting[k].before[a];
            sum += change * change;
        }
    return sum;
}

// Goes on along what the rounds before did; `share` 0 forgets it.
static void go_on(OndRigid *g, double share)
{
    for (int k = 0; k < g->meeting_live; ++k) {
        OndMeeting *m = &g->meeting[k];
        for (int a = 0; a < 3; ++a) {
            const double change = m->impulse[a] - m->before[a], more = share * m->trend[a];
            m->trend[a] = more + change;
            if (more != 0.0) apply(g, m, a, more);
        }
    }
}

static double all_impulses(const OndRigid *g)
{
    double sum = 0;
    for (int k = 0; k < g->meeting_live; ++k)
        for (int a = 0; a < 3; ++a)
            sum += g->meeting[k].impulse[a] * g->meeting[k].impulse[a];
    return sum;
}

static void solve_live(OndRigid *g)
{
    double last = INFINITY;
    for (int round = 0; round < ROUNDS; ++round) {
        const double change = go_through(g);
        if (change <= EXACT * EXACT * all_impulses(g)) return;
        go_on(g, change <= last && round > 0 ? change / last : 0.0);
        last = change;
    }
    go_through(g);
}

// The one that each body passes fastest.
static void find_worst(OndRigid *g, double least)
{
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].worst = -1, g->body[b].passes = least;
    for (int k = g->meeting_live; k < g->meeting_count; ++k) {
        const OndMeeting *m = &g->meeting[k];
        OndRigidPiece *body = &g->body[m->body];
        const double passes = m->target - speed_of(g, m, 0);
        if (passes > body->passes) body->passes = passes, body->worst = k;
    }
}

// Those come to the others that live; true when there are any.
static bool let_live(OndSph *s)
{
    OndRigid *g = s->rigid;
    const int before = g->meeting_live;
    for (int k = g->meeting_live; k < g->meeting_count; ++k) {
        if (g->body[g->meeting[k].body].worst != k) continue;
        const OndMeeting other = g->meeting[g->meeting_live];
        g->meeting[g->meeting_live] = g->meeting[k], g->meeting[k] = other;
        find_answers(s, &g->meeting[g->meeting_live++]);
    }
    return g->meeting_live > before;
}

// Few of the contacts of a body determine its motion, the others follow: they are taken in one by
// one, while one is passed.
static void solve(OndSph *s, float dt)
{
    const double least = PASSES * s->world.spacing / dt;
    for (int turn = 0; turn < TURNS; ++turn) {
        find_worst(s->rigid, least);
        if (!let_live(s)) return;
        solve_live(s->rigid);
    }
}

// The faces feel what they gave.
static void hand_over(OndSph *s, const OndMeeting *m, float dt)
{
    const double per = 1.0 / s->mass[s->material[m->particle]];
    float give[3] = {0};
    for (int k = 0; k < 3; ++k)
        for (int a = 0; a < 3; ++a)
            give[a] += (float)(per * m->impulse[k] * m->row[k][a]);
    if (m->impulse[0] > 0.0) memset(s->rigid->body[m->body].pull, 0, 3 * sizeof(double));
    if (m->solid == OND_NO_SOLID) return;
    const OndVec arm = ond_sph_arm(s, m->solid, m->particle);
    ond_sph_give_back(s, m->solid, m->particle, arm, give, 1.0 / dt);
}

OndStatus ond_rigid_meet_solids(OndSph *s, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    if (!s->solids || g->body_count == 0) return OND_OK;
    OndStatus status = make_room(s, err);
    if (status == OND_OK) status = meet_touches(s, dt, err);
    if (status == OND_OK) status = meet_walls(s, err);
    int late = 1;
    for (int look = 0; look < LOOKS && late > 0 && status == OND_OK; ++look) {
        solve(s, dt);
        status = ond_rigid_look_ahead(s, dt, look + 1 == LOOKS, &late, err);
    }
    for (int k = 0; k < g->meeting_live && status == OND_OK; ++k)
        hand_over(s, &g->meeting[k], dt);
    return status;
}

bool ond_rigid_is_member(const OndSph *s, int i)
{
    return s->has_rigidity && s->rigid && s->def.rigidity.solver == OND_RIGID_GLOBAL &&
           s->rigid->member[i] != OND_NO_BODY;
}
