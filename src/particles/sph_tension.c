// SPDX-License-Identifier: MIT
// Surface tension: normals from the colour field, then one of two forces (loops_tension.c has the idea).
#include "base/parallel.h"
#include "particles/sph_state.h"

typedef struct Tension {
    OndSph *s;
    OndNormalLoop normal;
    OndAreaLoop area;
} Tension;

static void normal_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->normal(&t->normal, first, last);
}

// Unit normals where the surface is, fading to 0 inside: n / sqrt(|n|^2 + threshold^2).
static void soften_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    const float floor2 = (float)(s->def.tension_threshold * s->def.tension_threshold);
    for (int i = first; i < last; ++i) {
        const float x = s->normal[0][i], y = s->normal[1][i], z = s->normal[2][i];
        const float scale = 1.0f / sqrtf(x * x + y * y + z * z + floor2);
        for (int a = 0; a < 3; ++a)
            s->normal[a][i] *= scale;
    }
}

static void area_range(int first, int last, int worker, void *context)
{
    const Tension *t = context;
    t->s->loops->area(&t->area, first, last);
}

static void mueller_range(int first, int last, int worker, void *context)
{
    OndSph *s = ((const Tension *)context)->s;
    for (int i = first; i < last; ++i) {
        const float x = s->normal[0][i], y = s->normal[1][i], z = s->normal[2][i];
        const float length = sqrtf(x * x + y * y + z * z);
        if (length < (float)s->def.tension_threshold) continue;
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
                 {pairs, s->normal[0], s->normal[1], s->normal[2], s->bend, s->world.dimension},
                 {pairs, s->normal[0], s->normal[1], s->normal[2], s->tension}};
    ond_parallel_for(s->fields.count, OND_GRAIN, normal_range, &t);
    if (s->def.tension == OND_TENSION_MUELLER) {
        ond_parallel_for(s->fields.count, OND_GRAIN, mueller_range, &t);
        return;
    }
    ond_parallel_for(s->fields.count, OND_GRAIN, soften_range, &t);
    ond_sph_image_direction(s, s->normal);
    ond_parallel_for(s->fields.count, OND_GRAIN, area_range, &t);
}
