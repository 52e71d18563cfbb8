// SPDX-License-Identifier: MIT
// Neighbour lists, cell by cell: the points of the cells around are copied side by side, then each
// point of the cell is measured against all of them.
#include "space/loops.h"
#include "space/pack.h"

// The candidates of a cell. Returns how many.
static uint32_t gather(const OndNearLoop *s, int cell, const OndNearBuffer *to)
{
    OndRun run[9];
    const int runs = ond_cells_near(s->cells, cell, run);
    uint32_t n = 0;
    for (int r = 0; r < runs; ++r)
        n = ond_pack_add(to, n, s->x, s->y, s->z, run[r]);
    ond_pack_end(to, n);
    return n;
}

void OND_SPACE_LOOP(near)(const OndNearLoop *s, int first_cell, int last_cell, int worker);
void OND_SPACE_LOOP(near)(const OndNearLoop *s, int first_cell, int last_cell, int worker)
{
    OndNearBuffer *b = &s->buffer[worker];
    OndPack pack = {.from = b, .reach2 = s->reach2};
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = s->cells->first[cell], last = s->cells->first[cell + 1];
        if (first == last) continue;
        pack.count = gather(s, cell, b);
        for (uint32_t i = first; i < last; ++i) {
            pack.list = ond_lists_take(&s->lists, &b->slab, pack.count + OND_PACK_OVER);
            if (!pack.list) return;
            pack.at[0] = s->x[i], pack.at[1] = s->y[i], pack.at[2] = s->z[i];
            pack.self = i;
            s->lists.first[i] = b->slab.at;
            s->lists.length[i] = ond_pack_near(&pack);
            b->slab.at += s->lists.length[i];
        }
    }
}
