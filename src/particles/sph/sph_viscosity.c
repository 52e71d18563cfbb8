// SPDX-License-Identifier: MIT
// Friction: the method's artificial viscosity and the liquids' own.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/rigidity.h"
#include "physics/viscosity.h"

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

// ---- what is thicker where it is cold

static void thicken_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i) {
        const OndMaterial *m = &s->world.material[s->material[i]];
        if (!(m->viscosity_solid > 0.0f)) continue;
        const float share = ond_rigidity_at(s->temperature[i], m->solid, m->liquid);
        s->viscosity[i] = ond_viscosity_melting(m->viscosity, m->viscosity_solid, share);
    }
}

void ond_sph_thicken(OndSph *s)
{
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, thicken_range, s);
}

float ond_sph_thickest(const OndMaterial *m)
{
    return fmaxf(m->viscosity, m->viscosity_solid);
}

// ---- a step's friction

void ond_sph_viscosity(OndSph *s)
{
    const OndPairs pairs = ond_sph_pairs(s);
    Friction f = {
        s->loops, {pairs, (float)s->def.artificial * s->sound, (float)s->def.quadratic}, {pairs}};
    const bool damps = (s->def.artificial > 0.0 || s->def.quadratic > 0.0) && s->def.turning <= 0.0;
    const bool rubs = s->has_viscosity && !s->rubs;
    if (damps || rubs) ond_sph_fill_quads(s, s->go, s->v, s->volume);
    if (damps) {
        ond_sph_fill_quads(s, s->place, s->x, s->density);
        ond_parallel_for(s->fields.count, OND_GRAIN, artificial_range, &f);
    }
    if (rubs) {
        ond_sph_image_scalar(s, s->viscosity);
        ond_sph_fill_quads(s, s->place, s->x, s->viscosity);
        ond_parallel_for(s->fields.count, OND_GRAIN, classical_range, &f);
    }
    ond_sph_solids_rub(s);
}
