// SPDX-License-Identifier: MIT
// Polynomial kernels over runs of particles: at one place, and on blocks of nodes.
#include "surface/loops.h"

// Each power gets loops of its own.
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

#define LANES 8

static inline float raise(float a, const int power)
{
    return power == 1 ? a : power == 2 ? a * a : a * a * a;
}

// Runs are short (about 24): whole vectors with those past the end left out are quicker than a
// vector loop with a remainder, and the lanes are added up once for all runs.
INLINE void gather_power(const OndSplats *s, const OndRun *run, int runs, const float at[3],
                         OndSplatSums *sums, const int power)
{
    const float ax = at[0], ay = at[1], az = at[2];
    const float same = s->same_inv_h2, own = same > 0.0f ? 0.0f : 1.0f;
    float sum[LANES] = {0}, spread[LANES] = {0}, sx[LANES] = {0}, sy[LANES] = {0}, sz[LANES] = {0};
    for (int r = 0; r < runs; ++r)
        for (uint32_t i = run[r].first; i < run[r].last; i += LANES) {
            const float *restrict x = s->x + i, *restrict y = s->y + i, *restrict z = s->z + i;
            const float *restrict inv_h2 = s->inv_h2 + i, *restrict weight = s->weight + i;
            const int left = (int)(run[r].last - i);
#pragma omp simd
            for (int k = 0; k < LANES; ++k) {
                const float dx = x[k] - ax, dy = y[k] - ay, dz = z[k] - az;
                const float q2 = (dx * dx + dy * dy + dz * dz) * (own * inv_h2[k] + same);
                const float rest = 1.0f - q2;
                const float a = rest > 0.0f && k < left ? rest : 0.0f,
                            w = raise(a, power) * weight[k];
                sum[k] += w, spread[k] += w * q2;
                sx[k] += w * dx, sy[k] += w * dy, sz[k] += w * dz;
            }
        }
    for (int k = 0; k < LANES; ++k)
        sums->weight += sum[k], sums->spread += spread[k], sums->x += sx[k], sums->y += sy[k],
            sums->z += sz[k];
}

static void gather(const OndSplats *s, const OndRun *run, int runs, const float at[3],
                   OndSplatSums *sums)
{
    if (s->power == 1)
        gather_power(s, run, runs, at, sums, 1);
    else if (s->power == 2)
        gather_power(s, run, runs, at, sums, 2);
    else
        gather_power(s, run, runs, at, sums, 3);
}

static void weights(const OndSplats *s, OndRun run, const float at[3], float *restrict weight,
                    float *restrict r2)
{
    const float *restrict x = s->x + run.first, *restrict y = s->y + run.first;
    const float *restrict z = s->z + run.first, *restrict inv_h2 = s->inv_h2 + run.first;
    const float ax = at[0], ay = at[1], az = at[2];
    const int count = (int)(run.last - run.first);
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const float dx = x[i] - ax, dy = y[i] - ay, dz = z[i] - az;
        const float square = dx * dx + dy * dy + dz * dz, rest = 1.0f - square * inv_h2[i];
        const float a = rest > 0.0f ? rest : 0.0f;
        weight[i] = a * a * a;
        r2[i] = square;
    }
}

// ---- blocks

// Nodes closer to `at` than `reach` along an axis, both in cells.
typedef struct NodeSpan {
    int first, last; // last excluded
} NodeSpan;

static inline NodeSpan span_of(float at, float reach, int n)
{
    const float low = at - reach, high = at + reach;
    const int first = low < 0.0f ? 0 : (int)low + 1, last = high < 0.0f ? 0 : (int)high + 1;
    return (NodeSpan){first, last < n ? last : n};
}

// q^2 is a sum of one term an axis: rows and layers have theirs, the nodes of a row differ in x.
INLINE void add_particle(float *restrict value, const int n[3], const float at[3], float inv2,
                         float reach, float weight, const int power)
{
    const NodeSpan ys = span_of(at[1], reach, n[1]), zs = span_of(at[2], reach, n[2]);
    float along[OND_BLOCK];
    for (int i = 0; i < OND_BLOCK; ++i)
        along[i] = 1.0f - ((float)i - at[0]) * ((float)i - at[0]) * inv2;
    for (int k = zs.first; k < zs.last; ++k)
        for (int j = ys.first; j < ys.last; ++j) {
            const float dy = (float)j - at[1], dz = (float)k - at[2];
            const float across = (dy * dy + dz * dz) * inv2;
            if (across >= 1.0f) continue;
            float *restrict row = value + (k * OND_BLOCK + j) * OND_BLOCK;
#pragma omp simd
            for (int i = 0; i < OND_BLOCK; ++i) {
                const float rest = along[i] - across, a = rest > 0.0f ? rest : 0.0f;
                row[i] += weight * raise(a, power);
            }
        }
}

INLINE void splat_power(const OndSplats *s, OndRun run, const double start[3], double cell,
                        const int n[3], float *restrict value, const int power)
{
    const double inv = 1.0 / cell;
    const float cell2 = (float)(cell * cell);
    for (uint32_t i = run.first; i < run.last; ++i) {
        const float at[3] = {(float)((s->x[i] - start[0]) * inv),
                             (float)((s->y[i] - start[1]) * inv),
                             (float)((s->z[i] - start[2]) * inv)};
        const float inv2 = s->inv_h2[i] * cell2, reach = 1.0f / sqrtf(inv2);
        if (at[0] <= -reach || at[0] >= (float)(n[0] - 1) + reach || at[1] <= -reach ||
            at[1] >= (float)(n[1] - 1) + reach || at[2] <= -reach ||
            at[2] >= (float)(n[2] - 1) + reach)
            continue;
        add_particle(value, n, at, inv2, reach, s->weight[i], power);
    }
}

static void splat(const OndSplats *s, OndRun run, const double start[3], double cell,
                  const int n[3], float *restrict value)
{
    if (s->power == 1)
        splat_power(s, run, start, cell, n, value, 1);
    else if (s->power == 2)
        splat_power(s, run, start, cell, n, value, 2);
    else
        splat_power(s, run, start, cell, n, value, 3);
}

extern const OndSurfaceLoops OND_SURFACE_JOIN(ond_surface_loops, OND_ISA);
const OndSurfaceLoops OND_SURFACE_JOIN(ond_surface_loops, OND_ISA) = {
    .gather = gather,
    .splat = splat,
    .weights = weights,
};
