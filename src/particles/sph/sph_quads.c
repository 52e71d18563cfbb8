// SPDX-License-Identifier: MIT
// Values of particles and images as quads, which loops load four at a time (loops/near.h).
//
// They are copies, made by the pass whose loop wants them, and mean nothing to the next: the sums of
// incompressible and of viscous liquids (projection_state.h, viscous_state.h) have the same room.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

OndStatus ond_sph_make_quads(OndSph *s, OndError *err)
{
    const int need = s->fields.count + s->images.count;
    if (need <= s->quad_room) return OND_OK;
    const int room = need + need / 32;
    ond_sph_free_quads(s);
    s->place = OND_NEW_ARRAY(OndQuad, room), s->go = OND_NEW_ARRAY(OndQuad, room);
    s->quad_room = s->place && s->go ? room : 0;
    if (s->quad_room) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles side by side", need);
}

void ond_sph_free_quads(OndSph *s)
{
    ond_free(s->place), ond_free(s->go);
    s->place = s->go = NULL, s->quad_room = 0;
}

typedef struct QuadFill {
    OndQuad *to;
    float *const *vector;
    const float *fourth;
} QuadFill;

static void fill_range(int first, int last, int worker, void *context)
{
    const QuadFill *f = context;
    const float *restrict x = f->vector[0], *restrict y = f->vector[1], *restrict z = f->vector[2];
    const float *restrict w = f->fourth;
    for (int i = first; i < last; ++i)
        f->to[i] = (OndQuad){x[i], y[i], z[i], w[i]};
}

void ond_sph_fill_quads(OndSph *s, OndQuad *to, float *const vector[3], const float *fourth)
{
    QuadFill f = {to, vector, fourth};
    ond_parallel_for(s->fields.count + s->images.count, 8 * OND_GRAIN, fill_range, &f);
}
