// SPDX-License-Identifier: MIT
// Stencils of a grid: divergence, gradient, Laplacian, and a cell's update in the solvers that use
// them. Neighbours come in pairs, the lower and the upper one along an axis.
//
// The matrix of a pressure or of a diffusion is (A x)_i = D_i x_i - sum over faces w x_neighbour.
#ifndef OND_PHYSICS_STENCIL_H
#define OND_PHYSICS_STENCIL_H

#include "physics/law.h"

// ---- divergence and gradient

// What flows out of a cell of the staggered grid along two axes, over the area of a face.
OND_LAW float ond_divergence(float left, float right, float below, float above)
{
    return (right - left) + (above - below);
}

// What flows through a face of which a solid covers a part and moves with `held`.
OND_LAW float ond_flux_cut(float open, float u, float held)
{
    return open * u + (1.0f - open) * held;
}

// A velocity less the gradient of a potential; `factor` is dt over rho h, or the like.
OND_LAW float ond_gradient_off(float u, float factor, float low, float high)
{
    return u - factor * (high - low);
}

// ---- Laplacian

// Of the neighbours in a plane.
OND_LAW float ond_stencil_sum(float left, float right, float below, float above)
{
    return left + right + below + above;
}

// What two neighbours send through their faces,
OND_LAW float ond_stencil_sent(float w_low, float low, float w_high, float high)
{
    return w_low * low + w_high * high;
}

// and the same as differences, which are exact where neighbours are alike.
OND_LAW float ond_stencil_pull(float w_low, float low, float w_high, float high, float here)
{
    return w_low * (here - low) + w_high * (here - high);
}

// Explicit diffusion: what a value gains of its neighbours, a = rate dt / h^2.
OND_LAW float ond_diffusion_gain(float a, float sum, float count, float here)
{
    return a * (sum - count * here);
}

// ---- a cell in an iteration

// b - A x, with what the neighbours send.
OND_LAW float ond_residual(float b, float sent, float diagonal, float x)
{
    return b + sent - diagonal * x;
}

// A step of damped Jacobi.
OND_LAW float ond_jacobi(float x, float step, float residual, float diagonal)
{
    return x + step * (residual / diagonal);
}

// One of Gauss-Seidel, over-relaxed (SOR) where step > 1; `sum` is the right side with what the
// neighbours send.
OND_LAW float ond_over_relax(float x, float step, float sum, float diagonal)
{
    return x + step * (sum / diagonal - x);
}

// Implicit diffusion, x - a (sum of the neighbours - count x) = before: `diagonal` is 1 + count a.
OND_LAW float ond_diffusion_relax(float before, float a, float sum, float diagonal)
{
    return (before + a * sum) / diagonal;
}

// The same with 1 / diagonal.
OND_LAW float ond_diffusion_relax_by(float before, float a, float sum, float inverse)
{
    return (before + a * sum) * inverse;
}

#endif
