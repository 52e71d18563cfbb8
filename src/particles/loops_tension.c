// SPDX-License-Identifier: MIT
// Surface tension as a force at the surface [Brackbill 1992; Morris 2000]:
//
//     f = sigma kappa grad c,      c = sum_j V_j W, the colour field
//
// kappa is the surface's curvature. It comes from how the unit normals n = grad c / |grad c| turn
// from a particle to its neighbours, compared with the way along the surface to them:
//
//     kappa_i = (d - 1) sum_j w_j (n_j - n_i) . x_ji G / sum_j w_j (x_ij^2 - (n_i . x_ij)^2) G
//
// with x_ji = x_j - x_i. Sums over the same neighbours stand above and below, so it is exact on a
// ball although one half of them is missing, and beside walls. The weights w = |grad c| listen to
// those that know best where the surface is. Normals come from a wider kernel than the force: what
// is noise in the one is depth in the other (sph_tension.c). Wendland's C2 kernel serves here
// whatever the scene's kernel is. A particle counts with the volume it has when squeezed, and with
// that at rest where its density lacks the neighbours beyond the surface.
//
// Mueller 2003's own force, kept for comparison, is -sigma (lap c) n / |n| with n = grad c, where
// |n| is above a threshold.
#include "particles/loops.h"

// Gradients of the colour field, by the wide kernel of the normals and the narrow one of the force.
void OND_LOOP(slope)(const OndSlopeLoop *l, int first, int last);
void OND_LOOP(slope)(const OndSlopeLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz,
                          *restrict volume = n->volume;
    const float wide = n->kernel.inv_h, narrow = l->narrow.inv_h, most = l->rest_volume;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i];
        float nx = 0.0f, ny = 0.0f, nz = 0.0f, fx = 0.0f, fy = 0.0f, fz = 0.0f;
#pragma omp simd reduction(+ : nx, ny, nz, fx, fy, fz)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float v = volume[j] < most ? volume[j] : most;
            const float g = v * ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, wide);
            const float f = v * ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, narrow);
            nx += g * dx;
            ny += g * dy;
            nz += g * dz;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        l->nx[i] = n->kernel.gradient * nx;
        l->ny[i] = n->kernel.gradient * ny;
        l->nz[i] = n->kernel.gradient * nz;
        l->fx[i] = l->narrow.gradient * fx;
        l->fy[i] = l->narrow.gradient * fy;
        l->fz[i] = l->narrow.gradient * fz;
    }
}

// Curvature of the surface, over d - 1: how far normals turn over the way along it.
void OND_LOOP(curvature)(const OndCurvatureLoop *l, int first, int last);
void OND_LOOP(curvature)(const OndCurvatureLoop *l, int first, int last)
{
    const OndPairs *n = &l->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict nx = l->nx, *restrict ny = l->ny, *restrict nz = l->nz,
                          *restrict weight = l->weight;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], ui = nx[i], vi = ny[i], wi = nz[i];
        float turn = 0.0f, way = 0.0f;
#pragma omp simd reduction(+ : turn, way)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float g =
                -weight[j] * ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, sqrtf(r2), inv_h);
            const float deep = ui * dx + vi * dy + wi * dz;
            turn += g * (nx[j] * dx + ny[j] * dy + nz[j] * dz - deep);
            way += g * (r2 - deep * deep);
        }
        l->curvature[i] = way > 0.0f ? turn / way : 0.0f;
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
