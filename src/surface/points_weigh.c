// SPDX-License-Identifier: MIT
// What each particle stands for, and which ones are at the free surface.
//
// With V0 = size^3 and W of radius h = 2 size, both of the neighbour,
//
//     density_i = sum_j V0_j W_ij        1 inside, about 0.7 at a flat surface, 0.2 alone
//     centre_i  = sum_j W_ij (x_j - x_i) / sum_j W_ij
//
// A particle is at the surface where its neighbours' centre lies to one side, or where they are
// few: a sheet of one layer has its centre in the middle.
#include "base/parallel.h"
#include "physics/kernels.h"
#include "surface/points.h"

#define OFF_CENTRE 0.15f // sizes; first layer of a lattice: 0.26, second: 0.02
#define FEW        0.75f // density; second layer: 0.98
#define ROW_GRAIN  4

// V0 W(0): the same for all sizes, since h goes with the size.
static float own_weight(int dimension)
{
    const OndKernelSet kernel = ond_kernel_set(OND_KERNEL_MUELLER, OND_POINTS_KERNEL, dimension);
    return kernel.value;
}

typedef struct Sums {
    float weight, x, y, z;
} Sums;

static inline void add_run(const OndPoints *p, OndRun run, int i, Sums *sums)
{
    const float *restrict x = p->x, *restrict y = p->y, *restrict z = p->z,
                          *restrict size = p->size;
    const float xi = x[i], yi = y[i], zi = z[i];
    float sum = 0.0f, sx = 0.0f, sy = 0.0f, sz = 0.0f;
#pragma omp simd reduction(+ : sum, sx, sy, sz)
    for (uint32_t j = run.first; j < run.last; ++j) {
        const float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
        const float h = (float)OND_POINTS_KERNEL * size[j];
        const float rest = 1.0f - (dx * dx + dy * dy + dz * dz) / (h * h);
        const float a = rest > 0.0f ? rest : 0.0f, w = a * a * a;
        sum += w;
        sx += w * dx, sy += w * dy, sz += w * dz;
    }
    sums->weight += sum, sums->x += sx, sums->y += sy, sums->z += sz;
}

static void judge(OndPoints *p, int i, const Sums *sums, float scale)
{
    const float density = scale * sums->weight, size = p->size[i];
    const float off = sqrtf(sums->x * sums->x + sums->y * sums->y + sums->z * sums->z);
    p->volume[i] = (p->dimension == 2 ? size * size : size * size * size) / density;
    p->surface[i] = off > OFF_CENTRE * size * sums->weight || density < FEW;
}

// All points of a bin have the same runs round them.
static void weigh_bin(OndPoints *p, const OndBinRow *row, uint32_t bin, float scale)
{
    const OndBins *b = &p->bins;
    const int at[3] = {b->bin_x[bin], row->y, row->z};
    double min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        min[a] = b->origin[a] + at[a] * b->size - OND_POINTS_KERNEL * p->largest;
        max[a] = b->origin[a] + (at[a] + 1) * b->size + OND_POINTS_KERNEL * p->largest;
    }
    const OndNear start = ond_near(b, min, max);
    for (uint32_t i = b->bin_first[bin]; i < b->bin_first[bin + 1]; ++i) {
        Sums sums = {0};
        OndNear near = start;
        for (OndRun run; ond_near_next(&near, &run);)
            add_run(p, run, (int)i, &sums);
        judge(p, (int)i, &sums, scale);
    }
}

static void weigh_rows(int first, int last, int worker, void *context)
{
    OndPoints *p = context;
    const float scale = own_weight(p->dimension);
    for (int r = first; r < last; ++r)
        for (uint32_t bin = p->bins.row[r].first; bin < p->bins.row[r + 1].first; ++bin)
            weigh_bin(p, &p->bins.row[r], bin, scale);
}

void ond_points_weigh(OndPoints *points)
{
    ond_parallel_for(points->bins.row_count, ROW_GRAIN, weigh_rows, points);
}
