// SPDX-License-Identifier: MIT
// Conjugate gradients, guided by groups.
//
// The preconditioner is one step of Jacobi's, a particle's three equations and a body's six at a
// time, a cycle over the groups with what that leaves (rigid_cycle.c), and one more step of
// Jacobi's: symmetric, as conjugate gradients need it.
//
// Which contacts hold is found on the way: where some are wrong, the iteration goes on from where it
// is with the right ones. What links and masses leave of their right-hand side is therefore kept by
// itself (q): contacts push on top of that as x has them.
#include "base/parallel.h"
#include "particles/loops/near.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define SLOWEST     1e-6 // spacings a step: errors below this are no motion
#define FLEETING    1e-2 // of the speed there is: what is corrected less needs no more digits
#define GROUP_GRAIN 64
#define ROUNDS      24 // of contacts once the motion is found: most need two, none seen 17
#define SOFT_ROUNDS 3  // of soft ones on the way; then only those that are missed are taken up
// When the error's square has fallen so far, soft contacts are looked at. 0.1 and 0.03 take the same
// time on the letters (bench melt), 0.3 makes more rounds than it spares iterations.
#define LOOK 0.1
// Once the error's square is so many times what it may be, bodies are looked at, too: what changes then
// need not be found to the end first. 30 to 500 spare a tenth of the iterations on the letters, 2000
// is too early (bench melt).
#define EARLY 300.0

typedef struct SolvePass {
    OndSph *s;
    float step;
    double *sum;
} SolvePass;

// z += smoothing x (own equations)^-1 (r - y); y NULL: z = ... r
static void smooth_run(const OndRigid *g, bool begin_with_r, int begin, int end)
{
    const float step = (float)OND_SMOOTHING;
    float *const *const inverse = g->inverse;
    const float *restrict xx = inverse[0], *restrict yy = inverse[1], *restrict zz = inverse[2];
    const float *restrict xy = inverse[3], *restrict yz = inverse[4], *restrict zx = inverse[5];
    const float keep = begin_with_r ? 0.0f : 1.0f;
    for (int i = begin; i < end; ++i) {
        const float x = step * (g->r.at[0][i] - keep * g->y.at[0][i]);
        const float y = step * (g->r.at[1][i] - keep * g->y.at[1][i]);
        const float z = step * (g->r.at[2][i] - keep * g->y.at[2][i]);
        g->z.at[0][i] = keep * g->z.at[0][i] + xx[i] * x + xy[i] * y + zx[i] * z;
        g->z.at[1][i] = keep * g->z.at[1][i] + xy[i] * x + yy[i] * y + yz[i] * z;
        g->z.at[2][i] = keep * g->z.at[2][i] + zx[i] * x + yz[i] * y + zz[i] * z;
    }
}

// x += step p, q -= step (L + M) p; y is A p, contacts included
static void move_blocks(int first, int last, int worker, void *context)
{
    const SolvePass *f = context;
    const OndRigid *g = f->s->rigid;
    for (int a = 0; a < 3; ++a) {
        float *restrict x = g->x.at[a], *restrict q = g->q.at[a];
        const float *restrict p = g->p.at[a], *restrict y = g->y.at[a];
        const float *restrict ground = g->ground[a];
        const int end = ond_rigid_block_end(g, 0, last * OND_RIGID_BLOCK);
        for (int i = first * OND_RIGID_BLOCK; i < end; ++i) {
            x[i] += f->step * p[i];
            q[i] -= f->step * (y[i] - ground[i] * p[i]);
        }
    }
}

// r from q with the contacts of now, z from r alone
static void begin_blocks(int first, int last, int worker, void *context)
{
    const SolvePass *f = context;
    const OndRigid *g = f->s->rigid;
    const float *restrict loose = g->loose;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_RIGID_BLOCK,
                  end = ond_rigid_block_end(g, begin, OND_RIGID_BLOCK);
        for (int a = 0; a < 3; ++a) {
            float *restrict r = g->r.at[a];
            const float *restrict q = g->q.at[a], *restrict c = g->c.at[a];
            for (int i = begin; i < end; ++i)
                r[i] = loose[i] * (q[i] + c[i]);
        }
        smooth_run(g, true, begin, end);
    }
}

// r . z, in lanes, so that every compiler adds in the same order
static double dot_run(const OndRigid *g, int begin, int end)
{
    OndLanes part = {{0}};
    for (int a = 0; a < 3; ++a) {
        const float *restrict r = g->r.at[a], *restrict z = g->z.at[a];
        int i = begin;
        for (; i + OND_LANES <= end; i += OND_LANES)
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k)
                part.at[k] += r[i + k] * z[i + k];
        for (int k = 0; i < end; ++i, ++k)
            part.at[k] += r[i] * z[i];
    }
    return (double)ond_lanes_sum(&part);
}

