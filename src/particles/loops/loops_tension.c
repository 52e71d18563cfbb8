// SPDX-License-Identifier: MIT
// Surface tension: normals, curvature, and Mueller's colour (physics/tension.h has the idea).
//
// Normals come from a wider kernel than the force: what is noise in the one is depth in the other
// (sph_tension.c). Wendland's C2 kernel serves here whatever the scene's kernel is.
#include "particles/loops/loops.h"
#include "physics/tension.h"

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
            const float v = ond_colour_volume(volume[j], most);
            const float g =
                ond_colour_slope(v, ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, wide));
            const float f =
                ond_colour_slope(v, ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, r, narrow));
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
            const float w = weight[j];
            const float slope = ond_kernel_gradient_shape(OND_KERNEL_WENDLAND, sqrtf(r2), inv_h);
            const float g = ond_curvature_weight(w, slope);
            const float deep = ui * dx + vi * dy + wi * dz;
            turn += ond_curvature_turn(g, nx[j] * dx + ny[j] * dy + nz[j] * dz, deep);
            way += ond_curvature_way(g, r2, deep);
        }
        l->curvature[i] = ond_curvature(turn, way);
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
            const float rest = q < 1.0f ? 1.0f - q : 0.0f;
            const float other = q > 0.0f ? volume[j] : 0.0f; // the padding is the particle itself
            const float g = ond_colour_slope(-rest * rest * rest, volume[j]);
            nx += g * dx;
            ny += g * dy;
            nz += g * dz;
            bend -= ond_colour_bend(other, q, rest, sides);
        }
        l->nx[i] = w.gradient * nx;
        l->ny[i] = w.gradient * ny;
        l->nz[i] = w.gradient * nz;
        l->bend[i] =
            w.gradient * (bend - ond_colour_bend(volume[i], 0.0f, 1.0f, sides)); // with itself
    }
}
