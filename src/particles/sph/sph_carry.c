// SPDX-License-Identifier: MIT
// Particles that carry the shape that they began in (surface/fields/field_carried.c draws it).
//
// Each remembers where in the shape it was, and carries it as long as it is rigid. What has been
// liquid has flowed, and carries nothing any more, also when it sets again.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

// Rigidities between which it lets go: what is soft keeps its surface, since how much it has
// deformed is seen when that is made; what runs has none.
#define LOOSE 0.05f
#define FIRM  0.4f

void ond_sph_carry_begin(OndSph *s)
{
    for (int i = 0; i < s->fields.count; ++i) {
        s->carried[i] = s->world.material[s->material[i]].carries ? 1.0f : 0.0f;
        for (int a = 0; a < 3; ++a)
            s->origin[a][i] = s->x[a][i];
    }
}

static void melt_range(int first, int last, int worker, void *context)
{
    OndSph *const s = context;
    for (int i = first; i < last; ++i) {
        const float firm = (s->rigidity[i] - LOOSE) / (FIRM - LOOSE);
        s->carried[i] = fmaxf(fminf(s->carried[i], firm), 0.0f);
    }
}

void ond_sph_carry_melt(OndSph *s)
{
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, melt_range, s);
}
