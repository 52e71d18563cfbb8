// SPDX-License-Identifier: MIT
#include "space/cells.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define CELLS_PER_PARTICLE 2 // more cells than that (8 bytes a particle) and the grid is coarser
#define CELLS_LEAST        4096
#define SORT_GRAIN         16384
#define SLACK              1e-3 // cells, and as much again for each thousand of them
#define TILE               OND_CELLS_TILE

static OndStatus make_room(OndCells *cells, int count, OndError *err)
{
    if (count + 1 <= cells->capacity) return OND_OK;
    ond_free(cells->first);
    cells->capacity = count + count / 8 + 1;
    cells->first = OND_NEW_ARRAY(uint32_t, cells->capacity);
    if (cells->first) return OND_OK;
    cells->capacity = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a grid of %d cells", count);
}

OndStatus ond_cells_lay(OndCells *cells, const float min[3], const float max[3], float radius,
                        int particles, OndError *err)
{
    const double limit = (double)particles * CELLS_PER_PARTICLE + CELLS_LEAST;
    double size = radius, n[3];
    for (int a = 0; a < 3; ++a)
        if (!isfinite(max[a] - min[a]))
            return ond_fail(err, OND_UNSTABLE,
                            "a position is not a finite number; the liquid has burst");
    for (;;) {
        double all = 1;
        for (int a = 0; a < 3; ++a) {
            n[a] = floor(((double)max[a] - min[a]) / size) + 1;
            all *= a == 0 ? n[a] : ceil(n[a] / TILE) * TILE;
        }
        if (all <= limit) break;
        size *= 1.26; // about twice the volume
    }
    memcpy(cells->origin, min, sizeof cells->origin);
    cells->inv_size = (float)(1.0 / size);
    cells->nx = (int)n[0], cells->ny = (int)n[1], cells->nz = (int)n[2];
    cells->tiles_y = (cells->ny + TILE - 1) / TILE;
    const int tiles = cells->tiles_y * ((cells->nz + TILE - 1) / TILE);
    cells->cell_count = tiles * TILE * TILE * cells->nx; // those beyond the border stay empty
    return make_room(cells, cells->cell_count, err);
}

static inline void row_place(const OndCells *c, int row, int *y, int *z)
{
    const int tile = row / (TILE * TILE), inside = row % (TILE * TILE);
    *y = tile % c->tiles_y * TILE + inside % TILE;
    *z = tile / c->tiles_y * TILE + inside / TILE;
}

OndStatus ond_cells_lay_like(OndCells *cells, const OndCells *other, OndError *err)
{
    memcpy(cells->origin, other->origin, sizeof cells->origin);
    cells->inv_size = other->inv_size;
    cells->nx = other->nx, cells->ny = other->ny, cells->nz = other->nz;
    cells->tiles_y = other->tiles_y;
    cells->cell_count = other->cell_count;
    return make_room(cells, cells->cell_count, err);
}

typedef struct CellSort {
    OndCells *cells;
    const float *px, *py, *pz;
    uint32_t *key, *order;
    int count, rows;
} CellSort;

static inline int clamp_index(float at, int n)
{
    const float top = (float)(n - 1);
    at = at > 0.0f ? at : 0.0f;
    return (int)(at < top ? at : top);
}

int ond_cells_at(const OndCells *c, float x, float y, float z)
{
    const int i = clamp_index((x - c->origin[0]) * c->inv_size, c->nx);
    const int j = clamp_index((y - c->origin[1]) * c->inv_size, c->ny);
    const int k = clamp_index((z - c->origin[2]) * c->inv_size, c->nz);
    return ond_cells_row(c, j, k) * c->nx + i;
}

static void find_keys(int first, int last, int worker, void *context)
{
    const CellSort *s = context;
    const OndCells c = *s->cells;
    for (int i = first; i < last; ++i) {
        const int x = clamp_index((s->px[i] - c.origin[0]) * c.inv_size, c.nx);
        const int y = clamp_index((s->py[i] - c.origin[1]) * c.inv_size, c.ny);
        const int z = clamp_index((s->pz[i] - c.origin[2]) * c.inv_size, c.nz);
        s->key[i] = (uint32_t)(ond_cells_row(&c, y, z) * c.nx + x);
    }
}

static int row_begin(const CellSort *s, int row)
{
    return (int)((long long)s->count * row / s->rows);
}

static void count_row(int first, int last, int worker, void *context)
{
    const CellSort *s = context;
    for (int row = first; row < last; ++row) {
        uint32_t *tally = s->cells->tally + (size_t)row * s->cells->cell_count;
        memset(tally, 0, (size_t)s->cells->cell_count * sizeof *tally);
        for (int i = row_begin(s, row); i < row_begin(s, row + 1); ++i)
            ++tally[s->key[i]];
    }
}

