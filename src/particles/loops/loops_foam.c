// SPDX-License-Identifier: MIT
// What foam asks of a liquid (physics/foam.h): potentials of its particles, and what is round a
// place.
#include "particles/loops/loops.h"
#include "physics/foam.h"

#define TINY 1e-30f // m^2: the padding of lists, which is the particle itself

void OND_LOOP(trap)(const OndTrapLoop *t, int first, int last);
void OND_LOOP(trap)(const OndTrapLoop *t, int first, int last)
{
    const OndPairs *n = &t->pairs;
    const float *restrict px = n->px, *restrict py = n->py, *restrict pz = n->pz;
    const float *restrict vx = n->vx, *restrict vy = n->vy, *restrict vz = n->vz;
    const float inv_reach = t->inv_reach, scale = t->scale;
    for (int i = first; i < last; ++i) {
        const uint32_t *restrict list = n->pool + n->first[i];
        const int length = (int)n->length[i];
        const float xi = px[i], yi = py[i], zi = pz[i];
        const float ui = vx[i], vi = vy[i], wi = vz[i];
        float trapped = 0.0f, sx = 0.0f, sy = 0.0f, sz = 0.0f;
        const int asked = ui * ui + vi * vi + wi * wi < t->least ? 0 : length;
#pragma omp simd reduction(+ : trapped, sx, sy, sz)
        for (int k = 0; k < asked; ++k) {
            const uint32_t j = list[k];
            const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
            const float du = ui - vx[j], dv = vi - vy[j], dw = wi - vz[j];
            const float r2 = dx * dx + dy * dy + dz * dz + TINY;
            const float r = sqrtf(r2), once = 1.0f / r;
            const float w = ond_foam_weight(r, inv_reach);
            const float speed = sqrtf(du * du + dv * dv + dw * dw);
            const float along = (du * dx + dv * dy + dw * dz) * once;
            const float out = w * once;
            trapped += ond_foam_trapped(speed, along, w);
            sx += out * dx;
            sy += out * dy;
            sz += out * dz;
        }
        t->trapped[i] = scale * trapped;
        t->nx[i] = scale * sx;
        t->ny[i] = scale * sy;
        t->nz[i] = scale * sz;
    }
}

void OND_LOOP(meet)(const OndMeetLoop *m, uint32_t first, uint32_t last, float sum[5]);
void OND_LOOP(meet)(const OndMeetLoop *m, uint32_t first, uint32_t last, float sum[5])
{
    const float *restrict px = m->px, *restrict py = m->py, *restrict pz = m->pz;
    const float *restrict vx = m->vx, *restrict vy = m->vy, *restrict vz = m->vz;
    const float x = m->at[0], y = m->at[1], z = m->at[2], inv_reach = m->inv_reach;
    float count = 0.0f, all = 0.0f, sx = 0.0f, sy = 0.0f, sz = 0.0f;
#pragma omp simd reduction(+ : count, all, sx, sy, sz)
    for (uint32_t j = first; j < last; ++j) {
        const float dx = x - px[j], dy = y - py[j], dz = z - pz[j];
        const float w = ond_foam_weight(sqrtf(dx * dx + dy * dy + dz * dz), inv_reach);
        count += w > 0.0f ? 1.0f : 0.0f;
        all += w;
        sx += w * vx[j];
        sy += w * vy[j];
        sz += w * vz[j];
    }
    sum[0] += count, sum[1] += all, sum[2] += sx, sum[3] += sy, sum[4] += sz;
}
