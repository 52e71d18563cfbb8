// SPDX-License-Identifier: MIT
// Neighbour lists, cell by cell: the points of the cells around are copied side by side, then each
// point of the cell is measured against all of them.
#include "space/loops.h"
#include "space/pack.h"

#include <math.h>
#include <string.h>

#define STEP OND_PACK_OVER

// Whole vectors: reads and writes up to STEP - 1 elements past the end.
static inline void copy(float *to, const float *from, uint32_t count)
{
    for (uint32_t k = 0; k < count; k += STEP)
        memcpy(to + k, from + k, STEP * sizeof(float));
}

// The candidates of a cell, side by side in the worker's own memory, filled up with points that are
// near to nobody. Returns how many.
static uint32_t gather(const OndNearLoop *s, int cell, const OndNearBuffer *to)
{
    OndRun run[9];
    const int runs = ond_cells_near(s->cells, cell, run);
    uint32_t n = 0;
    for (int r = 0; r < runs; ++r) {
        const uint32_t from = run[r].first, count = run[r].last - from;
        copy(to->x + n, s->x + from, count);
        copy(to->y + n, s->y + from, count);
        copy(to->z + n, s->z + from, count);
        for (uint32_t k = 0; k < count; ++k)
            to->id[n + k] = from + k;
        n += count;
    }
    for (uint32_t k = 0; k < STEP; ++k)
        to->x[n + k] = INFINITY;
    return n;
}

void OND_SPACE_LOOP(near)(const OndNearLoop *s, int first_cell, int last_cell, int worker);
void OND_SPACE_LOOP(near)(const OndNearLoop *s, int first_cell, int last_cell, int worker)
{
    OndNearBuffer *b = &s->buffer[worker];
    OndPack pack = {.x = b->x, .y = b->y, .z = b->z, .id = b->id, .reach2 = s->reach2};
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = s->cells->first[cell], last = s->cells->first[cell + 1];
        if (first == last) continue;
        const uint32_t candidates = gather(s, cell, b);
        for (uint32_t i = first; i < last; ++i) {
            pack.index = ond_lists_take(&s->lists, &b->slab, candidates + OND_PACK_OVER);
            if (!pack.index) return;
            pack.at[0] = s->x[i], pack.at[1] = s->y[i], pack.at[2] = s->z[i];
            pack.self = i;
            s->lists.first[i] = b->slab.at;
            s->lists.length[i] = ond_pack_run(&pack, (OndRun){0, candidates}, 0, 1, 0);
            b->slab.at += s->lists.length[i];
        }
    }
}
