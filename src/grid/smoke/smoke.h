// SPDX-License-Identifier: MIT
// Smoke: an incompressible flow on a staggered grid that carries a density and a temperature.
//
//     solids     open share of each face from the distance at its corners: a sphere is no stairs
//     forces     half of the pressure, of viscosity, and of buoyancy, which is
//                -g (expansion (T - T_air) - weight density)
//     carry      density and temperature go along; they spread, fade and cool
//     advect     the velocity by itself (advect.h)
//     forces     the other half, where the fluid has arrived; vorticity confinement
//     viscosity  implicit
//     project    with the chosen solver (pressure.h)
//
// Why half and half: smoke_flow.c. Gravity itself is left out but along periodic axes: in a fluid
// of one density between walls it only adds to the pressure.
//
// Solids and walls of the domain have their `slip` (solid_ghosts.h), sources their own file
// (smoke_sources.h). [Fedkiw 2001] Visual simulation of smoke; [Batty 2007] A
// fast variational framework for accurate solid-fluid coupling.
#ifndef OND_GRID_SMOKE_H
#define OND_GRID_SMOKE_H

#include "method/method.h"

extern const OndMethod ond_smoke_method;
extern const OndMethod ond_current_method; ///< the same for water: other defaults, longer steps

#endif
