// SPDX-License-Identifier: MIT
// The system and its conjugate gradients.
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
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define SLOWEST  1e-6 // spacings a step: errors below this are no motion
#define FLEETING 1e-2 // of the speed there is: what is corrected less needs no more digits

typedef struct Apply {
    OndSph *s;
    OndPullLoop loop;
    const OndRigidVector *from;
    OndRigidVector *to;
} Apply;

static void spread_slaves(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    const OndRigid *g = m->s->rigid;
    for (int n = first; n < last; ++n) {
        const int i = g->slave[n], b = g->member[g->particle[i]];
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

// Forces on a body's slaves become force and torque on the body.
static void collect_bodies(int first, int last, int worker, void *context)
{
    const Apply *m = context;
    const OndRigid *g = m->s->rigid;
    for (int b = first; b < last; ++b) {
        const OndRigidPiece *body = &g->body[b];
        double sum[6] = {0};
        for (int n = body->slave_first; n < body->slave_last; ++n) {
            const int i = g->slave[n];
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

static OndPullLoop pull_loop(const OndRigid *g, const OndRigidVector *from, OndRigidVector *to,
                             const float *hold)
{
    return (OndPullLoop){g->near,    g->first,    g->length,   g->pull[0],  g->pull[1],
                         g->pull[2], from->at[0], from->at[1], from->at[2], hold,
                         to->at[0],  to->at[1],   to->at[2]};
}

// to = L from, each link held back by `hold`
static void pull(OndSph *s, const OndRigidVector *from, OndRigidVector *to, const float *hold)
{
    OndRigid *g = s->rigid;
    Apply m = {.s = s, .from = from, .to = to, .loop = pull_loop(g, from, to, hold)};
    ond_parallel_for(g->count, OND_GRAIN, pull_range, &m);
    ond_parallel_for(g->body_count, 1, collect_bodies, &m);
}

// ---- passes over the unknowns, group by group; sums in fixed blocks of groups

#define GROUP_BLOCK 256

typedef struct Fuse {
    OndSph *s;
    float step;
    OndPullLoop loop;
    double *sum;
} Fuse;

static int block_count(const OndRigid *g)
{
    return (g->level[0].count + GROUP_BLOCK - 1) / GROUP_BLOCK;
}

static void block_groups(const OndRigid *g, int block, int *begin, int *end)
{
    const int count = g->count ? g->level[0].count : 0;
    *begin = block * GROUP_BLOCK;
    *end = *begin + GROUP_BLOCK < count ? *begin + GROUP_BLOCK : count;
}

static double add_up(const OndRigid *g, const double *sum)
{
    double all = 0;
    for (int b = 0; b < block_count(g); ++b)
        all += sum[b];
    return all;
}

static double dot_bodies(const OndRigid *g, const OndRigidVector *a, const OndRigidVector *b)
{
    double sum = 0;
    for (int k = 0; k < g->body_count; ++k)
        for (int c = 0; c < 6; ++c)
            sum += a->body[k][c] * b->body[k][c];
    return sum;
}

// y = (M + ground) p + L p, and p . y. What is no unknown has p = 0 here or counts with its body.
static double finish(const OndRigid *g, int begin, int end)
{
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        float *restrict y = g->y.at[a];
        const float *restrict p = g->p.at[a], *restrict ground = g->ground[a];
        float part = 0.0f;
        for (int i = begin; i < end; ++i) {
            const bool soft = g->kind[i] == OND_LOCAL_SOFT;
            y[i] += soft ? (g->mass[i] + ground[i]) * p[i] : 0.0f;
            part += soft ? p[i] * y[i] : 0.0f;
        }
        sum += part;
    }
    return sum;
}

static void apply_blocks(int first, int last, int worker, void *context)
{
    const Fuse *f = context;
    const OndRigid *g = f->s->rigid;
    for (int block = first; block < last; ++block) {
        int begin, end;
        block_groups(g, block, &begin, &end);
        f->s->loops->pull(&f->loop, g->run[begin], g->run[end]);
        f->sum[block] = 0;
        for (int k = begin; k < end; ++k) // in short runs, so that floats do for each
            f->sum[block] += finish(g, g->run[k], g->run[k + 1]);
    }
}

static void finish_bodies(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a) {
            for (int c = 0; c < 6; ++c)
                g->y.body[b][a] += g->body[b].block[a][c] * g->p.body[b][c];
            if (g->body[b].driven) g->y.body[b][a] = 0.0;
        }
}

// y = A p; p . y
static double apply(OndSph *s)
{
    OndRigid *g = s->rigid;
    Apply m = {.s = s, .from = &g->p, .to = &g->y, .loop = pull_loop(g, &g->p, &g->y, NULL)};
    Fuse f = {.s = s, .loop = m.loop, .sum = g->sum};
    if (g->slave_count) ond_parallel_for(g->slave_count, OND_GRAIN, spread_slaves, &m);
    ond_parallel_for(block_count(g), 1, apply_blocks, &f);
    ond_parallel_for(g->body_count, 1, collect_bodies, &m);
    finish_bodies(g);
    return add_up(g, f.sum) + dot_bodies(g, &g->p, &g->y);
}

// z = inverse r for each particle by itself
static void precondition_run(const OndRigid *g, int begin, int end)
{
    float *const *inverse = g->inverse;
    const float *restrict x = g->r.at[0], *restrict y = g->r.at[1], *restrict z = g->r.at[2];
    for (int i = begin; i < end; ++i) {
        g->z.at[0][i] = inverse[0][i] * x[i] + inverse[3][i] * y[i] + inverse[5][i] * z[i];
        g->z.at[1][i] = inverse[3][i] * x[i] + inverse[1][i] * y[i] + inverse[4][i] * z[i];
        g->z.at[2][i] = inverse[5][i] * x[i] + inverse[4][i] * y[i] + inverse[2][i] * z[i];
    }
}

// x += step p, r -= step y, z by particles, and the groups' sums of r
static void advance_group(const OndRigid *g, int k, float step)
{
    OndQuad sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int a = 0; a < 3; ++a) {
        float *restrict x = g->x.at[a], *restrict r = g->r.at[a];
        const float *restrict p = g->p.at[a], *restrict y = g->y.at[a];
        for (int i = g->run[k]; i < g->run[k + 1]; ++i) {
            const bool soft = g->kind[i] == OND_LOCAL_SOFT;
            x[i] += step * p[i];
            r[i] = soft ? r[i] - step * y[i] : 0.0f;
            sum[a] += r[i];
        }
    }
    precondition_run(g, g->run[k], g->run[k + 1]);
    for (int i = g->run[k]; g->slave_count && i < g->run[k + 1]; ++i) {
        if (g->kind[i] != OND_LOCAL_SLAVE) continue;
        const int b = g->member[g->particle[i]]; // a body's error, shared by its slaves
        const double share = 1.0 / (g->body[b].slave_last - g->body[b].slave_first);
        for (int a = 0; a < 3; ++a)
            sum[a] += (float)(share * g->r.body[b][a]);
    }
    g->level[0].r[k] = sum;
}

static void advance_blocks(int first, int last, int worker, void *context)
{
    const Fuse *f = context;
    for (int block = first; block < last; ++block) {
        int begin, end;
        block_groups(f->s->rigid, block, &begin, &end);
        for (int k = begin; k < end; ++k)
            advance_group(f->s->rigid, k, f->step);
    }
}

// z += what the groups found; r . z
static void finish_blocks(int first, int last, int worker, void *context)
{
    const Fuse *f = context;
    const OndRigid *g = f->s->rigid;
    for (int block = first; block < last; ++block) {
        int begin, end;
        double sum = 0;
        block_groups(g, block, &begin, &end);
        for (int k = begin; k < end; ++k) {
            float part = 0.0f;
            for (int a = 0; a < 3; ++a)
                for (int i = g->run[k]; i < g->run[k + 1]; ++i) {
                    g->z.at[a][i] += g->level[0].x[k][a];
                    part += g->r.at[a][i] * g->z.at[a][i];
                }
            sum += part;
        }
        f->sum[block] = sum;
    }
}

static void advance_bodies(OndRigid *g, double step)
{
    for (int b = 0; b < g->body_count; ++b) {
        for (int a = 0; a < 6; ++a) {
            g->x.body[b][a] += step * g->p.body[b][a];
            g->r.body[b][a] -= step * g->y.body[b][a];
        }
        memcpy(g->z.body[b], g->r.body[b], sizeof g->z.body[b]);
        if (!g->body[b].driven)
            ond_cholesky6_solve((const double(*)[6])g->body[b].factor, g->z.body[b]);
    }
}

// A body gets the mean of what the groups of its slaves found.
static void correct_bodies(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b) {
        const OndRigidPiece *body = &g->body[b];
        for (int n = body->slave_first; n < body->slave_last; ++n)
            for (int a = 0; a < 3; ++a)
                g->z.body[b][a] += (double)g->level[0].x[g->cell_of[g->slave[n]]][a] /
                                   (body->slave_last - body->slave_first);
    }
}

// x += step p, r -= step y; then z from r; r . z
static double advance(OndSph *s, double step)
{
    OndRigid *g = s->rigid;
    Fuse f = {.s = s, .step = (float)step, .sum = g->sum};
    advance_bodies(g, step);
    ond_parallel_for(block_count(g), 1, advance_blocks, &f);
    if (g->count) ond_rigid_cycle(g);
    correct_bodies(g);
    ond_rigid_crew_correct(g);
    ond_parallel_for(block_count(g), 1, finish_blocks, &f);
    return add_up(g, f.sum) + dot_bodies(g, &g->r, &g->z);
}

// p = z + step p
static void turn_range(int first, int last, int worker, void *context)
{
    const Fuse *f = context;
    OndRigid *g = f->s->rigid;
    for (int a = 0; a < 3; ++a) {
        float *restrict p = g->p.at[a];
        const float *restrict z = g->z.at[a];
        for (int i = first; i < last; ++i)
            p[i] = g->kind[i] == OND_LOCAL_SOFT ? z[i] + f->step * p[i] : 0.0f;
    }
}

static void turn(OndSph *s, double step)
{
    OndRigid *g = s->rigid;
    Fuse f = {.s = s, .step = (float)step};
    ond_parallel_for(g->count, 8 * OND_GRAIN, turn_range, &f);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->p.body[b][a] = g->z.body[b][a] + step * g->p.body[b][a];
}

// ---- right-hand side and what each particle is held with

static void copy_vector(const OndRigid *g, const OndRigidVector *from, OndRigidVector *to)
{
    for (int a = 0; a < 3; ++a)
        if (g->count) memcpy(to->at[a], from->at[a], (size_t)g->count * sizeof(float));
    if (g->body_count) memcpy(to->body, from->body, (size_t)g->body_count * sizeof *to->body);
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

// The inverse of each particle's own three equations, with its mass and its walls.
static void invert_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int i = first; i < last; ++i) {
        const bool soft = g->kind[i] == OND_LOCAL_SOFT;
        double d[3], o[3]; // diagonal; xy, yz, zx
        for (int a = 0; a < 3; ++a) {
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
}

// The block of a body: its mass, and for the preconditioner the links of its slaves.
static void put_mass(OndRigidPiece *b)
{
    memset(b->block, 0, sizeof b->block);
    for (int a = 0; a < 3; ++a) {
        b->block[a][a] = b->mass;
        for (int c = 0; c < 3; ++c)
            b->block[3 + a][3 + c] = b->inertia[a][c];
    }
}

static void factor_body(const OndSph *s, OndRigidPiece *b)
{
    const OndRigid *g = s->rigid;
    memcpy(b->factor, b->block, sizeof b->factor);
    for (int n = b->slave_first; n < b->slave_last; ++n) {
        const int i = g->slave[n];
        double r[3], row[6];
        for (int a = 0; a < 3; ++a)
            r[a] = g->px[a][i] - b->center[a];
        for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
            ond_link_row(g, e, r, row);
            ond_add_square(b->factor, row, 1.0);
        }
    }
    ond_body_factor(b, s->world.dimension, b->factor);
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
            g->f.body[b][a] = -g->f.body[b][a];
}

void ond_rigid_right_hand(OndSph *s)
{
    OndRigid *g = s->rigid;
    copy_vector(g, &g->f, &g->b);
    for (int b = 0; b < g->body_count; ++b)
        put_mass(&g->body[b]);
}

void ond_rigid_prepare(OndSph *s)
{
    OndRigid *g = s->rigid;
    ond_parallel_for(g->count, OND_GRAIN, invert_range, g);
    for (int b = 0; b < g->body_count; ++b) {
        if (g->body[b].driven) memset(g->b.body[b], 0, sizeof g->b.body[b]);
        factor_body(s, &g->body[b]);
    }
    ond_rigid_crew_prepare(g);
    if (g->count) ond_rigid_coarse_ground(s);
}

static void clear_vector(const OndRigid *g, OndRigidVector *v)
{
    for (int a = 0; a < 3; ++a)
        if (g->count) memset(v->at[a], 0, (size_t)g->count * sizeof(float));
    if (g->body_count) memset(v->body, 0, (size_t)g->body_count * sizeof *v->body);
}

// The kinetic energy of the correction: what errors are measured by. (The right-hand side will not
// do: in it, what walls and stiff links hold outweighs the motion that is asked for.)
static double correction_size(const OndSph *s, double dt)
{
    const OndRigid *g = s->rigid;
    const double slowest = SLOWEST * s->world.spacing / dt;
    double moved = 0, speed = 0, mass = 0;
    for (int i = 0; i < g->count; ++i) {
        if (g->kind[i] != OND_LOCAL_SOFT) continue;
        double x2 = 0, w2 = 0;
        for (int a = 0; a < 3; ++a) {
            x2 += (double)g->x.at[a][i] * g->x.at[a][i];
            w2 += (double)g->w[a][i] * g->w[a][i];
        }
        moved += g->mass[i] * x2, speed += g->mass[i] * w2, mass += g->mass[i];
    }
    return fmax(fmax(moved, FLEETING * FLEETING * speed), mass * slowest * slowest);
}

int ond_rigid_solve(OndSph *s, double dt, int cap)
{
    OndRigid *g = s->rigid;
    const double tolerance = s->def.rigidity.tolerance;
    const double goal = tolerance * tolerance * correction_size(s, dt);
    copy_vector(g, &g->b, &g->r);
    copy_vector(g, &g->x, &g->p);
    clear_vector(g, &g->x);
    apply(s);
    double size = advance(s, 1.0), last = 0; // x is the guess again, r what it leaves
    int n = 0;
    for (; size > goal && n < cap; ++n) {
        turn(s, n ? size / last : 0.0);
        const double bend = apply(s);
        if (!(bend > 0.0)) break;
        last = size;
        size = advance(s, size / bend);
    }
    if (size > goal) s->unconverged = true;
    return n;
}

// Without anything soft each body is by itself, and six equations are solved at once.
void ond_rigid_solve_bodies(OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int b = 0; b < g->body_count; ++b) {
        memcpy(g->x.body[b], g->b.body[b], sizeof g->x.body[b]);
        if (!g->body[b].driven)
            ond_cholesky6_solve((const double(*)[6])g->body[b].factor, g->x.body[b]);
    }
}
