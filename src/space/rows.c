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
    rows->loop.margin = ond_sides_margin(items);
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
