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
#include "physics/kernels.h"
#include "surface/loops.h"

#define RADIUS_LEAST 0.8 // sizes: below this the ball of a lone particle leaves its own support

typedef struct Density {
    const OndSurfaceLoops *loops;
    float *weight; // of each point: its share of rho / rho0 at its own place
    float *inv_h2;
    OndSplats splats;
    float threshold;
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
        const float h = (float)field->def.radius * p->size[i];
        own->weight[i] = inside * (more > 1.0f ? more : 1.0f);
        own->inv_h2[i] = 1.0f / (h * h);
    }
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    const OndPoints *points = field->points;
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
    if (own) own->weight = OND_NEW_ARRAY(float, (size_t)points->count + OND_SURFACE_PAD);
    if (own) own->inv_h2 = OND_NEW_ARRAY(float, (size_t)points->count + OND_SURFACE_PAD);
    if (!own || !own->weight || !own->inv_h2)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a field of %d particles",
                        points->count);
    own->loops = ond_surface_loops();
    own->threshold = (float)def->threshold;
    own->splats = (OndSplats){points->x, points->y, points->z, own->inv_h2, own->weight};
    field->reach = def->radius * points->largest;
    find_weights(field, own);
    return OND_OK;
}

static void release(OndField3 *field)
{
    Density *own = field->own;
    if (own) ond_free(own->weight), ond_free(own->inv_h2);
    ond_free(own);
}

// ---- nodes

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    const Density *own = field->own;
    float sum[OND_BLOCK * OND_BLOCK * OND_BLOCK] = {0};
    double start[3], min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = a == 2 && p->dimension == 2 ? 0.0 : ond_lattice_at(lattice, a, 0);
        min[a] = start[a] - field->reach;
        max[a] = start[a] + (lattice->n[a] - 1) * lattice->cell + field->reach;
    }
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        own->loops->splat(&own->splats, run, start, lattice->cell, lattice->n, sum);
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = sum[(k * OND_BLOCK + j) * OND_BLOCK + i] - own->threshold;
}

// ---- one place

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const Density *own = field->own;
    const float place[3] = {(float)at[0], (float)at[1], (float)at[2]};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - field->reach, max[a] = at[a] + field->reach;
    OndSplatSums sums = {0};
    OndRun run[OND_RUNS_MAX];
    OndNear near = ond_near(&field->points->bins, min, max);
    for (int runs; (runs = ond_near_runs(&near, run, OND_RUNS_MAX)) > 0;)
        own->loops->gather(&own->splats, run, runs, place, &sums);
    out[0] = sums.x, out[1] = sums.y, out[2] = sums.z;
    return sums.weight - own->threshold;
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
