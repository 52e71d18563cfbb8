// SPDX-License-Identifier: MIT
// The weighted centre of the particles near a place, and their weighted radius [Zhu and Bridson
// 2005]: inside is where the centre is nearer than the radius.
//
//     f(p) = r(p) - |p - centre(p)|
//
#include "base/memory.h"
#include "surface/averages.h"

#define LONE_FILL 0.2f // density of a lone particle (points.h), share of that inside
#define FLAT_FILL 0.7f // of one at a flat surface

// Radii: a lone particle is a ball of its own volume; at a flat surface the centre lies inside,
// and the radius reaches from there.
static void find_radii(const OndPoints *p, double flat, float *length)
{
    const float lone = p->dimension == 2 ? 0.5641895835f : 0.6203504909f;
    for (int i = 0; i < p->count; ++i) {
        const float size = p->size[i], rest = p->dimension == 2 ? size * size : size * size * size;
        const float t = (rest / p->volume[i] - LONE_FILL) / (FLAT_FILL - LONE_FILL);
        const float s = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        length[i] = size * (lone + ((float)flat - lone) * s);
    }
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    if (!(def->threshold > 0.0 && def->threshold < def->radius))
        return ond_fail(err, OND_BAD_VALUE,
                        "the Zhu-Bridson field's threshold, its radius at flat surfaces, is %g "
                        "spacings; accepted: above 0 and below its reach of %g",
                        def->threshold, def->radius);
    field->own = OND_NEW_ARRAY(float, field->points->count);
    if (!field->own)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a field of %d particles",
                        field->points->count);
    field->reach = def->radius;
    find_radii(field->points, def->threshold, field->own);
    return OND_OK;
}

static void release(OndField3 *field)
{
    ond_free(field->own);
}

const OndFieldKind ond_field_zhu_bridson = {
    .name = "zhu-bridson",
    .what = "distance to the particles' weighted centre [Zhu and Bridson 2005]",
    .defaults = {.radius = 2.0, .threshold = 0.54},
    .make = make,
    .free = release,
    .sample = ond_averages_sample,
    .gradient = ond_averages_at,
};
