// SPDX-License-Identifier: MIT
#include "space/rows.h"

#include "base/memory.h"

OndStatus ond_rows_reserve(OndRows *rows, const OndSpaceItems *items, size_t count, OndError *err)
{
    const size_t stride = (count + 2 * OND_SPACE_PAD - 1) / OND_SPACE_PAD * OND_SPACE_PAD;
    const int sides = 2 * items->dimension;
    const size_t want = stride * (size_t)(sides + 1);
    if (count > UINT32_MAX / 2) return ond_fail(err, OND_NO_MEMORY, "too many boxes: %zu", count);
    if (want > rows->room) {
        ond_free(rows->block);
        rows->room = want + want / 16;
        rows->block = OND_NEW_ARRAY(float, rows->room);
        if (!rows->block) rows->room = 0;
        if (!rows->block)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for %zu boxes", count);
    }
    rows->loop.sides = sides;
    for (int s = 0; s < sides; ++s)
        rows->loop.side[s] = rows->block + stride * (size_t)s;
    rows->loop.id = (const uint32_t *)(rows->block + stride * (size_t)sides);
    rows->loops = ond_space_loops();
    return OND_OK;
}

void ond_rows_free(OndRows *rows)
{
    ond_free(rows->block);
    memset(rows, 0, sizeof *rows);
}

void ond_pending_flush(OndPending *p)
{
    if (!p->runs || p->failed) return;
    p->failed = !ond_hits_reserve(p->hits, p->boxes);
    if (!p->failed) {
        OndTouchFound found = {(uint32_t *)p->hits->item, (uint32_t)p->hits->count, 0};
        p->rows->loops->touch(&p->rows->loop, p->limits, p->run, p->runs, &found);
        p->hits->count = (int)found.count;
        p->hits->doubt |= found.doubts != 0;
    }
    p->runs = 0, p->boxes = 0;
}

bool ond_pending_end(OndPending *p)
{
    ond_pending_flush(p);
    return !p->failed;
}
