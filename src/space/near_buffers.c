// SPDX-License-Identifier: MIT
#include "space/near_buffers.h"

#include "base/memory.h"
#include "base/parallel.h"

#define PAD   OND_PACK_OVER
#define SHIFT 48 // between arrays: their k-th elements must not compete for a cache set

OndStatus ond_near_buffers_make(OndNearBuffers *b, double candidates, OndError *err)
{
    const int workers = ond_threads();
    if (candidates <= b->room && workers <= b->workers) return OND_OK;
    ond_near_buffers_free(b);
    b->each = OND_NEW_ARRAY(OndNearBuffer, workers);
    b->workers = b->each ? workers : 0;
    const size_t room = ((size_t)candidates + (size_t)candidates / 4 + 3 * PAD) / PAD * PAD;
    for (int w = 0; w < b->workers; ++w) {
        float *block = OND_NEW_ARRAY(float, 4 * (room + SHIFT));
        b->each[w].x = block;
        if (!block) break;
        b->each[w].y = block + (room + SHIFT), b->each[w].z = block + 2 * (room + SHIFT);
        b->each[w].id = (uint32_t *)(block + 3 * (room + SHIFT));
        if (w == workers - 1) b->room = (int)(room - 2 * PAD);
    }
    if (b->room) return OND_OK;
    ond_near_buffers_free(b);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.0f neighbour candidates",
                    candidates);
}

void ond_near_buffers_free(OndNearBuffers *b)
{
    for (int w = 0; w < b->workers; ++w)
        ond_free(b->each[w].x);
    ond_free(b->each);
    *b = (OndNearBuffers){0};
}

size_t ond_near_buffers_bytes(const OndNearBuffers *b)
{
    return (size_t)b->workers * ((size_t)b->room * 4 * sizeof(float) + sizeof *b->each);
}

void ond_near_buffers_begin(OndNearBuffers *b)
{
    for (int w = 0; w < b->workers; ++w)
        b->each[w].slab.at = b->each[w].slab.end = 0;
}
