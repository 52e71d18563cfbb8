// SPDX-License-Identifier: MIT
// Bodies meet solids.
//
// Members that would pass a face in this step get an impulse along its normal, and along the face
// as far as it sticks (slip) or rubs (friction: no more than the coefficient times the normal
// impulse). Contacts are gone through in order, again and again, each one put right as if alone,
// until nothing changes [sequential impulses]: faces may look any way, so the sides of
// rigid_contact.c do not serve. The body's soft parts feel it in the next step.
#include "base/memory.h"
#include "particles/rigid_state.h"
#include "particles/sph_solids.h"

#include <string.h>

#define ROUNDS  200
#define EXACT   1e-7 // of the largest impulse: a change that is none
#define REST    0.5f // spacings: the lattice ends as far from a face as it does from a mirror
#define WAY_OUT 0.2f // of the depth, a step: how what is too near comes out
#define SLOWLY  0.5f // m/s at most

typedef struct Contact {
    OndRowTouch *touch;
    int body, particle;
    double row[3][6], answer[3][6]; // velocity along normal and two tangents; what an impulse does
    double ease[3];                 // change of that velocity by an impulse of 1
    double target;                  // least speed along the normal
    double impulse[3];
    const OndSolidDef *face;
} Contact;

// Three directions: the normal, and two along the face.
static void find_frame(const float normal[3], double frame[3][3])
{
    const int least = fabsf(normal[0]) < fabsf(normal[1])
                          ? (fabsf(normal[0]) < fabsf(normal[2]) ? 0 : 2)
                          : (fabsf(normal[1]) < fabsf(normal[2]) ? 1 : 2);
    const double n[3] = {normal[0], normal[1], normal[2]};
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

static void find_rows(const OndSph *s, const OndBody *body, Contact *c)
{
    double frame[3][3], r[3], mass[6][6] = {{0}};
    find_frame(c->touch->normal, frame);
    for (int a = 0; a < 3; ++a) {
        r[a] = s->x[a][c->particle] - body->center[a];
        mass[a][a] = body->mass;
        for (int b = 0; b < 3; ++b)
            mass[3 + a][3 + b] = body->inertia[a][b];
    }
    ond_body_factor(body, s->world.dimension, mass);
    for (int k = 0; k < 3; ++k) {
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, d = (a + 2) % 3;
            c->row[k][a] = frame[k][a];
            c->row[k][3 + a] = r[b] * frame[k][d] - r[d] * frame[k][b];
        }
        memcpy(c->answer[k], c->row[k], sizeof c->row[k]);
        ond_cholesky6_solve((const double(*)[6])mass, c->answer[k]);
        c->ease[k] = along(c->row[k], c->answer[k]);
    }
}

static double face_speed(const Contact *c, int k)
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += c->row[k][a] * c->touch->velocity[a];
    return sum;
}

// What is left of the gap may be used up; what is hit hard comes back.
static double least_speed(const OndSph *s, const Contact *c, const OndBody *body, float dt)
{
    const float gap = c->touch->distance - REST * (float)s->world.spacing;
    const double speed = along(c->row[0], body->motion) - face_speed(c, 0);
    if (gap + dt * speed >= 0.0) return -gap / dt;
    const double bounce = speed < 0.0 ? -c->face->restitution * speed : 0.0;
    const float deep = s->solids->radius - c->touch->distance;
    const double out = deep > 0.0f ? fminf(WAY_OUT * deep / dt, SLOWLY) : 0.0f;
    return fmax(bounce, gap > 0.0f ? -gap / dt : out);
}

static int find_contacts(OndSph *s, float dt, Contact *contact, int room)
{
    OndRigid *g = s->rigid;
    const float near = (REST + 0.25f) * (float)s->world.spacing;
    int count = 0;
    for (int k = 0; k < s->solids->used_count; ++k) {
        OndRow *row = ond_sph_row(s, k);
        const int body = g->member[row->particle];
        if (body == OND_NO_BODY || g->body[body].driven) continue;
        const float v[3] = {s->v[0][row->particle], s->v[1][row->particle], s->v[2][row->particle]};
        const float way = near + dt * (sqrtf(ond_dot3(v, v)) + s->solids->speed);
        for (int t = 0; t < row->count; ++t) {
            if (row->touch[t].distance > way) continue;
            if (count++ >= room) continue;
            Contact *c = &contact[count - 1];
            *c = (Contact){.touch = &row->touch[t], .body = body, .particle = row->particle};
            c->face = ond_solids_def(s->world.solids, c->touch->solid);
            find_rows(s, &g->body[body], c);
            c->target = least_speed(s, c, &g->body[body], dt);
        }
    }
    return count;
}

// Brings the total impulse along one direction into its bounds, as near as it can to what is asked.
static double press(OndBody *body, Contact *c, int k, double wanted, double low, double high)
{
    if (!(c->ease[k] > 0.0)) return 0.0;
    const double before = c->impulse[k];
    const double speed = along(c->row[k], body->motion) - face_speed(c, k);
    c->impulse[k] = fmin(fmax(before + (wanted - speed) / c->ease[k], low), high);
    const double change = c->impulse[k] - before;
    for (int a = 0; a < 6; ++a)
        body->motion[a] += change * c->answer[k][a];
    return fabs(change);
}

static double put_right(OndBody *body, Contact *c)
{
    double change = press(body, c, 0, c->target, 0.0, INFINITY);
    const bool rubs = c->face->slip >= 1.0f;
    const double most =
        rubs ? c->face->friction * c->impulse[0] : (c->impulse[0] > 0.0 ? INFINITY : 0.0);
    for (int k = 1; k < 3 && most > 0.0; ++k)
        change = fmax(change, press(body, c, k, 0.0, -most, most));
    return change;
}

// The faces feel what they gave.
static void hand_over(OndSph *s, const Contact *c, float dt)
{
    const double per = 1.0 / (s->mass[s->material[c->particle]] * (double)dt);
    for (int k = 0; k < 3; ++k)
        for (int a = 0; a < 3; ++a)
            c->touch->push[a] += (float)(per * c->impulse[k] * c->row[k][a]);
    if (c->impulse[0] > 0.0) memset(s->rigid->body[c->body].pull, 0, 3 * sizeof(double));
}

OndStatus ond_rigid_meet_solids(OndSph *s, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    if (!s->solids || g->body_count == 0) return OND_OK;
    const int count = find_contacts(s, dt, NULL, 0);
    if (count == 0) return OND_OK;
    Contact *contact = OND_NEW_ARRAY(Contact, count);
    if (!contact) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d contacts", count);
    find_contacts(s, dt, contact, count);
    double most = 0, change = INFINITY;
    for (int round = 0; round < ROUNDS && change > EXACT * most; ++round) {
        change = 0;
        for (int k = 0; k < count; ++k) {
            change = fmax(change, put_right(&g->body[contact[k].body], &contact[k]));
            most = fmax(most, contact[k].impulse[0]);
        }
    }
    for (int k = 0; k < count; ++k)
        hand_over(s, &contact[k], dt);
    ond_free(contact);
    return OND_OK;
}

bool ond_rigid_is_member(const OndSph *s, int i)
{
    return s->has_rigidity && s->rigid && s->def.rigidity.solver == OND_RIGID_GLOBAL &&
           s->rigid->member[i] != OND_NO_BODY;
}
