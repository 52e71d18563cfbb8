// SPDX-License-Identifier: MIT
// Inside of OndHits, for src/space/ alone.
#ifndef OND_SPACE_HITS_H
#define OND_SPACE_HITS_H

#include "space/space.h"

#define OND_HITS_SPARE 16 // entries a packing loop may write past its result

bool ond_hits_grow(OndHits *hits, size_t more);

/// Makes room for `more` hits and a vector past them; false when there is no memory.
static inline bool ond_hits_reserve(OndHits *hits, size_t more)
{
    return (size_t)hits->count + more + OND_HITS_SPARE <= (size_t)hits->room ||
           ond_hits_grow(hits, more);
}

void ond_hits_sort_many(OndHits *hits, int objects);

/// Increasing order, each once. All are below `objects`. Objects of one cell come in order.
static inline void ond_hits_sort(OndHits *hits, int objects)
{
    int n = 1;
    while (n < hits->count && hits->item[n - 1] < hits->item[n])
        ++n;
    if (n < hits->count) ond_hits_sort_many(hits, objects);
}

#endif
