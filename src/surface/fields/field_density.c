// SPDX-License-Identifier: MIT
// The density of the liquid, and where it falls below a share of the rest density [Dumas 2011, 2].
//
//     f(p) = rho(p) / rho0 - (1 - a),    rho(p) = sum_i m_i W(|p - p_i|)
//     n(p) = sum_i W (p - p_i)           for normals: smoother than the gradient of f
//
// Over a flat surface that lies half a spacing above the outermost particles, rho is half of rho0:
// that is why 1 - a = 0.5 keeps volumes. Alone, a particle's density is far below that and it would
// be invisible; so particles that miss neighbours weigh more, up to what makes a lone one a ball of
// the volume it stands for. Particles inside and at flat surfaces keep their mass.
#include "physics/kernels.h"
#include "surface/fields/splats.h"

#define RADIUS_LEAST 0.8 // sizes: below this the ball of a lone particle leaves its own support

// What a lone particle must weigh so that its ball has the volume size^3 (2D: size^2).
static double lone_weight(const OndField3 *field, float size)
{
    const double q = ond_field_ball(field, size) / field->def.radius, rest = 1.0 - q * q;
    return field->def.threshold / (rest * rest * rest);
}

static void find_weights(const OndField3 *field, OndSplatField *own)
{
    const OndPoints *p = field->points;
    const int dimension = p->dimension;
    const float inside =
        ond_kernel_set(OND_KERNEL_MUELLER, field->def.radius, dimension).value; // times V0
    const float alone = ond_kernel_set(OND_KERNEL_MUELLER, OND_POINTS_KERNEL, dimension).value;
    float boost = 0.0f;
    for (int i = 0; i < p->count; ++i) {
        if (i == 0 || p->size[i] != p->size[i - 1])
            boost = (float)lone_weight(field, p->size[i]) * alone / inside;
        const float more = boost * p->volume[i] / ond_points_rest_volume(p, (uint32_t)i);
        const float h = (float)field->def.radius * p->size[i];
        own->weight[i] = inside * (more > 1.0f ? more : 1.0f);
        own->inv_h2[i] = 1.0f / (h * h);
    }
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    if (def->radius < RADIUS_LEAST)
        return ond_fail(err, OND_BAD_VALUE,
                        "the density field's radius is %g spacings; accepted: %g to 16",
                        def->radius, RADIUS_LEAST);
    if (!(def->threshold > 0.0 && def->threshold < 1.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the density field's threshold is %g of the rest density; accepted: above "
                        "0 and below 1 (0.5 keeps volumes)",
                        def->threshold);
    OndSplatField *own = ond_splats_make(field, 3, err);
    if (!own) return OND_NO_MEMORY;
    field->reach = def->radius;
    find_weights(field, own);
    return OND_OK;
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndSplatSums sums = ond_splats_gather(field, at, 3);
    out[0] = sums.x, out[1] = sums.y, out[2] = sums.z;
    return sums.weight - (float)field->def.threshold;
}

const OndFieldKind ond_field_density = {
    .name = "density",
    .what = "where the liquid's density falls below half [Dumas 2011]; quick",
    .cut = {0.256, 0.216},
    .defaults = {.radius = 2.0, .threshold = 0.5},
    .make = make,
    .free = ond_splats_free,
    .sample = ond_splats_sample,
    .gradient = gradient,
};
