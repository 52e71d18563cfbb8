// SPDX-License-Identifier: MIT
// Kernels: how much a neighbour at distance r counts.
//
//     poly6      W = C (1 - q^2)^3          needs r^2 only: density                 [Mueller 2003]
//     spiky      W = C (1 - q)^3            its gradient does not fade at 0:
//                                           pressure cannot let particles clump     [Desbrun 1996]
//     viscosity  lap W = C (1 - q)          never negative: friction never speeds up [Mueller 2003]
//     cubic      spline, with support h     the usual one                           [Monaghan 1992]
//     wendland   W = C (1 - q)^4 (1 + 4 q)  smooth, no pairing instability          [Wendland 1995]
//
// with q = r / h < 1 and C such that the integral over the support is 1 in 2D or 3D. `mueller` uses
// the first three together; the others use one kernel for all. Where a kernel has no Laplacian of
// its own, -2 W'(r) / r stands for it (Brookshaw 1985), which is exact for quadratic fields.
//
// Gradients are given as G = W'(r) / r, so that grad W = G (x_i - x_j).
#ifndef OND_PHYSICS_KERNELS_H
#define OND_PHYSICS_KERNELS_H

#include "physics/law.h"

#include <math.h>

#define OND_PI 3.14159265358979323846

enum OndKernel {
    OND_KERNEL_MUELLER,
    OND_KERNEL_CUBIC,
    OND_KERNEL_WENDLAND,
    OND_KERNEL_MULLER2D, // Mueller's set in 2D as a small program has it: its "spiky gradient" is
                         // 10/(pi h^5) (h - r)^3 and points outwards, which suits densities that
                         // never reach the rest density
    OND_KERNEL_COUNT
};

// A kernel of a given radius and dimension, its constants worked out.
typedef struct OndKernelSet {
    int kind;           // enum OndKernel
    float h, h2, inv_h; // support radius, m
    float value;        // factor of W
    float gradient;     // factor of G
    float laplacian;    // factor of the Laplacian
} OndKernelSet;

// W(r) without its factor. r2 in [0, h2].
OND_LAW float ond_kernel_shape(int kind, float r2, float h2, float inv_h)
{
    const float whole = 1.0f - r2 * inv_h * inv_h;
    const float rest = whole > 0.0f ? whole : 0.0f;
    if (kind == OND_KERNEL_MUELLER || kind == OND_KERNEL_MULLER2D) return rest * rest * rest;
    const float q = sqrtf(r2) * inv_h;
    const float a = q < 1.0f ? 1.0f - q : 0.0f;
    if (kind == OND_KERNEL_WENDLAND) return a * a * a * a * (1.0f + 4.0f * q);
    const float b = q < 0.5f ? 0.5f - q : 0.0f; // cubic spline as a difference of two cubes
    (void)h2;
    return 2.0f * a * a * a - 8.0f * b * b * b;
}

// G = W'(r) / r without its factor; finite at r = 0. `r` in m.
OND_LAW float ond_kernel_gradient_shape(int kind, float r, float inv_h)
{
    const float q = r * inv_h;
    const float a = q < 1.0f ? 1.0f - q : 0.0f;
    const float inv_q = 1.0f / (q + 1e-12f);
    if (kind == OND_KERNEL_WENDLAND) return -a * a * a;
    if (kind == OND_KERNEL_MULLER2D) return -a * a * a * inv_q;
    if (kind == OND_KERNEL_MUELLER) return -a * a * inv_q;
    const float b = q < 0.5f ? 0.5f - q : 0.0f;
    return -(a * a - 4.0f * b * b) * inv_q;
}

// Laplacian without its factor.
OND_LAW float ond_kernel_laplacian_shape(int kind, float r, float inv_h)
{
    if (kind == OND_KERNEL_MUELLER || kind == OND_KERNEL_MULLER2D) {
        const float q = r * inv_h;
        return q < 1.0f ? 1.0f - q : 0.0f;
    }
    return -ond_kernel_gradient_shape(kind, r, inv_h);
}

// Factors for a support radius h (m) in `dimension` 2 or 3.
OND_LAW OndKernelSet ond_kernel_set(int kind, double h, int dimension)
{
    const double volume = dimension == 2 ? h * h : h * h * h, h2 = h * h;
    double value = 0, gradient = 0, laplacian = 0;
    switch (kind) {
    case OND_KERNEL_MUELLER:
    case OND_KERNEL_MULLER2D:
        value = (dimension == 2 ? 4.0 / OND_PI : 315.0 / (64.0 * OND_PI)) / volume;
        gradient = 3.0 * (dimension == 2 ? 10.0 / OND_PI : 15.0 / OND_PI) / volume / h2;
        if (kind == OND_KERNEL_MULLER2D) gradient = -10.0 / (OND_PI * h2 * h); // with q^-1 outside
        laplacian = (dimension == 2 ? 40.0 / OND_PI : 45.0 / OND_PI) / volume / h2;
        break;
    case OND_KERNEL_WENDLAND:
        value = (dimension == 2 ? 7.0 / OND_PI : 21.0 / (2.0 * OND_PI)) / volume;
        gradient = 20.0 * value / h2;
        laplacian = 2.0 * gradient;
        break;
    default: // cubic
        value = (dimension == 2 ? 40.0 / (7.0 * OND_PI) : 8.0 / OND_PI) / volume;
        gradient = 6.0 * value / h2;
        laplacian = 2.0 * gradient;
        break;
    }
    const OndKernelSet set = {kind,         (float)h,        (float)(h * h),  (float)(1.0 / h),
                              (float)value, (float)gradient, (float)laplacian};
    return set;
}

OND_LAW float ond_kernel_value(OndKernelSet k, float r2)
{
    return r2 < k.h2 ? k.value * ond_kernel_shape(k.kind, r2, k.h2, k.inv_h) : 0.0f;
}

OND_LAW float ond_kernel_gradient(OndKernelSet k, float r)
{
    return r < k.h ? k.gradient * ond_kernel_gradient_shape(k.kind, r, k.inv_h) : 0.0f;
}

OND_LAW float ond_kernel_laplacian(OndKernelSet k, float r)
{
    return r < k.h ? k.laplacian * ond_kernel_laplacian_shape(k.kind, r, k.inv_h) : 0.0f;
}

#endif
