// SPDX-License-Identifier: MIT
// How a liquid turns and closes in, and artificial viscosity that spares what turns
// (physics/viscosity.h).
#include "particles/loops/near.h"
#include "physics/viscosity.h"

OND_INLINE void curl_range(const OndCurlLoop *c, int first, int last, const int kind)
{
    const OndPairs *n = &c->pairs;
    const float inv_h = n->kernel.inv_h, scale = n->kernel.gradient;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes cx = {{0}}, cy = {{0}}, cz = {{0}}, closing = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float u = goes.x[k] - ui, v = goes.y[k] - vi, w = goes.z[k] - wi;
                const float r = sqrtf(dx * dx + dy * dy + dz * dz);
                const float g = goes.w[k] * ond_kernel_gradient_shape(kind, r, inv_h);
                cx.at[k] += g * (dy * w - dz * v);
                cy.at[k] += g * (dz * u - dx * w);
                cz.at[k] += g * (dx * v - dy * u);
                closing.at[k] += g * (dx * u + dy * v + dz * w);
            }
        }
        const OndQuad t = ond_lanes_in_turn3(&cx, &cy, &cz);
        c->turn[i] = fabsf(scale) * sqrtf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        c->close[i] = fabsf(scale * ond_lanes_in_turn(&closing));
    }
}

void OND_LOOP(curl)(const OndCurlLoop *c, int first, int last);
void OND_LOOP(curl)(const OndCurlLoop *c, int first, int last){
#define RUN(kind) curl_range(c, first, last, kind)
    OND_FOR_KERNEL(c->pairs.kernel.kind, RUN)
#undef RUN
}

OND_INLINE void spare_range(const OndSpareLoop *s, int first, int last, const int kind)
{
    const OndPairs *n = &s->artificial.pairs;
    const float *restrict share = s->share;
    const float h = n->kernel.h, inv_h = n->kernel.inv_h;
    const float linear = s->artificial.linear, quadratic = s->artificial.quadratic;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = n->pool + n->first[i], *const end = list + n->length[i];
        const OndQuad at = n->place[i], way = n->go[i];
        const float xi = at[0], yi = at[1], zi = at[2], rho = at[3], mine = share[i];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes ax = {{0}}, ay = {{0}}, az = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(n->place, list, &near);
            ond_near_take(n->go, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float closing =
                    (ui - goes.x[k]) * dx + (vi - goes.y[k]) * dy + (wi - goes.z[k]) * dz;
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float pi =
                    ond_artificial_viscosity(closing, r2, h, rho + near.w[k], linear, quadratic);
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
                const float drag =
                    (mine + share[list[k]]) * ond_artificial_pair(near.w[k], goes.w[k], pi, g);
                ax.at[k] += drag * dx;
                ay.at[k] += drag * dy;
                az.at[k] += drag * dz;
            }
        }
        const OndQuad sum = ond_lanes_in_turn3(&ax, &ay, &az);
        const float scale = -0.5f * n->kernel.gradient;
        n->ax[i] += scale * sum[0];
        n->ay[i] += scale * sum[1];
        n->az[i] += scale * sum[2];
    }
}

void OND_LOOP(spare)(const OndSpareLoop *s, int first, int last);
void OND_LOOP(spare)(const OndSpareLoop *s, int first, int last)
{
#define RUN(kind) spare_range(s, first, last, kind)
    OND_FOR_KERNEL(s->artificial.pairs.kernel.kind, RUN)
#undef RUN
}
