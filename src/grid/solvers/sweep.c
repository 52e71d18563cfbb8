// SPDX-License-Identifier: MIT
#include "grid/solvers/sweep.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

OndStatus ond_sweep_create(OndGridSweep *sweep, const OndGrid *grid, OndError *err)
{
    const int blocks = ond_grid_blocks(grid);
    *sweep = (OndGridSweep){.loops = ond_grid_loops()};
    sweep->sum = OND_NEW_ARRAY(double, blocks);
    sweep->second = OND_NEW_ARRAY(double, blocks);
    if (sweep->sum && sweep->second) return OND_OK;
    ond_sweep_free(sweep);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the sums of %d blocks", blocks);
}

void ond_sweep_free(OndGridSweep *sweep)
{
    ond_free(sweep->sum);
    ond_free(sweep->second);
    sweep->sum = sweep->second = NULL;
}

typedef struct SweepJob {
    OndGridSweep *sweep;
    const OndGrid *grid;
    OndGridLoopFn *body;
    const OndGridLoop *loop;
} SweepJob;

static void run_blocks(int first, int last, int worker, void *context)
{
    const SweepJob *job = context;
    const int rows = job->grid->rows, step = job->grid->block;
    for (int b = first; b < last; ++b) {
        OndGridLoop loop = *job->loop;
        const int begin = b * step, end = rows - begin < step ? rows : begin + step;
        job->sweep->sum[b] = job->body(&loop, begin, end);
        job->sweep->second[b] = loop.second;
    }
}

double ond_sweep_run(OndGridSweep *sweep, const OndGrid *grid, OndGridLoopFn *body,
                     OndGridLoop *loop)
{
    const int blocks = ond_grid_blocks(grid);
    SweepJob job = {sweep, grid, body, loop};
    ond_parallel_for(blocks, 1, run_blocks, &job);
    double sum = 0.0, second = 0.0;
    for (int b = 0; b < blocks; ++b)
        sum += sweep->sum[b], second += sweep->second[b];
    sweep->total_second = second;
    return sum;
}

// ---- packed rows

typedef struct Packing {
    const OndGrid *grid;
    const float *from;
    float *to;
} Packing;

// Rows are counted through the whole array here, ghosts included; a row's left ghost, the odd i =
// -1, comes to stand just before the odd ones.
static int row_count(const OndGrid *g)
{
    return (g->n[1] + 2) * (g->deep ? g->n[2] + 2 : 1);
}

static size_t first_row(const OndGrid *g)
{
    return ond_grid_at(g, 0, -1, g->deep ? -1 : 0);
}

static void pack_rows(int first, int last, int worker, void *context)
{
    const Packing *p = context;
    const OndGrid *g = p->grid;
    const int half = (int)g->row / 2, evens = g->n[0] / 2 + 1, odds = (g->n[0] + 1) / 2;
    for (int r = first; r < last; ++r) {
        const size_t at = first_row(g) + (size_t)r * (size_t)g->row;
        const float *from = p->from + at;
        float *even = p->to + at, *odd = even + half;
        for (int k = 0; k < evens; ++k)
            even[k] = from[2 * k];
        for (int k = -1; k < odds; ++k)
            odd[k] = from[2 * k + 1];
    }
}

static void unpack_rows(int first, int last, int worker, void *context)
{
    const Packing *p = context;
    const OndGrid *g = p->grid;
    const int half = (int)g->row / 2, evens = (g->n[0] + 1) / 2, odds = g->n[0] / 2;
    for (int r = first; r < last; ++r) {
        const size_t at = ond_grid_row(g, r);
        const float *even = p->from + at, *odd = even + half;
        float *to = p->to + at;
        for (int k = 0; k < evens; ++k)
            to[2 * k] = even[k];
        for (int k = 0; k < odds; ++k)
            to[2 * k + 1] = odd[k];
    }
}

void ond_sweep_pack(const OndGrid *grid, const float *from, float *packed)
{
    Packing p = {grid, from, packed};
    ond_parallel_for(row_count(grid), grid->block, pack_rows, &p);
}

void ond_sweep_unpack(const OndGrid *grid, const float *packed, float *to)
{
    Packing p = {grid, packed, to};
    ond_parallel_for(grid->rows, grid->block, unpack_rows, &p);
}

static void copy_row(const OndGrid *g, float *packed, size_t to, size_t from)
{
    const size_t half = (size_t)g->row / 2, evens = ((size_t)g->n[0] + 1) / 2;
    memcpy(packed + to, packed + from, evens * sizeof *packed);
    memcpy(packed + to + half, packed + from + half, (size_t)(g->n[0] / 2) * sizeof *packed);
}

void ond_sweep_wrap_packed(const OndGrid *g, float *packed)
{
    const int *n = g->n;
    for (int r = 0; r < g->rows && g->periodic[0]; ++r) {
        float *even = packed + ond_grid_row(g, r), *odd = even + g->row / 2;
        odd[-1] = odd[n[0] / 2 - 1];
        even[n[0] / 2] = even[0];
    }
    for (int k = 0; k < n[2] && g->periodic[1]; ++k) {
        copy_row(g, packed, ond_grid_at(g, 0, -1, k), ond_grid_at(g, 0, n[1] - 1, k));
        copy_row(g, packed, ond_grid_at(g, 0, n[1], k), ond_grid_at(g, 0, 0, k));
    }
    for (int j = 0; j < n[1] && g->periodic[2]; ++j) {
        copy_row(g, packed, ond_grid_at(g, 0, j, -1), ond_grid_at(g, 0, j, n[2] - 1));
        copy_row(g, packed, ond_grid_at(g, 0, j, n[2]), ond_grid_at(g, 0, j, 0));
    }
}
