// SPDX-License-Identifier: MIT
// Inside of OndHits, for src/space/ alone.
#ifndef OND_SPACE_HITS_H
#define OND_SPACE_HITS_H

#include "space/space.h"

/// Makes room for `more` hits and a vector past them; false when there is no memory.
bool ond_hits_reserve(OndHits *hits, size_t more);

/// Increasing order, each once. All are below `objects`.
void ond_hits_sort(OndHits *hits, int objects);

#endif
