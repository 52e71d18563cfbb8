// SPDX-License-Identifier: MIT
// Pressure from density, and the force it makes (loops_pressure.c).
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/pressure.h"
#include "physics/state.h"

static void state_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const bool tait = s->def.state == OND_STATE_TAIT;
    for (int i = first; i < last; ++i) {
        const float rest = s->world.material[s->material[i]].density;
        const float damping = // a state that follows the flow has no rate here
            s->damping > 0.0f ? ond_pressure_damping(s->damping, s->sound, s->rate[i]) : 0.0f;
        const float p = damping + (tait ? ond_pressure_tait(s->density[i], rest, s->sound,
                                                            (float)s->def.exponent)
                                        : ond_pressure_linear(s->density[i], rest, s->sound));
        const float hold = s->hold * s->world.material[s->material[i]].tension;
        s->pressure[i] = s->def.suction ? p : ond_pressure_held(p, hold);
    }
}

// A wall meets what is solid by contact (rigid_contact.c). Pressure would carry part of the load a
// second time, and push a piece along the wall: its images do not push.
static bool is_behind_wall(const OndSph *s, int i)
{
    return i >= s->fields.count && s->has_rigidity &&
           s->piece[s->images.source[i - s->fields.count]];
}

// The three arrays that make both symmetric forms one loop.
static void load_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const bool mueller = s->def.pressure_form == OND_FORM_MUELLER;
    for (int i = first; i < last; ++i) {
        const float p = s->pressure[i], rho = s->density[i], volume = s->volume[i];
        const OndPressureTerms terms =
            mueller ? ond_pressure_mean(p, rho, volume) : ond_pressure_weighted(p, rho, volume);
        const float push = is_behind_wall(s, i) ? 0.0f : 1.0f;
        s->load[i] = push * terms.load, s->weight[i] = push * terms.weight,
        s->scale[i] = terms.scale;
        s->place[i] = push > 0.0f ? (OndQuad){s->x[0][i], s->x[1][i], s->x[2][i], terms.load}
                                  : (OndQuad){OND_FAR, OND_FAR, OND_FAR, 0.0f};
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
    const float *const weight = s->def.pressure_form == OND_FORM_MUELLER ? s->weight : NULL;
    Pressure p = {s->loops, {ond_sph_pairs(s), weight, s->scale}};
    ond_parallel_for(s->fields.count, OND_GRAIN, force_range, &p);
    ond_sph_solids_push(s);
}
