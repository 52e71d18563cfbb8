// SPDX-License-Identifier: MIT
// A grid of cubic cells and how its arrays lie in memory.
//
//     nx x ny x nz cells of side h; nz = 1 is 2D: nothing then happens along z.
//
// Every array of a grid has the same shape, whatever it holds: x runs fastest, rows are padded to
// OND_GRID_LANES, and round the cells lies one layer of ghost cells. So a loop over a row reads its
// neighbours without asking where it is, and faces fit beside cells: face (i, j, k) of axis x is
// the lower one of cell (i, j, k), and the last, i = nx, lies where the ghost cell is.
//
//     float *u = ond_grid_floats(&grid);
//     u[ond_grid_at(&grid, i, j, k)]       i from -1 to nx, and so on
//
// Ghosts hold whatever a boundary needs: zeros, given values, or (periodic) the far side's cells.
#ifndef OND_GRID_LAYOUT_H
#define OND_GRID_LAYOUT_H

#include "base/vec.h"
#include <ondine/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OND_GRID_LANES 4     // rows are a multiple of this
#define OND_GRID_MOST  65536 // cells along an axis

typedef struct OndGrid {
    int n[3];         ///< cells along x, y, z
    bool periodic[3]; ///< the last cell's neighbour is the first
    bool deep;        ///< nz > 1: there is a third dimension
    double h;         ///< side of a cell, m
    OndVec origin;    ///< lower corner of cell (0, 0, 0), m

    ptrdiff_t cell, row, plane; ///< elements from a cell to its neighbour along x (1), y, z
    size_t lead;                ///< element of cell (0, 0, 0)
    size_t length;              ///< elements of an array
    int rows;                   ///< ny nz
    int block;                  ///< rows that a thread takes at a time, and sums are made of
} OndGrid;

/// Cells along x, y, z (nz = 1: 2D), their side, the lower corner, and which axes are periodic
/// (NULL: none; a periodic axis needs an even number of cells, or one).
OndStatus ond_grid_set(OndGrid *grid, const int n[3], double h, OndVec origin,
                       const bool periodic[3], OndError *err);

/// Half the cells along every axis that has more than one, rounded up. False when all have one. A
/// periodic axis of which an odd number is left is no longer periodic.
bool ond_grid_halve(const OndGrid *grid, OndGrid *out);

static inline size_t ond_grid_at(const OndGrid *g, int i, int j, int k)
{
    return g->lead + (size_t)(i + j * g->row + k * g->plane);
}

/// The middle of a cell, m; in 2D z is 0.
static inline OndVec ond_grid_middle(const OndGrid *g, int i, int j, int k)
{
    return ond_vec(g->origin.x + g->h * (i + 0.5), g->origin.y + g->h * (j + 0.5),
                   g->deep ? g->origin.z + g->h * (k + 0.5) : 0.0);
}

/// The first cell of row r: rows are numbered j + ny k.
static inline size_t ond_grid_row(const OndGrid *g, int r)
{
    return ond_grid_at(g, 0, r % g->n[1], r / g->n[1]);
}

static inline long long ond_grid_cells(const OndGrid *g)
{
    return (long long)g->n[0] * g->n[1] * g->n[2];
}

static inline ptrdiff_t ond_grid_stride(const OndGrid *g, int axis)
{
    return axis == 0 ? g->cell : axis == 1 ? g->row : g->plane;
}

/// Axes that have neighbours: 2 or 3.
static inline int ond_grid_axes(const OndGrid *g)
{
    return g->deep ? 3 : 2;
}

static inline int ond_grid_blocks(const OndGrid *g)
{
    return (g->rows + g->block - 1) / g->block;
}

/// The row after the last one of a block.
static inline int ond_grid_block_end(const OndGrid *g, int block)
{
    const int end = (block + 1) * g->block;
    return end < g->rows ? end : g->rows;
}

/// Cells that a box meets: from `low` to before `high`. Of a periodic axis along which it reaches
/// beyond the grid, all.
void ond_grid_range(const OndGrid *grid, OndBox box, int low[3], int high[3]);

/// A zeroed array; NULL when there is no memory. Free with ond_free.
float *ond_grid_floats(const OndGrid *grid);
uint8_t *ond_grid_bytes(const OndGrid *grid);

/// Ghosts and padding become 0; cells stay.
void ond_grid_clear_ghosts(const OndGrid *grid, float *array);
/// Ghosts of periodic axes become the far side's cells; others stay.
void ond_grid_wrap(const OndGrid *grid, float *array);
void ond_grid_wrap_bytes(const OndGrid *grid, uint8_t *array);

#endif
