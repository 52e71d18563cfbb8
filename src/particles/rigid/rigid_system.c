// SPDX-License-Identifier: MIT
// The system: what links, masses and contacts make of a motion.
//
//     (M + L) x = b,    (L x)_i = sum_j k_ij n (n . (x_i - x_j)),    b_i = - sum_j s_ij k_ij n (n .
//     (w_i - w_j))
//
// x is what rigidity adds to the velocities w that the liquid would move with. For large k a pair's
// velocity along its line becomes 1 - s of the liquid's: the targets of Dagenais 2012, but along
// the line only, so that whatever turns as a whole may turn. Particles in a body move with it: x_i
// = V + spin x r_i, and the sums over them are the body's six equations.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/loops/near.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

typedef struct Apply {
    OndSph *s;
    OndPullLoop loop;
    const OndRigidVector *from;
    OndRigidVector *to;
    const float *hold;
} Apply;

static void spread_rims(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    const OndRigid *g = m->s->rigid;
    for (int n = first; n < last; ++n) {
        const int i = g->rim[n], b = g->member[g->particle[i]];
        const double *v = m->from->body[b], *c = g->body[b].center;
        const double r[3] = {g->px[0][i] - c[0], g->px[1][i] - c[1], g->px[2][i] - c[2]};
        for (int a = 0; a < 3; ++a) {
            const int d = (a + 1) % 3, e = (a + 2) % 3;
            m->from->at[a][i] = (float)(v[a] + v[3 + d] * r[e] - v[3 + e] * r[d]);
        }
    }
}

static void pull_range(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    m->s->loops->pull(&m->loop, first, last);
}

// Forces on a body's rim become force and torque on the body.
static void collect_bodies(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    const OndRigid *g = m->s->rigid;
    for (int b = first; b < last; ++b) {
        const OndRigidPiece *body = &g->body[b];
        double sum[6] = {0};
        for (int n = body->rim_first; n < body->rim_last; ++n) {
            const int i = g->rim[n];
            for (int a = 0; a < 3; ++a) {
                const int c = (a + 1) % 3, d = (a + 2) % 3;
                const double rc = g->px[c][i] - body->center[c], rd = g->px[d][i] - body->center[d];
                sum[a] += m->to->at[a][i];
                sum[3 + a] += rc * m->to->at[d][i] - rd * m->to->at[c][i];
            }
            for (int a = 0; a < 3; ++a)
                m->to->at[a][i] = 0.0f;
        }
        memcpy(m->to->body[b], sum, sizeof sum);
    }
}

static OndPullLoop pull_loop(const OndRigid *g, OndRigidVector *to)
{
    return (OndPullLoop){g->near,    g->first, g->length, g->pull[0], g->pull[1],
                         g->pull[2], g->quad,  to->at[0], to->at[1],  to->at[2]};
}

// What is pulled at, as quads (loops/near.h); fourth: what holds links back, if anything does.
static void pack_range(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    const OndRigid *g = m->s->rigid;
    for (int i = first; i < last; ++i)
        g->quad[i] = (OndQuad){m->from->at[0][i], m->from->at[1][i], m->from->at[2][i],
                               m->hold ? m->hold[i] : 1.0f};
}

static void pack(const Apply *m)
{
    ond_parallel_for(m->s->rigid->count, 4 * OND_GRAIN, pack_range, (void *)m);
}

// to = L from, each link held back by `hold`
static void pull(OndSph *s, const OndRigidVector *from, OndRigidVector *to, const float *hold)
{
    OndRigid *g = s->rigid;
    Apply m = {.s = s, .from = from, .to = to, .loop = pull_loop(g, to), .hold = hold};
    pack(&m);
    ond_parallel_for(g->count, OND_GRAIN, pull_range, &m);
    ond_parallel_for(g->body_count, 1, collect_bodies, &m);
}

// ---- passes over the unknowns; sums in fixed blocks

typedef struct SystemPass {
    OndSph *s;
    const OndRigidVector *from;
    OndRigidVector *to;
    OndPullLoop loop;
    double *sum;
    bool contacts;
} SystemPass;

double ond_rigid_add_up(const OndRigid *g, const double *sum)
{
    double all = 0;
    for (int b = 0; b < ond_rigid_blocks(g); ++b)
        all += sum[b];
    return all;
}

double ond_rigid_dot_bodies(const OndRigid *g, const OndRigidVector *a, const OndRigidVector *b)
{
    double sum = 0;
    for (int k = 0; k < g->body_count; ++k)
        for (int c = 0; c < 6; ++c)
            sum += a->body[k][c] * b->body[k][c];
    return sum;
}

