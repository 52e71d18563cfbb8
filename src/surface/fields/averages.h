// SPDX-License-Identifier: MIT
// Fields by averages of the particles round a place, as Zhu-Bridson and Adams have them:
//
//     centre(p) = sum_i k_i x_i / sum_i k_i        k_i = (1 - (|p - x_i| / R_i)^2)^3
//     length(p) = sum_i k_i l_i / sum_i k_i
//     f(p) = length(p) - |p - centre(p)|
//
// with a length l_i that each field gives to its particles, and R_i = radius * size_i.
//
// Between two bodies of liquid, or in a hollow of one, the centre jumps from one side to the other
// and a false film of liquid would appear at the places between. There the centre moves faster than
// the place does: where the largest eigenvalue of its gradient is high, the length is made less
// [Solenthaler 2007].
#ifndef OND_SURFACE_AVERAGES_H
#define OND_SURFACE_AVERAGES_H

#include "surface/fields/field.h"

/// The length of particle i, m: a lone one is a ball of its own volume; at a flat surface the
/// centre lies inside, and the field's threshold (sizes) reaches from there.
float ond_averages_length(const OndField3 *field, uint32_t i);

/// Checks the field's threshold, which is `what` in a complaint, sets its reach and makes
/// field->own, a length for each particle. ond_averages_free frees that.
OndStatus ond_averages_make(OndField3 *field, const char *what, OndError *err);
void ond_averages_free(OndField3 *field);

// Both take the particles' lengths (m) from field->own.

/// f at all nodes of a lattice, m; some negative number where nothing is near.
void ond_averages_sample(const OndField3 *field, const OndLattice *lattice, float *value);
/// f at one place, and its gradient.
float ond_averages_at(const OndField3 *field, const double at[3], double gradient[3]);

#endif