// Turns the tallies into places: cell by cell, and inside a cell row by row.
static void add_up(CellSort *s)
{
    OndCells *c = s->cells;
    uint32_t sum = 0;
    for (int cell = 0; cell < c->cell_count; ++cell) {
        c->first[cell] = sum;
        for (int row = 0; row < s->rows; ++row) {
            uint32_t *t = &c->tally[(size_t)row * c->cell_count + cell];
            const uint32_t here = *t;
            *t = sum;
            sum += here;
        }
    }
    c->first[c->cell_count] = sum;
}

static void place_row(int first, int last, int worker, void *context)
{
    const CellSort *s = context;
    for (int row = first; row < last; ++row) {
        uint32_t *tally = s->cells->tally + (size_t)row * s->cells->cell_count;
        for (int i = row_begin(s, row); i < row_begin(s, row + 1); ++i)
            s->order[tally[s->key[i]]++] = (uint32_t)i;
    }
}

static OndStatus make_tallies(OndCells *cells, int rows, OndError *err)
{
    const long long want = (long long)rows * cells->cell_count;
    if (want <= cells->tally_capacity) return OND_OK;
    if (want > INT32_MAX)
        return ond_fail(err, OND_NO_MEMORY, "grid of %d cells is too large", cells->cell_count);
    ond_free(cells->tally);
    cells->tally_capacity = (int)(want + want / 8);
    cells->tally = OND_NEW_ARRAY(uint32_t, cells->tally_capacity);
    if (cells->tally) return OND_OK;
    cells->tally_capacity = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory to sort into %d cells",
                    cells->cell_count);
}

OndStatus ond_cells_sort(OndCells *cells, const float *px, const float *py, const float *pz,
                         int count, uint32_t *key, uint32_t *order, OndError *err)
{
    int rows = ond_threads() < 8 ? ond_threads() : 8; // each row costs a tally of all cells
    if (count < SORT_GRAIN) rows = 1;
    OndStatus status = make_tallies(cells, rows, err);
    if (status != OND_OK) return status;
    CellSort sort = {cells, px, py, pz, key, order, count, rows};
    ond_parallel_for(count, SORT_GRAIN, find_keys, &sort);
    ond_parallel_for(rows, 1, count_row, &sort);
    add_up(&sort);
    ond_parallel_for(rows, 1, place_row, &sort);
    return OND_OK;
}

int ond_cells_near(const OndCells *cells, int cell, OndRun run[9])
{
    const int x = cell % cells->nx;
    int y, z;
    row_place(cells, cell / cells->nx, &y, &z);
    const int x0 = x > 0 ? x - 1 : 0, x1 = x + 1 < cells->nx ? x + 1 : x;
    int count = 0;
    for (int cz = z > 0 ? z - 1 : 0; cz <= z + 1 && cz < cells->nz; ++cz)
        for (int cy = y > 0 ? y - 1 : 0; cy <= y + 1 && cy < cells->ny; ++cy) {
            const int base = ond_cells_row(cells, cy, cz) * cells->nx;
            const OndRun r = {cells->first[base + x0], cells->first[base + x1 + 1]};
            if (r.first < r.last) run[count++] = r;
        }
    return count;
}

OndBox ond_cells_box_of(const OndCells *c, int first, int last)
{
    const double size = 1.0 / c->inv_size;
    const double slack = SLACK * size * (1.0 + fmax(c->nx, fmax(c->ny, c->nz)) / 1000.0);
    OndBox box = ond_box_empty();
    for (int row = first / c->nx; row * c->nx < last; ++row) {
        const int begin = row * c->nx, end = begin + c->nx;
        const int x0 = first > begin ? first - begin : 0, x1 = last < end ? last - begin : c->nx;
        int y, z;
        row_place(c, row, &y, &z);
        box = ond_box_add(box, ond_vec(x0, y, z));
        box = ond_box_add(box, ond_vec(x1, y + 1, z + 1));
    }
    const OndVec origin = ond_vec(c->origin[0], c->origin[1], c->origin[2]);
    box.min = ond_add(origin, ond_scale(box.min, size));
    box.max = ond_add(origin, ond_scale(box.max, size));
    return ond_box_widen(box, slack);
}

uint32_t ond_cells_fullest(const OndCells *cells)
{
    uint32_t most = 0;
    for (int c = 0; c < cells->cell_count; ++c) {
        const uint32_t here = cells->first[c + 1] - cells->first[c];
        most = here > most ? here : most;
    }
    return most;
}

size_t ond_cells_bytes(const OndCells *cells)
{
    return ((size_t)cells->capacity + (size_t)cells->tally_capacity) * sizeof(uint32_t);
}

void ond_cells_free(OndCells *cells)
{
    ond_free(cells->first);
    ond_free(cells->tally);
    memset(cells, 0, sizeof *cells);
}