// z once more, from what it leaves of r; r . z
static void finish_blocks(int first, int last, int worker, void *context)
{
    const SolvePass *f = context;
    const OndRigid *g = f->s->rigid;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_RIGID_BLOCK,
                  end = ond_rigid_block_end(g, begin, OND_RIGID_BLOCK);
        smooth_run(g, false, begin, end);
        f->sum[block] = 0;
        for (int k = begin; k < end; k += OND_RIGID_RUN) {
            const int stop = ond_rigid_block_end(g, k, OND_RIGID_RUN);
            f->sum[block] += dot_run(g, k, stop);
        }
    }
}

static void smooth_bodies(OndRigid *g, bool begin_with_r)
{
    for (int b = 0; b < g->body_count; ++b) {
        double left[6];
        for (int a = 0; a < 6; ++a) {
            left[a] = g->r.body[b][a] - (begin_with_r ? 0.0 : g->y.body[b][a]);
            if (begin_with_r) g->z.body[b][a] = 0.0;
        }
        if (g->body[b].driven) continue;
        ond_cholesky6_solve((const double(*)[6])g->body[b].factor, left);
        for (int a = 0; a < 6; ++a)
            g->z.body[b][a] += OND_SMOOTHING * left[a];
    }
}

// What z leaves of r, as force and torque on each group.
static void hand_up(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    const OndGroupLevel *const l = &g->level[0];
    for (int k = first; k < last; ++k) {
        const double *const c = l->center[k];
        const int body = g->body_of_group[k];
        double sum[6] = {0};
        for (int a = 0; body >= 0 && a < 6; ++a)
            sum[a] = g->r.body[body][a] - g->y.body[body][a];
        for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n) {
            const int i = l->child[n];
            double t[3], d[3];
            for (int a = 0; a < 3; ++a)
                t[a] = g->r.at[a][i] - g->y.at[a][i], d[a] = g->px[a][i] - c[a];
            for (int a = 0; a < 3; ++a) {
                const int p = (a + 1) % 3, q = (a + 2) % 3;
                sum[a] += t[a];
                sum[3 + a] += d[p] * t[q] - d[q] * t[p];
            }
        }
        memcpy(l->r[k], sum, sizeof sum);
    }
}

static void hand_down(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    const OndGroupLevel *const l = &g->level[0];
    for (int k = first; k < last; ++k) {
        const double *const c = l->center[k], *const v = l->x[k];
        const int body = g->body_of_group[k];
        for (int a = 0; body >= 0 && a < 6; ++a)
            g->z.body[body][a] += v[a];
        for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n) {
            const int i = l->child[n];
            const double d[3] = {g->px[0][i] - c[0], g->px[1][i] - c[1], g->px[2][i] - c[2]};
            for (int a = 0; a < 3; ++a) {
                const int p = (a + 1) % 3, q = (a + 2) % 3;
                g->z.at[a][i] += (float)(v[a] + v[3 + p] * d[q] - v[3 + q] * d[p]);
            }
        }
    }
}

static void move_bodies(OndRigid *g, double step)
{
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a) {
            g->x.body[b][a] += step * g->p.body[b][a];
            if (g->body[b].driven) continue;
            double y = g->y.body[b][a]; // without contacts
            for (int c = 0; c < 6; ++c)
                y -= (g->body[b].block[a][c] - g->body[b].own[a][c]) * g->p.body[b][c];
            g->q.body[b][a] -= step * y;
        }
}

static void begin_bodies(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->r.body[b][a] = g->q.body[b][a] + g->c.body[b][a];
}

static void move(OndSph *s, double step)
{
    SolvePass f = {.s = s, .step = (float)step};
    ond_parallel_for(ond_rigid_blocks(s->rigid), 1, move_blocks, &f);
    move_bodies(s->rigid, step);
}

// r with the contacts of now, z from r; r . z
static double precondition(OndSph *s)
{
    OndRigid *g = s->rigid;
    SolvePass f = {.s = s, .sum = g->sum};
    if (g->contact_count) ond_rigid_press(s);
    begin_bodies(g);
    ond_parallel_for(ond_rigid_blocks(g), 1, begin_blocks, &f);
    smooth_bodies(g, true);
    ond_rigid_multiply(s, &g->z, &g->y, true);
    ond_parallel_for(g->level[0].count, GROUP_GRAIN, hand_up, g);
    ond_rigid_cycle(s);
    ond_parallel_for(g->level[0].count, GROUP_GRAIN, hand_down, g);
    ond_rigid_multiply(s, &g->z, &g->y, true);
    smooth_bodies(g, false);
    ond_parallel_for(ond_rigid_blocks(g), 1, finish_blocks, &f);
    return ond_rigid_add_up(g, f.sum) + ond_rigid_dot_bodies(g, &g->r, &g->z);
}

