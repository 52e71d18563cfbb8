// SPDX-License-Identifier: MIT
// The steady flow in a square of side 1 under a lid that moves along x at 1 m/s: converged values
// on its centre lines [Ghia 1982 has the places], for a table and for a test.
#ifndef OND_APP_BENCH_CAVITY_H
#define OND_APP_BENCH_CAVITY_H

#include <math.h>
#include <ondine/fields.h>

// Where the velocity along x is asked on the upright centre line, and the one along y on the other.
static const double ond_cavity_height[7] = {0.9531, 0.8516, 0.7344, 0.5, 0.2813, 0.1719, 0.0703},
                    ond_cavity_way[7] = {0.9531, 0.9063, 0.8594, 0.5, 0.2344, 0.1563, 0.0781};
static const struct {
    double re, time; // s until it is steady
    double along[7], across[7];
} ond_cavity_lids[2] = {{100,
                         16,
                         {0.69117, 0.23643, 0.00415, -0.20914, -0.15764, -0.10172, -0.04662},
                         {-0.09334, -0.17715, -0.23371, 0.05754, 0.17955, 0.16480, 0.11177}},
                        {1000,
                         46,
                         {0.47240, 0.33716, 0.18864, -0.06205, -0.28041, -0.38855, -0.22292},
                         {-0.35512, -0.52640, -0.42637, 0.02580, 0.32537, 0.37689, 0.30992}}};

// A component of the velocity on the centre line across it, between two faces that stand half a
// cell in.
static inline double ond_cavity_on_line(const OndGridView *g, const float *v, int axis, double at)
{
    const int n = g->cells[0], low = (int)floor(at * n - 0.5);
    const ptrdiff_t across = g->step[axis], along = g->step[1 - axis];
    const float *const face = v + g->first + n / 2 * across + low * along;
    return face[0] + (at * n - 0.5 - low) * (face[along] - face[0]);
}

/// The largest difference of all places to the converged values, in speeds of the lid.
static inline double ond_cavity_off(const OndSim *sim, int lid)
{
    OndGridView g;
    OndFieldView v;
    double off = 0.0;
    if (!ond_sim_grid(sim, &g) || !ond_sim_find_field(sim, OND_CELLS, "velocity", &v)) return NAN;
    for (int k = 0; k < 7; ++k) {
        const double along = ond_cavity_on_line(&g, v.data[0], 0, ond_cavity_height[k]),
                     across = ond_cavity_on_line(&g, v.data[1], 1, ond_cavity_way[k]);
        off = fmax(off, fabs(along - ond_cavity_lids[lid].along[k]));
        off = fmax(off, fabs(across - ond_cavity_lids[lid].across[k]));
    }
    return off;
}

#endif
