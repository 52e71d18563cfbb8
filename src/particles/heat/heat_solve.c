// SPDX-License-Identifier: MIT
// The linear system of a heat step, by conjugate gradients.
//
//     (C_i + g_i + sum_j K_ij) x_i - sum_j K_ij x_j = residual_i
//
// symmetric, with a diagonal that outweighs the rest. The diagonal is the preconditioner: a step of
// a fluid is short, and one or two iterations are enough. Everything is in double, and sums go by
// fixed blocks. Instead of the solution alone, `value`, `flow` and `residual` are kept up to date,
// so that the caller may go on from there with another capacity.
#include "base/parallel.h"
#include "particles/heat/heat_state.h"

#define ROUNDING 4e-15 // times the diagonal and the temperature: a residual that cannot shrink

typedef struct Gradients {
    OndSph *s;
    OndHeat *h;
    OndFlowLoop flow;
    double limit, floor; // what residuals may be: limit C + floor D
    double along, back;  // alpha and beta
    double *sum, *worst; // by block
    int blocks;
} Gradients;

static inline int block_end(const Gradients *g, int block)
{
    const int end = (block + 1) * OND_SUM_BLOCK;
    return end < g->s->fields.count ? end : g->s->fields.count;
}

static inline double diagonal(const OndHeat *h, int i)
{
    return h->capacity[i] + h->outside[i] + h->sum[i];
}

// residual . residual / diagonal, and the worst residual.
static void judge(const Gradients *g, int block)
{
    const OndHeat *h = g->h;
    double sum = 0, worst = 0;
    for (int i = block * OND_SUM_BLOCK; i < block_end(g, block); ++i) {
        const double d = diagonal(h, i), r = h->residual[i];
        const double bad = fabs(r) / (g->limit * h->capacity[i] + g->floor * d);
        sum += r * r / d;
        worst = bad > worst || bad != bad ? bad : worst;
    }
    g->sum[block] = sum, g->worst[block] = worst;
}

static void begin_blocks(int first, int last, int worker, void *context)
{
    const Gradients *g = context;
    for (int b = first; b < last; ++b) {
        for (int i = b * OND_SUM_BLOCK; i < block_end(g, b); ++i)
            g->h->direction[i] = 0.0;
        judge(g, b);
    }
}

static void turn_range(int first, int last, int worker, void *context)
{
    const Gradients *g = context;
    OndHeat *h = g->h;
    for (int i = first; i < last; ++i)
        h->direction[i] = h->residual[i] / diagonal(h, i) + g->back * h->direction[i];
}

static void pull_blocks(int first, int last, int worker, void *context)
{
    const Gradients *g = context;
    OndHeat *h = g->h;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, end = block_end(g, b);
        g->s->loops->flow(&g->flow, begin, end);
        double sum = 0;
        for (int i = begin; i < end; ++i) {
            h->pulled[i] += h->outside[i] * h->direction[i];
            sum += h->direction[i] * (h->pulled[i] + h->capacity[i] * h->direction[i]);
        }
        g->sum[b] = sum;
    }
}

static void advance_blocks(int first, int last, int worker, void *context)
{
    const Gradients *g = context;
    OndHeat *h = g->h;
    for (int b = first; b < last; ++b) {
        for (int i = b * OND_SUM_BLOCK; i < block_end(g, b); ++i) {
            const double step = g->along * h->direction[i], lost = g->along * h->pulled[i];
            h->value[i] += step;
            h->flow[i] += lost;
            h->residual[i] -= lost + h->capacity[i] * step;
        }
        judge(g, b);
    }
}

static double add_up(const Gradients *g)
{
    double sum = 0;
    for (int b = 0; b < g->blocks; ++b)
        sum += g->sum[b];
    return sum;
}

static bool good_enough(const Gradients *g)
{
    for (int b = 0; b < g->blocks; ++b)
        if (!(g->worst[b] <= 1.0)) return false;
    return true;
}

int ond_heat_solve(OndSph *s, double limit, int most, double *sums)
{
    OndHeat *h = s->heat;
    const int n = s->fields.count, blocks = ond_sum_block_count(n);
    Gradients g = {.s = s,
                   .h = h,
                   .flow = {s->lists.pool, s->lists.first, s->lists.length, h->weight, h->direction,
                            h->pulled},
                   .limit = limit,
                   .floor = ROUNDING * h->magnitude,
                   .sum = sums,
                   .worst = sums + blocks,
                   .blocks = blocks};
    ond_parallel_for(blocks, 1, begin_blocks, &g);
    double rest = add_up(&g);
    for (int k = 0; k < most; ++k) {
        if (good_enough(&g)) return k;
        ond_parallel_for(n, 4 * OND_GRAIN, turn_range, &g);
        ond_heat_images(s, h->direction, false);
        ond_parallel_for(blocks, 1, pull_blocks, &g);
        const double stiff = add_up(&g);
        if (!(stiff > 0.0)) return -1;
        g.along = rest / stiff;
        ond_parallel_for(blocks, 1, advance_blocks, &g);
        const double now = add_up(&g);
        g.back = now / rest;
        rest = now;
    }
    return good_enough(&g) ? most : -1;
}
