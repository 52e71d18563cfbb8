// SPDX-License-Identifier: MIT
// Mueller's set in 2D as a small program has it: its "spiky gradient" is 10/(pi h^5) (h - r)^3 and
// points outwards, which suits densities that never reach the rest density.
#ifndef OND_PHYSICS_KERNEL_MULLER2D_H
#define OND_PHYSICS_KERNEL_MULLER2D_H

#include "physics/kernel_mueller.h"

OND_LAW float ond_kernel_muller2d_value(float r2, float inv_h)
{
    return ond_kernel_mueller_value(r2, inv_h);
}

OND_LAW float ond_kernel_muller2d_gradient(float q)
{
    const float a = ond_kernel_rest(q);
    return -a * a * a * ond_kernel_inverse(q);
}

OND_LAW float ond_kernel_muller2d_laplacian(float q)
{
    return ond_kernel_rest(q);
}

OND_LAW OndKernelFactors ond_kernel_muller2d_factors(double h, int dimension)
{
    OndKernelFactors factors = ond_kernel_mueller_factors(h, dimension);
    factors.gradient = -10.0 / (OND_PI * (h * h) * h); // with q^-1 outside
    return factors;
}

#endif

#ifdef OND_KERNEL
OND_KERNEL(muller2d, OND_KERNEL_MULLER2D, 2, "`muller2d`, 2D only: the constants of that program")
#endif
