// SPDX-License-Identifier: MIT
// Heat: conduction between particles, from walls, air and sources.
#ifndef OND_PARTICLES_HEAT_H
#define OND_PARTICLES_HEAT_H

#include "particles/sph/sph_state.h"

typedef struct OndHeat OndHeat;

/// Lets heat spread for `dt`: new temperatures from the present neighbour lists.
OndStatus ond_heat_spread(OndSph *s, double dt, OndError *err);

void ond_heat_free(OndHeat *heat);
size_t ond_heat_bytes(const OndHeat *heat); // 0 for NULL

#endif
