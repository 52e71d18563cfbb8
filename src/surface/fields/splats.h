// SPDX-License-Identifier: MIT
// Fields that are a sum of one round kernel for each particle, less a threshold: density and blobs.
#ifndef OND_SURFACE_SPLATS_H
#define OND_SURFACE_SPLATS_H

#include "surface/loops.h"

typedef struct OndSplatField {
    const OndSurfaceLoops *loops;
    OndSplats splats; ///< its positions are the points'
    float *inv_h2, *weight;
    float threshold;
} OndSplatField;

/// Room for all points; `inv_h2` and `weight` are for the caller to fill. NULL without memory.
OndSplatField *ond_splats_make(OndField3 *field, int power, OndError *err);

// Members of an OndFieldKind.
void ond_splats_free(OndField3 *field);
void ond_splats_sample(const OndField3 *field, const OndLattice *lattice, float *value);

/// Sums at one place, with a kernel of the power given.
OndSplatSums ond_splats_gather(const OndField3 *field, const double at[3], int power);

#endif
