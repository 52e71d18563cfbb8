// SPDX-License-Identifier: MIT
// Variational surfaces: the smoothest function that has given values at given places.
//
//     f(x) = sum_j d_j phi(x - c_j) + P(x)                                       [Pouchol 1.36]
//     phi(x) = |x|^3, in the plane |x|^2 log|x|;  P of first degree        [Pouchol 1.34, 1.35]
//
// interpolates values h_i at places c_i and bends least among all that do. The weights d and the
// coefficients of P solve a dense symmetric system [Pouchol 1.37]. Three steps:
//
//     variational_place.c  where the liquid is known to be inside or outside: constraints
//     variational_fit.c    a dense solve: constraints to one function, a patch
//     variational_parts.c  many overlapping patches of tens of constraints, blended with smooth
//                          weights (partition of unity), since one dense solve of n constraints
//                          takes n^3 operations; variational_tree.c says where patches are
//
// Values are depths in half spacings: a lone particle is +1 at its centre, 0 at its radius, -1 as
// far again outside. Places have a fourth coordinate, 0 unless surfaces are followed in time
// (morph_field.c): |x|^3 works in any number of dimensions.
//
// [Pouchol] M. Pouchol, thesis, Bordeaux 2010, sections 1.4.2 and 4.2.
#ifndef OND_SURFACE_VARIATIONAL_H
#define OND_SURFACE_VARIATIONAL_H

#include "surface/fields/field.h"

// ---- constraints

typedef struct OndConstraint {
    double at[4]; ///< m; the last is time, made a length
    double value; ///< depth in half spacings
    double slack; ///< 0: the value is met exactly; more: smoothness may win, in units of phi(size)
    double size;  ///< spacing of the particles there, m
} OndConstraint;

typedef struct OndConstraints {
    OndConstraint *list;
    int count, capacity;
} OndConstraints;

enum { OND_PLACE_PARTICLES, OND_PLACE_CELLS }; ///< OndFieldDef.placement

/// Adds the constraints that `points` give, at time *when; NULL: there is no time. Of `how` it
/// takes the placement, the cell, and the smoothing: how much of the bumps of broad surfaces goes.
OndStatus ond_constraints_place(OndConstraints *all, const OndPoints *points,
                                const OndFieldDef *how, const double *when, OndError *err);

/// Makes one of those that nearly coincide, halfway between them: two values at one place have no
/// smooth function. Keeps the order of those that stay.
OndStatus ond_constraints_merge(OndConstraints *all, OndError *err);

OndStatus ond_constraints_add(OndConstraints *all, const OndConstraint *one, OndError *err);
void ond_constraints_free(OndConstraints *all);

// ---- a patch

typedef struct OndPatch {
    int dimension, count;    ///< 2, 3 or 4 coordinates
    double centre[4], scale; ///< coordinates inside are (x - centre) * scale
    double *at[4], *weight;  ///< c_j and d_j; of which `at[0]` owns the memory
    double plane[5];         ///< P: constant, then a slope for each coordinate
} OndPatch;

/// The function through constraints list[which[0..count)]; count >= 1.
OndStatus ond_patch_fit(OndPatch *patch, const OndConstraint *list, const uint32_t *which,
                        int count, int dimension, OndError *err);
void ond_patch_free(OndPatch *patch);

/// Value and, unless `slope` is NULL, its derivatives.
double ond_patch_value(const OndPatch *patch, const double at[4], double slope[4]);

/// Values at OND_BLOCK places with the coordinates x[k], at[1], at[2], at[3].
void ond_patch_row(const OndPatch *patch, const double *x, const double at[4], double *value);

// ---- many patches

typedef struct OndParts OndParts;

/// Fits patches to all constraints: one if there are no more than `exact_limit`.
OndStatus ond_parts_make(OndParts **parts, const OndConstraints *all, int dimension,
                         int exact_limit, OndError *err);
void ond_parts_free(OndParts *parts);
int ond_parts_count(const OndParts *parts);
/// Constraints of the largest patch.
int ond_parts_most(const OndParts *parts);

/// Blended values at a lattice's nodes at time `when`; NAN where no patch reaches.
void ond_parts_sample(const OndParts *parts, const OndLattice *lattice, double when, float *value);

/// Blended value and slope at one place; NAN where no patch reaches.
double ond_parts_gradient(const OndParts *parts, const double at[3], double when, double out[3]);

#endif
