// SPDX-License-Identifier: MIT
// Geometric multigrid: one V-cycle, x = M b with M close to the inverse of A.
//
// Each coarser grid has half the cells along every axis that has more than one, rounded up, down to
// a single cell. Weights of coarse faces are the mean of the fine ones, so fractional faces and
// thin walls keep their meaning; what holds cells to given values is carried along so that it stays
// at its distance (multigrid_coarsen.c). Values go up and down by loops_levels.c.
//
// The smoother is Jacobi with the step lengths of Chebyshev's polynomial: two sweeps damp all that
// a coarser grid cannot show to a third, better than a red-black sweep, which costs as much; it
// needs no colours, and M is symmetric and positive definite as it stands, whatever the domain: the
// largest eigenvalue of A / D is never above 2.
#ifndef OND_GRID_MULTIGRID_H
#define OND_GRID_MULTIGRID_H

#include "grid/solvers/sweep.h"
#include "grid/solvers/system.h"

#define OND_LEVELS_MOST 20

typedef struct OndLevel {
    OndMatrix matrix;
    float *x, *b, *t; ///< correction, right side, room; the finest level's are the caller's
} OndLevel;

typedef struct OndMultigrid {
    OndLevel level[OND_LEVELS_MOST]; ///< from fine to coarse
    int levels;
    size_t bytes;
} OndMultigrid;

/// Room for all levels but the finest.
OndMultigrid *ond_multigrid_create(const OndGrid *grid, OndError *err);
void ond_multigrid_destroy(OndMultigrid *multigrid);

/// Coarse matrices for a fine one, whose arrays are pointed to.
void ond_multigrid_prepare(OndMultigrid *multigrid, const OndMatrix *matrix);

/// x = M b. All three are arrays of the fine grid, x and t with ghosts of 0, b being 0 where there
/// is no unknown. Returns the sum of b x.
double ond_multigrid_cycle(OndMultigrid *multigrid, OndGridSweep *sweep, float *b, float *x,
                           float *t);

/// Bytes that a cycle reads and writes.
double ond_multigrid_traffic(const OndMultigrid *multigrid);

/// Fills `coarse` from the matrix of `level` (multigrid_coarsen.c); `room` is an array of its grid.
void ond_multigrid_coarsen(const OndMatrix *fine, const OndMatrix *coarse, int level, float *room);
/// Children of a coarse cell: 2 for each axis with more than one cell.
int ond_multigrid_children(const OndGrid *fine);

#endif
