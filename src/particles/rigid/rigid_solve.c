// SPDX-License-Identifier: MIT
// Conjugate gradients, guided by groups.
//
// The preconditioner is one step of Jacobi's, a particle's three equations and a body's six at a
// time, a cycle over the groups with what that leaves (rigid_cycle.c), and one more step of
// Jacobi's: symmetric, as conjugate gradients need it.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define SLOWEST     1e-6 // spacings a step: errors below this are no motion
#define FLEETING    1e-2 // of the speed there is: what is corrected less needs no more digits
#define GROUP_GRAIN 64

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

// x += step p, r -= step y, z from r alone
static void advance_blocks(int first, int last, int worker, void *context)
{
    const SolvePass *f = context;
    const OndRigid *g = f->s->rigid;
    const float *restrict loose = g->loose;
    for (int block = first; block < last; ++block) {
        const int begin = block * OND_RIGID_BLOCK,
                  end = ond_rigid_block_end(g, begin, OND_RIGID_BLOCK);
        for (int a = 0; a < 3; ++a) {
            float *restrict x = g->x.at[a], *restrict r = g->r.at[a];
            const float *restrict p = g->p.at[a], *restrict y = g->y.at[a];
            for (int i = begin; i < end; ++i) {
                x[i] += f->step * p[i];
                r[i] = loose[i] * (r[i] - f->step * y[i]);
            }
        }
        smooth_run(g, true, begin, end);
    }
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
            float part = 0.0f;
            for (int a = 0; a < 3; ++a) {
                const float *restrict r = g->r.at[a], *restrict z = g->z.at[a];
#pragma omp simd reduction(+ : part)
                for (int i = k; i < stop; ++i)
                    part += r[i] * z[i];
            }
            f->sum[block] += part;
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

static void advance_bodies(OndRigid *g, double step)
{
    for (int b = 0; b < g->body_count; ++b)
        for (int a = 0; a < 6; ++a) {
            g->x.body[b][a] += step * g->p.body[b][a];
            g->r.body[b][a] -= step * g->y.body[b][a];
        }
}

// x += step p, r -= step y; then z from r; r . z
static double advance(OndSph *s, double step)
{
    OndRigid *g = s->rigid;
    SolvePass f = {.s = s, .step = (float)step, .sum = g->sum};
    advance_bodies(g, step);
    ond_parallel_for(ond_rigid_blocks(g), 1, advance_blocks, &f);
    smooth_bodies(g, true);
    ond_rigid_multiply(s, &g->z, &g->y);
    ond_parallel_for(g->level[0].count, GROUP_GRAIN, hand_up, g);
    ond_rigid_cycle(g);
    ond_parallel_for(g->level[0].count, GROUP_GRAIN, hand_down, g);
    ond_rigid_multiply(s, &g->z, &g->y);
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

int ond_rigid_solve(OndSph *s, double dt, int cap)
{
    OndRigid *g = s->rigid;
    const double tolerance = s->def.rigidity.tolerance;
    const double goal = tolerance * tolerance * correction_size(s, dt);
    ond_rigid_clear(g, &g->p);
    ond_rigid_clear(g, &g->y);
    double size = advance(s, 0.0), last = 0;
    int n = 0;
    for (; size > goal && n < cap; ++n) {
        turn(s, n ? size / last : 0.0);
        const double bend = ond_rigid_multiply(s, &g->p, &g->y);
        if (!(bend > 0.0)) break;
        last = size;
        size = advance(s, size / bend);
    }
    s->unconverged |= size > goal;
    return n;
}
