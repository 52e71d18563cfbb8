// SPDX-License-Identifier: MIT
// What a kernel's file gives; kernels.h makes one of all of them.
//
//     ond_kernel_NAME_value(r2, 1/h)  W(r) without its factor, of r^2 and the support radius
//     ond_kernel_NAME_gradient(q)     G = W'(r) / r without its factor, finite at q = r / h = 0;
//                                     grad W = G (x_i - x_j)
//     ond_kernel_NAME_laplacian(q)    without its factor; where a kernel has none of its own,
//                                     -2 W'(r) / r stands for it (Brookshaw 1985), which is exact
//                                     for quadratic fields
//     ond_kernel_NAME_factors(h, d)   for a support radius h (m) in d = 2 or 3 dimensions, so that
//                                     the integral of W over the support is 1
//
// All are 0 from q = 1 on. At its end, outside of the guard, the file has its line of the register:
// OND_KERNEL(NAME, number, dimensions it is for (0: both), sentence of the reference).
#ifndef OND_PHYSICS_KERNEL_H
#define OND_PHYSICS_KERNEL_H

#include "physics/law.h"

#include <math.h>

#define OND_PI 3.14159265358979323846

typedef struct OndKernelFactors {
    double value, gradient, laplacian; // of W, G and the Laplacian
} OndKernelFactors;

// 1 - q, or 0 outside the support.
OND_LAW float ond_kernel_rest(float q)
{
    return q < 1.0f ? 1.0f - q : 0.0f;
}

// 1 / q, finite at 0.
OND_LAW float ond_kernel_inverse(float q)
{
    return 1.0f / (q + 1e-12f);
}

OND_LAW double ond_kernel_volume(double h, int dimension)
{
    return dimension == 2 ? h * h : h * h * h;
}

#endif
