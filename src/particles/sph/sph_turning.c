// SPDX-License-Identifier: MIT
// Turning kept alive: artificial viscosity is for what closes in, so it is left out where the liquid
// turns (physics/viscosity.h). Pairs feel the mean of both ends' shares along the line between them,
// so that momentum and angular momentum stay; and nothing is ever added to a motion, so that what is
// at rest stays so.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/viscosity.h"

#define FAINT 1e-3f // of sound over the support: slower turning is noise

typedef struct TurningPass {
    OndSph *s;
    OndCurlLoop curl;
    OndSpareLoop spare;
} TurningPass;

static void turn_range(int first, int last, int worker, void *context)
{
    const TurningPass *t = context;
    OndSph *s = t->s;
    const float faint = FAINT * s->sound / s->kernel.h, spared = (float)s->def.turning;
    s->loops->curl(&t->curl, first, last);
    for (int i = first; i < last; ++i)
        s->turn[i] = ond_artificial_share(s->turn[i], s->close[i], faint, spared);
}

static void spare_range(int first, int last, int worker, void *context)
{
    const TurningPass *t = context;
    t->s->loops->spare(&t->spare, first, last);
}

void ond_sph_spare_turning(OndSph *s)
{
    const OndPairs pairs = ond_sph_pairs(s);
    TurningPass t = {
        s,
        {pairs, s->turn, s->close},
        {{pairs, (float)s->def.artificial * s->sound, (float)s->def.quadratic}, s->turn}};
    ond_sph_fill_quads(s, s->place, s->x, s->density);
    ond_sph_fill_quads(s, s->go, s->v, s->volume);
    ond_parallel_for(s->fields.count, OND_GRAIN, turn_range, &t);
    ond_sph_image_scalar(s, s->turn);
    ond_parallel_for(s->fields.count, OND_GRAIN, spare_range, &t);
}
