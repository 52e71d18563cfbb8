// SPDX-License-Identifier: MIT
// Solid pieces in the system of pressures.
//
// What pushes a particle of a piece pushes the whole piece: the ways that impulses make of members are replaced by
// the one rigid motion of the same momentum. Were each to go by itself, those at the surface of a bar, which have room,
// would take a share of its weight as if they fell into that room, and the film below would feel the rest only.
//
// Members give a little all the same. A particle that is held fast between pieces, or a piece round another, has no
// way that would leave it less crowded, and what pushes it would grow without bound. For the same reason nobody is
// told to be more crowded than others make it.
//
// What pieces end with is what impulses make of them as a whole. That walls hold them by contact comes after, with all
// that is soft (rigid_global.c); here no wall pushes them: what it bore could not rub (a pile would slide).
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

// Of what a particle by itself would: 0.02 leaves the candle half as much again squeezed, 0.005 a tenth.
#define GIVE  0.002
#define EASE  2.0   // of a piece's ends, by that of its middle
#define FAINT 1e-3f // of what all neighbours do: less than one at half the kernel's reach
// Of the speed at which a liquid lets go what is squeezed: here that lifts whole pieces. 0.5: a bar on a film gains
// energy; 0.1: candle and lava stay squeezed by 4 and 6 %.
#define SLOWLY 0.3f
#define OTHERS 0.05f // how crowded they may make a member, of what they add to its density

bool ond_rigid_is_pushed(const OndSph *s)
{
    return s->has_rigidity && s->rigid && s->rigid->pushed;
}

OndStatus ond_rigid_pressure_begin(OndSph *s, OndError *err)
{
    if (s->rigid) s->rigid->pushed = false;
    if (!s->has_rigidity || s->def.rigidity.solver == OND_RIGID_THESIS) return OND_OK;
    OndStatus status = ond_rigid_room(s, err);
    if (status == OND_OK) status = ond_rigid_pieces(s, err);
    if (status != OND_OK || s->rigid->body_count == 0) return status;
    OndRigid *g = s->rigid;
    g->pushed = true;
    ond_body_sum(s);
    ond_rigid_own_blocks(g);
    for (int b = 0; b < g->body_count; ++b) {
        OndRigidPiece *body = &g->body[b];
        memcpy(body->factor, body->own, sizeof body->factor);
        ond_body_factor(body, g->dimension, body->factor);
    }
    return OND_OK;
}

// How easily a member moves, for what looks at particles one by one: about as its piece does, and gives.
static float ease_of(const OndRigidPiece *b, float alone)
{
    return (float)GIVE * alone + (b->driven ? 0.0f : (float)(EASE / b->mass));
}

float ond_rigid_pressure_ease(const OndSph *s, int i, float alone)
{
    const int b = ond_rigid_is_pushed(s) ? s->rigid->member[i] : OND_NO_BODY;
    return b == OND_NO_BODY ? alone : ease_of(&s->rigid->body[b], alone);
}

// ---- motions of pieces

typedef struct Moving {
    const OndSph *s;
    const OndQuad *way;
    OndQuad *to;
} Moving;

static float alone_of(const OndSph *s, uint32_t i)
{
    return 1.0f / s->mass[s->material[i]];
}

static void arm_of(const OndSph *s, const OndRigidPiece *b, uint32_t i, double r[3])
{
    for (int a = 0; a < 3; ++a)
        r[a] = s->x[a][i] - b->center[a];
}

// From what each member would go by itself to what pushes the piece, and what that makes of it.
static void move_piece(const OndSph *s, const OndRigidPiece *b, const OndQuad *way, double x[6])
{
    memset(x, 0, 6 * sizeof *x);
    for (int n = b->first; n < b->last && !b->driven; ++n) {
        const uint32_t i = s->rigid->order[n];
        double r[3];
        arm_of(s, b, i, r);
        for (int a = 0; a < 3; ++a) {
            const int p = (a + 1) % 3, q = (a + 2) % 3;
            x[a] += (double)way[i][a];
            x[3 + a] += r[p] * (double)way[i][q] - r[q] * (double)way[i][p];
        }
    }
    const double ease = (double)ease_of(b, alone_of(s, s->rigid->order[b->first]));
    for (int a = 0; a < 6; ++a)
        x[a] /= ease;
    if (!b->driven) ond_cholesky6_solve((const double(*)[6])b->factor, x);
}

