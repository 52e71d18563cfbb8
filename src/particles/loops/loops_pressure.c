// SPDX-License-Identifier: MIT
// Pressure:  a_i = - scale_i sum_j weight_j (load_i + load_j) grad W   (physics/pressure.h has both
// forms of it; sph_pressure.c fills the arrays).
#include "particles/loops/near.h"
#include "physics/pressure.h"

OND_INLINE void pressure_range(const OndPressureLoop *p, int first, int last, const int kind,
                               const int alike)
{
    const OndPairs *n = &p->pairs;
    const float *restrict weight = p->weight;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i];
        const float xi = at[0], yi = at[1], zi = at[2], li = at[3];
        OndLanes ax = {{0}}, ay = {{0}}, az = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near;
            ond_near_take(n->place, list, &near);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r = sqrtf(dx * dx + dy * dy + dz * dz);
                const float g = ond_kernel_gradient_shape(kind, r, inv_h);
                const float push =
                    ond_pressure_pair(alike ? 1.0f : weight[list[k]], li, near.w[k], g);
                ax.at[k] += push * dx;
                ay.at[k] += push * dy;
                az.at[k] += push * dz;
            }
        }
        const OndQuad sum = ond_lanes_in_turn3(&ax, &ay, &az);
        const float scale = p->scale[i] * n->kernel.gradient;
        n->ax[i] -= scale * sum[0];
        n->ay[i] -= scale * sum[1];
        n->az[i] -= scale * sum[2];
    }
}

void OND_LOOP(pressure)(const OndPressureLoop *p, int first, int last);
void OND_LOOP(pressure)(const OndPressureLoop *p, int first, int last)
{
#define RUN(kind)                                                                                  \
    p->weight ? pressure_range(p, first, last, kind, 0) : pressure_range(p, first, last, kind, 1)
    OND_FOR_KERNEL(p->pairs.kernel.kind, RUN)
#undef RUN
}
