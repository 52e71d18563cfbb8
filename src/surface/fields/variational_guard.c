// SPDX-License-Identifier: MIT
#include "surface/fields/variational_guard.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define DEEP_SIZES 1.7f  // a surface particle within so many sizes: not deep
#define DEEP_COVER 0.95f // sizes round a deep particle that are inside
#define HEART      0.3f  // sizes round any particle that are inside
#define STEEP      2.0f  // values are depths in half spacings
#define GRAIN      1024

typedef struct GuardView {
    float near, deep; // distance to the nearest particle, and to the nearest deep one; sizes
} GuardView;

// ---- deep particles

static bool surface_near(const OndPoints *p, int i)
{
    const float reach = DEEP_SIZES * p->size[i], at[3] = {p->x[i], p->y[i], p->z[i]};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a)
        min[a] = at[a] - reach, max[a] = at[a] + reach;
    OndBinWalk near = ond_near(&p->bins, min, max);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t j = run.first; j < run.last; ++j) {
            const float x = p->x[j] - at[0], y = p->y[j] - at[1], z = p->z[j] - at[2];
            if (p->surface[j] && x * x + y * y + z * z < reach * reach) return true;
        }
    return false;
}

static void find_deep(int first, int last, int worker, void *context)
{
    const OndGuard *guard = context;
    for (int i = first; i < last; ++i)
        guard->deep[i] = !guard->points->surface[i] && !surface_near(guard->points, i);
}

OndStatus ond_guard_make(OndGuard *guard, const OndPoints *points, OndError *err)
{
    guard->points = points;
    guard->deep = OND_NEW_ARRAY(unsigned char, points->count);
    if (!guard->deep)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", points->count);
    ond_parallel_for(points->count, GRAIN, find_deep, guard);
    return OND_OK;
}

void ond_guard_free(OndGuard *guard)
{
    ond_free(guard->deep);
    memset(guard, 0, sizeof *guard);
}

// ---- fences

static float fence(float value, GuardView seen)
{
    const float outside = STEEP * ((float)OND_GUARD_FAR - seen.near);
    if (isnan(value)) value = outside > 0.0f ? 1.0f : -1.0f;
    value = value > outside ? outside : value;
    const float heart = STEEP * (HEART - seen.near), deep = STEEP * (DEEP_COVER - seen.deep);
    const float inside = heart > deep ? heart : deep;
    return inside > 0.0f && value < inside ? inside : value;
}

// Node indices whose distance along one axis is less than `reach`, both in cells.
static void span(float at, float reach, int n, int *first, int *last)
{
    const float low = ceilf(at - reach), high = floorf(at + reach);
    *first = low > 0.0f ? (low < (float)n ? (int)low : n) : 0;
    *last = high < 0.0f ? 0 : high < (float)n ? (int)high + 1 : n;
}

// Brings one particle, at `at` cells from the first node, to the nodes that it reaches.
static void see(GuardView *seen, const int n[3], const float at[3], float size, bool deep)
{
    int first[3], last[3];
    for (int a = 0; a < 3; ++a)
        span(at[a], (float)OND_GUARD_FAR * size, n[a], &first[a], &last[a]);
    for (int k = first[2]; k < last[2]; ++k)
        for (int j = first[1]; j < last[1]; ++j) {
            GuardView *row = seen + (k * n[1] + j) * n[0];
            const float y = (float)j - at[1], z = (float)k - at[2], rest = y * y + z * z;
            for (int i = first[0]; i < last[0]; ++i) {
                const float x = (float)i - at[0], d = sqrtf(x * x + rest) / size;
                row[i].near = d < row[i].near ? d : row[i].near;
                if (deep) row[i].deep = d < row[i].deep ? d : row[i].deep;
            }
        }
}

void ond_guard_lattice(const OndGuard *guard, const OndLattice *lattice, float *value)
{
    const OndPoints *p = guard->points;
    const double inverse = 1.0 / lattice->cell;
    const int count = lattice->n[0] * lattice->n[1] * lattice->n[2];
    GuardView seen[OND_BLOCK * OND_BLOCK * OND_BLOCK];
    for (int k = 0; k < count; ++k)
        seen[k].near = seen[k].deep = 2.0f * (float)OND_GUARD_FAR;
    double start[3], end[3];
    for (int a = 0; a < 3; ++a) {
        start[a] = ond_lattice_at(lattice, a, 0);
        end[a] = start[a] + (lattice->n[a] - 1) * lattice->cell;
    }
    OndBinWalk near = ond_near_sizes(&p->bins, start, end, OND_GUARD_FAR);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const float at[3] = {(float)((p->x[i] - start[0]) * inverse),
                                 (float)((p->y[i] - start[1]) * inverse),
                                 (float)((p->z[i] - start[2]) * inverse)};
            see(seen, lattice->n, at, (float)(p->size[i] * inverse), guard->deep[i]);
        }
    for (int k = 0; k < count; ++k)
        value[k] = fence(value[k], seen[k]);
}

float ond_guard_place(const OndGuard *guard, const double at[3], double value, double slope[3])
{
    const OndPoints *p = guard->points;
    GuardView seen = {2.0f * (float)OND_GUARD_FAR, 2.0f * (float)OND_GUARD_FAR};
    double inwards[3] = {0};
    OndBinWalk near = ond_near_sizes(&p->bins, at, at, OND_GUARD_FAR);
    for (OndRun run; ond_near_next(&near, &run);)
        for (uint32_t i = run.first; i < run.last; ++i) {
            const double x[3] = {p->x[i] - at[0], p->y[i] - at[1], p->z[i] - at[2]};
            const float d = (float)(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / p->size[i]);
            if (guard->deep[i] && d < seen.deep) seen.deep = d;
            if (d >= seen.near) continue;
            seen.near = d;
            memcpy(inwards, x, sizeof inwards);
        }
    const float fenced = fence((float)value, seen);
    if (!(fenced == (float)value)) memcpy(slope, inwards, sizeof inwards);
    return fenced;
}
