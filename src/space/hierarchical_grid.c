// SPDX-License-Identifier: MIT
// Hierarchical grid: one grid for each class of size, an object in exactly one cell.
//
// An object of class c (longest side at most 2^c) lives in the grid of its class, in the cell that
// holds the middle of its box [Pouchol 2010, 3.1.2]. A question goes through the grids one by one
// and looks at the cells within its box widened by half the largest object of that grid. Nothing is
// stored twice and nothing is found twice. Classes with few objects share a grid (levels.c).
//
// The source takes cells of 2^c. Here a crowded grid gets finer cells, since a question then tests
// fewer boxes in vain, and a thin one coarser cells, since empty ones cost memory. Objects are
// sorted by cell with their boxes beside them: the cells of a row are one run of memory, tested
// without looking anything up.
#include "base/memory.h"
#include "space/pending.h"

#define CELLS_LEAST 256
#define CROWD       8.0 // objects a cell above which cells are halved
#define FINER_MAX   3   // times

typedef struct GridLevel {
    int class_of; // largest of its objects
    int count;
    float lo[3], hi[3]; // of the middles
    float half[3];      // largest half sides
    float largest;      // longest side of any object
    float cell, inv;
    int at[3], n[3]; // first cell, and how many
    uint32_t base;   // of its cells in `first`
} GridLevel;

typedef struct HierarchicalGrid {
    OndLevels levels;
    GridLevel level[OND_CLASSES_MAX];
    uint32_t *first; // first object of each cell, levels one after another, and one past the end
    size_t first_room;
    OndRows rows;
} HierarchicalGrid;

// ---- laying the levels

static inline float middle(const OndSpaceItems *items, const float *side, int a)
{
    return 0.5f * (ond_sides_lo(side, a) + ond_sides_hi(items, side, a));
}

static void add_to_level(const OndSpaceItems *items, GridLevel *level, const float *side)
{
    ++level->count;
    for (int a = 0; a < items->dimension; ++a) {
        const float at = middle(items, side, a);
        // the slack is more than all rounding on the way
        const float half =
            items->slack + fmaxf(at - ond_sides_lo(side, a), ond_sides_hi(items, side, a) - at);
        level->lo[a] = fminf(level->lo[a], at);
        level->hi[a] = fmaxf(level->hi[a], at);
        level->half[a] = fmaxf(level->half[a], half);
        level->largest = fmaxf(level->largest, 2.0f * half);
    }
}

static double cells_of(const OndSpaceItems *items, const GridLevel *level, float cell)
{
    double cells = 1.0;
    for (int a = 0; a < items->dimension; ++a)
        cells *= floor((double)level->hi[a] / (double)cell) -
                 floor((double)level->lo[a] / (double)cell) + 1.0;
    return cells;
}

static void lay_level(const OndSpaceItems *items, GridLevel *level)
{
    float cell = ond_class_size(level->class_of);
    for (int k = 0; k < FINER_MAX; ++k)
        if (level->count > CROWD * cells_of(items, level, cell)) cell *= 0.5f;
    while (cells_of(items, level, cell) > 2.0 * level->count + CELLS_LEAST)
        cell *= 2.0f;
    level->cell = cell, level->inv = 1.0f / cell;
    for (int a = 0; a < 3; ++a) {
        level->at[a] = a < items->dimension ? ond_cell_of(level->lo[a], level->inv) : 0;
        level->n[a] =
            a < items->dimension ? ond_cell_of(level->hi[a], level->inv) - level->at[a] + 1 : 1;
    }
}

static void lay_levels(HierarchicalGrid *g, const OndSpaceItems *items)
{
    ond_levels_find(&g->levels, items);
    for (int k = 0; k < g->levels.count; ++k)
        g->level[k] = (GridLevel){.class_of = g->levels.class_of[k],
                                  .lo = {INFINITY, INFINITY, INFINITY},
                                  .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        add_to_level(items, &g->level[ond_sides_level(&g->levels, items, side)], side);
    }
    uint32_t base = 0;
    for (int k = 0; k < g->levels.count; ++k) {
        GridLevel *level = &g->level[k];
        lay_level(items, level);
        level->base = base;
        base += (uint32_t)(level->n[0] * level->n[1] * level->n[2]);
    }
}

static uint32_t cell_count(const HierarchicalGrid *g)
{
    if (!g->levels.count) return 0;
    const GridLevel *last = &g->level[g->levels.count - 1];
    return last->base + (uint32_t)(last->n[0] * last->n[1] * last->n[2]);
}

// ---- sorting objects into cells

