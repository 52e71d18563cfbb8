// SPDX-License-Identifier: MIT
// Surface tension from the colour field c = sum_j V_j W, which is 1 inside and falls off at the surface.
//
// Its gradient is large at the surface only; the integral of |grad c| over the liquid is half the area
// (half, because only the liquid side has particles). So the surface's energy is
//
//     E = 2 sigma sum_i V_i |grad c_i|
//
// and its derivative with respect to the positions gives, with unit normals n and the Hessian H of W,
//
//     F_i = - 2 sigma V_i sum_j V_j H_ij (n_i - n_j)
//
// equal and opposite in every pair, so momentum is kept, and 0 on a flat surface. H of W(r) is
// G I + (W'' - G) x x^T / r^2. Wendland's C2 kernel serves here whatever the scene's kernel is: its
// second derivative is smooth.
//
// Mueller 2003's form, kept for comparison, is -sigma (lap c) n / |n| where |n| is above a threshold.
#include "particles/loops.h"

// Colour gradient times h, and the Laplacian.
void OND_LOOP(normal)(const OndNormalLoop *l, int first, int last);
void OND_LOOP(normal)(const OndNormalLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict volume = n->volume;
    const OndKernelSet w = n->kernel; // a Wendland set
    const float sides = (float)(l->dimension - 1);
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i];
        float nx = 0.0f, ny = 0.0f, nz = 0.0f, bend = 0.0f;
#pragma omp simd reduction(+ : nx, ny, nz, bend)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float q = sqrtf(dx * dx + dy * dy + dz * dz) * w.inv_h;
            const float g = ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, q, 1.0f) * volume[j];
            const float inside = q > 0.0f ? 1.0f : 0.0f; // the padding is the particle itself
            const float a = 1.0f - q;
            nx += g * dx;
            ny += g * dy;
            nz += g * dz;
            bend -= inside * volume[j] * a * a * (1.0f - 4.0f * q + sides * a);
        }
        const float scale = w.gradient * w.h;
        l->nx[i] = scale * nx;
        l->ny[i] = scale * ny;
        l->nz[i] = scale * nz;
        l->bend[i] = w.gradient * (bend - (1.0f + sides) * volume[i]); // with the particle itself
    }
}

void OND_LOOP(area)(const OndAreaLoop *l, int first, int last);
void OND_LOOP(area)(const OndAreaLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict nx = l->nx, *restrict ny = l->ny, *restrict nz = l->nz;
    const float *restrict volume = n->volume;
    const OndKernelSet w = n->kernel;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i];
        const float mx = nx[i], my = ny[i], mz = nz[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float q = sqrtf(r2) * w.inv_h;
            const float a = q < 1.0f ? 1.0f - q : 0.0f;
            // G = -a^3 and (W'' - G) / r^2 = 3 a^2 q / r^2 = 3 a^2 / (q h^2), without the factor
            const float tx = mx - nx[j], ty = my - ny[j], tz = mz - nz[j];
            const float along = 3.0f * a * a * (tx * dx + ty * dy + tz * dz) * w.inv_h * w.inv_h / (q + 1e-6f);
            const float across = -a * a * a;
            ax += volume[j] * (across * tx + along * dx);
            ay += volume[j] * (across * ty + along * dy);
            az += volume[j] * (across * tz + along * dz);
        }
        const float scale = 2.0f * l->tension[i] * w.gradient / n->density[i];
        n->ax[i] -= scale * ax;
        n->ay[i] -= scale * ay;
        n->az[i] -= scale * az;
    }
}
