// SPDX-License-Identifier: MIT
// The discrete element method: grains that push, damp and rub where they overlap.
//
// Read find_forces() and step() in dem.c first; what one contact does is in physics/contact.h.
// Source: Pouchol 2010, 1.1.2.3. Grains are balls of one size that do not turn.
#ifndef OND_PARTICLES_DEM_H
#define OND_PARTICLES_DEM_H

#include "method/method.h"
#include "particles/dem/dem_def.h"

extern const OndMethod ond_dem_method;

#endif
