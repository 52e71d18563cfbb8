// SPDX-License-Identifier: MIT
// Pressure from density, and the force it makes (loops_pressure.c).
#include "base/parallel.h"
#include "particles/sph_state.h"
#include "physics/state.h"

static void state_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const bool tait = s->def.state == OND_STATE_TAIT;
    for (int i = first; i < last; ++i) {
        const float rest = s->world.material[s->material[i]].density;
        // ringing is damped by a pressure against the change of density: an incompressible flow has
        // none
        const float damping = s->damping > 0.0f ? s->damping * s->sound * s->rate[i] : 0.0f;
        const float p = damping + (tait ? ond_pressure_tait(s->density[i], rest, s->sound,
                                                            (float)s->def.exponent)
                                        : ond_pressure_linear(s->density[i], rest, s->sound));
        // tension holds stretched liquid together down to its own strength; below it pressure is
        // gone
        const float hold = s->hold * s->world.material[s->material[i]].tension;
        s->pressure[i] = s->def.suction || p > -hold ? p : -hold;
    }
}

// The three arrays that make both symmetric forms one loop.
static void load_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const bool mueller = s->def.pressure == OND_PRESSURE_MUELLER;
    for (int i = first; i < last; ++i) {
        const float rho = s->density[i];
        const float p = s->pressure[i];
        s->load[i] = mueller ? p : p * s->volume[i] * s->volume[i];
        s->weight[i] = mueller ? s->volume[i] : 1.0f;
        s->scale[i] = mueller ? 0.5f / rho : 1.0f / (rho * s->volume[i]);
    }
}

typedef struct Pressure {
    const OndLoops *loops;
    OndPressureLoop loop;
} Pressure;

static void force_range(int first, int last, int worker, void *context)
{
    const Pressure *p = context;
    p->loops->pressure(&p->loop, first, last);
}

void ond_sph_pressure(OndSph *s)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, state_range, s);
    ond_sph_push(s);
}

void ond_sph_push(OndSph *s)
{
    ond_sph_image_pressure(s);
    ond_parallel_for(s->fields.count + s->images.count, OND_GRAIN, load_range, s);
    Pressure p = {s->loops, {ond_sph_pairs(s), s->weight, s->load, s->scale}};
    ond_parallel_for(s->fields.count, OND_GRAIN, force_range, &p);
    ond_sph_solids_push(s);
}