// p = z + step p
static void turn_range(int first, int last, int worker, void *context)
{
    const SolvePass *f = context;
    OndRigid *g = f->s->rigid;
    for (int a = 0; a < 3; ++a) {
        float *restrict p = g->p.at[a];
        const float *restrict z = g->z.at[a];
        for (int i = first; i < last; ++i)
            p[i] = g->loose[i] * (z[i] + f->step * p[i]);
    }
}

static void turn(OndSph *s, double step)
{
    OndRigid *g = s->rigid;
    SolvePass f = {.s = s, .step = (float)step};
    ond_parallel_for(g->count, 8 * OND_GRAIN, turn_range, &f);
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a)
            g->p.body[b][a] = g->z.body[b][a] + step * g->p.body[b][a];
}

// ---- the iteration

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

static double goal_of(const OndSph *s, double dt)
{
    return s->def.rigidity.tolerance * s->def.rigidity.tolerance * correction_size(s, dt);
}

// How often contacts were changed: soft ones on the way, others by a motion that was found.
typedef struct Rounds {
    int soft, found;
    bool early; // bodies were looked at once before it was found
} Rounds;

// Adds to bodies, or takes back, what their own six equations still ask for. A body's contacts are so
// stiff that what is left of the error there, a millionth of a spacing a step, would push with many
// times its weight, and contacts be let go and taken up by turns.
static void settle_bodies(OndRigid *g, double share)
{
    for (int b = 0; b < g->body_count; ++b) {
        double left[6];
        if (g->body[b].driven) continue;
        memcpy(left, g->r.body[b], sizeof left);
        ond_cholesky6_solve((const double(*)[6])g->body[b].factor, left);
        for (int a = 0; a < 6; ++a)
            g->x.body[b][a] += share * left[a];
    }
}

// Looks at contacts; where some are wrong, the system becomes that of the right ones. Soft ones are
// looked at on the way: there are many, and each decides little. Those of bodies carry whole letters:
// they, and friction, are judged by a motion that is `found`, or nearly.
static bool look(OndSph *s, float dt, bool found, Rounds *rounds)
{
    unsigned of = found ? OND_WRONG_BODY | OND_WRONG_FRICTION : OND_WRONG_SOFT;
    if (!found && rounds->soft >= SOFT_ROUNDS) of = OND_WRONG_MISSED;
    if (rounds->found == ROUNDS) of = 0;
    if (found) settle_bodies(s->rigid, 1.0);
    const unsigned wrong = ond_rigid_judge(s, dt, of);
    if (found) settle_bodies(s->rigid, -1.0);
    if (rounds->found == ROUNDS) s->unsettled |= (wrong & OND_WRONG_BODY) != 0;
    if (!(wrong & of)) return false;
    ++*(found ? &rounds->found : &rounds->soft);
    ++s->solves;
    ond_rigid_put_contacts(s);
    ond_rigid_prepare_again(s);
    return true;
}

int ond_rigid_solve(OndSph *s, float dt, int cap)
{
    OndRigid *g = s->rigid;
    ond_rigid_leave(s);
    ond_rigid_clear(g, &g->p);
    double size = precondition(s), last = 0, look_at = LOOK * size, goal = goal_of(s, dt);
    Rounds rounds = {0};
    bool settled = false;
    int n = 0;
    s->solves = 1;
    ond_rigid_look_afresh(g);
    while (n < cap) {
        const bool found = !(size > goal), soft = !found && size < look_at;
        const bool early = !rounds.early && !soft && size < EARLY * goal;
        if (found || early || soft) {
            const bool changed = look(s, dt, found || early, &rounds);
            settled = found && !changed;
            rounds.early |= found || early;
            if (settled) break;
            if (changed) size = precondition(s), last = 0;
            if (changed || soft) look_at = LOOK * size;
            goal = goal_of(s, dt);
        }
        turn(s, last > 0.0 ? size / last : 0.0);
        const double bend = ond_rigid_multiply(s, &g->p, &g->y, true);
        if (!(bend > 0.0)) break;
        move(s, size / bend), ++n;
        last = size, size = precondition(s);
    }
    if (!settled) { // for the next step to begin with
        settle_bodies(g, 1.0);
        ond_rigid_judge(s, dt, 0);
        settle_bodies(g, -1.0);
    }
    s->unconverged |= !(size <= goal);
    return n;
}
