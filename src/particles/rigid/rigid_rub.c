// SPDX-License-Identifier: MIT
// Solids that touch rub.
//
// Pressure keeps two pieces apart and lets them slide on each other as if oiled: a heap of set
// drops would creep for ever. So particles of different pieces that touch lose a share of their
// velocity along the contact, in equal and opposite parts.
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"
#include "physics/rigidity.h"

#define RUB_REACH 1.25f  // spacings
#define RUB_TIME  0.005f // s, in which sliding dies down
#define PARTNERS  4.0f   // particles that touch one, at most, or nearly so

typedef struct Rub {
    OndSph *s;
    float share;
    float *change[3];
} Rub;

static void rub_one(const Rub *r, int i)
{
    const OndSph *s = r->s;
    const float reach = RUB_REACH * (float)s->world.spacing, mi = s->mass[s->material[i]];
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        const int j = (int)list[k];
        if (j >= s->fields.count || !s->piece[j] || s->piece[j] == s->piece[i]) continue;
        float n[3], v[3], r2 = 0.0f, along = 0.0f;
        for (int a = 0; a < 3; ++a) {
            n[a] = s->x[a][i] - s->x[a][j], v[a] = s->v[a][i] - s->v[a][j];
            r2 += n[a] * n[a], along += n[a] * v[a];
        }
        const bool pressed = s->pressure[i] + s->pressure[j] > 0.0f;
        if (!pressed || !(r2 < reach * reach) || !(r2 > 0.0f)) continue;
        const float mj = s->mass[s->material[j]];
        for (int a = 0; a < 3; ++a)
            r->change[a][i] -= ond_rub_change(r->share, mi, mj, v[a], n[a], along, r2);
    }
}

static void rub_range(int first, int last, int worker, void *context)
{
    const Rub *r = context;
    for (int i = first; i < last; ++i) {
        r->change[0][i] = r->change[1][i] = r->change[2][i] = 0.0f;
        if (r->s->piece[i]) rub_one(r, i);
    }
}

static void add_range(int first, int last, int worker, void *context)
{
    const Rub *r = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            if (!r->s->held[i]) r->s->v[a][i] += r->change[a][i];
}

void ond_rigid_rub(OndSph *s, float dt)
{
    if (!s->rigid->several) return;
    Rub r = {s, (1.0f - expf(-dt / RUB_TIME)) / PARTNERS, {s->rub[0], s->rub[1], s->rub[2]}};
    ond_parallel_for(s->fields.count, OND_GRAIN, rub_range, &r);
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, add_range, &r);
}
