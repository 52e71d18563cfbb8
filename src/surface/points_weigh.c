// SPDX-License-Identifier: MIT
// What each particle stands for, and which ones are at the free surface.
//
// With V0 = size^3 and W of radius h = 2 size, both of the neighbour,
//
//     density_i = sum_j V0_j W_ij        1 inside, about 0.7 at a flat surface, 0.2 alone
//     spread_i  = sum_j V0_j W_ij (r_ij / h)^2
//     centre_i  = sum_j W_ij (x_j - x_i) / sum_j W_ij
//
// A particle is at the surface where its neighbours' centre lies to one side, where they are few (a
// sheet of one layer has its centre in the middle), or where they are all close by: the mean of
// (r / h)^2 is 3/11 (2D: 1/5) where there is liquid all round.
//
// Where sizes differ, a particle looks round with its own h for that, and counts volumes: a large
// one among small ones is not inside because many of them are near its middle.
#include "base/memory.h"
#include "base/parallel.h"
#include "physics/kernels.h"
#include "surface/loops.h"

#define OFF_CENTRE 0.15f // sizes; first layer of a lattice: 0.26, second: 0.02
#define FEW        0.75f // density; second layer: 0.98
#define CLOSE_BY   0.7f  // of the mean inside
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
    const OndBins *bins; // those of the points, or some of them
    const OndSurfaceLoops *loops;
    OndSplats splats;    // each with its own h and the weight V0 W(0)
    const float *volume; // at rest; NULL when all sizes are the same
} Weigh;

// Points round a bin: all that reach it, or all that its own points reach.
typedef struct PointsRound {
    OndRun run[OND_RUNS_MAX];
    int runs, usual; // the first ones are of usual length
    OndBinWalk rest; // beyond what `run` holds
} PointsRound;

static bool at_surface(const OndPoints *p, uint32_t i, const OndSplatSums *sums)
{
    const float off = sqrtf(sums->x * sums->x + sums->y * sums->y + sums->z * sums->z);
    const float inside = p->dimension == 2 ? 1.0f / 5.0f : 3.0f / 11.0f;
    return off > OFF_CENTRE * p->size[i] * sums->weight || sums->weight < FEW ||
           sums->spread < CLOSE_BY * inside * sums->weight;
}

