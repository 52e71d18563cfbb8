// SPDX-License-Identifier: MIT
// One cycle over the groups: smooth, hand what is left to the level above, take its answer, smooth.
//
// Smoothing is block Jacobi's, a group's own six equations at a time, the same before and after, so
// that the cycle is symmetric as conjugate gradients need it. A link ties two groups, so A is at most
// twice its own blocks, and two thirds of Jacobi's step damps the upper half of what there is. Groups
// that move stiffly are too stiff for what bends; so the level above is asked twice (W cycle), what it
// finds is made larger, and levels above the first, which are small, are smoothed twice. The first is smoothed
// once: twice takes the letters a tenth fewer iterations and a tenth more time (bench melt).
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define GRAIN   64
#define SWEEPS  2 // above the first level
#define PUSH_ON 1.4
// Jacobi's step on the first level, which is smoothed once: below 1 is safe, and 0.67 takes a twentieth more iterations.
#define ALONE 0.9

// ---- the last level

// Cholesky, lower, in place; a pivot that rounding has eaten counts as stiff.
void ond_factor_top(double *m, int n)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = m[i * n + j];
            for (int k = 0; k < j; ++k)
                sum -= m[i * n + k] * m[j * n + k];
            if (i > j)
                m[i * n + j] = sum / m[j * n + j];
            else
                m[i * n + i] = sum > 1e-14 * m[i * n + i] ? sqrt(sum) : 1e150;
        }
}

static void solve_top(const double *m, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            x[i] -= m[i * n + k] * x[k];
        x[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k)
            x[i] -= m[k * n + i] * x[k];
        x[i] /= m[i * n + i];
    }
}

// ---- the others

typedef struct LevelPass {
    const OndLoops *loops;
    OndGroupLevel *l;
    int sweeps;
    OndGroupLoop loop;
} LevelPass;

static LevelPass pass_over(const OndSph *s, OndGroupLevel *l)
{
    return (LevelPass){s->loops,
                       l,
                       l == s->rigid->level ? 1 : SWEEPS,
                       {l->first, l->length, l->near, (const double *)l->link,
                        (const double *)l->whole, (const double *)l->inverse, l->r[0], l->x[0],
                        l->t[0], l == s->rigid->level ? ALONE : OND_SMOOTHING}};
}

// t = r - A x
static void leave_range(int first, int last, int worker, void *context)
{
    const LevelPass *p = context;
    p->loops->leave(&p->loop, first, last);
}

static void begin_range(int first, int last, int worker, void *context)
{
    const LevelPass *p = context;
    p->loops->begin(&p->loop, first, last);
}

static void relax_range(int first, int last, int worker, void *context)
{
    const LevelPass *p = context;
    p->loops->relax(&p->loop, first, last);
}

static void add_range(int first, int last, int worker, void *context)
{
    const LevelPass *p = context;
    double *restrict x = p->loop.x;
    const double *restrict t = p->loop.out;
    for (int k = 6 * first; k < 6 * last; ++k)
        x[k] += t[k];
}

static void hand_up(const OndGroupLevel *l, OndGroupLevel *up)
{
    for (int k = 0; k < up->count; ++k) {
        double *const r = up->r[k];
        memset(r, 0, sizeof *up->r);
        for (int n = up->child_first[k]; n < up->child_first[k + 1]; ++n) {
            const int i = up->child[n];
            for (int a = 0; a < 3; ++a) {
                const int p = (a + 1) % 3, q = (a + 2) % 3;
                const double dp = l->center[i][p] - up->center[k][p];
                const double dq = l->center[i][q] - up->center[k][q];
                r[a] += l->t[i][a];
                r[3 + a] += l->t[i][3 + a] + dp * l->t[i][q] - dq * l->t[i][p];
            }
        }
    }
}

static void hand_down(OndGroupLevel *l, const OndGroupLevel *up)
{
    for (int i = 0; i < l->count; ++i) {
        const double *const v = up->x[l->parent[i]], *const c = up->center[l->parent[i]];
        const double d[3] = {l->center[i][0] - c[0], l->center[i][1] - c[1],
                             l->center[i][2] - c[2]};
        for (int a = 0; a < 3; ++a) {
            const int p = (a + 1) % 3, q = (a + 2) % 3;
            l->x[i][a] += PUSH_ON * (v[a] + v[3 + p] * d[q] - v[3 + q] * d[p]);
            l->x[i][3 + a] += PUSH_ON * v[3 + a];
        }
    }
}

// x is improved; where it is `zero`, what it leaves is r.
static void smooth(LevelPass *p, bool zero)
{
    if (zero) ond_parallel_for(p->l->count, GRAIN, begin_range, p);
    for (int k = zero ? 1 : 0; k < p->sweeps; ++k) {
        ond_parallel_for(p->l->count, GRAIN, relax_range, p);
        ond_parallel_for(p->l->count, 16 * GRAIN, add_range, p);
    }
}

static void cycle(const OndSph *s, int n, bool zero)
{
    OndRigid *const g = s->rigid;
    OndGroupLevel *const l = &g->level[n];
    const bool last = n + 1 == g->level_count;
    if (last && l->count <= OND_TOP) {
        memcpy(l->x, l->r, (size_t)l->count * sizeof *l->x);
        solve_top(g->top, 6 * l->count, l->x[0]);
        return;
    }
    LevelPass pass = pass_over(s, l);
    smooth(&pass, zero);
    if (!last) {
        ond_parallel_for(l->count, GRAIN, leave_range, &pass);
        hand_up(l, l + 1);
        cycle(s, n + 1, true);
        if (n + 2 < g->level_count) cycle(s, n + 1, false);
        hand_down(l, l + 1);
    }
    smooth(&pass, false);
}

void ond_rigid_cycle(OndSph *s)
{
    if (s->rigid->level[0].count) cycle(s, 0, true);
}
