// SPDX-License-Identifier: MIT
// Classical viscosity:  a_i += 1/rho_i sum_j (mu_i + mu_j) / 2  V_j (v_j - v_i) lap W   (physics/viscosity.h).
#include "particles/loops/near.h"
#include "physics/viscosity.h"

OND_INLINE void viscosity_range(const OndViscosityLoop *v, int first, int last, const int kind)
{
    const OndPairs *n = &v->pairs;
    const float inv_h = n->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], mui = at[3];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes ax = {{0}}, ay = {{0}}, az = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r = sqrtf(dx * dx + dy * dy + dz * dz);
                const float lap = ond_kernel_laplacian_shape(kind, r, inv_h);
                const float drag = ond_viscosity_pair(mui, near.w[k], goes.w[k], lap);
                ax.at[k] += drag * (goes.x[k] - ui);
                ay.at[k] += drag * (goes.y[k] - vi);
                az.at[k] += drag * (goes.z[k] - wi);
            }
        }
        const OndQuad sum = ond_lanes_in_turn3(&ax, &ay, &az);
        const float scale = ond_viscosity_scale(n->kernel.laplacian, n->density[i]);
        n->ax[i] += scale * sum[0];
        n->ay[i] += scale * sum[1];
        n->az[i] += scale * sum[2];
    }
}

void OND_LOOP(viscosity)(const OndViscosityLoop *v, int first, int last);
void OND_LOOP(viscosity)(const OndViscosityLoop *v, int first, int last)
{
#define RUN(kind) viscosity_range(v, first, last, kind)
    OND_FOR_KERNEL(v->pairs.kernel.kind, RUN)
#undef RUN
}
