// SPDX-License-Identifier: MIT
// Where the iteration begins: with what rigidity gave in the last step.
//
// What creeps or lies still needs nearly the same correction in each step, so every particle keeps
// what it was given. Beside it stands the guess for a component of one rigidity (rigid_guess.c), which
// knows how walls and gravity move the whole. The best mixture of the two is where the energy
//
//     1/2 x . A x - b . x,     x = c u + d v
//
// is least: two equations. So no start is worse than the guess alone, or than none.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

// ---- keeping

// Of a body's motion, the velocity at a member.
static float at_member(const OndSph *s, const OndRigidPiece *body, const double v[6], uint32_t i,
                       int axis)
{
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    const double dp = s->x[p][i] - body->center[p], dq = s->x[q][i] - body->center[q];
    return (float)(v[axis] + v[3 + p] * dq - v[3 + q] * dp);
}

static void keep_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndRigid *g = s->rigid;
    for (int i = first; i < last; ++i) {
        const int local = g->local[i], b = g->member[i];
        const bool soft = local >= 0 && g->kind[local] == OND_LOCAL_SOFT;
        for (int a = 0; a < 3; ++a)
            s->given[a][i] = soft ? g->x.at[a][local]
                             : b == OND_NO_BODY
                                 ? 0.0f
                                 : at_member(s, &g->body[b], g->x.body[b], (uint32_t)i, a);
    }
}

void ond_rigid_keep_given(OndSph *s)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, keep_range, s);
}

// ---- recalling

static void recall_locals(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndRigid *g = s->rigid;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            g->z.at[a][i] = g->loose[i] * s->given[a][g->particle[i]];
}

// The motion that has the momentum of what its members were given.
static void recall_bodies(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const OndRigid *g = s->rigid;
    for (int b = first; b < last; ++b) {
        const OndRigidPiece *body = &g->body[b];
        double sum[6] = {0}, inertia[6][6] = {{0}};
        for (int n = body->first; n < body->last && !body->driven; ++n) {
            const uint32_t i = g->order[n];
            const double m = s->mass[s->material[i]];
            for (int a = 0; a < 3; ++a) {
                const int p = (a + 1) % 3, q = (a + 2) % 3;
                sum[a] += m * s->given[a][i];
                sum[3 + a] += m * ((s->x[p][i] - body->center[p]) * s->given[q][i] -
                                   (s->x[q][i] - body->center[q]) * s->given[p][i]);
            }
        }
        for (int a = 0; a < 3; ++a) {
            inertia[a][a] = body->mass;
            for (int c = 0; c < 3; ++c)
                inertia[3 + a][3 + c] = body->inertia[a][c];
        }
        ond_body_factor(body, g->dimension, inertia);
        ond_cholesky6_solve((const double(*)[6])inertia, sum);
        memcpy(g->z.body[b], sum, sizeof sum);
    }
}

// ---- the best mixture

typedef struct Mixture {
    OndRigid *g;
    double guess, given; // how much of each
} Mixture;

// x = guess x + given z
static void mix_range(int first, int last, int worker, void *context)
{
    const Mixture *m = context;
    OndRigid *g = m->g;
    const float c = (float)m->guess, d = (float)m->given;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            g->x.at[a][i] = c * g->x.at[a][i] + d * g->z.at[a][i];
}

static void mix(OndRigid *g, double guess, double given)
{
    Mixture m = {g, guess, given};
    ond_parallel_for(g->count, 4 * OND_GRAIN, mix_range, &m);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->x.body[b][a] = guess * g->x.body[b][a] + given * g->z.body[b][a];
}

// b = f + c
static void add_right(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            g->b.at[a][i] = g->f.at[a][i] + g->c.at[a][i];
}

void ond_rigid_start(OndSph *s)
{
    OndRigid *g = s->rigid;
    ond_parallel_for(g->count, 4 * OND_GRAIN, add_right, g);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->b.body[b][a] = g->f.body[b][a] + g->c.body[b][a];
    ond_parallel_for(g->count, 4 * OND_GRAIN, recall_locals, s);
    ond_parallel_for(g->body_count, 1, recall_bodies, s);
    const double uu = ond_rigid_multiply(s, &g->x, &g->p, true),
                 ub = ond_rigid_dot(s, &g->x, &g->b);
    const double vv = ond_rigid_multiply(s, &g->z, &g->y, true),
                 vb = ond_rigid_dot(s, &g->z, &g->b);
    const double uv = ond_rigid_dot(s, &g->z, &g->p), det = uu * vv - uv * uv;
    if (det > 1e-6 * uu * vv) // else one is the other
        mix(g, (ub * vv - vb * uv) / det, (vb * uu - ub * uv) / det);
    else
        mix(g, uu > 0.0 ? ub / uu : 0.0, 0.0);
}
