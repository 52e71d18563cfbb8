// SPDX-License-Identifier: MIT
// XSPH: a velocity nearer to the neighbours' mean (physics/viscosity.h).
#include "particles/loops/near.h"
#include "physics/viscosity.h"

OND_INLINE void xsph_range(const OndXsphLoop *x, int first, int last, const int kind)
{
    const OndPairs *n = &x->pairs;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], rho = at[3];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes sx = {{0}}, sy = {{0}}, sz = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float w =
                    ond_xsph_weight(ond_kernel_shape(kind, r2, inv_h), rho, near.w[k], goes.w[k]);
                sx.at[k] += w * (goes.x[k] - ui);
                sy.at[k] += w * (goes.y[k] - vi);
                sz.at[k] += w * (goes.z[k] - wi);
            }
        }
        const OndQuad sum = ond_lanes_in_turn3(&sx, &sy, &sz);
        const float scale = 2.0f * x->share * n->kernel.value;
        x->wx[i] = ui + scale * sum[0];
        x->wy[i] = vi + scale * sum[1];
        x->wz[i] = wi + scale * sum[2];
    }
}

void OND_LOOP(xsph)(const OndXsphLoop *x, int first, int last);
void OND_LOOP(xsph)(const OndXsphLoop *x, int first, int last)
{
#define RUN(kind) xsph_range(x, first, last, kind)
    OND_FOR_KERNEL(x->pairs.kernel.kind, RUN)
#undef RUN
}