static OndStatus make_room(HierarchicalGrid *g, const OndSpaceItems *items, OndError *err)
{
    const size_t cells = (size_t)cell_count(g) + 2;
    if (cells > g->first_room) {
        ond_free(g->first);
        g->first_room = cells + cells / 16;
        g->first = OND_NEW_ARRAY(uint32_t, g->first_room);
        if (!g->first) g->first_room = 0;
        if (!g->first)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for %zu cells", cells);
    }
    return ond_rows_reserve(&g->rows, items, (size_t)items->kept, err);
}

static uint32_t cell_for(const HierarchicalGrid *g, const OndSpaceItems *items, const float *side)
{
    const GridLevel *l = &g->level[ond_sides_level(&g->levels, items, side)];
    int at[3] = {0};
    for (int a = 0; a < items->dimension; ++a)
        at[a] = ond_cell_of(middle(items, side, a), l->inv) - l->at[a];
    return l->base + (uint32_t)((at[2] * l->n[1] + at[1]) * l->n[0] + at[0]);
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    HierarchicalGrid *g = state;
    lay_levels(g, items);
    const OndStatus status = make_room(g, items, err);
    uint32_t *cell = status == OND_OK ? OND_NEW_ARRAY(uint32_t, items->count + 1) : NULL;
    if (!cell) {
        g->levels.count = 0;
        return status != OND_OK ? status
                                : ond_fail(err, OND_NO_MEMORY, "not enough memory to sort");
    }
    const uint32_t cells = cell_count(g);
    memset(g->first, 0, ((size_t)cells + 2) * sizeof *g->first);
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        cell[i] = cell_for(g, items, side);
        ++g->first[cell[i] + 2];
    }
    for (uint32_t c = 0; c < cells; ++c)
        g->first[c + 2] += g->first[c + 1];
    for (int i = 0; i < items->count; ++i) {
        if (!ond_sides_left_out(ond_sides(items, i)))
            ond_rows_put(&g->rows, items, i, g->first[cell[i] + 1]++);
    }
    ond_free(cell);
    return OND_OK;
}

// ---- questions

static void show(const HierarchicalGrid *g, const GridLevel *l, const OndSpaceItems *items,
                 const OndSpaceQuery *q, const int lo[3], const int hi[3])
{
    for (int z = lo[2]; z <= hi[2]; ++z)
        for (int y = lo[1]; y <= hi[1]; ++y)
            for (int x = lo[0]; x <= hi[0]; ++x) {
                const int at[3] = {x + l->at[0], y + l->at[1], z + l->at[2]};
                const uint32_t cell = l->base + (uint32_t)((z * l->n[1] + y) * l->n[0] + x);
                ond_space_show_cell(q, items, at, l->cell, g->first[cell] == g->first[cell + 1]);
            }
}

// First and last cell of a level that a question must look at; false when there are none.
static inline bool cells_for(const GridLevel *l, const OndSpaceQuery *q, int dimension, int lo[3],
                             int hi[3])
{
    lo[2] = hi[2] = 0;
    for (int a = 0; a < dimension; ++a) {
        const float low = q->lo[a] - l->half[a], high = q->hi[a] + l->half[a];
        if (low > l->hi[a] || high < l->lo[a]) return false;
        lo[a] = low > l->lo[a] ? ond_cell_of(low, l->inv) - l->at[a] : 0;
        hi[a] = high < l->hi[a] ? ond_cell_of(high, l->inv) - l->at[a] : l->n[a] - 1;
    }
    return true;
}

static void find(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                 OndPending *pending)
{
    const HierarchicalGrid *g = state;
    pending->rows = &g->rows;
    for (const GridLevel *l = g->level; l < g->level + g->levels.count; ++l) {
        int lo[3], hi[3];
        if (l->largest < q->larger || !cells_for(l, q, items->dimension, lo, hi)) continue;
        if (q->trace) show(g, l, items, q, lo, hi);
        for (int z = lo[2]; z <= hi[2]; ++z)
            for (int y = lo[1]; y <= hi[1]; ++y) {
                const uint32_t *row = g->first + l->base + (z * l->n[1] + y) * l->n[0];
                ond_pending_add(pending, row[lo[0]], row[hi[0] + 1]);
            }
    }
}

static size_t bytes(const void *state)
{
    const HierarchicalGrid *g = state;
    return g->first_room * sizeof *g->first + g->rows.room * sizeof(float);
}

static void clear(void *state)
{
    HierarchicalGrid *g = state;
    ond_free(g->first);
    ond_rows_free(&g->rows);
}

const OndSpaceMethod ond_space_hierarchical_grid = {
    .name = "hierarchical grid",
    .size = sizeof(HierarchicalGrid),
    .build = build,
    .find = find,
    .bytes = bytes,
    .clear = clear,
};
