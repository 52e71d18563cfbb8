// SPDX-License-Identifier: MIT
// The cubic spline with support h, the usual one [Monaghan 1992], as a difference of two cubes.
#ifndef OND_PHYSICS_KERNEL_CUBIC_H
#define OND_PHYSICS_KERNEL_CUBIC_H

#include "physics/kernel.h"

OND_LAW float ond_kernel_cubic_value(float r2, float inv_h)
{
    const float q = sqrtf(r2) * inv_h;
    const float a = ond_kernel_rest(q);
    const float b = q < 0.5f ? 0.5f - q : 0.0f;
    return 2.0f * a * a * a - 8.0f * b * b * b;
}

OND_LAW float ond_kernel_cubic_gradient(float q)
{
    const float a = ond_kernel_rest(q);
    const float b = q < 0.5f ? 0.5f - q : 0.0f;
    return -(a * a - 4.0f * b * b) * ond_kernel_inverse(q);
}

OND_LAW float ond_kernel_cubic_laplacian(float q)
{
    return -ond_kernel_cubic_gradient(q);
}

OND_LAW OndKernelFactors ond_kernel_cubic_factors(double h, int dimension)
{
    const double volume = ond_kernel_volume(h, dimension), h2 = h * h;
    const double value = (dimension == 2 ? 40.0 / (7.0 * OND_PI) : 8.0 / OND_PI) / volume;
    const double gradient = 6.0 * value / h2;
    const OndKernelFactors factors = {value, gradient, 2.0 * gradient};
    return factors;
}

#endif

#ifdef OND_KERNEL
OND_KERNEL(cubic, OND_KERNEL_CUBIC, 0, "`cubic`: the spline")
#endif
