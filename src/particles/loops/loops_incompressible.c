// SPDX-License-Identifier: MIT
// The sums of liquids that keep their volume (physics/incompressible.h): D w, - M^-1 D^T k, and the
// diagonal of their product; and by how much the neighbours' impulses are larger than a particle's.
#include "particles/loops/near.h"
#include "physics/incompressible.h"

OND_INLINE void impulse_range(const OndImpulseLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i];
        const float xi = at[0], yi = at[1], zi = at[2], ki = at[3];
        OndLanes wx = {{0}}, wy = {{0}}, wz = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near;
            ond_near_take(p->place, list, &near);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r = sqrtf(dx * dx + dy * dy + dz * dz);
                const float push =
                    ond_impulse_pair(ki, near.w[k], ond_kernel_gradient_shape(kind, r, inv_h));
                wx.at[k] += push * dx;
                wy.at[k] += push * dy;
                wz.at[k] += push * dz;
            }
        }
        const float scale = -p->kernel.gradient * p->inverse_mass[i];
        p->way[i] = (OndQuad){scale * ond_lanes_sum(&wx), scale * ond_lanes_sum(&wy),
                              scale * ond_lanes_sum(&wz), 0.0f};
    }
}

void OND_LOOP(impulse)(const OndImpulseLoop *p, int first, int last);
void OND_LOOP(impulse)(const OndImpulseLoop *p, int first, int last){
#define RUN(kind) impulse_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}

OND_INLINE void crowding_range(const OndImpulseLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i], way = p->way[i];
        const float xi = at[0], yi = at[1], zi = at[2];
        const float ui = way[0], vi = way[1], wi = way[2];
        OndLanes sum = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near, goes;
            ond_near_take(p->place, list, &near);
            ond_near_take(p->way, list, &goes);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r = sqrtf(dx * dx + dy * dy + dz * dz);
                const float closing =
                    (ui - goes.x[k]) * dx + (vi - goes.y[k]) * dy + (wi - goes.z[k]) * dz;
                sum.at[k] += ond_crowding_pair(ond_kernel_gradient_shape(kind, r, inv_h), closing);
            }
        }
        p->sum[i] = p->kernel.gradient * ond_lanes_sum(&sum);
    }
}

void OND_LOOP(crowding)(const OndImpulseLoop *p, int first, int last);
void OND_LOOP(crowding)(const OndImpulseLoop *p, int first, int last){
#define RUN(kind) crowding_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}

// Here the quads' fourth value is the inverse mass; ways are twice the sums of all gradients.
OND_INLINE void ease_range(const OndImpulseLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h, scale = p->kernel.gradient;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i];
        const float xi = at[0], yi = at[1], zi = at[2];
        OndLanes wx = {{0}}, wy = {{0}}, wz = {{0}}, squares = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near;
            ond_near_take(p->place, list, &near);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                const float g = ond_kernel_gradient_shape(kind, sqrtf(r2), inv_h);
                squares.at[k] += near.w[k] * g * g * r2;
                wx.at[k] += g * dx;
                wy.at[k] += g * dy;
                wz.at[k] += g * dz;
            }
        }
        const float x = ond_lanes_sum(&wx), y = ond_lanes_sum(&wy), z = ond_lanes_sum(&wz);
        p->sum[i] =
            scale * scale * ond_impulse_ease(at[3], x * x + y * y + z * z, ond_lanes_sum(&squares));
        p->way[i] = (OndQuad){2.0f * scale * x, 2.0f * scale * y, 2.0f * scale * z, 0.0f};
    }
}

void OND_LOOP(ease)(const OndImpulseLoop *p, int first, int last);
void OND_LOOP(ease)(const OndImpulseLoop *p, int first, int last){
#define RUN(kind) ease_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}

// Lists are filled up with the particle itself, whose difference is 0.
OND_INLINE void differ_range(const OndImpulseLoop *p, int first, int last, const int kind)
{
    const float inv_h = p->kernel.inv_h;
    for (int i = first; i < last; ++i) {
        const uint32_t *list = p->pool + p->first[i], *const end = list + p->length[i];
        const OndQuad at = p->place[i];
        const float xi = at[0], yi = at[1], zi = at[2], ki = at[3];
        OndLanes sum = {{0}};
        for (; list < end; list += OND_LANES) {
            OndNear near;
            ond_near_take(p->place, list, &near);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float dx = xi - near.x[k], dy = yi - near.y[k], dz = zi - near.z[k];
                const float r2 = dx * dx + dy * dy + dz * dz;
                sum.at[k] += ond_kernel_shape(kind, r2, inv_h) * (near.w[k] - ki);
            }
        }
        p->sum[i] = p->kernel.value * ond_lanes_sum(&sum);
    }
}

void OND_LOOP(differ)(const OndImpulseLoop *p, int first, int last);
void OND_LOOP(differ)(const OndImpulseLoop *p, int first, int last)
{
#define RUN(kind) differ_range(p, first, last, kind)
    OND_FOR_KERNEL(p->kernel.kind, RUN)
#undef RUN
}
