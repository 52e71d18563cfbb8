// SPDX-License-Identifier: MIT
// Sums over all particles: by fixed blocks, so that they are the same for any number of threads.
#include "base/parallel.h"
#include "particles/incompressible/projection_state.h"

typedef struct BlockPass {
    OndTotals *t;
    OndTotalFn *body;
} BlockPass;

static void pass_blocks(int first, int last, int worker, void *context)
{
    const BlockPass *p = context;
    const int count = p->t->s->fields.count;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, end = begin + OND_SUM_BLOCK;
        p->body(p->t, b, begin, end < count ? end : count);
    }
}

OndStatus ond_totals_make(OndSph *s, OndTotals *out, OndError *err)
{
    const int blocks = ond_sum_block_count(s->fields.count);
    double *const sums = ond_sph_sums(s, 3 * blocks);
    if (!sums)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over %d particles",
                        s->fields.count);
    *out = (OndTotals){.s = s,
                       .p = s->projection,
                       .first = sums,
                       .second = sums + blocks,
                       .third = sums + 2 * blocks};
    return OND_OK;
}

void ond_totals_find(OndTotals *t, OndTotalFn *body)
{
    const int blocks = ond_sum_block_count(t->s->fields.count);
    BlockPass pass = {t, body};
    ond_parallel_for(blocks, 1, pass_blocks, &pass);
    t->sum[0] = t->sum[1] = t->most = 0.0;
    for (int b = 0; b < blocks; ++b) {
        t->sum[0] += t->first[b];
        t->sum[1] += t->second[b];
        t->most = fmax(t->most, t->third[b]);
    }
}
