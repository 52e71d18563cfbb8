// SPDX-License-Identifier: MIT
// Neighbour lists and the sum of W, cell by cell.
//
// The candidates of a cell stand in at most nine runs of memory (18 with images) and are copied side
// by side. Each particle of the cell measures its distance to all of them and packs the indices of
// those within reach (space/pack.h); the sum is over those. With h = 2 spacings about 216 candidates
// are tried and 30 kept.
#include "particles/loops/near.h"
#include "space/pack.h"

// Particles, then images. Returns how many.
static uint32_t collect(const OndSearchLoop *s, int cell, const OndNearBuffer *to)
{
    OndRun run[9];
    uint32_t n = 0;
    const int runs = ond_cells_near(s->cells, cell, run);
    for (int r = 0; r < runs; ++r)
        n = ond_pack_add(to, n, s->px, s->py, s->pz, run[r]);
    const int images = s->images ? ond_cells_near(s->images, cell, run) : 0;
    for (int r = 0; r < images; ++r) {
        const OndRun image = {s->image_base + run[r].first, s->image_base + run[r].last};
        n = ond_pack_add(to, n, s->px, s->py, s->pz, image);
    }
    ond_pack_end(to, n);
    return n;
}

// Over a list of n neighbours that is filled up.
OND_INLINE float sum_shape(const OndSearchLoop *s, uint32_t i, const uint32_t *list, int n,
                           const int kind)
{
    const float inv_h = s->kernel.inv_h;
    const OndQuad at = s->place[i];
    const float xi = at[0], yi = at[1], zi = at[2];
    OndLanes sum = {{0}};
    for (; n > 0; n -= OND_LANES, list += OND_LANES) {
        OndNear near;
        ond_near_take(s->place, list, &near);
#pragma omp simd
        for (int k = 0; k < OND_LANES; ++k) {
            const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
            const float r2 = dx * dx + (dy * dy + dz * dz);
            const float more = sum.at[k] + ond_kernel_shape(kind, r2, inv_h);
            sum.at[k] = k < n ? more : sum.at[k];
        }
    }
    return ond_lanes_in_turn(&sum);
}

OND_INLINE void search_range(const OndSearchLoop *s, int first_cell, int last_cell,
                             OndNearBuffer *w, const int kind)
{
    OndPack pack = {.from = w, .reach2 = s->reach2};
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = s->cells->first[cell], last = s->cells->first[cell + 1];
        if (first == last) continue;
        pack.count = collect(s, cell, w);
        for (uint32_t i = first; i < last; ++i) {
            uint32_t *const list =
                ond_lists_take(&s->lists, &w->slab, pack.count + OND_PACK_OVER + OND_LANES);
            if (!list) return;
            pack.list = list, pack.self = i;
            pack.at[0] = s->px[i], pack.at[1] = s->py[i], pack.at[2] = s->pz[i];
            const uint32_t n = ond_pack_near(&pack);
            for (uint32_t k = 0; k < OND_LANES; ++k)
                list[n + k] = i;
            const float sum = sum_shape(s, i, list, (int)n, kind);
            s->sum[i] = s->kernel.value * sum + s->kernel.value; // itself: shape(0) = 1
            s->lists.first[i] = w->slab.at;
            s->lists.length[i] = (n + OND_LANES - 1) / OND_LANES * OND_LANES;
            w->slab.at += s->lists.length[i];
        }
    }
}

void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker);
void OND_LOOP(search)(const OndSearchLoop *s, int first_cell, int last_cell, int worker)
{
#define RUN(kind) search_range(s, first_cell, last_cell, &s->worker[worker], kind)
    OND_FOR_KERNEL(s->kernel.kind, RUN)
#undef RUN
}
