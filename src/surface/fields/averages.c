// SPDX-License-Identifier: MIT
// With d = x_i - p the kernel's gradient is g d, g = 6 (1 - q^2)^2 / R^2, and
//
//     d centre_a / d p_b = sum g d_a d_b / K - (sum k d_a / K) (sum g d_b / K),    K = sum k
#include "surface/fields/averages.h"

#include "surface/fields/field_loops.h"

#define LOW  0.4f  // eigenvalue up to which nothing happens; Solenthaler's numbers
#define HIGH 3.5f  // from here on there is no liquid
#define CUT  0.25f // of the length: so far below nothing there
#define STEP 0.02f // spacings, for the gradient

#define FLAT_FILL 0.7f // density of a particle at a flat surface (points.h), share of that inside
static const float lone_fill[2] = {0.318f, 0.196f}; // of a lone one; 2D, 3D

_Static_assert(OND_BLOCK == 8, "lanes are written out");

typedef struct Average {
    float weight; // sum of k; 0: nothing is near, and the rest is 0 too
    float to[3];  // centre - place
    float length;
    float slope[3][3]; // d centre[a] / d place[b]
} Average;

typedef struct Nodes {
    int n[3];
    OndSumRow sum[OND_BLOCK * OND_BLOCK];
} Nodes;

OndStatus ond_averages_make(OndField3 *field, const char *what, OndError *err)
{
    const OndFieldDef *const def = &field->def;
    if (!(def->threshold > 0.0 && def->threshold < def->radius))
        return ond_fail(err, OND_BAD_VALUE,
                        "%s, is %g spacings; accepted: above 0 and below its reach of %g", what,
                        def->threshold, def->radius);
    field->own = OND_NEW_ARRAY(float, field->points->count);
    if (!field->own)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for a field of %d particles",
                        field->points->count);
    field->reach = def->radius;
    return OND_OK;
}

void ond_averages_free(OndField3 *field)
{
    ond_free(field->own);
}

float ond_averages_length(const OndField3 *field, uint32_t i)
{
    const OndPoints *p = field->points;
    const float few = lone_fill[p->dimension - 2], flat = (float)field->def.threshold;
    const float lone = (float)ond_field_ball(field, p->size[i]);
    const float t = (ond_points_rest_volume(p, i) / p->volume[i] - few) / (FLAT_FILL - few);
    const float s = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return p->size[i] * (lone + (flat - lone) * s);
}

// One particle; all in cells.
static void splat(Nodes *nodes, const float at[3], float reach, float length)
{
    const OndRowLanes lanes = {.x = {0, 1, 2, 3, 4, 5, 6, 7}};
    const float inv = 1.0f / (reach * reach);
    const OndNodeSpan ys = ond_span_of(at[1], reach, nodes->n[1]),
                      zs = ond_span_of(at[2], reach, nodes->n[2]);
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float d[3] = {at[0], at[1] - (float)j, at[2] - (float)k};
            if ((d[1] * d[1] + d[2] * d[2]) * inv < 1.0f)
                ond_field_loops()->average(nodes->sum[k * OND_BLOCK + j], &lanes, d, inv, length);
        }
}

static Average average_of(const float s[OND_SUMS])
{
    Average a = {.weight = s[OND_SUM_K]};
    if (!(a.weight > 0.0f)) return a;
    const float inv = 1.0f / a.weight, *g = s + OND_SUM_GX, *q = s + OND_SUM_XX;
    const float second[3][3] = {{q[0], q[3], q[4]}, {q[3], q[1], q[5]}, {q[4], q[5], q[2]}};
    a.length = s[OND_SUM_L] * inv;
    for (int c = 0; c < 3; ++c) {
        a.to[c] = s[OND_SUM_X + c] * inv;
        for (int b = 0; b < 3; ++b)
            a.slope[c][b] = (second[c][b] - a.to[c] * g[b]) * inv;
    }
    return a;
}

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

// What is left of the length.
static float share_of(const Average *a)
{
    const float most = largest_eigenvalue(a->slope);
    if (most <= LOW) return 1.0f;
    if (most >= HIGH) return -CUT;
    const float t = (HIGH - most) / (HIGH - LOW);
    return (1.0f + CUT) * ((t - 3.0f) * t + 3.0f) * t - CUT;
}

static float value_of(const Average *a)
{
    const float distance = sqrtf(a->to[0] * a->to[0] + a->to[1] * a->to[1] + a->to[2] * a->to[2]);
    return share_of(a) * a->length - distance;
}

// That of one lane of a row.
static float value_in(const OndSumRow row, int lane)
{
    float s[OND_SUMS];
    for (int q = 0; q < OND_SUMS; ++q)
        s[q] = row[q * OND_BLOCK + lane];
    const Average a = average_of(s);
    return a.weight > 0.0f ? value_of(&a) : -1.0f;
}

void ond_averages_sample(const OndField3 *field, const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    const float *length = field->own;
    Nodes nodes = {.n = {lattice->n[0], lattice->n[1], lattice->n[2]}};
    double start[3], end[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = ond_lattice_at(lattice, a, 0);
        end[a] = start[a] + (lattice->n[a] - 1) * lattice->cell;
    }
    const double inv = 1.0 / lattice->cell;
    OndBinWalk near = ond_near_sizes(&p->bins, start, end, field->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float at[3] = {(float)((p->x[i] - start[0]) * inv),
                                 (float)((p->y[i] - start[1]) * inv),
                                 (float)((p->z[i] - start[2]) * inv)};
            const float reach = (float)(field->def.radius * p->size[i] * inv);
            if (at[0] <= -reach || at[0] >= (float)(lattice->n[0] - 1) + reach) continue;
            splat(&nodes, at, reach, length[i] * (float)inv);
        }
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j)
            for (int i = 0; i < lattice->n[0]; ++i)
                *value++ = value_in(nodes.sum[k * OND_BLOCK + j], i) * (float)lattice->cell;
}

// ---- one place

// The lanes of a row serve for the place and six round it, `step` away on each axis.
static void lay_lanes(OndRowLanes *lanes, float step)
{
    *lanes = (OndRowLanes){.x = {0.0f, step, -step}};
    lanes->y[3] = lanes->z[5] = step;
    lanes->y[4] = lanes->z[6] = -step;
}

static void gather(const OndField3 *field, const double at[3], const OndRowLanes *lanes,
                   OndSumRow row)
{
    const OndPoints *p = field->points;
    const float *length = field->own, step = lanes->x[1];
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - step, max[a] = at[a] + step;
    OndBinWalk near = ond_near_sizes(&p->bins, min, max, field->reach);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float d[3] = {(float)(p->x[i] - at[0]), (float)(p->y[i] - at[1]),
                                p->dimension == 2 ? 0.0f : (float)(p->z[i] - at[2])};
            const float r = (float)field->def.radius * p->size[i], far = r + step;
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < far * far)
                ond_field_loops()->average(row, lanes, d, 1.0f / (r * r), length[i]);
        }
}

float ond_averages_at(const OndField3 *field, const double at[3], double gradient[3])
{
    OndRowLanes lanes;
    OndSumRow row = {0};
    float value[7];
    lay_lanes(&lanes, STEP * (float)field->points->spacing);
    gather(field, at, &lanes, row);
    for (int k = 0; k < 7; ++k)
        value[k] = value_in(row, k);
    for (int a = 0; a < 3; ++a)
        gradient[a] = (value[1 + 2 * a] - value[2 + 2 * a]) / (2.0f * lanes.x[1]);
    return value[0];
}
