// SPDX-License-Identifier: MIT
// What each particle stands for, and which ones are at the free surface.
//
// With V0 = size^3 and W of radius h = 2 size, both of the neighbour,
//
//     density_i = sum_j V0_j W_ij        1 inside, about 0.7 at a flat surface, 0.2 alone
//     spread_i  = sum_j V0_j W_ij (r_ij / h)^2
//     centre_i  = sum_j W_ij (x_j - x_i) / sum_j W_ij
//
// A particle is at the surface where its neighbours' centre lies to one side, or where few are
// round it: a sheet of one layer has its centre in the middle. The spread tells few from many even
// where particles coincide; inside it is 3/11 (2D: 1/5).
#include "base/memory.h"
#include "base/parallel.h"
#include "physics/kernels.h"
#include "surface/loops.h"

#define OFF_CENTRE 0.15f // sizes; first layer of a lattice: 0.26, second: 0.02
#define FEW        0.7f  // of the spread inside
#define ROW_GRAIN  4
#define CROWD      1024 // points of a run; usual are 24
#define PIECES     16

// V0 W(0): the same for all sizes, since h goes with the size.
static float own_weight(int dimension)
{
    const OndKernelSet kernel = ond_kernel_set(OND_KERNEL_MUELLER, OND_POINTS_KERNEL, dimension);
    return kernel.value;
}

typedef struct Weigh {
    OndPoints *points;
    const OndSurfaceLoops *loops;
    OndSplats splats;
} Weigh;

static void judge(OndPoints *p, int i, const OndSplatSums *sums)
{
    const float density = sums->weight, size = p->size[i];
    const float off = sqrtf(sums->x * sums->x + sums->y * sums->y + sums->z * sums->z);
    p->volume[i] = (p->dimension == 2 ? size * size : size * size * size) / density;
    const float inside = p->dimension == 2 ? 1.0f / 5.0f : 3.0f / 11.0f;
    p->surface[i] = off > OFF_CENTRE * size * sums->weight || sums->spread < FEW * inside;
}

// Where a simulation has burst, thousands may be in one place, and all against all would not end:
// of a long run some pieces stand for the rest.
static void add_crowd(const Weigh *w, OndRun run, const float place[3], OndSplatSums *sums)
{
    const uint32_t length = run.last - run.first;
    OndRun piece[PIECES];
    for (uint32_t k = 0; k < PIECES; ++k) {
        piece[k].first = run.first + (uint32_t)((uint64_t)length * k / PIECES);
        piece[k].last = piece[k].first + CROWD / PIECES;
    }
    OndSplatSums some = {0};
    w->loops->gather(&w->splats, piece, PIECES, place, &some);
    const float scale = (float)length / (float)CROWD;
    sums->weight += scale * some.weight, sums->spread += scale * some.spread;
    sums->x += scale * some.x, sums->y += scale * some.y, sums->z += scale * some.z;
}

// Moves long runs to the end, and tells how many are not.
static int put_crowds_last(OndRun *run, int runs)
{
    int usual = runs;
    for (int k = 0; k < usual;) {
        if (run[k].last - run[k].first <= CROWD) {
            ++k;
            continue;
        }
        const OndRun swap = run[k];
        run[k] = run[--usual], run[usual] = swap;
    }
    return usual;
}

// All points of a bin have the same runs round them.
static void weigh_bin(const Weigh *w, const OndBinRow *row, uint32_t bin)
{
    OndPoints *p = w->points;
    const OndBins *b = &p->bins;
    const int at[3] = {b->bin_x[bin], row->y, row->z};
    // a hair less, or rounding would add bins whose points are all too far
    const double reach = OND_POINTS_KERNEL * p->largest - 1e-5 * b->size;
    double min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        min[a] = b->origin[a] + at[a] * b->size - reach;
        max[a] = b->origin[a] + (at[a] + 1) * b->size + reach;
    }
    OndNear rest = ond_near(b, min, max);
    OndRun run[OND_RUNS_MAX];
    const int runs = ond_near_runs(&rest, run, OND_RUNS_MAX), usual = put_crowds_last(run, runs);
    for (uint32_t i = b->bin_first[bin]; i < b->bin_first[bin + 1]; ++i) {
        const float place[3] = {p->x[i], p->y[i], p->z[i]};
        OndSplatSums sums = {0};
        w->loops->gather(&w->splats, run, usual, place, &sums);
        for (int k = usual; k < runs; ++k)
            add_crowd(w, run[k], place, &sums);
        OndNear more = rest; // beyond what `run` holds
        for (OndRun further; ond_near_next(&more, &further);)
            w->loops->gather(&w->splats, &further, 1, place, &sums);
        judge(p, (int)i, &sums);
    }
}

static void weigh_rows(int first, int last, int worker, void *context)
{
    const Weigh *w = context;
    const OndBinRow *row = w->points->bins.row;
    for (int r = first; r < last; ++r)
        for (uint32_t bin = row[r].first; bin < row[r + 1].first; ++bin)
            weigh_bin(w, &row[r], bin);
}

OndStatus ond_points_weigh(OndPoints *points, OndError *err)
{
    const size_t room = (size_t)points->count + OND_SURFACE_PAD;
    float *inv_h2 = OND_NEW_ARRAY(float, 2 * room), *weight = inv_h2 + room;
    const float own = own_weight(points->dimension);
    if (!inv_h2)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", points->count);
    for (int i = 0; i < points->count; ++i) {
        const float h = (float)OND_POINTS_KERNEL * points->size[i];
        inv_h2[i] = 1.0f / (h * h);
        weight[i] = own;
    }
    Weigh weigh = {.points = points,
                   .loops = ond_surface_loops(),
                   .splats = {points->x, points->y, points->z, inv_h2, weight, 3}};
    ond_parallel_for(points->bins.row_count, ROW_GRAIN, weigh_rows, &weigh);
    ond_free(inv_h2);
    return OND_OK;
}
