// SPDX-License-Identifier: MIT
// Smoke: an incompressible flow on a staggered grid that carries a density and a temperature.
//
//     solids      open share of each face from the distance at its corners: a sphere is no
//     staircase forces      buoyancy  -g (expansion (T - T_air) - weight density), vorticity
//     confinement advect      the velocity by itself (advect.h) viscosity   implicit (diffuse.h)
//     project     with the chosen solver (pressure.h)
//     carry       density and temperature with the new flow; they spread, fade and cool
//
// Gravity itself is left out: in a fluid of one density it only adds to the pressure.
//
// Velocities inside solids are the solid's, so fluid sticks to them as far as a cell can tell;
// walls of the domain have their `slip`. [Fedkiw 2001] Visual simulation of smoke; [Batty 2007] A
// fast variational framework for accurate solid-fluid coupling.
#ifndef OND_GRID_SMOKE_H
#define OND_GRID_SMOKE_H

#include "physics/method.h"

extern const OndMethod ond_smoke_method;
extern const OndMethod ond_current_method; ///< the same for water: other defaults, longer steps

#endif
