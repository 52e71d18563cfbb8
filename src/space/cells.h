// SPDX-License-Identifier: MIT
// A uniform grid of cells over a box, and particles sorted by it.
//
// Cells are at least as wide as the search radius, x runs fastest. After sorting, the particles of
// a cell are contiguous and so are those of three cells in a row: all neighbours of a cell are in 9
// runs (3 in 2D). Rows are numbered tile by tile, 4 x 4 rows each, so that the rows around a row
// are near in memory too: whole planes would push them out of the cache. The sort is stable, so it
// gives one order whatever the number of threads.
#ifndef OND_SPACE_CELLS_H
#define OND_SPACE_CELLS_H

#include "base/vec.h"

#include <ondine/error.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OndCells {
    float origin[3], inv_size;
    int nx, ny, nz;
    int tiles_y; // tiles side by side along y
    int cell_count;
    int capacity;    // cells there is room for
    uint32_t *first; // cell_count + 1: first particle of each cell
    uint32_t *tally; // counting rows, one a worker
    int tally_rows, tally_capacity;
} OndCells;

typedef struct OndRun {
    uint32_t first, last;
} OndRun;

/// Lays the grid over [min, max] with cells of `radius`, or larger where the box would need far
/// more cells than `particles` (a few stray particles must not cost memory).
OndStatus ond_cells_lay(OndCells *cells, const float min[3], const float max[3], float radius,
                        int particles, OndError *err);

/// Lays `cells` out like `other`, which must be laid: a second population over the same grid.
OndStatus ond_cells_lay_like(OndCells *cells, const OndCells *other, OndError *err);

/// order[k] = which particle comes k-th when sorted by cell; fills cells->first. `key` is scratch,
/// both hold `count` values. Positions outside the grid fall into its border cells.
OndStatus ond_cells_sort(OndCells *cells, const float *px, const float *py, const float *pz,
                         int count, uint32_t *key, uint32_t *order, OndError *err);

/// The cell that a place is in; outside the grid, the nearest at its border.
int ond_cells_at(const OndCells *cells, float x, float y, float z);

/// Runs of particles that stand in the 27 (2D: 9) cells round `cell`, empty ones left out. At
/// most 9.
int ond_cells_near(const OndCells *cells, int cell, OndRun run[9]);

/// Round the cells from `first` to before `last`, and wider than floats can be off.
OndBox ond_cells_box_of(const OndCells *cells, int first, int last);

/// Most particles in any one cell.
uint32_t ond_cells_fullest(const OndCells *cells);

size_t ond_cells_bytes(const OndCells *cells);
void ond_cells_free(OndCells *cells);

/// Rows along y and z that are numbered together, a power of 2. Neighbouring rows then stay near in
/// memory: cost is flat up to a million particles (docs/benchmarks.md, "What the limit is").
#define OND_CELLS_TILE 4

static inline int ond_cells_row(const OndCells *c, int y, int z)
{
    const int tile = z / OND_CELLS_TILE * c->tiles_y + y / OND_CELLS_TILE;
    return (tile * OND_CELLS_TILE + z % OND_CELLS_TILE) * OND_CELLS_TILE + y % OND_CELLS_TILE;
}

/// Particles of the cells (x0, y, z) to before (x1, y, z).
static inline OndRun ond_cells_run(const OndCells *c, int x0, int x1, int y, int z)
{
    const uint32_t *const first = c->first + (size_t)ond_cells_row(c, y, z) * (size_t)c->nx;
    return (OndRun){first[x0], first[x1]};
}

/// Round all cells.
static inline OndBox ond_cells_box(const OndCells *c)
{
    const double size = 1.0 / c->inv_size;
    const OndVec low = ond_vec(c->origin[0], c->origin[1], c->origin[2]);
    return (OndBox){low, ond_add(low, ond_vec(c->nx * size, c->ny * size, c->nz * size))};
}

#endif