// to = (M + ground) from + L from, and from . to. What is no unknown counts with its body. In lanes, so that every
// compiler adds in the same order.
static double finish_run(const SystemPass *f, int begin, int end)
{
    const OndRigid *g = f->s->rigid;
    const float *restrict loose = g->loose;
    OndLanes part = {{0}};
    for (int a = 0; a < 3; ++a) {
        float *restrict y = f->to->at[a];
        const float *restrict p = f->from->at[a], *restrict ground =
                                                      f->contacts ? g->grounded[a] : g->inert;
        int i = begin;
        for (; i + OND_LANES <= end; i += OND_LANES)
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                y[i + k] += ground[i + k] * p[i + k];
                part.at[k] += loose[i + k] * p[i + k] * y[i + k];
            }
        for (int k = 0; i < end; ++i, ++k) {
            y[i] += ground[i] * p[i];
            part.at[k] += loose[i] * p[i] * y[i];
        }
    }
    return (double)ond_lanes_sum(&part);
}

static void multiply_blocks(int first, int last, int worker, void *context)
{
    const SystemPass *f = context;
    const OndRigid *g = f->s->rigid;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_RIGID_BLOCK,
                  end = ond_rigid_block_end(g, begin, OND_RIGID_BLOCK);
        f->s->loops->pull(&f->loop, begin, end);
        f->sum[block] = 0;
        for (int i = begin; i < end; i += OND_RIGID_RUN)
            f->sum[block] += finish_run(f, i, ond_rigid_block_end(g, i, OND_RIGID_RUN));
    }
}

static void finish_bodies(const OndRigid *g, const OndRigidVector *from, OndRigidVector *to,
                          bool contacts)
{
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a) {
            const double *row = contacts ? g->body[b].block[a] : g->body[b].own[a];
            for (int c = 0; c < 6; ++c)
                to->body[b][a] += row[c] * from->body[b][c];
            if (g->body[b].driven) to->body[b][a] = 0.0;
        }
}

// to = A from; from . to
double ond_rigid_multiply(OndSph *s, const OndRigidVector *from, OndRigidVector *to, bool contacts)
{
    OndRigid *g = s->rigid;
    Apply m = {.s = s, .from = from, .to = to, .loop = pull_loop(g, to)};
    SystemPass f = {
        .s = s, .from = from, .to = to, .loop = m.loop, .sum = g->sum, .contacts = contacts};
    if (g->rim_count) ond_parallel_for(g->rim_count, OND_GRAIN, spread_rims, &m);
    pack(&m);
    ond_parallel_for(ond_rigid_blocks(g), 1, multiply_blocks, &f);
    ond_parallel_for(g->body_count, 1, collect_bodies, &m);
    finish_bodies(g, from, to, contacts);
    return ond_rigid_add_up(g, f.sum) + ond_rigid_dot_bodies(g, from, to);
}

static void dot_blocks(int first, int last, int worker, void *context)
{
    const SystemPass *f = context;
    const OndRigid *g = f->s->rigid;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_RIGID_BLOCK,
                  end = ond_rigid_block_end(g, begin, OND_RIGID_BLOCK);
        f->sum[block] = 0;
        for (int a = 0; a < 3; ++a)
            for (int i = begin; i < end; ++i)
                f->sum[block] += (double)(g->loose[i] * f->from->at[a][i]) * f->to->at[a][i];
    }
}

double ond_rigid_dot(OndSph *s, const OndRigidVector *a, OndRigidVector *b)
{
    const OndRigid *g = s->rigid;
    SystemPass f = {.s = s, .from = a, .to = b, .sum = g->sum};
    ond_parallel_for(ond_rigid_blocks(g), 1, dot_blocks, &f);
    return ond_rigid_add_up(g, f.sum) + ond_rigid_dot_bodies(g, a, b);
}

// ---- right-hand side and what each particle is held with

void ond_rigid_clear(const OndRigid *g, OndRigidVector *v)
{
    for (int a = 0; a < 3; ++a)
        if (g->count) memset(v->at[a], 0, (size_t)g->count * sizeof(float));
    if (g->body_count) memset(v->body, 0, (size_t)g->body_count * sizeof *v->body);
}

static void negate_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            g->f.at[a][i] = g->kind[i] == OND_LOCAL_SOFT ? -g->f.at[a][i] : 0.0f;
}

// xx, yy, zz, xy, yz, zx: what a particle's links hold it with while all others stand still.
static void own_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int i = first; i < last; ++i) {
        float sum[6] = {0};
        for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e)
            for (int a = 0; a < 3; ++a) {
                sum[a] += g->pull[a][e] * g->pull[a][e];
                sum[3 + a] += g->pull[a][e] * g->pull[(a + 1) % 3][e];
            }
        for (int a = 0; a < 6; ++a)
            g->own[a][i] = sum[a];
    }
}

