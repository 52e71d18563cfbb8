// SPDX-License-Identifier: MIT
// Stable fluids, as the source has them: for reading beside it.
//
// Velocity and density stand in the middles of the cells. A step:
//
//     diffuse   v = (v_before + a sum of the neighbours' v) / (1 + 2 d a),  a = viscosity dt / h^2,
//               d the dimension: the implicit form, stable for any a
//     project   div = (v+ - v-) / 2h along each axis; solve sum of neighbours' p - 2 d p = h^2 div;
//               v -= (p+ - p-) / 2h
//     advect    a cell takes what stood where its own velocity comes from, between the four (eight)
//               nearest cells
//     project   again, for advection spoils it
//
// and the density is diffused and advected along. The systems are solved by a fixed number of
// rounds of Gauss-Seidel, or of Jacobi, which is what the source's worked example of 'Gauss-Seidel'
// is.
//
// Differences of v over two cells do not see a checkerboard, so the divergence does not vanish:
// that is the scheme's weakness, and why staggered grids are used elsewhere (smoke.h).
//
// Walls stop the flow across them and let it slide, unless their `slip` or `velocity` says
// otherwise. Cells whose middle lies in a solid move with it.
//
// [Stam 2003] Real-time fluid dynamics for games, GDC. [Stam 1999] Stable fluids, SIGGRAPH.
#ifndef OND_GRID_STAM_H
#define OND_GRID_STAM_H

#include "method/method.h"

extern const OndMethod ond_stam_method;

#endif
