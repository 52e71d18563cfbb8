// SPDX-License-Identifier: MIT
// Friction: the method's artificial viscosity and the liquids' own.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

typedef struct Friction {
    const OndLoops *loops;
    OndArtificialLoop artificial;
    OndViscosityLoop classical;
} Friction;

static void artificial_range(int first, int last, int worker, void *context)
{
    const Friction *f = context;
    f->loops->artificial(&f->artificial, first, last);
}

static void classical_range(int first, int last, int worker, void *context)
{
    const Friction *f = context;
    f->loops->viscosity(&f->classical, first, last);
}

void ond_sph_viscosity(OndSph *s)
{
    const OndPairs pairs = ond_sph_pairs(s);
    Friction f = {s->loops,
                  {pairs, (float)s->def.artificial * s->sound, (float)s->def.quadratic},
                  {pairs, s->viscosity}};
    if (s->def.artificial > 0.0 || s->def.quadratic > 0.0)
        ond_parallel_for(s->fields.count, OND_GRAIN, artificial_range, &f);
    if (s->has_viscosity && !s->rubs) {
        ond_sph_image_scalar(s, s->viscosity);
        ond_parallel_for(s->fields.count, OND_GRAIN, classical_range, &f);
    }
    ond_sph_solids_rub(s);
}
