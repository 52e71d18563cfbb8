// SPDX-License-Identifier: MIT
// Anisotropic kernels [Yu and Turk 2013]: the share of space that the liquid fills, each particle
// smeared out over an ellipsoid that lies along the surface (ellipsoids.h).
//
//     f(p) = sum_i w_i (1 - q_i^2)^3 - threshold,    q_i^2 = (p - c_i)^T S_i^-1 (p - c_i)
//
// Flat ellipsoids overlap into a plane where round ones would show as bumps, and stay thin where
// the liquid is thin.
#include "base/memory.h"
#include "surface/ellipsoids.h"
#include "surface/field.h"

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
    status =
        ond_ellipsoids_make(own, field->points, def->radius, def->smoothing, def->threshold, err);
    field->reach = own->reach;
    return status;
}

static void release(OndField3 *field)
{
    if (field->own) ond_ellipsoids_free(field->own);
    ond_free(field->own);
}

// ---- nodes

typedef struct Nodes {
    float start[3]; // first node, m from the block's origin
    float cell, inv_cell;
    int n[3];
    float sum[OND_BLOCK * OND_BLOCK][OND_BLOCK];
} Nodes;

typedef struct Span {
    int first, last; // last excluded
} Span;

// Nodes of a row of n that lie within `extent` of `at`, all in cells.
static inline Span span_of(float at, float extent, int n)
{
    const float low = at - extent, high = at + extent;
    const int first = low < 0.0f ? 0 : low < (float)n ? (int)low + 1 : n;
    const int last = high < 0.0f ? 0 : high < (float)n ? (int)high + 1 : n;
    return (Span){first, last};
}

// In units of cells, so that nodes are at whole numbers: q^2 along a row is (a dx + b) dx + c.
static inline void splat(Nodes *nodes, const OndEllipsoid *e, const float at[3])
{
    const float inv = nodes->inv_cell, unit = nodes->cell * nodes->cell;
    const float xx = e->inverse[0] * unit, yy = e->inverse[1] * unit, zz = e->inverse[2] * unit;
    const float xy = 2.0f * e->inverse[3] * unit, xz = 2.0f * e->inverse[4] * unit,
                yz = 2.0f * e->inverse[5] * unit;
    const Span ys = span_of(at[1], e->extent[1] * inv, nodes->n[1]);
    const Span zs = span_of(at[2], e->extent[2] * inv, nodes->n[2]);
    float dx[OND_BLOCK];
    for (int i = 0; i < OND_BLOCK; ++i)
        dx[i] = (float)i - at[0];
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float dy = (float)j - at[1], dz = (float)k - at[2];
            const float b = xy * dy + xz * dz, c = 1.0f - (yy * dy * dy + (zz * dz + yz * dy) * dz);
            if (4.0f * xx * c + b * b <= 0.0f) continue; // the row misses it
            float *restrict row = nodes->sum[k * OND_BLOCK + j];
            for (int i = 0; i < OND_BLOCK; ++i) {
                const float rest = c - (xx * dx[i] + b) * dx[i], a = rest > 0.0f ? rest : 0.0f;
                row[i] += e->weight * a * a * a;
            }
        }
}

static void add_run(const OndEllipsoids *own, OndRun run, const double start[3], Nodes *nodes)
{
    OndEllipsoid scratch;
    for (uint32_t i = run.first; i < run.last; ++i) {
        const OndEllipsoid *e = ond_ellipsoid_of(own, i, &scratch);
        float at[3];
        bool meets = true;
        for (int a = 0; a < 3; ++a) {
            const float extent = e->extent[a] * nodes->inv_cell;
            at[a] = (float)(e->centre[a] - start[a]) * nodes->inv_cell;
            meets &= at[a] > -extent && at[a] < (float)(nodes->n[a] - 1) + extent;
        }
        if (meets) splat(nodes, e, at);
    }
}

static void sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    Nodes nodes = {.cell = (float)lattice->cell, .inv_cell = (float)(1.0 / lattice->cell)};
    double start[3], min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        nodes.n[a] = lattice->n[a];
        start[a] = a == 2 && p->dimension == 2 ? 0.0 : ond_lattice_at(lattice, a, 0);
        min[a] = start[a] - field->reach;
        max[a] = start[a] + (lattice->n[a] - 1) * lattice->cell + field->reach;
    }
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        add_run(field->own, run, start, &nodes);
    const float threshold = (float)field->def.threshold;
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = nodes.sum[k * OND_BLOCK + j][i] - threshold;
}

// ---- one place

typedef struct Sum {
    float value, x, y, z;
} Sum;

static inline void add_at(const OndEllipsoid *e, const double at[3], Sum *sum)
{
    const float dx = (float)(at[0] - e->centre[0]), dy = (float)(at[1] - e->centre[1]),
                dz = (float)(at[2] - e->centre[2]);
    const float *m = e->inverse;
    const float x = m[0] * dx + m[3] * dy + m[4] * dz, y = m[3] * dx + m[1] * dy + m[5] * dz,
                z = m[4] * dx + m[5] * dy + m[2] * dz;
    const float rest = 1.0f - (dx * x + dy * y + dz * z);
    if (rest <= 0.0f) return;
    const float slope = -6.0f * e->weight * rest * rest;
    sum->value += e->weight * rest * rest * rest;
    sum->x += slope * x, sum->y += slope * y, sum->z += slope * z;
}

static float gradient(const OndField3 *field, const double at[3], double out[3])
{
    const OndEllipsoids *own = field->own;
    OndEllipsoid scratch;
    Sum sum = {0};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - field->reach, max[a] = at[a] + field->reach;
    OndNear near = ond_near(&field->points->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i)
            add_at(ond_ellipsoid_of(own, i, &scratch), at, &sum);
    out[0] = sum.x, out[1] = sum.y, out[2] = sum.z;
    return sum.value - (float)field->def.threshold;
}

const OndFieldKind ond_field_anisotropic = {
    .name = "anisotropic",
    .what = "ellipsoids that lie along the surface [Yu and Turk 2013]; smooth, the default",
    .defaults = {.radius = 2.5, .threshold = 0.49, .smoothing = 0.95},
    .make = make,
    .free = release,
    .sample = sample,
    .gradient = gradient,
};
