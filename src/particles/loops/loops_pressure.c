// SPDX-License-Identifier: MIT
// Pressure:  a_i = - scale_i sum_j weight_j (load_i + load_j) grad W   (physics/pressure.h has both
// forms of it; sph_pressure.c fills the three arrays).
#include "particles/loops/loops.h"
#include "physics/pressure.h"

OND_INLINE void pressure_range(const OndPressureLoop *p, int first, int last, const int kind)
{
    const OndPairs *n = &p->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict weight = p->weight, *restrict load = p->load;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], li = load[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r = sqrtf(dx * dx + dy * dy + dz * dz);
            const float g = ond_kernel_gradient_shape(kind, r, inv_h);
            const float push = ond_pressure_pair(weight[j], li, load[j], g);
            ax += push * dx;
            ay += push * dy;
            az += push * dz;
        }
        const float scale = p->scale[i] * n->kernel.gradient;
        n->ax[i] -= scale * ax;
        n->ay[i] -= scale * ay;
        n->az[i] -= scale * az;
    }
}

void OND_LOOP(pressure)(const OndPressureLoop *p, int first, int last);
void OND_LOOP(pressure)(const OndPressureLoop *p, int first, int last)
{
#define RUN(kind) pressure_range(p, first, last, kind)
    OND_FOR_KERNEL(p->pairs.kernel.kind, RUN)
#undef RUN
}
