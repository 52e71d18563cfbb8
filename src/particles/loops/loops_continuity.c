// SPDX-License-Identifier: MIT
// The rate of change of density, by the continuity equation with diffusion (physics/continuity.h).
#include "particles/loops/near.h"
#include "physics/continuity.h"

OND_INLINE void continuity_range(const OndContinuityLoop *c, int first, int last, const int kind)
{
    const OndPairs *n = &c->pairs;
    const float inv_h = n->kernel.inv_h, soft = 1e-6f * n->kernel.h2;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], rho = at[3];
        const float ui = way[0], vi = way[1], wi = way[2], dense = 1.0f / way[3];
        OndLanes flow = {{0}}, spread = {{0}}, share = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h) * goes.w[k];
                const float closing =
                    (ui - goes.x[k]) * dx + (vi - goes.y[k]) * dy + (wi - goes.z[k]) * dz;
                flow.at[k] += ond_continuity_pair(g, closing);
                const float towards = ond_density_diffusion_share(g, r2, soft);
                spread.at[k] += ond_density_diffusion_pair(towards, dense, 1.0f / goes.w[k]);
                share.at[k] += towards;
            }
        }
        const float mass = rho * way[3], k = n->kernel.gradient;
        const float diffusion =
            ond_density_diffusion(c->diffusion, c->most, k * ond_lanes_in_turn(&share));
        c->rate[i] = k * ond_continuity_rate(rho, ond_lanes_in_turn(&flow), diffusion, mass,
                                             ond_lanes_in_turn(&spread));
    }
}

void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last);
void OND_LOOP(continuity)(const OndContinuityLoop *c, int first, int last)
{
#define RUN(kind) continuity_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}
