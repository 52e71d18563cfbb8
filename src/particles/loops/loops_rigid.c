// SPDX-License-Identifier: MIT
// The loops of the rigid system over links (physics/rigidity.h).
#include "base/memory.h"
#include "particles/loops/near.h"
#include "physics/rigidity.h"

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SLAB 16384 // links taken from the pool at a time

// Room for one list of at most `most` links; -1 when the pool is used up.
static int64_t take_room(const OndLinkLoop *l, OndCandidates *w, uint32_t most)
{
    if (w->end - w->at >= most) return w->at;
    if (atomic_load_explicit(l->overflow, memory_order_relaxed)) return -1;
    const uint32_t size = most > SLAB ? most : SLAB;
    const uint32_t at = atomic_fetch_add_explicit(l->used, size, memory_order_relaxed);
    if (at > l->capacity || l->capacity - at < size) {
        atomic_store_explicit(l->overflow, 1, memory_order_relaxed);
        return -1;
    }
    w->at = at, w->end = at + size;
    return at;
}

// Stiffness of the links to a list of neighbours; 0 where there is none.
static void weigh(const OndLinkLoop *l, uint32_t i, const uint32_t *restrict list, int length,
                  float *restrict out)
{
    const float *restrict px = l->px, *restrict py = l->py, *restrict pz = l->pz;
    const float *restrict lead = l->lead, *restrict mass = l->mass;
    const float xi = px[i], yi = py[i], zi = pz[i], ai = lead[i], mi = mass[i];
    const float per_reach2 = 1.0f / l->reach2;
#pragma omp simd
    for (int k = 0; k < length; ++k) {
        const uint32_t j = list[k];
        const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
        const float r2 = dx * dx + dy * dy + dz * dz;
        out[k] = ond_link_stiffness(ond_link_shape(r2, per_reach2), ai, lead[j], mi, mass[j]);
    }
}

// Two pieces that touch do not hold each other, nor do the members of one body.
static inline bool may_link(const OndLinkLoop *l, uint32_t i, uint32_t j)
{
    const bool apart = l->piece[i] && l->piece[j] && l->piece[i] != l->piece[j];
    const bool both_move = l->kind[l->local[i]] == 0 || l->kind[l->local[j]] == 0;
    return !apart && both_move;
}

static void link_one(const OndLinkLoop *l, OndNearBuffer *w, int at)
{
    float *const stiffness = w->x; // candidates of cells are done with
    const uint32_t i = l->particle[at];
    const uint32_t *list = l->pool + l->list_first[i];
    const int length = (int)l->list_length[i];
    const int64_t begin = take_room(l, &w->slab, (uint32_t)length + OND_LANES);
    if (begin < 0) return;
    uint32_t *restrict near = l->near + begin;
    float *restrict gx = l->gx + begin, *restrict gy = l->gy + begin, *restrict gz = l->gz + begin;
    weigh(l, i, list, length, stiffness);
    int n = 0;
    for (int k = 0; k < length; ++k) {
        if (!(stiffness[k] > 0.0f) || l->local[list[k]] < 0 || !may_link(l, i, list[k])) continue;
        const uint32_t j = list[k];
        const float dx = l->px[i] - l->px[j], dy = l->py[i] - l->py[j], dz = l->pz[i] - l->pz[j];
        const float root = ond_link_root(stiffness[k], dx * dx + dy * dy + dz * dz);
        near[n] = (uint32_t)l->local[j];
        gx[n] = root * dx, gy[n] = root * dy, gz[n] = root * dz;
        ++n;
    }
    const int padded = (n + OND_LANES - 1) / OND_LANES * OND_LANES;
    for (int k = n; k < padded; ++k)
        near[k] = (uint32_t)at, gx[k] = gy[k] = gz[k] = 0.0f;
    l->first[at] = (uint32_t)begin;
    l->length[at] = (uint32_t)padded;
    w->slab.at += (uint32_t)padded;
}

void OND_LOOP(link)(const OndLinkLoop *l, int first, int last, int worker);
void OND_LOOP(link)(const OndLinkLoop *l, int first, int last, int worker)
{
    for (int at = first; at < last; ++at)
        link_one(l, &l->worker[worker], at);
}

void OND_LOOP(pull)(const OndPullLoop *l, int first, int last);
void OND_LOOP(pull)(const OndPullLoop *l, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const uint32_t begin = l->first[i], end = begin + l->length[i];
        const OndQuad me = l->u[i];
        const float x = me[0], y = me[1], z = me[2], hold = me[3];
        OndLanes fx = {{0}}, fy = {{0}}, fz = {{0}};
        for (uint32_t e = begin; e < end; e += OND_LANES) {
            const float *restrict gx = l->gx + e, *restrict gy = l->gy + e,
                                  *restrict gz = l->gz + e;
            OndNear near;
            ond_near_take(l->u, l->near + e, &near);
#pragma omp simd
            for (int k = 0; k < OND_LANES; ++k) {
                const float along = ond_link_hold(hold, near.w[k]) *
                                    ond_link_along(gx[k], gy[k], gz[k], x - near.x[k],
                                                   y - near.y[k], z - near.z[k]);
                fx.at[k] += along * gx[k];
                fy.at[k] += along * gy[k];
                fz.at[k] += along * gz[k];
            }
        }
        l->fx[i] = ond_lanes_sum(&fx), l->fy[i] = ond_lanes_sum(&fy), l->fz[i] = ond_lanes_sum(&fz);
    }
}
