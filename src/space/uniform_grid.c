// SPDX-License-Identifier: MIT
// Uniform grid: cells of one size over the box round all objects.
//
// An object stands in every cell that its box touches, a question looks at every cell that it
// touches. Cells are about as large as the mean object [Teschner 2003]; for points, as the radius
// that is asked for. With objects of very different sizes no size of cell is right: small ones
// crowd in a large cell, and a large one fills many small cells. Cells are made larger until an
// object stands in four cells on average, and until cells are not far more than objects.
//
// It is the grid that SPH uses (cells.h), for boxes.
#include "base/memory.h"
#include "space/pending.h"

#define CELLS_PER_OBJECT   2
#define CELLS_LEAST        4096
#define ENTRIES_PER_OBJECT 4

typedef struct UniformGrid {
    float cell, inv;
    int at[4], n[3]; // first cell, and how many
    uint32_t *first; // first box of each cell, and one past the end
    size_t first_room;
    OndRows rows;
} UniformGrid;

typedef struct CellRange {
    int lo[4], hi[4]; // the fourth is always 0
} CellRange;

static inline CellRange cells_of(const UniformGrid *g, const OndSpaceItems *items,
                                 const float *side)
{
    CellRange r = {{0}, {0}};
    for (int a = 0; a < items->dimension; ++a) {
        r.lo[a] = ond_cell_of(ond_sides_lo(side, a), g->inv) - g->at[a];
        r.hi[a] = ond_cell_of(ond_sides_hi(items, side, a), g->inv) - g->at[a];
    }
    return r;
}

static void lay(UniformGrid *g, const OndSpaceItems *items, float cell)
{
    g->cell = cell, g->inv = 1.0f / cell;
    for (int a = 0; a < 3; ++a) {
        const bool flat = a >= items->dimension || !items->kept;
        g->at[a] = flat ? 0 : ond_cell_of(items->lo[a], g->inv);
        g->n[a] = flat ? 1 : ond_cell_of(items->hi[a], g->inv) - g->at[a] + 1;
    }
}

static double count_entries(const UniformGrid *g, const OndSpaceItems *items)
{
    double sum = 0.0;
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const CellRange r = cells_of(g, items, side);
        sum += (r.hi[0] - r.lo[0] + 1.0) * (r.hi[1] - r.lo[1] + 1.0) * (r.hi[2] - r.lo[2] + 1.0);
    }
    return sum;
}

static double count_cells(const UniformGrid *g)
{
    return (double)g->n[0] * g->n[1] * g->n[2];
}

// Returns how many entries there will be.
static size_t choose_cells(UniformGrid *g, const OndSpaceItems *items)
{
    const float mean = items->mean > 0.0f ? ond_class_size(ond_class_above(items->mean)) : 0.0f;
    float cell = fmaxf(mean, ond_class_size(items->least));
    for (;; cell *= 2.0f) {
        lay(g, items, cell);
        if (count_cells(g) > (double)CELLS_PER_OBJECT * items->kept + CELLS_LEAST) continue;
        const double entries = count_entries(g, items);
        // one cell, or two where a border lies in the middle, is as large as it gets
        if (entries <= (double)ENTRIES_PER_OBJECT * items->kept || cell > items->extent)
            return (size_t)entries;
    }
}

static OndStatus make_room(UniformGrid *g, const OndSpaceItems *items, size_t entries,
                           OndError *err)
{
    const size_t cells = (size_t)count_cells(g) + 2;
    if (cells > g->first_room) {
        ond_free(g->first);
        g->first_room = cells + cells / 16;
        g->first = OND_NEW_ARRAY(uint32_t, g->first_room);
        if (!g->first) g->first_room = 0;
        if (!g->first)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for %zu cells", cells);
    }
    memset(g->first, 0, cells * sizeof *g->first);
    return ond_rows_reserve(&g->rows, items, entries, err);
}

static inline uint32_t *row_of(const UniformGrid *g, int y, int z)
{
    return g->first + ((size_t)z * (size_t)g->n[1] + (size_t)y) * (size_t)g->n[0];
}

// Once to count what goes into each cell, once to put it there.
static void each_entry(UniformGrid *g, const OndSpaceItems *items, bool place)
{
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const CellRange r = cells_of(g, items, side);
        for (int z = r.lo[2]; z <= r.hi[2]; ++z)
            for (int y = r.lo[1]; y <= r.hi[1]; ++y)
                for (int x = r.lo[0]; x <= r.hi[0]; ++x) {
                    uint32_t *cell = row_of(g, y, z) + x;
                    if (place)
                        ond_rows_put(&g->rows, items, i, cell[1]++);
                    else
                        ++cell[2];
                }
    }
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    UniformGrid *g = state;
    const size_t entries = choose_cells(g, items);
    const OndStatus status = make_room(g, items, entries, err);
    if (status != OND_OK) return status;
    each_entry(g, items, false);
    const size_t cells = (size_t)count_cells(g);
    for (size_t c = 0; c < cells; ++c)
        g->first[c + 2] += g->first[c + 1];
    each_entry(g, items, true);
    return OND_OK;
}

static void show(const UniformGrid *g, const OndSpaceItems *items, const OndSpaceQuery *q,
                 CellRange r)
{
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
        for (int y = r.lo[1]; y <= r.hi[1]; ++y)
            for (int x = r.lo[0]; x <= r.hi[0]; ++x) {
                const int at[3] = {x + g->at[0], y + g->at[1], z + g->at[2]};
                const uint32_t *cell = row_of(g, y, z) + x;
                ond_space_show_cell(q, items, at, g->cell, cell[0] == cell[1]);
            }
}

static void find_rows(const UniformGrid *g, const OndSpaceItems *items, const OndSpaceQuery *q,
                      CellRange r, OndPending *pending)
{
    if (q->trace) show(g, items, q, r);
    for (int z = r.lo[2]; z <= r.hi[2]; ++z)
        for (int y = r.lo[1]; y <= r.hi[1]; ++y) {
            const uint32_t *row = row_of(g, y, z);
            ond_pending_add(pending, row[r.lo[0]], row[r.hi[0] + 1]);
        }
}

static void find(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                 OndPending *pending)
{
    const UniformGrid *g = state;
    CellRange r; // within the grid, since the question is
    ond_cells_of(q->lo, g->inv, r.lo);
    ond_cells_of(q->hi, g->inv, r.hi);
    for (int a = 0; a < 4; ++a)
        r.lo[a] -= g->at[a], r.hi[a] -= g->at[a];
    pending->rows = &g->rows;
    if (r.lo[1] != r.hi[1] || r.lo[2] != r.hi[2] || q->trace) {
        find_rows(g, items, q, r, pending);
        return;
    }
    const uint32_t *row = row_of(g, r.lo[1], r.lo[2]);
    ond_pending_add_first(pending, row[r.lo[0]], row[r.hi[0] + 1]);
}

static size_t bytes(const void *state)
{
    const UniformGrid *g = state;
    return g->first_room * sizeof *g->first + g->rows.room * sizeof(float);
}

static void clear(void *state)
{
    UniformGrid *g = state;
    ond_free(g->first);
    ond_rows_free(&g->rows);
}

const OndSpaceMethod ond_space_uniform_grid = {
    .name = "uniform grid",
    .size = sizeof(UniformGrid),
    .build = build,
    .find = find,
    .bytes = bytes,
    .clear = clear,
};
