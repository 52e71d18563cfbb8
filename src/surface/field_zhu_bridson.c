// SPDX-License-Identifier: MIT
// The weighted centre of the particles near a place, and their weighted radius [Zhu and Bridson
// 2005]: inside is where the centre is nearer than the radius.
//
//     f(p) = r(p) - |p - centre(p)|
//
// Between two bodies of liquid, or in a hollow of one, the centre jumps from one side to the other
// and a false blob may appear at the place between. There the centre moves faster than the place
// does: where the largest eigenvalue of its gradient is high, the radius is made less [Solenthaler
// 2007].
#include "base/memory.h"
#include "surface/averages.h"

#define LOW       0.4f // eigenvalue up to which nothing happens; Solenthaler's numbers
#define HIGH      3.5f // from here on there is no liquid
#define LONE_FILL 0.2f // density of a lone particle (points.h), share of that inside
#define FLAT_FILL 0.7f // of one at a flat surface

// Largest eigenvalue of the symmetric part.
static float largest_eigenvalue(const float m[3][3])
{
    const float xy = 0.5f * (m[0][1] + m[1][0]), xz = 0.5f * (m[0][2] + m[2][0]),
                yz = 0.5f * (m[1][2] + m[2][1]);
    const float mean = (m[0][0] + m[1][1] + m[2][2]) / 3.0f;
    const float x = m[0][0] - mean, y = m[1][1] - mean, z = m[2][2] - mean;
    const float p2 = (x * x + y * y + z * z + 2.0f * (xy * xy + xz * xz + yz * yz)) / 6.0f;
    if (!(p2 > 0.0f)) return mean;
    const float p = sqrtf(p2),
                det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
    const float half = 0.5f * det / (p2 * p);
    const float angle = acosf(half < -1.0f ? -1.0f : half > 1.0f ? 1.0f : half) / 3.0f;
    return mean + 2.0f * p * cosf(angle);
}

// What is left of the radius.
static float share_of(const OndAverage *a)
{
    const float most = largest_eigenvalue(a->slope);
    if (most <= LOW) return 1.0f;
    if (most >= HIGH) return 0.0f;
    const float t = (HIGH - most) / (HIGH - LOW);
    return ((t - 3.0f) * t + 3.0f) * t;
}

static float value_of(const OndAverage *a)
{
    const float distance = ond_average_distance(a);
    if (a->length <= distance) return a->length - distance; // outside anyway
    return share_of(a) * a->length - distance;
}

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
    field->reach = def->radius * field->points->largest;
    find_radii(field->points, def->threshold, field->own);
    return OND_OK;
}

static void release(OndField3 *field)
{
    ond_free(field->own);
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    static const OndAverageRule rule = {value_of, true};
    ond_averages_sample(field, &rule, lattice, value);
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndAverage a = ond_averages_at(field, at);
    ond_average_gradient(&a, share_of(&a), out);
    return a.weight > 0.0f ? value_of(&a) : -1.0f;
}

const OndFieldKind ond_field_zhu_bridson = {
    .name = "zhu-bridson",
    .what = "distance to the particles' weighted centre [Zhu and Bridson 2005]",
    .defaults = {.radius = 2.0, .threshold = 0.54},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};
