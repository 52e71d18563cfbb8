// SPDX-License-Identifier: MIT
#include "particles/rigid/rigid.h"

#include "base/parallel.h"
#include "physics/rigidity.h"

static void refresh_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int i = first; i < last; ++i) {
        const OndMaterial *m = &s->world.material[s->material[i]];
        s->rigidity[i] = m->rigidity >= 0.0f
                             ? m->rigidity
                             : ond_rigidity_at(s->temperature[i], m->solid, m->liquid);
    }
}

void ond_rigid_refresh(OndSph *s)
{
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, refresh_range, s);
}

float ond_rigid_wall(const OndSph *s, int side)
{
    const OndWorld *w = &s->world;
    const float inward = side % 2 ? -1.0f : 1.0f;
    if (isinf(s->wall_at[side])) return s->wall_at[side];
    const float half = w->wall_model == OND_WALL_MIRROR ? 0.5f * (float)w->spacing : 0.0f;
    const float at =
        (float)(side % 2 ? ond_axis(w->box.max, side / 2) : ond_axis(w->box.min, side / 2));
    return at + inward * fmaxf(half, w->margin);
}

OndStatus ond_rigid_correct(OndSph *s, float dt, OndError *err)
{
    return s->def.rigidity.solver == OND_RIGID_THESIS ? ond_rigid_thesis(s, dt, err)
                                                      : ond_rigid_global(s, dt, err);
}
