// SPDX-License-Identifier: MIT
// Where a pressure that is the same everywhere would push a particle at the start: to where there is
// less,
//
//     c_i = - sum_j V grad W_ij + the same of what is behind walls.
//
// In a lattice, beside walls that are flush with it, c is 0. Where a wall cuts the lattice it leads out of
// crowds and into gaps (sph_pack.c), and at a free surface out of the liquid.
#ifndef OND_PARTICLES_SPH_EVEN_PUSH_H
#define OND_PARTICLES_SPH_EVEN_PUSH_H

#include "particles/sph/sph_solids.h"

#define OND_EVEN 0.02f // c h: as good as none

/// c of a particle, 1/m. Images count as neighbours do.
void ond_sph_even_push(const OndSph *s, int i, float c[3]);
/// Whether c leads a particle into the open: neither walls are ahead, nor particles nearer than `far`.
bool ond_sph_at_surface(const OndSph *s, int i, const float c[3], float far);
/// What a particle touches; no row has none.
const OndRow *ond_sph_row_of(const OndSph *s, int i);

#endif
