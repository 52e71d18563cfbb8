// SPDX-License-Identifier: MIT
// Density of each particle, and with it the volume it fills.
//
// The sum of W (physics/state.h) was made by the neighbour search, while distances were at hand.
// gamma makes the start rest exactly, surface included; it is 1 unless the scene asks for it, or
// fades to 1 after a settled start. With `continuity` the density is part of the state: its rate of
// change is found at half steps (sph_integrate.c), where velocities are, after what is solid was
// made rigid: set particles that stand do not feel each other's push, and a density that followed
// it would run away.
#include "base/parallel.h"
#include "particles/sph/sph_even_push.h"
#include "physics/state.h"

#define UNFIT 1e-3f // shares of the rest density
#define APART                                                                                      \
    1.5f // spacings: farther off is another piece of liquid, which has not met this one yet
#define LEAST 0.75f // a row of particles alone has 0.71 of it in the plane, a layer 0.6 in space

static void sum_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    const float per_time = s->last_dt > 0.0 ? (float)(1.0 / s->last_dt) : 0.0f;
    for (int i = first; i < last; ++i) {
        const float density =
            ond_density_summed(s->factor[i], s->mass[s->material[i]], s->sum_w[i]);
        s->rate[i] = per_time * (density - s->density[i]);
        s->density[i] = density;
    }
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

void ond_sph_density_rate(OndSph *s, float dt)
{
    const float diffusion = (float)s->def.diffusion * s->sound * s->kernel.h;
    Continuity c = {s->loops, {ond_sph_pairs(s), diffusion, 1.0f / dt, s->rate}};
    ond_sph_fill_quads(s, s->place, s->x, s->density);
    ond_sph_fill_quads(s, s->go, s->v, s->volume);
    ond_parallel_for(s->fields.count, OND_GRAIN, rate_range, &c);
    ond_sph_solids_rate(s);
}

void ond_sph_density(OndSph *s)
{
    const bool follows = s->def.density == OND_DENSITY_CONTINUITY;
    if (!follows) ond_parallel_for(s->fields.count, OND_GRAIN, sum_range, s);
    ond_parallel_for(s->fields.count, OND_GRAIN, volume_range, s);
    ond_sph_image_scalar(s, s->density);
    ond_sph_image_scalar(s, s->volume);
}

static float density_at(const OndSph *s, float rest, float p)
{
    return s->def.state == OND_STATE_TAIT
               ? ond_density_tait(p, rest, s->sound, (float)s->def.exponent)
               : ond_density_linear(p, rest, s->sound);
}

static void rest_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i) {
        s->factor[i] = s->mass[s->material[i]] * s->sum_w[i];
        s->density[i] = s->world.material[s->material[i]].density;
        s->volume[i] = s->mass[s->material[i]] / s->density[i];
        s->pressure[i] = 0.0f;
    }
}

void ond_sph_rest_density(OndSph *s)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, rest_range, s);
    ond_sph_image_scalar(s, s->density);
    ond_sph_image_scalar(s, s->volume);
}

// Whether a particle inside of a liquid has room for no other reason than that its lattice does not fit
// walls and solids. A solver that keeps volumes would let it fall until that is filled, within some
// steps. What the lattice itself leaves open is less than UNFIT, and what has as little round it as a
// thread or a sheet is no inside.
static bool is_loose(const OndSph *s, int i, float filled)
{
    float c[3];
    if (!(filled < 1.0f - UNFIT && filled > LEAST)) return false;
    ond_sph_even_push(s, i, c);
    return !ond_sph_at_surface(s, i, c, APART * (float)s->world.spacing);
}

static void start_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int i = first; i < last; ++i) {
        const float rest = s->world.material[s->material[i]].density, p = s->pressure[i];
        const float summed = s->factor[i];                     // put there by ond_sph_rest_density
        const bool crowded = s->keeps_volume && summed > rest; // nobody is thrown apart
        const bool loose = s->keeps_volume && s->def.settle && is_loose(s, i, summed / rest);
        const bool corrected = p > 0.0f || s->def.start_correction || crowded || loose;
        s->factor[i] = corrected ? density_at(s, rest, p) / summed : 1.0f;
        s->density[i] = s->def.density == OND_DENSITY_CONTINUITY ? density_at(s, rest, p)
                                                                 : s->factor[i] * summed;
    }
}

void ond_sph_start_density(OndSph *s)
{
    ond_parallel_for(s->fields.count, OND_GRAIN, start_range, s);
}

// The start's correction fades, so that a particle that has gone elsewhere is not mistaken for
// dense.
static void fade_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int i = first; i < last; ++i)
        s->factor[i] = 1.0f + s->fade * (s->factor[i] - 1.0f);
}

void ond_sph_fade_factor(OndSph *s, double dt)
{
    if (s->def.start_correction || !(s->fade_time > 0.0)) return;
    s->fade = (float)exp(-dt / s->fade_time);
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, fade_range, s);
}
