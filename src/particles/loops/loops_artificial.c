// SPDX-License-Identifier: MIT
// Artificial viscosity:  a_i -= sum_j m_j Pi_ij grad W   (physics/viscosity.h has Pi).
#include "particles/loops/loops.h"
#include "physics/viscosity.h"

OND_INLINE void artificial_range(const OndArtificialLoop *a, int first, int last, const int kind)
{
    const OndPairs *n = &a->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict density = n->density, *restrict volume = n->volume;
    const float inv_h = n->kernel.inv_h, h = n->kernel.h;
    const float linear = a->linear, quadratic = a->quadratic;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], rho = density[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float closing = (ui - vx[j]) * dx + (vi - vy[j]) * dy + (wi - vz[j]) * dz;
            const float pi =
                ond_artificial_viscosity(closing, r2, h, rho + density[j], linear, quadratic);
            const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
            const float push = ond_artificial_pair(density[j], volume[j], pi, g);
            ax += push * dx;
            ay += push * dy;
            az += push * dz;
        }
        const float scale = n->kernel.gradient;
        n->ax[i] -= scale * ax;
        n->ay[i] -= scale * ay;
        n->az[i] -= scale * az;
    }
}

void OND_LOOP(artificial)(const OndArtificialLoop *a, int first, int last);
void OND_LOOP(artificial)(const OndArtificialLoop *a, int first, int last)
{
#define RUN(kind) artificial_range(a, first, last, kind)
    OND_FOR_KERNEL(a->pairs.kernel.kind, RUN)
#undef RUN
}
