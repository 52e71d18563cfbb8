// SPDX-License-Identifier: MIT
// Particles in the order of their cells: near in space becomes near in memory.
#ifndef OND_PARTICLES_SORTING_H
#define OND_PARTICLES_SORTING_H

#include "base/fields.h"
#include "space/cells.h"

// Scratch of a sort; a zeroed one is ready.
typedef struct OndSorting {
    uint32_t *key, *order;
    int room;
    double *extent; // six a block
    int blocks;
} OndSorting;

/// Lays cells of `reach` over the particles' positions and reorders all their fields by them.
OndStatus ond_sorting_sort(OndSorting *sorting, OndFields *fields, float reach, OndCells *cells,
                           OndError *err);
/// From the least to the most of x[first] to before x[last], one at least.
void ond_sorting_range(const float *x, int first, int last, float *low, float *high);
size_t ond_sorting_bytes(const OndSorting *sorting);
void ond_sorting_free(OndSorting *sorting);

#endif
