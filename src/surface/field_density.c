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
#include "base/memory.h"
#include "base/parallel.h"
#include "physics/kernels.h"
#include "surface/field.h"

#include <string.h>

#define RADIUS_LEAST 0.8 // sizes: below this the ball of a lone particle leaves its own support
#define GRAIN        16384

typedef struct Density {
    float *weight; // of each point: its share of rho / rho0 at its own place
    float threshold;
    float radius; // sizes
} Density;

// What a lone particle must weigh so that its ball has the volume size^3 (2D: size^2).
static double lone_weight(const OndField3 *field)
{
    const double ball = field->points->dimension == 2 ? 0.5641895835 : 0.6203504909; // radius
    const double q = ball / field->def.radius, rest = 1.0 - q * q;
    return field->def.threshold / (rest * rest * rest);
}

static void find_weights(const OndField3 *field, Density *own)
{
    const OndPoints *p = field->points;
    const int dimension = p->dimension;
    const float inside =
        ond_kernel_set(OND_KERNEL_MUELLER, field->def.radius, dimension).value; // times V0
    const float alone = ond_kernel_set(OND_KERNEL_MUELLER, OND_POINTS_KERNEL, dimension).value;
    const float boost = (float)lone_weight(field) * alone / inside;
    for (int i = 0; i < p->count; ++i) {
        const float rest =
            dimension == 2 ? p->size[i] * p->size[i] : p->size[i] * p->size[i] * p->size[i];
        const float more = boost * p->volume[i] / rest;
        own->weight[i] = inside * (more > 1.0f ? more : 1.0f);
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
    Density *own = field->own = OND_NEW(Density);
    if (own) own->weight = OND_NEW_ARRAY(float, field->points->count);
    if (!own || !own->weight)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a field of %d particles",
                        field->points->count);
    own->threshold = (float)def->threshold;
    own->radius = (float)def->radius;
    field->reach = def->radius * field->points->largest;
    find_weights(field, own);
    return OND_OK;
}

static void release(OndField3 *field)
{
    Density *own = field->own;
    if (own) ond_free(own->weight);
    ond_free(own);
}

// ---- nodes

// Nodes whose distance to `at` (in cells) is less than `reach`.
typedef struct Span {
    int first, last; // last excluded
} Span;

static inline Span span_of(float at, float reach, int n)
{
    const float low = at - reach, high = at + reach;
    const int first = low < 0.0f ? 0 : (int)low + 1, last = high < 0.0f ? 0 : (int)high + 1;
    return (Span){first, last < n ? last : n};
}

// Adds one particle, at (x, y, z) cells from the first node with a radius of `reach` cells, to all
// rows that it meets. q^2 is a sum of one term an axis.
static inline void splat(float (*restrict value)[OND_BLOCK], const int n[3], const float at[3],
                         float reach, float weight)
{
    const float inv = 1.0f / (reach * reach);
    const Span ys = span_of(at[1], reach, n[1]), zs = span_of(at[2], reach, n[2]);
    float along[OND_BLOCK];
    for (int i = 0; i < OND_BLOCK; ++i)
        along[i] = 1.0f - ((float)i - at[0]) * ((float)i - at[0]) * inv;
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float dy = (float)j - at[1], dz = (float)k - at[2];
            const float across = (dy * dy + dz * dz) * inv;
            if (across >= 1.0f) continue;
            float *restrict row = value[k * OND_BLOCK + j];
            for (int i = 0; i < OND_BLOCK; ++i) {
                const float rest = along[i] - across, a = rest > 0.0f ? rest : 0.0f;
                row[i] += weight * a * a * a;
            }
        }
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    const Density *own = field->own;
    float sum[OND_BLOCK * OND_BLOCK][OND_BLOCK] = {{0}};
    double start[3], min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = a == 2 && p->dimension == 2 ? 0.0 : ond_lattice_at(lattice, a, 0);
        min[a] = start[a] - field->reach;
        max[a] = start[a] + (lattice->n[a] - 1) * lattice->cell + field->reach;
    }
    const double inv = 1.0 / lattice->cell;
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float at[3] = {(float)((p->x[i] - start[0]) * inv),
                                 (float)((p->y[i] - start[1]) * inv),
                                 (float)((p->z[i] - start[2]) * inv)};
            const float reach = (float)(own->radius * p->size[i] * inv);
            if (at[0] <= -reach || at[0] >= (float)(lattice->n[0] - 1) + reach) continue;
            splat(sum, lattice->n, at, reach, own->weight[i]);
        }
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = sum[k * OND_BLOCK + j][i] - own->threshold;
}

// ---- one place

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndPoints *p = field->points;
    const Density *own = field->own;
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - field->reach, max[a] = at[a] + field->reach;
    float sum = 0.0f, gx = 0.0f, gy = 0.0f, gz = 0.0f;
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float dx = (float)(p->x[i] - at[0]), dy = (float)(p->y[i] - at[1]),
                        dz = (float)(p->z[i] - at[2]), h = own->radius * p->size[i];
            const float rest = 1.0f - (dx * dx + dy * dy + dz * dz) / (h * h);
            const float a = rest > 0.0f ? rest : 0.0f, w = own->weight[i] * a * a * a;
            sum += w;
            gx += w * dx, gy += w * dy, gz += w * dz;
        }
    out[0] = gx, out[1] = gy, out[2] = gz;
    return sum - own->threshold;
}

const OndFieldKind ond_field_density = {
    .name = "density",
    .what = "where the liquid's density falls below half [Dumas 2011]; quick",
    .defaults = {.radius = 2.0, .threshold = 0.5},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};
