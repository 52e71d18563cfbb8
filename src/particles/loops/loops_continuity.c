// SPDX-License-Identifier: MIT
// The rate of change of density, by the continuity equation with diffusion (physics/continuity.h).
#include "particles/loops/loops.h"
#include "physics/continuity.h"

OND_INLINE void continuity_range(const OndContinuityLoop *c, int first, int last, const int kind)
{
    const OndPairs *n = &c->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict density = n->density, *restrict volume = n->volume;
    const float inv_h = n->kernel.inv_h, soft = 1e-6f * n->kernel.h2;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], rho = density[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i], dense = 1.0f / volume[i];
        float flow = 0.0f, spread = 0.0f, share = 0.0f;
#pragma omp simd reduction(+ : flow, spread, share)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h) * volume[j];
            const float closing = (ui - vx[j]) * dx + (vi - vy[j]) * dy + (wi - vz[j]) * dz;
            flow += ond_continuity_pair(g, closing);
            const float towards = ond_density_diffusion_share(g, r2, soft);
            spread += ond_density_diffusion_pair(towards, dense, 1.0f / volume[j]);
            share += towards;
        }
        const float mass = rho * volume[i], k = n->kernel.gradient;
        const float diffusion = ond_density_diffusion(c->diffusion, c->most, k * share);
        c->rate[i] = k * ond_continuity_rate(rho, flow, diffusion, mass, spread);
    }
}

void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last);
void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last)
{
#define RUN(kind) continuity_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}
