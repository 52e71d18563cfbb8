// SPDX-License-Identifier: MIT
// A kernel in one file, for tests/check_one_file.sh: Lucy's, W = C (1 - q)^3 (1 + 3 q).
#ifndef OND_PHYSICS_KERNEL_LUCY_H
#define OND_PHYSICS_KERNEL_LUCY_H

#include "physics/kernel.h"

OND_LAW float ond_kernel_lucy_value(float r2, float inv_h)
{
    const float q = sqrtf(r2) * inv_h;
    const float a = ond_kernel_rest(q);
    return a * a * a * (1.0f + 3.0f * q);
}

OND_LAW float ond_kernel_lucy_gradient(float q)
{
    const float a = ond_kernel_rest(q);
    return -a * a;
}

OND_LAW float ond_kernel_lucy_laplacian(float q)
{
    return -ond_kernel_lucy_gradient(q);
}

OND_LAW OndKernelFactors ond_kernel_lucy_factors(double h, int dimension)
{
    const double volume = ond_kernel_volume(h, dimension);
    const double value = (dimension == 2 ? 5.0 : 105.0 / 16.0) / (OND_PI * volume);
    const double gradient = 12.0 * value / (h * h);
    const OndKernelFactors factors = {value, gradient, 2.0 * gradient};
    return factors;
}

#endif

#ifdef OND_KERNEL
OND_KERNEL(lucy, OND_KERNEL_LUCY, 0, "`lucy`: the first of all")
#endif
