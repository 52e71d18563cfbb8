// SPDX-License-Identifier: MIT
// A cell of a distance grid: what its corners hold, and what lies between them; inside
// solids/distance_grid*.c.
#ifndef OND_SOLIDS_DISTANCE_CELL_H
#define OND_SOLIDS_DISTANCE_CELL_H

#include "solids/distance_grid.h"

#define OND_DISTANCE_SIDE     8 // cells of a block along a side
#define OND_DISTANCE_LAYER    (OND_DISTANCE_SIDE * OND_DISTANCE_SIDE)
#define OND_DISTANCE_ROUNDING 1e-3 // cells

// Steps to 1: normals are at most 1 long, distances at most 5 cells.
#define OND_NORMAL_STEPS   32767.0f
#define OND_DISTANCE_STEPS 6553.0f

static inline size_t ond_distance_blocks(const OndDistanceGrid *g)
{
    return (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
}

static inline size_t ond_distance_block(const OndDistanceGrid *g, unsigned x, unsigned y,
                                        unsigned z)
{
    return ((size_t)z * (size_t)g->n[1] + y) * (size_t)g->n[0] + x;
}

static inline OndFour ond_distance_corner(const OndDistanceCell *cell, int k)
{
    return __builtin_convertvector(cell->corner[k], OndFour);
}

static inline OndFour ond_distance_mix(OndFour a, OndFour b, float t)
{
    return a + ond_four(t) * (b - a);
}

// Between the corners of a cell, at (x, y, z) of the way: normal, and distance in cells. What is
// interpolated is too large where faces are hollow by as much as what the corners' planes give is
// too small. Their mean, which is right to the second order, differs from the first by how much
// the normals turn.
static inline OndFour ond_distance_between(const OndDistanceCell *cell, float x, float y, float z)
{
    OndFour row[4], turn[4]; // along x
    for (int k = 0; k < 4; ++k) {
        const OndFour first = ond_distance_corner(cell, 2 * k);
        turn[k] = ond_distance_corner(cell, 2 * k + 1) - first;
        row[k] = first + ond_four(x) * turn[k];
    }
    const OndFour low = ond_distance_mix(row[0], row[1], y),
                  high = ond_distance_mix(row[2], row[3], y);
    const OndFour turn_x = ond_distance_mix(ond_distance_mix(turn[0], turn[1], y),
                                            ond_distance_mix(turn[2], turn[3], y), z),
                  turn_y = ond_distance_mix(row[1] - row[0], row[3] - row[2], z),
                  turn_z = high - low;
    const float turned =
        x * (1.0f - x) * turn_x[0] + y * (1.0f - y) * turn_y[1] + z * (1.0f - z) * turn_z[2];
    OndFour read = ond_distance_mix(low, high, z);
    read *= (OndFour){1.0f / OND_NORMAL_STEPS, 1.0f / OND_NORMAL_STEPS, 1.0f / OND_NORMAL_STEPS,
                      1.0f / OND_DISTANCE_STEPS};
    read[3] -= 0.5f / OND_NORMAL_STEPS * turned;
    return read;
}

static inline OndVec ond_distance_normal(OndFour read)
{
    return ond_unit(ond_vec(read[0], read[1], read[2]));
}

#endif
