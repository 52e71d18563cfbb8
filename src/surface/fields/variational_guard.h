// SPDX-License-Identifier: MIT
// What particles know for certain, whatever a fitted function says between its constraints.
//
// A smooth function is free where nothing constrains it: deep inside, far outside, and wherever a
// constraint had to be left out. Three certainties fence it in, none of which matters at a good
// surface: more than a spacing and a bit away from every particle is outside; the heart of every
// particle is inside; and round particles that have no surface near them all is inside.
#ifndef OND_SURFACE_VARIATIONAL_GUARD_H
#define OND_SURFACE_VARIATIONAL_GUARD_H

#include "surface/fields/field.h"

#define OND_GUARD_FAR 1.2 ///< sizes: farther than this from every particle is outside

typedef struct OndGuard {
    const OndPoints *points;
    unsigned char *deep; ///< of each point: 1 when no surface particle is near
} OndGuard;

OndStatus ond_guard_make(OndGuard *guard, const OndPoints *points, OndError *err);
void ond_guard_free(OndGuard *guard);

/// Fences in the values at a lattice's nodes; NAN becomes what the particles say.
void ond_guard_lattice(const OndGuard *guard, const OndLattice *lattice, float *value);

/// The same for one value, and its gradient where a fence is what counts.
float ond_guard_place(const OndGuard *guard, const double at[3], double value, double slope[3]);

#endif
