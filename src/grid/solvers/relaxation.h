// SPDX-License-Identifier: MIT
// Red-black passes, which Gauss-Seidel and SOR share.
#ifndef OND_GRID_RELAXATION_H
#define OND_GRID_RELAXATION_H

#include "grid/solvers/solver_method.h"

/// Iterates with over-relaxation `omega`, looking at the residual now and then: an iteration is
/// cheap, a look costs as much as half of one. Needs two work arrays.
void ond_relax(OndSolve *solve, double omega);

/// Bytes of an iteration.
double ond_relax_traffic(const OndSystem *system);

#endif
