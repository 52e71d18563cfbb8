// SPDX-License-Identifier: MIT
// Blobs, as ray tracers have them [Blinn 1982; Pouchol 2010, 4.1]:
//
//     f(p) = sum_i F (1 - (|p - p_i| / r_i)^2)^2 - threshold,    F = 1
//
// Particles inside have a larger radius than those at the free surface: it fills gaps between them
// and evens the surface out over deep water, and leaves single drops as they are. With surface
// particles alone there is a hollow inside, and a second surface round it.
//
// Radius and threshold are such that a flat surface lies half a spacing above the outermost
// particles, and that a lone one is still a ball, of radius 0.49 spacings.
#include "surface/fields/splats.h"

#define INNER        1.5 // radius of inner particles, in that of outer ones
#define RADIUS_LEAST 0.5

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    const OndPoints *p = field->points;
    if (def->radius < RADIUS_LEAST)
        return ond_fail(err, OND_BAD_VALUE,
                        "the radius of blobs is %g spacings; accepted: %g to 16", def->radius,
                        RADIUS_LEAST);
    if (!(def->threshold > 0.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the threshold of blobs is %g; it must be above 0 (below 1 for lone drops "
                        "to show)",
                        def->threshold);
    OndSplatField *own = ond_splats_make(field, 2, err);
    if (!own) return OND_NO_MEMORY;
    field->reach = INNER * def->radius;
    for (int i = 0; i < p->count; ++i) {
        const float h = (float)(def->radius * (p->surface[i] ? 1.0 : INNER)) * p->size[i];
        own->inv_h2[i] = 1.0f / (h * h);
        own->weight[i] = p->surface[i] || !def->surface_only ? 1.0f : 0.0f;
    }
    return OND_OK;
}

// The slope of (1 - q^2)^2 goes with 1 - q^2; blobs differ in size, but little near one place.
static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndSplatSums slope = ond_splats_gather(field, at, 1);
    out[0] = slope.x, out[1] = slope.y, out[2] = slope.z;
    return ond_splats_gather(field, at, 2).weight - (float)field->def.threshold;
}

const OndFieldKind ond_field_blobs = {
    .name = "blobs",
    .what = "a soft ball for each particle, as in POV-Ray: quick, and bumpy",
    .defaults = {.radius = 1.1, .threshold = 0.64},
    .make = make,
    .free = ond_splats_free,
    .sample = ond_splats_sample,
    .gradient = gradient,
};
