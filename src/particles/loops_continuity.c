// SPDX-License-Identifier: MIT
// Density that follows the flow instead of being summed [Monaghan 1989; Dagenais 2012, 3.3]:
//
//     d rho_i / dt = rho_i sum_j V_j (v_i - v_j) . grad W
//                  + delta h c sum_j V_j psi_ij . grad W,   psi = 2 (rho_j - rho_i) x_ji / r^2
//                  [Molteni 2009]
//
// The second term spreads out the noise that pressure would turn into sound. It compares how
// tightly particles are packed, m_i (1 / V_j - 1 / V_i): the same for one liquid, and nothing where
// two of different weight touch. In one step it takes no more than all of a particle's difference
// from its neighbours: where particles are crowded (a jet that has set where it landed) an
// explicit step would overshoot, and more at each step.
#include "particles/loops.h"

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
            flow += g * ((ui - vx[j]) * dx + (vi - vy[j]) * dy + (wi - vz[j]) * dz);
            const float towards = g * r2 / (r2 + soft); // finite where particles coincide
            spread += towards * (dense - 1.0f / volume[j]);
            share += towards;
        }
        const float mass = rho * volume[i], k = n->kernel.gradient;
        const float diffusion = fminf(2.0f * c->diffusion, c->most / (fabsf(k * share) + 1e-30f));
        c->rate[i] = k * (rho * flow + diffusion * mass * spread);
    }
}

void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last);
void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last)
{
#define RUN(kind) continuity_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}
