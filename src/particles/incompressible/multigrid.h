// SPDX-License-Identifier: MIT
// What relaxation leaves of a liquid's pressure: long waves, answered on grids.
//
// Impulses that vary slowly are given by their values at the nodes of a grid, linear in between. On
// such impulses the system (physics/incompressible.h) has the energy
//
//     1/2 sum_i 1/m_i |G_i k|^2,    G_i k = q grad k + T_i k,    q = 1 / V times the slope's ratio,
//     T_i = twice the sum of all gradients round i, less the slopes of solids' faces,
//
// so that each particle adds a small matrix to the grid's cell that it stands in: inside the liquid
// T = 0, and at a free surface it holds impulses at 0. Coarser grids follow from the finer one's
// matrices (Galerkin), and one V cycle of relaxation over all of them is the answer. It is symmetric
// and positive, so conjugate gradients take it in addition to each particle's own diagonal; their
// number of iterations then hardly grows with the liquid's depth.
#ifndef OND_PARTICLES_MULTIGRID_H
#define OND_PARTICLES_MULTIGRID_H

#include "particles/incompressible/projection.h"

typedef struct OndPressureGrids OndPressureGrids;

/// Lays the grids over the cells of this step, with all the memory they need. Made on first use.
OndStatus ond_multigrid_lay(OndPressureGrids **grids, const OndSph *s, OndError *err);
/// Finds their matrices; the slopes T stand in `slope`.
void ond_multigrid_make(OndPressureGrids *grids, const OndSph *s, OndQuad *slope);
/// Takes what is left (s->crowded, of those who have ease). Returns how far it would move the surface
/// of a liquid of that height, m: what a cell has too much of counts with its size, what evens out within it does not.
double ond_multigrid_take(OndPressureGrids *g, OndSph *s, double height);
/// Answers it. Returns its product with the answer.
double ond_multigrid_answer(OndPressureGrids *g);
/// The next direction: each particle's own answer, that of the grids, and `back` of the last one, in
/// the fourth value of places.
void ond_multigrid_turn(OndPressureGrids *g, OndSph *s, float back);

void ond_multigrid_free(OndPressureGrids *g); // NULL is allowed
size_t ond_multigrid_bytes(const OndPressureGrids *g);

#endif
