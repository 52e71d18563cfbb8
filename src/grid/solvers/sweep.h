// SPDX-License-Identifier: MIT
// Runs a loop over all rows of a grid, on all threads.
//
// Rows go in blocks that depend on the grid alone, and sums are added block by block in order: the
// same bits for any number of threads.
#ifndef OND_GRID_SWEEP_H
#define OND_GRID_SWEEP_H

#include "grid/loops/loops.h"

typedef struct OndGridSweep {
    const OndGridLoops *loops;
    double *sum, *second; ///< one for each block
    double total_second;  ///< of the last run
} OndGridSweep;

/// Room for the sums of a grid and all smaller ones.
OndStatus ond_sweep_create(OndGridSweep *sweep, const OndGrid *grid, OndError *err);
void ond_sweep_free(OndGridSweep *sweep);

/// Runs `loop` over the rows of `grid`; returns the sum.
double ond_sweep_run(OndGridSweep *sweep, const OndGrid *grid, OndGridLoopFn *body,
                     OndGridLoop *loop);

/// Packed rows, for red-black passes: cells with even i first, those with odd i from row / 2 on.
/// All of an array, ghosts too.
void ond_sweep_pack(const OndGrid *grid, const float *from, float *packed);
void ond_sweep_unpack(const OndGrid *grid, const float *packed, float *to);
/// ond_grid_wrap of a packed array.
void ond_sweep_wrap_packed(const OndGrid *grid, float *packed);

#endif
