// SPDX-License-Identifier: MIT
// The steady flow in a square of side 1 under a lid that moves along x at 1 m/s: converged values
// on its centre lines [Ghia 1982 has the places], for a table and for a test.
#ifndef OND_APP_BENCH_CAVITY_H
#define OND_APP_BENCH_CAVITY_H

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

#endif
