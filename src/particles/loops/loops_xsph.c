// SPDX-License-Identifier: MIT
// XSPH: a velocity nearer to the neighbours' mean (physics/viscosity.h).
#include "particles/loops/loops.h"
#include "physics/viscosity.h"

OND_INLINE void xsph_range(const OndXsphLoop *x, int first, int last, const int kind)
{
    const OndPairs *n = &x->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float *restrict density = n->density, *restrict volume = n->volume;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i], rho = density[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i];
        float sx = 0.0f, sy = 0.0f, sz = 0.0f;
#pragma omp simd reduction(+ : sx, sy, sz)
        for (int k = 0; k < length; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float r2 = dx * dx + dy * dy + dz * dz;
            const float w =
                ond_xsph_weight(ond_kernel_shape(kind, r2, inv_h), rho, density[j], volume[j]);
            sx += w * (vx[j] - ui);
            sy += w * (vy[j] - vi);
            sz += w * (vz[j] - wi);
        }
        const float scale = 2.0f * x->share * n->kernel.value;
        x->wx[i] = ui + scale * sx;
        x->wy[i] = vi + scale * sy;
        x->wz[i] = wi + scale * sz;
    }
}

void OND_LOOP(xsph)(const OndXsphLoop *x, int first, int last);
void OND_LOOP(xsph)(const OndXsphLoop *x, int first, int last)
{
#define RUN(kind) xsph_range(x, first, last, kind)
    OND_FOR_KERNEL(x->pairs.kernel.kind, RUN)
#undef RUN
}
