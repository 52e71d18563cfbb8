// SPDX-License-Identifier: MIT
// Surface tension from the colour field, in one of two forms (loops_tension.c has the idea).
#include "base/parallel.h"
#include "particles/sph_state.h"

// A surface that has come to rest is denser than the lattice it was cut from. Measured on drops of
// 1 mm in tests/test_physics.c: with these factors both their pressure and their period are right.
static const double relaxed[4] = {[2] = 0.91, [3] = 1.2}; // by dimension

typedef struct Tension {
    OndSph *s;
    OndCohesionLoop cohesion;
    OndColourLoop colour;
} Tension;

static void cohesion_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->cohesion(&t->cohesion, first, last);
}

static void colour_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->colour(&t->colour, first, last);
}

static void mueller_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    for (int i = first; i < last; ++i) {
        const float x = s->normal[0][i], y = s->normal[1][i], z = s->normal[2][i];
        const float length = sqrtf(x * x + y * y + z * z);
        if (length * s->colour.h < (float)s->def.tension_threshold) continue;
        const float push = -s->tension[i] * s->bend[i] / (length * s->density[i]);
        for (int a = 0; a < 3; ++a)
            s->a[a][i] += push * s->normal[a][i];
    }
}

void ond_sph_tension(OndSph *s)
{
    if (!s->has_tension) return;
    OndPairs pairs = ond_sph_pairs(s);
    pairs.kernel = s->colour;
    Tension t = {s,
                 {pairs, s->tension, s->cohesion_scale},
                 {pairs, s->world.dimension, s->normal[0], s->normal[1], s->normal[2], s->bend}};
    if (s->def.tension == OND_TENSION_COHESION) {
        ond_parallel_for(s->fields.count, OND_GRAIN, cohesion_range, &t);
        ond_sph_solids_cohere(s);
        return;
    }
    ond_parallel_for(s->fields.count, OND_GRAIN, colour_range, &t);
    ond_sph_solids_cohere(s);
    ond_parallel_for(s->fields.count, OND_GRAIN, mueller_range, &t);
}

// Sums over the lattice round a particle with `above` layers over it: of W, and of r W'(r).
static void lattice_sums(const OndSph *s, int above, double *value, double *virial)
{
    const int reach = (int)ceil(s->reach / s->world.spacing),
              flat = s->world.dimension == 2 ? 0 : reach;
    const double spacing = s->world.spacing;
    *value = *virial = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= (above < reach ? above : reach); ++y) {
                const double r2 = spacing * spacing * (x * x + y * y + z * z);
                *value += ond_kernel_value(s->colour, (float)r2);
                *virial += r2 * ond_kernel_gradient(s->colour, (float)sqrt(r2));
            }
}

// C such that the colour missing in the layers of a flat lattice surface has energy 1 per area, and
// the pressure that such pulls make inside the liquid; both for a tension of 1.
void ond_sph_set_up_tension(OndSph *s)
{
    const int d = s->world.dimension, reach = (int)ceil(s->reach / s->world.spacing);
    const double volume = s->rest_volume, area = volume / s->world.spacing;
    double rest, virial, value, none, missing = 0;
    lattice_sums(s, reach, &rest, &virial);
    for (int above = 0; above < reach; ++above) {
        lattice_sums(s, above, &value, &none);
        missing += 1.0 - value / rest;
    }
    const double c = relaxed[d] * area / missing;
    s->cohesion_scale = (float)(c / rest);
    s->cohesion_pressure =
        s->def.tension == OND_TENSION_COHESION ? (float)(-c * virial / (d * volume * rest)) : 0.0f;
}
