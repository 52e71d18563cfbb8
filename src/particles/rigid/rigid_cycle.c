// SPDX-License-Identifier: MIT
// One cycle over the groups: smooth, hand what is left to the level above, take its answer, smooth.
//
// Smoothing is block Jacobi's, a group's own six equations at a time, the same before and after, so
// that the cycle is symmetric as conjugate gradients need it. A link ties two groups, so A is at most
// twice its own blocks, and two thirds of Jacobi's step damps the upper half of what there is. Groups
// that move stiffly are too stiff for what bends; so the level above is asked twice (W cycle), what it
// finds is made larger, and levels, which are small, are smoothed twice. With that letters take 35
// iterations where an exact answer would take 32, and once, as it is, 42.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define GRAIN   64
#define SWEEPS  2
#define PUSH_ON 1.4

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

static void add_block(const double m[36], const double x[6], double y[6], double sign)
{
    for (int a = 0; a < 6; ++a) {
        double sum = 0;
        for (int b = 0; b < 6; ++b)
            sum += m[6 * a + b] * x[b];
        y[a] += sign * sum;
    }
}

// t = r - A x
static void left_range(int first, int last, int worker, void *context)
{
    const OndGroupLevel *const l = context;
    for (int k = first; k < last; ++k) {
        double *const t = l->t[k];
        memcpy(t, l->r[k], sizeof *l->t);
        add_block(l->whole[k], l->x[k], t, -1.0);
        for (uint32_t e = l->first[k]; e < l->first[k] + l->length[k]; ++e)
            add_block(l->link[e], l->x[l->near[e]], t, -1.0);
    }
}

// x += step t by each group's own equations
static void correct_range(int first, int last, int worker, void *context)
{
    const OndGroupLevel *const l = context;
    for (int k = first; k < last; ++k) {
        ond_cholesky6_solve((const double(*)[6])l->factor[k], l->t[k]);
        for (int a = 0; a < 6; ++a)
            l->x[k][a] += OND_SMOOTHING * l->t[k][a];
    }
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

// x is improved; where it is 0, what it leaves is r.
static void smooth(OndGroupLevel *l, bool zero)
{
    for (int k = 0; k < SWEEPS; ++k) {
        if (zero && k == 0)
            memcpy(l->t, l->r, (size_t)l->count * sizeof *l->t);
        else
            ond_parallel_for(l->count, GRAIN, left_range, l);
        ond_parallel_for(l->count, GRAIN, correct_range, l);
    }
}

static void cycle(OndRigid *g, int n, bool zero)
{
    OndGroupLevel *const l = &g->level[n];
    const bool last = n + 1 == g->level_count;
    if (zero) memset(l->x, 0, (size_t)l->count * sizeof *l->x);
    if (last && l->count <= OND_TOP) {
        memcpy(l->x, l->r, (size_t)l->count * sizeof *l->x);
        solve_top(g->top, 6 * l->count, l->x[0]);
        return;
    }
    smooth(l, zero);
    if (!last) {
        ond_parallel_for(l->count, GRAIN, left_range, l);
        hand_up(l, l + 1);
        cycle(g, n + 1, true);
        if (n + 2 < g->level_count) cycle(g, n + 1, false);
        hand_down(l, l + 1);
    }
    smooth(l, false);
}

void ond_rigid_cycle(OndRigid *g)
{
    if (g->level[0].count) cycle(g, 0, true);
}
