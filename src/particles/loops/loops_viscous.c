// SPDX-License-Identifier: MIT
// The sums of implicit viscosity (physics/viscosity.h): what neighbours take of a velocity, and each
// particle's own block of the system.
#include "particles/loops/near.h"
#include "physics/viscosity.h"

OND_INLINE void rub_range(const OndViscousLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h, scale = -p->kernel.gradient, far = p->far;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i], go = p->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], mine = at[3];
        const float ui = go[0], vi = go[1], wi = go[2];
        OndLanes fx = {{0}}, fy = {{0}}, fz = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(p->place, list, &near);
            ond_near_take(p->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
                const float px = dx * (ui - goes.x[k]), py = dy * (vi - goes.y[k]),
                            pz = dz * (wi - goes.z[k]);
                const float pull = ond_viscous_pair(mine, near.w[k], ond_viscous_pull(g, r2, far));
                const float along = goes.w[k] * (px + py + pz), own = 1.0f - goes.w[k];
                fx.at[k] += pull * dx * (along + own * px);
                fy.at[k] += pull * dy * (along + own * py);
                fz.at[k] += pull * dz * (along + own * pz);
            }
        }
        p->out[i] = (OndQuad){scale * ond_lanes_sum(&fx), scale * ond_lanes_sum(&fy),
                              scale * ond_lanes_sum(&fz), 0.0f};
    }
}

void OND_LOOP(rub)(const OndViscousLoop *p, int first, int last);
void OND_LOOP(rub)(const OndViscousLoop *p, int first, int last){
#define RUN(kind) rub_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}

OND_INLINE void block_range(const OndViscousLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h, scale = -p->kernel.gradient, far = p->far;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i];
        const float xi = at[0], yi = at[1], zi = at[2], mine = at[3];
        OndLanes xx = {{0}}, yy = {{0}}, zz = {{0}}, xy = {{0}}, xz = {{0}}, yz = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(p->place, list, &near);
            ond_near_take(p->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
                const float pull = ond_viscous_pair(mine, near.w[k], ond_viscous_pull(g, r2, far));
                const float along = goes.w[k] * pull;
                xx.at[k] += pull * dx * dx;
                yy.at[k] += pull * dy * dy;
                zz.at[k] += pull * dz * dz;
                xy.at[k] += along * dx * dy;
                xz.at[k] += along * dx * dz;
                yz.at[k] += along * dy * dz;
            }
        }
        float *const out = p->block[i];
        out[0] = scale * ond_lanes_sum(&xx), out[1] = scale * ond_lanes_sum(&yy);
        out[2] = scale * ond_lanes_sum(&zz), out[3] = scale * ond_lanes_sum(&xy);
        out[4] = scale * ond_lanes_sum(&xz), out[5] = scale * ond_lanes_sum(&yz);
    }
}

void OND_LOOP(rub_block)(const OndViscousLoop *p, int first, int last);
void OND_LOOP(rub_block)(const OndViscousLoop *p, int first, int last)
{
#define RUN(kind) block_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}
