// SPDX-License-Identifier: MIT
// The same scene with other walls: what flows in one simulation goes on in another.
#include "view/play/play_state.h"

#include <stdlib.h>
#include <string.h>

// Particles of one fluid that have room in the other simulation; their arrays are one block.
typedef struct Carried {
    float *position, *velocity, *temperature;
    int count;
} Carried;

static bool make_carried(Carried *c, int most)
{
    *c = (Carried){.position = malloc(((size_t)most + 1) * 7 * sizeof(float))};
    if (!c->position) return false;
    c->velocity = c->position + 3 * (size_t)most;
    c->temperature = c->velocity + 3 * (size_t)most;
    return true;
}

static void carry(Carried *c, const OndFieldView *x, const OndFieldView *v,
                  const OndFieldView *warmth, int i)
{
    for (int a = 0; a < 3; ++a) {
        c->position[3 * c->count + a] = ((const float *)x->data[a])[i];
        c->velocity[3 * c->count + a] = ((const float *)v->data[a])[i];
    }
    c->temperature[c->count++] = ((const float *)warmth->data[0])[i];
}

static void take_fluid(OndPlay *to, const OndPlay *from, int fluid, Carried *c)
{
    OndError err = {0};
    OndFieldView x, v, warmth, material;
    ond_sim_find_field(from->sim, OND_PARTICLES, "position", &x);
    ond_sim_find_field(from->sim, OND_PARTICLES, "velocity", &v);
    ond_sim_find_field(from->sim, OND_PARTICLES, "temperature", &warmth);
    ond_sim_find_field(from->sim, OND_PARTICLES, "material", &material);
    c->count = 0;
    for (int i = 0; i < x.count; ++i) {
        double at[3];
        ond_play_place(&x, i, at);
        if ((int)((const uint32_t *)material.data[0])[i] == fluid &&
            !ond_sim_blocked(to->sim, at, 0.5 * to->spacing, NULL))
            carry(c, &x, &v, &warmth, i);
    }
    const OndNewParticles all = {.count = c->count,
                                 .position = c->position,
                                 .velocity = c->velocity,
                                 .temperature = c->temperature,
                                 .fluid = fluid};
    if (ond_sim_add_particles(to->sim, &all, &err) != OND_OK) ond_play_failed(to, &err);
}

// The size of particles first, since it makes the simulation anew.
static void take_dials(OndPlay *to, const OndPlay *from)
{
    if (from->dial[PLAY_SPACING].changed)
        ond_play_set_dial(to, PLAY_SPACING, from->dial[PLAY_SPACING].value, NULL);
    for (int k = 0; k < PLAY_DIALS; ++k)
        if (from->dial[k].changed && k != PLAY_SPACING)
            ond_play_set_dial(to, k, from->dial[k].value, NULL);
}

void ond_play_take_over(OndPlay *play, const OndPlay *from)
{
    OndError err = {0};
    Carried c;
    const OndRegion all = ond_everywhere();
    ond_play_tool(play, from->tool);
    take_dials(play, from);
    play->paused = from->paused;
    if (!play->particles || !from->particles || from->burst || play->spacing != from->spacing ||
        !make_carried(&c, ond_sim_particle_count(from->sim)))
        return;
    if (ond_sim_remove_region(play->sim, &all, NULL, &err) == OND_OK)
        for (int f = 0; f < ond_sim_fluid_count(from->sim); ++f)
            take_fluid(play, from, f, &c);
    free(c.position);
}
