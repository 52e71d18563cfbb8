// SPDX-License-Identifier: MIT
// Surface tension from the colour field c = sum_j W / (sum at rest), which is 1 inside and less at
// the surface.
//
// What is missing of the colour measures the surface: 1 - c, summed over all particles, grows with
// its area. So let that be the surface's energy, E = sum_i C_i (1 - c_i). Its slope pulls every
// pair together,
//
//     F_i = sum_j (C_i + C_j) / (sum at rest) grad W
//
// equal and opposite, so momentum is kept, and no energy comes from nowhere: a drop cannot shake
// itself apart. Inside the liquid the pulls cancel but for a uniform cohesion, which the equation
// of state is told of (sph_pressure.c), as in van der Waals' liquid. C is such that a flat surface
// of the start lattice has the energy sigma (sph_tension.c). Wendland's C2 kernel serves here
// whatever the scene's kernel is.
//
// Mueller 2003's own force, kept for comparison, is -sigma (lap c) n / |n| with n = grad c, where
// |n| is above a threshold.
#include "particles/loops.h"

void OND_LOOP(cohesion)(const OndCohesionLoop *l, int first, int last);
void OND_LOOP(cohesion)(const OndCohesionLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz,
                          *restrict pull = l->pull;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], pi = pull[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float g =
                (pi + pull[j]) * ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, inv_h);
            ax += g * dx;
            ay += g * dy;
            az += g * dz;
        }
        const float scale =
            l->scale * n->kernel.gradient / (n->density[i] * n->volume[i]); // over the mass
        n->ax[i] += scale * ax;
        n->ay[i] += scale * ay;
        n->az[i] += scale * az;
    }
}

// Gradient and Laplacian of the colour field, for Mueller's force.
void OND_LOOP(colour)(const OndColourLoop *l, int first, int last);
void OND_LOOP(colour)(const OndColourLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz,
                          *restrict volume = n->volume;
    const OndKernelSet w = n->kernel;
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
            const float a = q < 1.0f ? 1.0f - q : 0.0f;
            const float other = q > 0.0f ? volume[j] : 0.0f; // the padding is the particle itself
            const float g = -a * a * a * volume[j];
            nx += g * dx;
            ny += g * dy;
            nz += g * dz;
            bend -= other * a * a * (1.0f - 4.0f * q + sides * a);
        }
        l->nx[i] = w.gradient * nx;
        l->ny[i] = w.gradient * ny;
        l->nz[i] = w.gradient * nz;
        l->bend[i] = w.gradient * (bend - volume[i] * (1.0f + sides)); // with the particle itself
    }
}
