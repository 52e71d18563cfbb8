// SPDX-License-Identifier: MIT
// One cycle over the groups: smooth, hand what is left to the level above, take its answer, smooth.
//
// Smoothing is Jacobi's, the same before and after, so that the cycle is symmetric as conjugate
// gradients need it. A quad holds the three directions of a group.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define SMOOTHING 0.8f // of Jacobi's step
#define PUSH_ON   1.8f // groups that move stiffly are too stiff: what they find is made larger
#define GRAIN     1024

typedef struct Smooth {
    OndAggregateLevel *l;
    bool last; // t = x + step (r - A x) / diagonal; else t = r - A x
} Smooth;

static void smooth_range(int first, int last, int worker, void *context)
{
    const Smooth *m = context;
    const OndAggregateLevel *l = m->l;
    const OndQuad *restrict x = l->x;
    for (int k = first; k < last; ++k) {
        const int *restrict near = l->near[k];
        const float *restrict link = l->link[k];
        OndQuad even = l->r[k] - l->diagonal[k] * x[k], odd = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int way = 0; way < 26; way += 2) {
            even += link[way] * x[near[way]];
            odd += link[way + 1] * x[near[way + 1]];
        }
        even += odd;
        l->t[k] = m->last ? x[k] + SMOOTHING * l->inverse[k] * even : even;
    }
}

static void start_level(OndAggregateLevel *l, float step)
{
    for (int k = 0; k < l->count; ++k)
        l->x[k] = step * l->inverse[k] * l->r[k];
}

static void hand_up(const OndAggregateLevel *l, OndAggregateLevel *up)
{
    memset(up->r, 0, (size_t)up->count * sizeof *up->r);
    for (int k = 0; k < l->count; ++k)
        for (int c = 0; c < 8; ++c)
            up->r[l->corner[k][c]] += l->blend[k][c] * l->t[k];
}

static void hand_down(OndAggregateLevel *l, const OndAggregateLevel *up)
{
    for (int k = 0; k < l->count; ++k) {
        OndQuad sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int c = 0; c < 8; ++c)
            sum += l->blend[k][c] * up->x[l->corner[k][c]];
        l->x[k] += PUSH_ON * sum;
    }
}

static void cycle(OndRigid *g, int n)
{
    OndAggregateLevel *l = &g->level[n];
    start_level(l, n + 1 == g->level_count ? 1.0f : SMOOTHING);
    if (n + 1 == g->level_count) return;
    Smooth m = {l, false};
    ond_parallel_for(l->count, GRAIN, smooth_range, &m);
    hand_up(l, &g->level[n + 1]);
    cycle(g, n + 1);
    hand_down(l, &g->level[n + 1]);
    m.last = true;
    ond_parallel_for(l->count, GRAIN, smooth_range, &m);
    OndQuad *x = l->x;
    l->x = l->t, l->t = x;
}

void ond_rigid_cycle(OndRigid *g)
{
    cycle(g, 0);
}
