// SPDX-License-Identifier: MIT
// Neighbour lists of all points in one pool. Workers take slabs of it and fill them list by list,
// so nobody waits; where a list ends up differs from run to run, what it holds does not.
#ifndef OND_SPACE_LISTS_H
#define OND_SPACE_LISTS_H

#include "space/cells.h"

#include <stdatomic.h>
#include <stdint.h>

#define OND_SLAB 65536 // list entries taken from the pool at a time: some 2000 lists, 256 KiB

// Lists of all particles, in slabs handed out to workers.
typedef struct OndLists {
    uint32_t *pool;
    uint32_t *first, *length; // of each particle; lengths are padded
    uint32_t capacity;        // of the pool
    _Atomic(uint32_t) *used;  // shared by the workers
    _Atomic(int) *overflow;   // set when the pool was too small: grow it and search again
} OndLists;

// What a worker of the search keeps to itself: a cache line each, since it changes with every
// particle.
typedef struct OndCandidates {
    _Alignas(64) uint32_t at; // rest of this worker's slab of the pool
    uint32_t end;
} OndCandidates;

/// Room for one list of at most `most` entries, at w->at; NULL when the pool is used up.
static inline uint32_t *ond_lists_take(const OndLists *lists, OndCandidates *w, uint32_t most)
{
    if (w->end - w->at >= most) return lists->pool + w->at;
    if (atomic_load_explicit(lists->overflow, memory_order_relaxed)) return NULL;
    const uint32_t size = most > OND_SLAB ? most : OND_SLAB;
    const uint32_t at = atomic_fetch_add_explicit(lists->used, size, memory_order_relaxed);
    if (at > lists->capacity || lists->capacity - at < size) {
        atomic_store_explicit(lists->overflow, 1, memory_order_relaxed);
        return NULL;
    }
    w->at = at, w->end = at + size;
    return lists->pool + at;
}

#endif