static void move_range(int first, int last, int worker, void *context)
{
    const Moving *c = context;
    OndRigid *g = c->s->rigid;
    for (int b = first; b < last; ++b)
        move_piece(c->s, &g->body[b], c->way, g->x.body[b]);
}

static void move_pieces(const OndSph *s, const OndQuad *way)
{
    Moving c = {s, way, NULL};
    ond_parallel_for(s->rigid->body_count, 1, move_range, &c);
}

static void put_range(int first, int last, int worker, void *context)
{
    const Moving *c = context;
    const OndRigid *g = c->s->rigid;
    for (int n = first; n < last; ++n) {
        const uint32_t i = g->order[n];
        const OndRigidPiece *b = &g->body[g->member[i]];
        const double *const v = g->x.body[g->member[i]];
        const float alone = alone_of(c->s, i), give = (float)GIVE * alone / ease_of(b, alone);
        double r[3];
        arm_of(c->s, b, i, r);
        c->to[i] = (OndQuad){(float)(v[0] + v[4] * r[2] - v[5] * r[1]),
                             (float)(v[1] + v[5] * r[0] - v[3] * r[2]),
                             (float)(v[2] + v[3] * r[1] - v[4] * r[0]), 0.0f} +
                   c->way[i] * (OndQuad){give, give, give, 0.0f};
    }
}

void ond_rigid_pressure_move(OndSph *s, OndQuad *way)
{
    const OndRigid *g = s->rigid;
    if (!ond_rigid_is_pushed(s)) return;
    move_pieces(s, way);
    ond_parallel_for(g->body[g->body_count - 1].last, OND_GRAIN, put_range, &(Moving){s, way, way});
}

void ond_rigid_pressure_end(OndSph *s, const OndQuad *way, float dt)
{
    OndRigid *g = s->rigid;
    if (!ond_rigid_is_pushed(s)) return;
    move_pieces(s, way);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->body[b].motion[a] += g->x.body[b][a] / (double)dt;
    ond_body_stiffen(s);
}

// ---- what others than its own piece do to a member; its list has no images (projection.c)

typedef struct Others {
    float slopes, own; // squares of gradients
    float value;       // sum of W
} Others;

static Others look_round(const OndSph *s, uint32_t i)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const int *member = s->rigid->member;
    Others o = {0};
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        const uint32_t j = list[k];
        float r2 = 0.0f;
        for (int a = 0; a < 3; ++a)
            r2 += (s->x[a][i] - s->x[a][j]) * (s->x[a][i] - s->x[a][j]);
        const float g = ond_kernel_gradient(s->kernel, sqrtf(r2)), slope = g * g * r2;
        if (member[j] == member[i])
            o.own += slope;
        else
            o.slopes += slope, o.value += ond_kernel_value(s->kernel, r2);
    }
    return o;
}

// Most are in the middle of a piece.
static bool has_others(const OndSph *s, int i)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    const int *member = s->rigid->member;
    for (uint32_t k = 0; k < s->lists.length[i]; ++k)
        if (member[list[k]] != member[i]) return true;
    return false;
}

bool ond_rigid_pressure_alone(const OndSph *s, int i)
{
    if (!ond_rigid_is_pushed(s) || s->rigid->member[i] == OND_NO_BODY) return false;
    if (!has_others(s, i)) return true;
    const Others o = look_round(s, (uint32_t)i);
    return !(o.slopes > FAINT * (o.slopes + o.own));
}

static bool touches_piece(const OndSph *s, int i)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t k = 0; k < s->lists.length[i]; ++k)
        if (list[k] < (uint32_t)s->fields.count && s->rigid->member[list[k]] != OND_NO_BODY)
            return true;
    return false;
}

float ond_rigid_pressure_most(const OndSph *s, int i, float most)
{
    if (!ond_rigid_is_pushed(s)) return most;
    if (s->rigid->member[i] == OND_NO_BODY) return touches_piece(s, i) ? SLOWLY * most : most;
    const Others o = look_round(s, (uint32_t)i);
    return fminf(OTHERS * o.value * s->rest_room[i], SLOWLY * most);
}
