// SPDX-License-Identifier: MIT
// Anisotropic kernels [Yu and Turk 2013]: the share of space that the liquid fills, each particle
// smeared out over an ellipsoid that lies along the surface (ellipsoids.h).
//
//     f(p) = sum_i w_i (1 - q_i^2)^3 - threshold,    q_i^2 = (p - c_i)^T S_i^-1 (p - c_i)
//
// Flat ellipsoids overlap into a plane where round ones would show as bumps, and stay thin where
// the liquid is thin.
#include "base/memory.h"
#include "surface/fields/ellipsoids.h"
#include "surface/fields/field.h"

static OndStatus check(const OndFieldDef *def, OndError *err)
{
    if (def->radius < 1.5 || def->radius > 6.0)
        return ond_fail(err, OND_BAD_VALUE,
                        "the anisotropic field's radius is %g spacings; accepted: 1.5 to 6",
                        def->radius);
    if (!(def->threshold > 0.0 && def->threshold < 1.0))
        return ond_fail(err, OND_BAD_VALUE,
                        "the anisotropic field's threshold is %g; accepted: above 0 and below 1 "
                        "(about 0.5 keeps volumes)",
                        def->threshold);
    return OND_OK;
}

static OndStatus make(OndField3 *field, OndError *err)
{
    const OndFieldDef *def = &field->def;
    OndStatus status = check(def, err);
    if (status != OND_OK) return status;
    OndEllipsoids *own = field->own = OND_NEW(OndEllipsoids);
    if (!own) return ond_fail(err, OND_NO_MEMORY, "not enough memory for the anisotropic field");
    status = ond_ellipsoids_make(own, field, err);
    field->reach = own->reach;
    return status;
}

static void release(OndField3 *field)
{
    if (field->own) ond_ellipsoids_free(field->own);
    ond_free(field->own);
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    OndNodes nodes = {.cell = (float)lattice->cell};
    double start[3], end[3];
    for (int a = 0; a < 3; ++a) {
        nodes.n[a] = lattice->n[a];
        start[a] = ond_lattice_at(lattice, a, 0);
        end[a] = start[a] + (lattice->n[a] - 1) * lattice->cell;
    }
    nodes.start = ond_place(start);
    OndBinWalk near = ond_near_sizes(&p->bins, start, end, field->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        ond_ellipsoids_splat(field->own, run, &nodes);
    const float threshold = (float)field->def.threshold;
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = nodes.value[k * OND_BLOCK + j][i] - threshold;
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndSplitPlace place = ond_place(at);
    float sum[4] = {0};
    OndBinWalk near = ond_near_sizes(&field->points->bins, at, at, field->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        ond_ellipsoids_at(field->own, run, &place, sum);
    for (int a = 0; a < 3; ++a)
        out[a] = sum[a + 1];
    return sum[0] - (float)field->def.threshold;
}

#define TOGETHER 64

static void gradients(const OndField3 *field, int count, const double (*at)[3], double (*out)[3])
{
    float sum[TOGETHER][4];
    for (int first = 0; first < count; first += TOGETHER) {
        const int n = count - first < TOGETHER ? count - first : TOGETHER;
        ond_ellipsoids_all(field->own, n, at + first, sum);
        for (int k = 0; k < n; ++k)
            for (int a = 0; a < 3; ++a)
                out[first + k][a] = sum[k][a + 1];
    }
}

const OndFieldKind ond_field_anisotropic = {
    .name = "anisotropic",
    .what = "ellipsoids that lie along the surface [Yu and Turk 2013]; smooth, the default",
    .sight = OND_ELLIPSOIDS_SIGHT,
    .cut = {0.18, 0.132},
    .defaults = {.radius = 2.75, .threshold = 0.525, .smoothing = 0.95},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
    .gradients = gradients,
};
