// SPDX-License-Identifier: MIT
// What each worker of a neighbour search keeps to itself: its slab of the pool, and the candidates
// of the cell that it is at, side by side (pack.h).
#ifndef OND_SPACE_NEAR_BUFFERS_H
#define OND_SPACE_NEAR_BUFFERS_H

#include "space/lists.h"

/// Candidates that are read or written at once: so many past the end there must be room for.
#define OND_PACK_OVER 16

typedef struct OndNearBuffer {
    OndCandidates slab; ///< of the pool
    float *x, *y, *z;   ///< candidates of a cell
    uint32_t *id;
} OndNearBuffer;

typedef struct OndNearBuffers {
    OndNearBuffer *each; ///< one a worker
    int workers, room;   ///< threads and candidates there is room for
} OndNearBuffers;

/// Room for the threads of now and so many candidates of a cell; slabs are empty then.
OndStatus ond_near_buffers_make(OndNearBuffers *buffers, double candidates, OndError *err);
void ond_near_buffers_free(OndNearBuffers *buffers);
size_t ond_near_buffers_bytes(const OndNearBuffers *buffers);
/// Nobody has a slab, for a search that begins.
void ond_near_buffers_begin(OndNearBuffers *buffers);

#endif
