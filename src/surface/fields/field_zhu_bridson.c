// SPDX-License-Identifier: MIT
// The weighted centre of the particles near a place, and their weighted radius [Zhu and Bridson
// 2005]: inside is where the centre is nearer than the radius.
//
//     f(p) = r(p) - |p - centre(p)|
//
#include "base/memory.h"
#include "surface/fields/averages.h"

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
    for (int i = 0; i < field->points->count; ++i)
        ((float *)field->own)[i] = ond_averages_length(field, (uint32_t)i);
    return OND_OK;
}

static void release(OndField3 *field)
{
    ond_free(field->own);
}

const OndFieldKind ond_field_zhu_bridson = {
    .name = "zhu-bridson",
    .what = "distance to the particles' weighted centre [Zhu and Bridson 2005]",
    .cut = {0.222, 0.19},
    .defaults = {.radius = 2.0, .threshold = 0.54},
    .make = make,
    .free = release,
    .sample = ond_averages_sample,
    .gradient = ond_averages_at,
};
