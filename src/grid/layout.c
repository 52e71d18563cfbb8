// SPDX-License-Identifier: MIT
#include "grid/layout.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

#define BLOCK_CELLS 4096 // in a block of rows: some microseconds of work

static OndStatus check(const int n[3], double h, const bool periodic[3], OndError *err)
{
    for (int a = 0; a < 3; ++a) {
        if (n[a] < 1 || n[a] > OND_GRID_MOST)
            return ond_fail(err, OND_BAD_VALUE,
                            "a grid of %d x %d x %d cells: each must be from 1 to %d", n[0], n[1],
                            n[2], OND_GRID_MOST);
        if (periodic && periodic[a] && n[a] % 2 && n[a] > 1)
            return ond_fail(err, OND_BAD_VALUE,
                            "%d cells along %c, which is periodic: make it an even number", n[a],
                            'x' + a);
    }
    if (!(h > 0.0 && h < HUGE_VAL))
        return ond_fail(err, OND_BAD_VALUE, "the cells of a grid are %g m wide; give more than 0",
                        h);
    return OND_OK;
}

// Room for the ghosts: 4 more than nx, so that even and odd cells of a row fit side by side.
static void set_strides(OndGrid *g)
{
    const ptrdiff_t lanes = OND_GRID_LANES;
    g->cell = 1;
    g->row = (g->n[0] + 4 + lanes - 1) / lanes * lanes;
    g->plane = g->row * (g->n[1] + 2);
    const size_t before = (size_t)(g->row + (g->deep ? g->plane : 0) + lanes);
    g->lead = (before + 15) / 16 * 16;
    g->length = g->lead + (size_t)(g->plane * (g->n[2] + g->deep) + g->row + lanes);
    g->block = g->n[0] < BLOCK_CELLS ? BLOCK_CELLS / g->n[0] : 1;
    g->rows = g->n[1] * g->n[2];
}

OndStatus ond_grid_set(OndGrid *grid, const int n[3], double h, OndVec origin,
                       const bool periodic[3], OndError *err)
{
    const OndStatus status = check(n, h, periodic, err);
    if (status != OND_OK) return status;
    const long long rows = (long long)n[1] * n[2], most = (long long)(PTRDIFF_MAX >> 6);
    if (rows > INT_MAX / 4 || rows > most / (n[0] + 12))
        return ond_fail(err, OND_BAD_VALUE,
                        "a grid of %d x %d x %d cells has %.3g of them: more than can be numbered",
                        n[0], n[1], n[2], (double)rows * n[0]);
    *grid = (OndGrid){.n = {n[0], n[1], n[2]}, .h = h, .origin = origin, .deep = n[2] > 1};
    for (int a = 0; a < 3; ++a)
        grid->periodic[a] = periodic && periodic[a] && n[a] > 1;
    set_strides(grid);
    return OND_OK;
}

// It keeps its third dimension, so that the same loops run on it.
bool ond_grid_halve(const OndGrid *grid, OndGrid *out)
{
    if (grid->n[0] == 1 && grid->n[1] == 1 && grid->n[2] == 1) return false;
    *out = (OndGrid){.deep = grid->deep, .h = 2.0 * grid->h, .origin = grid->origin};
    for (int a = 0; a < 3; ++a) {
        out->n[a] = (grid->n[a] + 1) / 2;
        out->periodic[a] = grid->periodic[a] && out->n[a] % 2 == 0;
    }
    set_strides(out);
    return true;
}

void ond_grid_range(const OndGrid *g, OndBox box, int low[3], int high[3])
{
    for (int a = 0; a < 3; ++a) {
        const double from = ond_axis(g->origin, a), n = g->n[a];
        const double first = floor((ond_axis(box.min, a) - from) / g->h),
                     end = ceil((ond_axis(box.max, a) - from) / g->h);
        const bool round = g->periodic[a] && (first < 0.0 || end > n);
        low[a] = round ? 0 : (int)fmin(fmax(first, 0.0), n);
        high[a] = round ? g->n[a] : (int)fmin(fmax(end, 0.0), n);
    }
    if (!g->deep) low[2] = 0, high[2] = 1;
}

float *ond_grid_floats(const OndGrid *grid)
{
    return OND_NEW_ARRAY(float, grid->length);
}

uint8_t *ond_grid_bytes(const OndGrid *grid)
{
    return OND_NEW_ARRAY(uint8_t, grid->length);
}

void ond_grid_clear_ghosts(const OndGrid *g, float *array)
{
    size_t done = 0;
    for (int r = 0; r < g->rows; ++r) {
        const size_t at = ond_grid_row(g, r);
        memset(array + done, 0, (at - done) * sizeof *array);
        done = at + (size_t)g->n[0];
    }
    memset(array + done, 0, (g->length - done) * sizeof *array);
}

// Copies `wide` elements from cell (i, j, k) to ghost (a, b, c).
typedef struct Wrap {
    const OndGrid *g;
    char *bytes;
    size_t size; // of an element
} Wrap;

static void copy(const Wrap *w, const int to[3], const int from[3], int wide)
{
    memcpy(w->bytes + ond_grid_at(w->g, to[0], to[1], to[2]) * w->size,
           w->bytes + ond_grid_at(w->g, from[0], from[1], from[2]) * w->size,
           (size_t)wide * w->size);
}

// Cells' neighbours only: the ghosts along edges and at corners stay.
static void wrap_row(const Wrap *w, int j, int k)
{
    const int *n = w->g->n;
    if (w->g->periodic[0]) {
        copy(w, (int[]){-1, j, k}, (int[]){n[0] - 1, j, k}, 1);
        copy(w, (int[]){n[0], j, k}, (int[]){0, j, k}, 1);
    }
    if (w->g->periodic[1] && j == 0) copy(w, (int[]){0, n[1], k}, (int[]){0, 0, k}, n[0]);
    if (w->g->periodic[1] && j == n[1] - 1) copy(w, (int[]){0, -1, k}, (int[]){0, j, k}, n[0]);
    if (w->g->periodic[2] && k == 0) copy(w, (int[]){0, j, n[2]}, (int[]){0, j, 0}, n[0]);
    if (w->g->periodic[2] && k == n[2] - 1) copy(w, (int[]){0, j, -1}, (int[]){0, j, k}, n[0]);
}

static void wrap(const Wrap *w)
{
    const bool *periodic = w->g->periodic;
    if (!periodic[0] && !periodic[1] && !periodic[2]) return;
    for (int k = 0; k < w->g->n[2]; ++k)
        for (int j = 0; j < w->g->n[1]; ++j)
            wrap_row(w, j, k);
}

void ond_grid_wrap(const OndGrid *grid, float *array)
{
    wrap(&(Wrap){grid, (char *)array, sizeof *array});
}

void ond_grid_wrap_bytes(const OndGrid *grid, uint8_t *array)
{
    wrap(&(Wrap){grid, (char *)array, sizeof *array});
}
