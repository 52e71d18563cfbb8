// SPDX-License-Identifier: MIT
// Artificial viscosity:  a_i -= sum_j m_j Pi_ij grad W   (physics/viscosity.h has Pi).
#include "particles/loops/near.h"
#include "physics/viscosity.h"

OND_INLINE void artificial_range(const OndArtificialLoop *a, int first, int last, const int kind)
{
    const OndPairs *n = &a->pairs;
    const float inv_h = n->kernel.inv_h, h = n->kernel.h;
    const float linear = a->linear, quadratic = a->quadratic;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], rho = at[3];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes ax = {{0}}, ay = {{0}}, az = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float closing =
                    (ui - goes.x[k]) * dx + (vi - goes.y[k]) * dy + (wi - goes.z[k]) * dz;
                const float pi =
                    ond_artificial_viscosity(closing, r2, h, rho + near.w[k], linear, quadratic);
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
                const float push = ond_artificial_pair(near.w[k], goes.w[k], pi, g);
                ax.at[k] += push * dx;
                ay.at[k] += push * dy;
                az.at[k] += push * dz;
            }
        }
        const OndQuad sum = ond_lanes_in_turn3(&ax, &ay, &az);
        const float scale = n->kernel.gradient;
        n->ax[i] -= scale * sum[0];
        n->ay[i] -= scale * sum[1];
        n->az[i] -= scale * sum[2];
    }
}

void OND_LOOP(artificial)(const OndArtificialLoop *a, int first, int last);
void OND_LOOP(artificial)(const OndArtificialLoop *a, int first, int last)
{
#define RUN(kind) artificial_range(a, first, last, kind)
    OND_FOR_KERNEL(a->pairs.kernel.kind, RUN)
#undef RUN
}
