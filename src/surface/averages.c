// SPDX-License-Identifier: MIT
// With d = x_i - p the kernel's gradient is g d, g = 6 (1 - q^2)^2 / R^2, and
//
//     d centre_a / d p_b = sum g d_a d_b / K - (sum k d_a / K) (sum g d_b / K),    K = sum k
#include "surface/averages.h"

#include "surface/field_loops.h"

typedef struct Nodes {
    int n[3];
    OndSumRow sum[OND_BLOCK * OND_BLOCK];
} Nodes;

typedef void AddRow(OndSumRow row, const float d[3], float inv_r2, float length);

typedef struct Span {
    int first, last; // last excluded
} Span;

// Nodes of a row of n that lie within `reach` of `at`, all in cells.
static inline Span span_of(float at, float reach, int n)
{
    const float low = at - reach, high = at + reach;
    const int first = low < 0.0f ? 0 : low < (float)n ? (int)low + 1 : n;
    const int last = high < 0.0f ? 0 : high < (float)n ? (int)high + 1 : n;
    return (Span){first, last};
}

// One particle; all in cells.
static void splat(Nodes *nodes, AddRow *add, const float at[3], float reach, float length)
{
    const float inv = 1.0f / (reach * reach);
    const Span ys = span_of(at[1], reach, nodes->n[1]), zs = span_of(at[2], reach, nodes->n[2]);
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float d[3] = {at[0], at[1] - (float)j, at[2] - (float)k};
            if ((d[1] * d[1] + d[2] * d[2]) * inv < 1.0f)
                add(nodes->sum[k * OND_BLOCK + j], d, inv, length);
        }
}

static OndAverage average_of(const float s[OND_SUMS])
{
    OndAverage a = {.weight = s[OND_SUM_K]};
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

static void write_values(const Nodes *nodes, float (*of)(const OndAverage *), float cell,
                         float *value)
{
    for (int k = 0; k < nodes->n[2]; ++k)
        for (int j = 0; j < nodes->n[1]; ++j)
            for (int i = 0; i < nodes->n[0]; ++i) {
                float s[OND_SUMS];
                for (int q = 0; q < OND_SUMS; ++q)
                    s[q] = nodes->sum[k * OND_BLOCK + j][q * OND_BLOCK + i];
                const OndAverage a = average_of(s);
                *value++ = a.weight > 0.0f ? of(&a) * cell : -1.0f;
            }
}

void ond_averages_sample(const OndField3 *field, const OndAverageRule *rule,
                         const OndLattice *lattice, float *value)
{
    const OndPoints *p = field->points;
    const float *length = field->own;
    AddRow *add = rule->slopes ? ond_field_loops()->average : ond_field_loops()->rough;
    Nodes nodes = {.n = {lattice->n[0], lattice->n[1], lattice->n[2]}};
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
            const float reach = (float)(field->def.radius * p->size[i] * inv);
            if (at[0] <= -reach || at[0] >= (float)(lattice->n[0] - 1) + reach) continue;
            splat(&nodes, add, at, reach, length[i] * (float)inv);
        }
    write_values(&nodes, rule->value, (float)lattice->cell, value);
}

// ---- one place

OndAverage ond_averages_at(const OndField3 *field, const double at[3])
{
    const OndPoints *p = field->points;
    const float *length = field->own;
    AddRow *add = ond_field_loops()->average;
    OndSumRow sum = {0};
    float first[OND_SUMS], slope[3] = {0};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - field->reach, max[a] = at[a] + field->reach;
    OndNear near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float d[3] = {(float)(p->x[i] - at[0]), (float)(p->y[i] - at[1]),
                                p->dimension == 2 ? 0.0f : (float)(p->z[i] - at[2])};
            const float r = (float)field->def.radius * p->size[i], inv = 1.0f / (r * r);
            const float rest = 1.0f - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * inv;
            if (rest <= 0.0f) continue;
            add(sum, d, inv, length[i]);
            for (int a = 0; a < 3; ++a)
                slope[a] += 6.0f * inv * rest * rest * d[a] * length[i];
        }
    for (int q = 0; q < OND_SUMS; ++q)
        first[q] = sum[q * OND_BLOCK];
    OndAverage out = average_of(first);
    for (int a = 0; a < 3 && out.weight > 0.0f; ++a)
        out.length_slope[a] = (slope[a] - out.length * first[OND_SUM_GX + a]) / out.weight;
    return out;
}

void ond_average_gradient(const OndAverage *a, float share, double out[3])
{
    const float distance = ond_average_distance(a);
    const float inv = distance > 0.0f ? 1.0f / distance : 0.0f;
    for (int b = 0; b < 3; ++b) {
        float away = -a->to[b];
        for (int c = 0; c < 3; ++c)
            away += a->slope[c][b] * a->to[c];
        out[b] = share * a->length_slope[b] - away * inv;
    }
}
