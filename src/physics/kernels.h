// SPDX-License-Identifier: MIT
// Kernels: how much a neighbour at distance r counts. Each is a file of its own, kernel_NAME.h, and
// a line in kernel_list.h; here one of them is chosen by its number.
//
// With q = r / h < 1, gradients are given as G = W'(r) / r, so that grad W = G (x_i - x_j). Where
// `kind` is a constant, as in the loops that OND_FOR_KERNEL makes, nothing is left of the choice.
#ifndef OND_PHYSICS_KERNELS_H
#define OND_PHYSICS_KERNELS_H

#include "physics/kernel_list.h"

// clang-format off
enum OndKernel {
#define OND_KERNEL(name, number, dimension, about) number,
#include "physics/kernel_list.h"
#undef OND_KERNEL
    OND_KERNEL_COUNT
};

// W(r) without its factor. r2 in [0, h2].
OND_LAW float ond_kernel_shape(int kind, float r2, float inv_h)
{
    switch (kind) {
#define OND_KERNEL(name, number, dimension, about)                                                 \
    case number: return ond_kernel_##name##_value(r2, inv_h);
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: return 0.0f;
    }
}

// G = W'(r) / r without its factor; finite at r = 0. `r` in m.
OND_LAW float ond_kernel_gradient_shape(int kind, float r, float inv_h)
{
    switch (kind) {
#define OND_KERNEL(name, number, dimension, about)                                                 \
    case number: return ond_kernel_##name##_gradient(r * inv_h);
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: return 0.0f;
    }
}

// Laplacian without its factor.
OND_LAW float ond_kernel_laplacian_shape(int kind, float r, float inv_h)
{
    switch (kind) {
#define OND_KERNEL(name, number, dimension, about)                                                 \
    case number: return ond_kernel_##name##_laplacian(r * inv_h);
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: return 0.0f;
    }
}

OND_LAW OndKernelFactors ond_kernel_factors(int kind, double h, int dimension)
{
    switch (kind) {
#define OND_KERNEL(name, number, only, about)                                                      \
    case number: return ond_kernel_##name##_factors(h, dimension);
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: break;
    }
    const OndKernelFactors none = {0.0, 0.0, 0.0};
    return none;
}

// The dimension that a kernel is for; 0: both.
OND_LAW int ond_kernel_dimension(int kind)
{
    switch (kind) {
#define OND_KERNEL(name, number, only, about) case number: return only;
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: return 0;
    }
}

OND_LAW const char *ond_kernel_name(int kind)
{
    switch (kind) {
#define OND_KERNEL(name, number, only, about) case number: return #name;
#include "physics/kernel_list.h"
#undef OND_KERNEL
    default: return "";
    }
}
// clang-format on

// A kernel of a given radius and dimension, its constants worked out.
typedef struct OndKernelSet {
    int kind;           // enum OndKernel
    float h, h2, inv_h; // support radius, m
    float value;        // factor of W
    float gradient;     // factor of G
    float laplacian;    // factor of the Laplacian
} OndKernelSet;

// Factors for a support radius h (m) in `dimension` 2 or 3.
OND_LAW OndKernelSet ond_kernel_set(int kind, double h, int dimension)
{
    const OndKernelFactors f = ond_kernel_factors(kind, h, dimension);
    const OndKernelSet set = {
        kind,           (float)h,          (float)(h * h),    (float)(1.0 / h),
        (float)f.value, (float)f.gradient, (float)f.laplacian};
    return set;
}

OND_LAW float ond_kernel_value(OndKernelSet k, float r2)
{
    return r2 < k.h2 ? k.value * ond_kernel_shape(k.kind, r2, k.inv_h) : 0.0f;
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
