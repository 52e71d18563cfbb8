// SPDX-License-Identifier: MIT
// Density of each particle, and with it the volume it fills.
//
//     rho_i = gamma_i m_i sum_j W_ij                                   [Dagenais 2012 eq. 3.9]
//
// The sum of W was made by the neighbour search, while distances were at hand. Weighting it with the
// particle's own mass gives the right density on both sides where two liquids of different weight touch
// (Solenthaler 2008); for one liquid it is the usual sum. gamma makes the start rest exactly, surface
// included; it is 1 unless the scene asks for it. With `continuity` the density is part of the state and
// only its rate of change is found here (sph.c adds it up).
#include "base/parallel.h"
#include "particles/sph_state.h"

static void sum_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i)
        s->density[i] = s->factor[i] * s->mass[s->material[i]] * s->rate[i];
}

static void volume_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i)
        s->volume[i] = s->mass[s->material[i]] / s->density[i];
}

typedef struct Continuity {
    const OndLoops *loops;
    OndContinuityLoop loop;
} Continuity;

static void rate_range(int first, int last, int worker, void *context)
{
    const Continuity *c = context;
    c->loops->continuity(&c->loop, first, last);
}

void ond_sph_density(OndSph *s)
{
    const bool follows = s->def.density == OND_DENSITY_CONTINUITY;
    if (!follows) ond_parallel_for(s->fields.count, OND_GRAIN, sum_range, s);
    ond_parallel_for(s->fields.count, OND_GRAIN, volume_range, s);
    ond_sph_image_scalar(s, s->density);
    ond_sph_image_scalar(s, s->volume);
    if (!follows) return;
    Continuity c = {s->loops, {ond_sph_pairs(s), (float)s->def.diffusion * s->sound * s->kernel.h, s->rate}};
    ond_parallel_for(s->fields.count, OND_GRAIN, rate_range, &c);
}

static void factor_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i)
        s->factor[i] = s->world.material[s->material[i]].density / (s->mass[s->material[i]] * s->rate[i]);
}

void ond_sph_start_factor(OndSph *s)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, factor_range, s);
}
