// SPDX-License-Identifier: MIT
// An incomplete Cholesky factor: A is about L L', where L has entries where A has, and nowhere
// else.
//
// The modified kind, MIC(0): what is left out is mostly put on the diagonal, so that smooth
// functions come out right [Bridson 2015, 5.2]. Only its diagonal is stored, as p = 1 / L_ii; the
// rest of L is -w p.
//
// Each cell needs all before it, which is no work for threads. So the grid is cut into slabs that
// depend on its size alone, each with a factor of its own, and what joins slabs is left out: the
// same bits for any number of threads, and a few iterations more than one slab would take.
//
// [Bridson 2015] Fluid Simulation for Computer Graphics, 2nd edition.
#ifndef OND_GRID_CHOLESKY_H
#define OND_GRID_CHOLESKY_H

#include "grid/solvers/matrix.h"

typedef struct OndCholesky OndCholesky;

OndCholesky *ond_cholesky_create(const OndGrid *grid, OndError *err);
void ond_cholesky_destroy(OndCholesky *cholesky);
void ond_cholesky_prepare(OndCholesky *cholesky, const OndMatrix *matrix);
/// z = (L L')^-1 r; z has ghosts of 0.
void ond_cholesky_apply(const OndCholesky *cholesky, const float *r, float *z);
size_t ond_cholesky_bytes(const OndCholesky *cholesky);

#endif