// The inverse of a particle's own three equations, with its mass and its walls.
static void invert_one(const OndRigid *g, int i)
{
    const bool soft = g->kind[i] == OND_LOCAL_SOFT;
    double d[3], o[3]; // diagonal; xy, yz, zx
    g->loose[i] = soft ? 1.0f : 0.0f;
    g->inert[i] = soft ? g->mass[i] : 0.0f;
    for (int a = 0; a < 3; ++a) {
        g->grounded[a][i] = soft ? g->mass[i] + g->ground[a][i] : 0.0f;
        d[a] = (double)g->own[a][i] + g->mass[i] + g->ground[a][i];
        o[a] = g->own[3 + a][i];
    }
    const double minor = d[1] * d[2] - o[1] * o[1], side = o[1] * o[2] - o[0] * d[2];
    const double corner = o[0] * o[1] - d[1] * o[2];
    const double scale = soft ? 1.0 / (d[0] * minor + o[0] * side + o[2] * corner) : 0.0;
    g->inverse[0][i] = (float)(scale * minor);
    g->inverse[1][i] = (float)(scale * (d[0] * d[2] - o[2] * o[2]));
    g->inverse[2][i] = (float)(scale * (d[0] * d[1] - o[0] * o[0]));
    g->inverse[3][i] = (float)(scale * side);
    g->inverse[4][i] = (float)(scale * (o[0] * o[2] - d[0] * o[1]));
    g->inverse[5][i] = (float)(scale * corner);
}

static void invert_range(int first, int last, int worker, void *context)
{
    for (int i = first; i < last; ++i)
        invert_one(context, i);
}

void ond_rigid_own_blocks(OndRigid *g)
{
    for (int k = 0; k < g->body_count; ++k) {
        OndRigidPiece *b = &g->body[k];
        memset(b->own, 0, sizeof b->own);
        memset(b->tie, 0, sizeof b->tie);
        for (int a = 0; a < 3; ++a) {
            b->own[a][a] = b->mass;
            for (int c = 0; c < 3; ++c)
                b->own[3 + a][3 + c] = b->inertia[a][c];
        }
    }
}

// What the links of a body's rim hold it with while all others stand still.
static void tie_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int k = first; k < last; ++k) {
        OndRigidPiece *b = &g->body[k];
        for (int n = b->rim_first; n < b->rim_last; ++n) {
            const int i = g->rim[n];
            double r[3], row[6];
            for (int a = 0; a < 3; ++a)
                r[a] = g->px[a][i] - b->center[a];
            for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
                ond_link_row(g, e, r, row);
                ond_add_square(b->tie, row, 1.0);
            }
        }
    }
}

static void factor_body(const OndSph *s, OndRigidPiece *b)
{
    double whole[6][6];
    for (int a = 0; a < 6; ++a)
        for (int c = 0; c < 6; ++c)
            whole[a][c] = b->block[a][c] + b->tie[a][c];
    ond_body_factor(b, s->world.dimension, whole);
    memcpy(b->factor, whole, sizeof whole);
}

void ond_rigid_find_pull(OndSph *s)
{
    OndRigid *g = s->rigid;
    const OndRigidVector w = {{g->w[0], g->w[1], g->w[2]}, NULL};
    pull(s, &w, &g->f, g->hold);
    ond_parallel_for(g->count, OND_GRAIN, own_range, g);
    ond_parallel_for(g->count, 4 * OND_GRAIN, negate_range, g);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->f.body[b][a] = g->body[b].driven ? 0.0 : -g->f.body[b][a];
    ond_parallel_for(g->body_count, 1, tie_range, g);
}

void ond_rigid_prepare_bodies(OndSph *s, bool all)
{
    OndRigid *g = s->rigid;
    for (int b = 0; b < g->body_count; ++b) {
        if (g->body[b].driven) memset(g->c.body[b], 0, sizeof g->c.body[b]);
        if (all || g->body[b].changed) factor_body(s, &g->body[b]);
    }
}

OndStatus ond_rigid_prepare(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    ond_parallel_for(g->count, OND_GRAIN, invert_range, g);
    ond_rigid_prepare_bodies(s, true);
    return ond_rigid_coarse_ground(s, err);
}

void ond_rigid_prepare_again(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int k = 0; k < g->contact_count; ++k)
        if (g->contact[k].changed && g->contact[k].local >= 0) invert_one(g, g->contact[k].local);
    ond_rigid_prepare_bodies(s, false);
    ond_rigid_coarse_regroup(s);
}

// ---- what x leaves

static void leave_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            g->q.at[a][i] = g->f.at[a][i] - g->y.at[a][i];
}

void ond_rigid_leave(OndSph *s)
{
    OndRigid *g = s->rigid;
    ond_rigid_multiply(s, &g->x, &g->y, false);
    ond_parallel_for(g->count, 4 * OND_GRAIN, leave_range, g);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->q.body[b][a] = g->f.body[b][a] - g->y.body[b][a];
}

// Without anything soft each body is by itself, and six equations are solved at once.
void ond_rigid_solve_bodies(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int b = 0; b < g->body_count; ++b) {
        memcpy(g->x.body[b], g->c.body[b], sizeof g->x.body[b]);
        if (!g->body[b].driven)
            ond_cholesky6_solve((const double(*)[6])g->body[b].factor, g->x.body[b]);
    }
}
