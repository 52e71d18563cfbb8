// SPDX-License-Identifier: MIT
// Mueller's set: three kernels, each for what it does best.
//
//     poly6      W = C (1 - q^2)^3   needs r^2 only: density                   [Mueller 2003]
//     spiky      W = C (1 - q)^3     its gradient does not fade at 0:
//                                    pressure cannot let particles clump       [Desbrun 1996]
//     viscosity  lap W = C (1 - q)   never negative: friction never speeds up  [Mueller 2003]
#ifndef OND_PHYSICS_KERNEL_MUELLER_H
#define OND_PHYSICS_KERNEL_MUELLER_H

#include "physics/kernel.h"

OND_LAW float ond_kernel_mueller_value(float r2, float inv_h)
{
    const float whole = 1.0f - r2 * inv_h * inv_h;
    const float rest = whole > 0.0f ? whole : 0.0f;
    return rest * rest * rest;
}

OND_LAW float ond_kernel_mueller_gradient(float q)
{
    const float a = ond_kernel_rest(q);
    return -a * a * ond_kernel_inverse(q);
}

OND_LAW float ond_kernel_mueller_laplacian(float q)
{
    return ond_kernel_rest(q);
}

OND_LAW OndKernelFactors ond_kernel_mueller_factors(double h, int dimension)
{
    const double volume = ond_kernel_volume(h, dimension), h2 = h * h;
    const OndKernelFactors factors = {
        (dimension == 2 ? 4.0 / OND_PI : 315.0 / (64.0 * OND_PI)) / volume,
        3.0 * (dimension == 2 ? 10.0 / OND_PI : 15.0 / OND_PI) / volume / h2,
        (dimension == 2 ? 40.0 / OND_PI : 45.0 / OND_PI) / volume / h2};
    return factors;
}

#endif

#ifdef OND_KERNEL
OND_KERNEL(mueller, OND_KERNEL_MUELLER, 0,
           "`mueller`: poly6 for density, spiky for pressure, viscosity for friction")
#endif