// Where a simulation has burst, thousands may be in one place, and all against all would not end:
// of a long run some pieces stand for the rest.
static void add_crowd(const Weigh *w, const OndSplats *splats, OndRun run, const float place[3],
                      OndSplatSums *sums)
{
    const uint32_t length = run.last - run.first;
    OndRun piece[PIECES];
    for (uint32_t k = 0; k < PIECES; ++k) {
        piece[k].first = run.first + (uint32_t)((uint64_t)length * k / PIECES);
        piece[k].last = piece[k].first + CROWD / PIECES;
    }
    OndSplatSums some = {0};
    w->loops->gather(splats, piece, PIECES, place, &some);
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

static void look_round(const Weigh *w, const OndBinRow *row, uint32_t bin, bool own,
                       PointsRound *round)
{
    const OndBins *b = w->bins, *all = &w->points->bins;
    const int at[3] = {b->bin_x[bin], row->y, row->z};
    // a hair less, or rounding would add bins whose points are all too far
    const double reach = (own ? OND_POINTS_KERNEL * b->largest : 0.0) - 1e-5 * b->size;
    double min[3], max[3];
    for (int a = 0; a < 3; ++a) {
        min[a] = b->origin[a] + at[a] * b->size - reach;
        max[a] = b->origin[a] + (at[a] + 1) * b->size + reach;
    }
    round->rest = ond_near_sizes(all, min, max, own ? 0.0 : OND_POINTS_KERNEL);
    round->runs = ond_near_runs(&round->rest, round->run, OND_RUNS_MAX);
    round->usual = put_crowds_last(round->run, round->runs);
}

static OndSplatSums sums_at(const Weigh *w, const OndSplats *splats, const PointsRound *round,
                            uint32_t i)
{
    const OndPoints *p = w->points;
    const float place[3] = {p->x[i], p->y[i], p->z[i]};
    OndSplatSums sums = {0};
    w->loops->gather(splats, round->run, round->usual, place, &sums);
    for (int k = round->usual; k < round->runs; ++k)
        add_crowd(w, splats, round->run[k], place, &sums);
    OndBinWalk more = round->rest;
    for (OndRun run; ond_near_next(&more, &run);)
        w->loops->gather(splats, &run, 1, place, &sums);
    sums.weight = fmaxf(sums.weight, splats->weight[i]); // itself, which a crowd may leave out
    return sums;
}

// What particle i sees with its own h.
static OndSplatSums own_sums_at(const Weigh *w, const PointsRound *round, uint32_t i)
{
    OndSplats splats = w->splats;
    splats.weight = w->volume;
    splats.same_inv_h2 = w->splats.inv_h2[i];
    OndSplatSums sums = sums_at(w, &splats, round, i);
    const float scale = w->splats.weight[i] / w->volume[i];
    sums.weight *= scale, sums.spread *= scale;
    sums.x *= scale, sums.y *= scale, sums.z *= scale;
    return sums;
}

// All points of a bin have the same points round them.
static void weigh_bin(const Weigh *w, const OndBinRow *row, uint32_t bin)
{
    OndPoints *p = w->points;
    PointsRound round, own;
    look_round(w, row, bin, false, &round);
    if (w->volume) look_round(w, row, bin, true, &own);
    for (uint32_t i = w->bins->bin_first[bin]; i < w->bins->bin_first[bin + 1]; ++i) {
        if (ond_points_is_image(p, i)) continue;
        OndSplatSums sums = sums_at(w, &w->splats, &round, i);
        p->volume[i] = ond_points_rest_volume(p, i) / sums.weight;
        if (w->volume) sums = own_sums_at(w, &own, i);
        p->surface[i] = at_surface(p, i, &sums);
    }
}

static void weigh_rows(int first, int last, int worker, void *context)
{
    const Weigh *w = context;
    const OndBinRow *row = w->bins->row;
    for (int r = first; r < last; ++r)
        for (uint32_t bin = row[r].first; bin < row[r + 1].first; ++bin)
            weigh_bin(w, &row[r], bin);
}

static void weigh_images(OndPoints *p)
{
    for (int i = 0; p->flip && i < p->count; ++i) {
        p->volume[i] = p->volume[p->image_of[i]];
        p->surface[i] = p->surface[p->image_of[i]];
    }
}

OndStatus ond_points_weigh(OndPoints *points, OndError *err)
{
    const size_t room = (size_t)points->count + OND_SURFACE_PAD;
    float *inv_h2 = OND_NEW_ARRAY(float, 3 * room), *weight = inv_h2 + room;
    float *volume = weight + room;
    if (!inv_h2)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", points->count);
    const float own = own_weight(points->dimension);
    bool same = true;
    for (int i = 0; i < points->count; ++i) {
        const float h = (float)OND_POINTS_KERNEL * points->size[i];
        inv_h2[i] = 1.0f / (h * h);
        weight[i] = own;
        volume[i] = ond_points_rest_volume(points, (uint32_t)i);
        same = same && points->size[i] == points->size[0];
    }
    Weigh weigh = {.points = points,
                   .loops = ond_surface_loops(),
                   .splats = {points->x, points->y, points->z, inv_h2, weight, 3, 0.0f},
                   .volume = same ? NULL : volume};
    for (weigh.bins = &points->bins; weigh.bins; weigh.bins = weigh.bins->next)
        ond_parallel_for(weigh.bins->row_count, ROW_GRAIN, weigh_rows, &weigh);
    weigh_images(points);
    ond_free(inv_h2);
    return OND_OK;
}
