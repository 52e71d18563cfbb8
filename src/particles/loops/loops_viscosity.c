// SPDX-License-Identifier: MIT
// Classical viscosity:  a_i += 1/rho_i sum_j (mu_i + mu_j) / 2  V_j (v_j - v_i) lap W   (physics/viscosity.h).
#include "particles/loops/loops.h"
#include "physics/viscosity.h"

OND_INLINE void viscosity_range(const OndViscosityLoop *v, int first, int last, const int kind)
{
    const OndPairs *n = &v->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict mu = v->viscosity, *restrict volume = n->volume;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], mui = mu[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float lap = ond_kernel_laplacian_shape(kind, r, inv_h);
            const float drag = ond_viscosity_pair(mui, mu[j], volume[j], lap);
            ax += drag * (vx[j] - ui);
            ay += drag * (vy[j] - vi);
            az += drag * (vz[j] - wi);
        }
        const float scale = ond_viscosity_scale(n->kernel.laplacian, n->density[i]);
        n->ax[i] += scale * ax;
        n->ay[i] += scale * ay;
        n->az[i] += scale * az;
    }
}

void OND_LOOP(viscosity)(const OndViscosityLoop *v, int first, int last);
void OND_LOOP(viscosity)(const OndViscosityLoop *v, int first, int last)
{
#define RUN(kind) viscosity_range(v, first, last, kind)
    OND_FOR_KERNEL(v->pairs.kernel.kind, RUN)
#undef RUN
}
