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
    const OndStatus status = ond_averages_make(
        field, "the Zhu-Bridson field's threshold, its radius at flat surfaces", err);
    if (status != OND_OK) return status;
    for (int i = 0; i < field->points->count; ++i)
        ((float *)field->own)[i] = ond_averages_length(field, (uint32_t)i);
    return OND_OK;
}

const OndFieldKind ond_field_zhu_bridson = {
    .name = "zhu-bridson",
    .what = "distance to the particles' weighted centre [Zhu and Bridson 2005]",
    .cut = {0.222, 0.19},
    .defaults = {.radius = 2.0, .threshold = 0.54},
    .make = make,
    .free = ond_averages_free,
    .sample = ond_averages_sample,
    .gradient = ond_averages_at,
};
