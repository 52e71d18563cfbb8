// SPDX-License-Identifier: MIT
// Neighbour lists and the sum of W, cell by cell.
//
// The candidates of a cell stand in at most nine runs of memory (18 with images). Each particle of
// the cell measures its distance to all of them and packs the indices of those within reach
// (space/pack.h). With h = 2 spacings about 216 candidates are tried and 30 kept.
#include "base/memory.h"
#include "particles/loops/loops.h"
#include "space/pack.h"

// The runs round a cell: of particles, then of images. Returns how many particles they hold.
static uint32_t collect(const OndSearchLoop *s, int cell, OndRun run[18], int *runs)
{
    *runs = ond_cells_near(s->cells, cell, run);
    if (s->images) {
        const int more = ond_cells_near(s->images, cell, run + *runs);
        for (int r = *runs; r < *runs + more; ++r)
            run[r].first += s->image_base, run[r].last += s->image_base;
        *runs += more;
    }
    uint32_t sum = 0;
    for (int r = 0; r < *runs; ++r)
        sum += run[r].last - run[r].first;
    return sum;
}

OND_INLINE float sum_shape(const float *r2, uint32_t count, OndKernelSet k, const int kind)
{
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (uint32_t c = 0; c < count; ++c)
        sum += ond_kernel_shape(kind, r2[c], k.inv_h);
    return sum;
}

static float sum_kernel(const float *r2, uint32_t count, OndKernelSet k)
{
    float sum = 0.0f;
#define SUM(kind) sum = sum_shape(r2, count, k, kind)
    OND_FOR_KERNEL(k.kind, SUM)
#undef SUM
    return k.value * sum;
}

static void search_one(const OndSearchLoop *s, OndCandidates *w, uint32_t i, const OndRun *run,
                       int runs, uint32_t candidates)
{
    uint32_t *list = ond_lists_take(&s->lists, w, candidates + 2 * OND_PACK_OVER);
    if (!list) return;
    const OndPack pack = {.x = s->px,
                          .y = s->py,
                          .z = s->pz,
                          .reach2 = s->reach2,
                          .at = {s->px[i], s->py[i], s->pz[i]},
                          .self = i,
                          .index = list,
                          .r2 = w->r2};
    uint32_t n = 0;
    for (int r = 0; r < runs; ++r)
        n = ond_pack_run(&pack, run[r], n, 0, 1);
    for (uint32_t k = 0; k < OND_LANES; ++k) {
        list[n + k] = i;
        w->r2[n + k] = s->kernel.h2; // W = 0
    }
    const uint32_t length = (n + OND_LANES - 1) / OND_LANES * OND_LANES;
    s->sum[i] = sum_kernel(w->r2, length, s->kernel) + s->kernel.value; // itself: shape(0) = 1
    s->lists.first[i] = w->at;
    s->lists.length[i] = length;
    w->at += length;
}

void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker);
void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker)
{
    OndCandidates *w = &s->worker[worker];
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = s->cells->first[cell], last = s->cells->first[cell + 1];
        if (first == last) continue;
        OndRun run[18];
        int runs = 0;
        const uint32_t candidates = collect(s, cell, run, &runs);
        for (uint32_t i = first; i < last; ++i)
            search_one(s, w, i, run, runs, candidates);
    }
}
