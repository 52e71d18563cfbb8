// SPDX-License-Identifier: MIT
// Heat between neighbours.
//
//     K_ij = 2 k_i k_j / (k_i + k_j) lap W        what a pair conducts
//     out_i = sum_j K_ij (T_i - T_j)              what a particle loses
//
// Both are found once a step, the first is kept beside the lists; the second then runs with every
// iteration, in double, since long steps multiply small differences. The third loop looks for the
// surface: where neighbours are missing.
#include "particles/loops/loops.h"
#include "physics/heat.h"

#include <stdbool.h>

OND_INLINE void conduct_range(const OndConductLoop *c, int first, int last, const int kind)
{
    const OndPairs *n = &c->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict conduct = c->conduct;
    const double *restrict value = c->value;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        float *restrict weight = c->weight + n->first[i];
        const int length = (int)n->length[i];
        const uint32_t self = (uint32_t)i;
        const float xi = px[i], yi = py[i], zi = pz[i], ki = conduct[i];
        const double mine = value[i];
        float sum = 0.0f;
        double out = 0.0;
#ifndef __wasm__ // has no vectors of double
#pragma omp simd reduction(+ : sum, out)
#endif
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float w =
                ond_heat_mean(ki, conduct[j]) * ond_kernel_laplacian_shape(kind, r, inv_h);
            const float pair = j == self || w < 0.0f ? 0.0f : w; // rounding, where r is tiny
            weight[k] = pair;
            sum += pair;
            out += ond_heat_lost((double)pair, mine, value[j]);
        }
        c->sum[i] = sum;
        c->out[i] = out;
    }
}

void OND_LOOP(conduct)(const OndConductLoop *c, int first, int last);
void OND_LOOP(conduct)(const OndConductLoop *c, int first, int last)
{
#define RUN(kind) conduct_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}

void OND_LOOP(flow)(const OndFlowLoop *f, int first, int last);
void OND_LOOP(flow)(const OndFlowLoop *f, int first, int last)
{
    const double *restrict value = f->value;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = f->pool + f->first[i];
        const float *restrict weight = f->weight + f->first[i];
        const int length = (int)f->length[i];
        const double mine = value[i];
        double sum = 0.0;
#ifndef __wasm__ // has no vectors of double
#pragma omp simd reduction(+ : sum)
#endif
        for (int k = 0; k < length; ++k)
            sum += ond_heat_lost((double)weight[k], mine, value[list[k]]);
        f->out[i] = sum;
    }
}

void OND_LOOP(exposed)(const OndExposedLoop *e, int first, int last);
void OND_LOOP(exposed)(const OndExposedLoop *e, int first, int last)
{
    const OndPairs *n = &e->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i];
        float sx = 0.0f, sy = 0.0f, sz = 0.0f, ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : sx, sy, sz, ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = px[j] - xi, dy = py[j] - yi, dz = pz[j] - zi;
            const float q = sqrtf(dx * dx + dy * dy + dz * dz) * inv_h;
            const float w = ond_heat_beside(q);
            sx += w * dx;
            sy += w * dy;
            sz += w * dz;
            ax += w * fabsf(dx);
            ay += w * fabsf(dy);
            az += w * fabsf(dz);
        }
        // of w |d| on each side
        const float near[6] = {0.5f * (ax - sx), 0.5f * (ax + sx), 0.5f * (ay - sy),
                               0.5f * (ay + sy), 0.5f * (az - sz), 0.5f * (az + sz)};
        float missing[6];
        for (int side = 0; side < 6; ++side) {
            const float at = side < 2 ? xi : side < 4 ? yi : zi;
            const bool wall = side % 2 ? at > e->closed[side] : at < e->closed[side];
            missing[side] = wall ? 0.0f : 1.0f - near[side] * e->full;
        }
        e->area[i] = e->scale * ond_heat_exposed(missing, e->dimension, e->ignored);
    }
}
