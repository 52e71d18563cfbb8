// SPDX-License-Identifier: MIT
// How a liquid turns and closes in, and artificial viscosity that spares what turns
// (physics/viscosity.h).
#include "particles/loops/loops.h"
#include "physics/viscosity.h"

OND_INLINE void curl_range(const OndCurlLoop *c, int first, int last, const int kind)
{
    const OndPairs *n = &c->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict volume = n->volume;
    const float inv_h = n->kernel.inv_h, scale = n->kernel.gradient;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], ui = vx[i], vi = vy[i], wi = vz[i];
        float cx = 0.0f, cy = 0.0f, cz = 0.0f, closing = 0.0f;
#pragma omp simd reduction(+ : cx, cy, cz, closing)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float u = vx[j] - ui, v = vy[j] - vi, w = vz[j] - wi;
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float g = volume[j] * ond_kernel_gradient_shape(kind, r, inv_h);
            cx += g * (dy * w - dz * v);
            cy += g * (dz * u - dx * w);
            cz += g * (dx * v - dy * u);
            closing += g * (dx * u + dy * v + dz * w);
        }
        c->turn[i] = fabsf(scale) * sqrtf(cx * cx + cy * cy + cz * cz);
        c->close[i] = fabsf(scale * closing);
    }
}

void OND_LOOP(curl)(const OndCurlLoop *c, int first, int last);
void OND_LOOP(curl)(const OndCurlLoop *c, int first, int last){
#define RUN(kind) curl_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}

OND_INLINE void spare_range(const OndSpareLoop *s, int first, int last, const int kind)
{
    const OndPairs *n = &s->artificial.pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict density = n->density, *restrict volume = n->volume;
    const float *restrict share = s->share;
    const float h = n->kernel.h, inv_h = n->kernel.inv_h;
    const float linear = s->artificial.linear, quadratic = s->artificial.quadratic;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], rho = density[i], mine = share[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float closing = (ui - vx[j]) * dx + (vi - vy[j]) * dy + (wi - vz[j]) * dz;
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float pi =
                ond_artificial_viscosity(closing, r2, h, rho + density[j], linear, quadratic);
            const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
            const float drag =
                (mine + share[j]) * ond_artificial_pair(density[j], volume[j], pi, g);
            ax += drag * dx;
            ay += drag * dy;
            az += drag * dz;
        }
        const float scale = -0.5f * n->kernel.gradient;
        n->ax[i] += scale * ax;
        n->ay[i] += scale * ay;
        n->az[i] += scale * az;
    }
}

void OND_LOOP(spare)(const OndSpareLoop *s, int first, int last);
void OND_LOOP(spare)(const OndSpareLoop *s, int first, int last)
{
#define RUN(kind) spare_range(s, first, last, kind)
    OND_FOR_KERNEL(s->artificial.pairs.kernel.kind, RUN)
#undef RUN
}
