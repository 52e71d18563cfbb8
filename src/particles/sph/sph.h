// SPDX-License-Identifier: MIT
// Weakly compressible SPH in 2D and 3D: the liquid underneath everything else.
//
// A step is a short list of passes; read find_forces() and step() in sph.c first. Sources: Mueller
// 2003, Dagenais 2012 chapters 2.1 and 3, Monaghan 1989 and 1992.
#ifndef OND_PARTICLES_SPH_H
#define OND_PARTICLES_SPH_H

#include "method/method.h"
#include "particles/sph/sph_def.h"

extern const OndMethod ond_sph_method;

#endif
