// SPDX-License-Identifier: MIT
// A surface field in one file, for tests/check_one_file.sh: soft balls.
#include "surface/fields/splats.h"

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndPoints *const p = field->points;
    OndSplatField *const own = ond_splats_make(field, 2, err);
    if (!own) return OND_NO_MEMORY;
    field->reach = field->def.radius;
    for (int i = 0; i < p->count; ++i) {
        const float h = (float)field->def.radius * p->size[i];
        own->inv_h2[i] = 1.0f / (h * h);
        own->weight[i] = 1.0f;
    }
    return OND_OK;
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndSplatSums slope = ond_splats_gather(field, at, 1);
    out[0] = slope.x, out[1] = slope.y, out[2] = slope.z;
    return ond_splats_gather(field, at, 2).weight - (float)field->def.threshold;
}

const OndFieldKind ond_field_toy = {
    .name = "toy",
    .what = "soft balls",
    .defaults = {.radius = 1.2, .threshold = 0.5},
    .make = make,
    .free = ond_splats_free,
    .sample = ond_splats_sample,
    .gradient = gradient,
};
