// SPDX-License-Identifier: MIT
// Wendland's C2: W = C (1 - q)^4 (1 + 4 q). Smooth, no pairing instability [Wendland 1995].
#ifndef OND_PHYSICS_KERNEL_WENDLAND_H
#define OND_PHYSICS_KERNEL_WENDLAND_H

#include "physics/kernel.h"

OND_LAW float ond_kernel_wendland_value(float r2, float inv_h)
{
    const float q = sqrtf(r2) * inv_h;
    const float a = ond_kernel_rest(q);
    return a * a * a * a * (1.0f + 4.0f * q);
}

OND_LAW float ond_kernel_wendland_gradient(float q)
{
    const float a = ond_kernel_rest(q);
    return -a * a * a;
}

OND_LAW float ond_kernel_wendland_laplacian(float q)
{
    return -ond_kernel_wendland_gradient(q);
}

OND_LAW OndKernelFactors ond_kernel_wendland_factors(double h, int dimension)
{
    const double volume = ond_kernel_volume(h, dimension), h2 = h * h;
    const double value = (dimension == 2 ? 7.0 / OND_PI : 21.0 / (2.0 * OND_PI)) / volume;
    const double gradient = 20.0 * value / h2;
    const OndKernelFactors factors = {value, gradient, 2.0 * gradient};
    return factors;
}

#endif

#ifdef OND_KERNEL
OND_KERNEL(wendland, OND_KERNEL_WENDLAND, 0, "`wendland`: C2, whose still pools are quietest")
#endif
