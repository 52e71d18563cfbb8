// SPDX-License-Identifier: MIT
#include "particles/rigid.h"

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

OndStatus ond_rigid_correct(OndSph *s, float dt, OndError *err)
{
    return s->def.rigidity.solver == OND_RIGID_THESIS ? ond_rigid_thesis(s, dt, err)
                                                      : ond_rigid_global(s, dt, err);
}
