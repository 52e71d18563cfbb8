// SPDX-License-Identifier: MIT
// Averages of the particles round a place, which Zhu-Bridson and Adams make their surfaces from:
//
//     centre(p) = sum_i k_i x_i / sum_i k_i        k_i = (1 - (|p - x_i| / R_i)^2)^3
//     length(p) = sum_i k_i l_i / sum_i k_i
//
// with a length l_i that each field gives to its particles, and R_i = radius * size_i. The surface
// lies where centre(p) is as far away as length(p) says.
#ifndef OND_SURFACE_AVERAGES_H
#define OND_SURFACE_AVERAGES_H

#include "surface/field.h"

typedef struct OndAverage {
    float weight;          ///< sum of k; 0: nothing is near, and the rest is 0 too
    float to[3];           ///< centre - place
    float length;          ///< in the same unit
    float slope[3][3];     ///< d centre[a] / d place[b]
    float length_slope[3]; ///< only from ond_averages_at
} OndAverage;

/// What a field makes of an average: its value there, in the unit of lengths.
typedef struct OndAverageRule {
    float (*value)(const OndAverage *average);
    bool slopes; ///< it needs `slope`
} OndAverageRule;

// Both take the particles' lengths (m) from field->own.

/// The field's value at all nodes of a lattice, m; -1 where nothing is near.
void ond_averages_sample(const OndField3 *field, const OndAverageRule *rule,
                         const OndLattice *lattice, float *value);
/// At one place, m, with slopes.
OndAverage ond_averages_at(const OndField3 *field, const double at[3]);

/// Distance between place and centre.
static inline float ond_average_distance(const OndAverage *a)
{
    return sqrtf(a->to[0] * a->to[0] + a->to[1] * a->to[1] + a->to[2] * a->to[2]);
}

/// Gradient of share * length - distance, where `share` does not change.
void ond_average_gradient(const OndAverage *a, float share, double out[3]);

#endif
