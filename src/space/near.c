// SPDX-License-Identifier: MIT
#include "space/near.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "space/loops.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK      16384 // points a block, for bounds and for sorting
#define CELL_GRAIN 64
#define SAMPLE     37 // one cell in so many is looked at to guess the length of all lists
#define PAD        OND_SPACE_PAD
#define POINTS_MAX (sizeof(size_t) > 4 ? 1 << 28 : 1 << 24) // so that no product overflows
#define LANES      8
#define SHIFT      48 // between arrays: their k-th elements must not compete for a cache set

struct OndNearSearch {
    OndCells cells;
    int room; // points there is room for
    uint32_t *key, *order, *first, *length;
    float *x[3];
    float *extent; // six a block
    OndLists lists;
    OndNearBuffers buffers;
    _Atomic(uint32_t) used;
    _Atomic(int) overflow;
};

OndNearSearch *ond_near_create(void)
{
    return OND_NEW(OndNearSearch);
}

static void free_points(OndNearSearch *n)
{
    ond_free(n->key), ond_free(n->order), ond_free(n->first), ond_free(n->length);
    ond_free(n->extent);
    ond_free(n->x[0]);
    n->x[0] = n->x[1] = n->x[2] = NULL;
    n->key = n->order = n->first = n->length = NULL, n->extent = NULL;
    n->room = 0;
}

void ond_near_destroy(OndNearSearch *n)
{
    if (!n) return;
    free_points(n);
    ond_near_buffers_free(&n->buffers);
    ond_cells_free(&n->cells);
    ond_free(n->lists.pool);
    ond_free(n);
}

size_t ond_near_bytes(const OndNearSearch *n)
{
    return sizeof *n + ond_cells_bytes(&n->cells) + (size_t)n->room * 7 * sizeof(float) +
           ond_near_buffers_bytes(&n->buffers) + (size_t)n->lists.capacity * sizeof(uint32_t);
}

static OndStatus make_points(OndNearSearch *n, int count, OndError *err)
{
    if (count <= n->room) return OND_OK;
    free_points(n);
    const size_t room = ((size_t)count + (size_t)count / 8 + 2 * PAD) / PAD * PAD;
    n->key = OND_NEW_ARRAY(uint32_t, room), n->order = OND_NEW_ARRAY(uint32_t, room);
    n->first = OND_NEW_ARRAY(uint32_t, room), n->length = OND_NEW_ARRAY(uint32_t, room);
    n->extent = OND_NEW_ARRAY(float, 6 * (room / BLOCK + 1));
    n->x[0] = OND_NEW_ARRAY(float, 3 * (room + SHIFT));
    if (n->key && n->order && n->first && n->length && n->extent && n->x[0]) {
        n->x[1] = n->x[0] + room + SHIFT, n->x[2] = n->x[1] + room + SHIFT;
        n->room = (int)(room - PAD);
        return OND_OK;
    }
    free_points(n);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the neighbours of %d points", count);
}

static OndStatus make_pool(OndNearSearch *n, double entries, OndError *err)
{
    if (entries <= n->lists.capacity) return OND_OK;
    if (entries > 4.0e9)
        return ond_fail(err, OND_BAD_VALUE, "more than 4e9 neighbours; ask for a smaller radius");
    ond_free(n->lists.pool);
    n->lists.capacity = (uint32_t)ceil(entries); // rounded down it would be too small for ever
    n->lists.pool = OND_NEW_ARRAY(uint32_t, n->lists.capacity);
    if (n->lists.pool) return OND_OK;
    n->lists.capacity = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.0f neighbours", entries);
}

// ---- sorting

typedef struct Points {
    OndNearSearch *near;
    const float *from[3];
    int count;
} Points;

// Smallest and largest of count numbers, several side by side so that the compiler makes vectors.
static void find_range(const float *x, int count, float *lowest, float *highest)
{
    float low[LANES], high[LANES];
    for (int l = 0; l < LANES; ++l)
        low[l] = INFINITY, high[l] = -INFINITY;
    for (int i = 0; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; ++l) {
            low[l] = x[i + l] < low[l] ? x[i + l] : low[l];
            high[l] = x[i + l] > high[l] ? x[i + l] : high[l];
        }
    for (int i = count / LANES * LANES; i < count; ++i) {
        low[0] = x[i] < low[0] ? x[i] : low[0];
        high[0] = x[i] > high[0] ? x[i] : high[0];
    }
    for (int l = 1; l < LANES; ++l) {
        low[0] = low[l] < low[0] ? low[l] : low[0];
        high[0] = high[l] > high[0] ? high[l] : high[0];
    }
    *lowest = low[0], *highest = high[0];
}

static void find_bounds(int first, int last, int worker, void *context)
{
    const Points *p = context;
    for (int block = first; block < last; ++block) {
        const int begin = block * BLOCK;
        const int count = p->count - begin < BLOCK ? p->count - begin : BLOCK;
        float *extent = p->near->extent + 6 * (size_t)block;
        for (int a = 0; a < 3; ++a)
            find_range(p->from[a] + begin, count, &extent[a], &extent[3 + a]);
    }
}

static OndStatus lay(Points *p, float r, OndError *err)
{
    OndNearSearch *n = p->near;
    const int blocks = (p->count + BLOCK - 1) / BLOCK;
    float min[3] = {0}, max[3] = {0};
    ond_parallel_for(blocks, 1, find_bounds, p);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < blocks; ++b) {
            const float *extent = n->extent + 6 * (size_t)b;
            min[a] = b == 0 || extent[a] < min[a] ? extent[a] : min[a];
            max[a] = b == 0 || extent[3 + a] > max[a] ? extent[3 + a] : max[a];
        }
    for (int a = 0; a < 3; ++a)
        if (!isfinite(max[a] - min[a]))
            return ond_fail(err, OND_BAD_VALUE, "a point is not at a finite place");
    return ond_cells_lay(&n->cells, min, max, r, p->count, err);
}

static void move_points(int first, int last, int worker, void *context)
{
    const Points *p = context;
    const uint32_t *order = p->near->order;
    float *x = p->near->x[0], *y = p->near->x[1], *z = p->near->x[2];
    for (int k = first; k < last; ++k) {
        x[k] = p->from[0][order[k]];
        y[k] = p->from[1][order[k]];
    }
    if (p->from[2] == z) return; // 2D: zeros in any order
    for (int k = first; k < last; ++k)
        z[k] = p->from[2][order[k]];
}

static OndStatus sort(Points *p, float r, OndError *err)
{
    OndNearSearch *n = p->near;
    OndStatus status = lay(p, r, err);
    if (status == OND_OK)
        status = ond_cells_sort(&n->cells, p->from[0], p->from[1], p->from[2], p->count, n->key,
                                n->order, err);
    if (status == OND_OK) ond_parallel_for(p->count, BLOCK, move_points, p);
    return status;
}

// ---- lists

// How many entries all lists will have, from some of the cells; and the most candidates of any
// cell.
static double guess_entries(const OndNearSearch *n, bool flat)
{
    const double share = flat ? 3.1416 / 9.0 : 4.1888 / 27.0; // of the cells round a cell
    double sum = 0.0;
    for (int cell = 0; cell < n->cells.cell_count; cell += SAMPLE) {
        const uint32_t here = n->cells.first[cell + 1] - n->cells.first[cell];
        OndRun run[9];
        const int runs = here ? ond_cells_near(&n->cells, cell, run) : 0;
        for (int k = 0; k < runs; ++k)
            sum += (double)here * (run[k].last - run[k].first);
    }
    return sum * SAMPLE * share;
}

typedef struct NearSearch {
    const OndSpaceLoops *loops;
    OndNearLoop loop;
} NearSearch;

static void search_range(int first, int last, int worker, void *context)
{
    const NearSearch *s = context;
    s->loops->near(&s->loop, first, last, worker);
}

static OndStatus search(OndNearSearch *n, float r, bool flat, OndError *err)
{
    const double spare = 2.0 * OND_SLAB * (ond_threads() + 1);
    OndStatus status = make_pool(n, 1.1 * guess_entries(n, flat) + spare, err);
    while (status == OND_OK) {
        atomic_store(&n->used, 0);
        atomic_store(&n->overflow, 0);
        n->lists.first = n->first, n->lists.length = n->length;
        n->lists.used = &n->used, n->lists.overflow = &n->overflow;
        ond_near_buffers_begin(&n->buffers);
        NearSearch s = {ond_space_loops(),
                        {&n->cells, n->x[0], n->x[1], n->x[2], r * r, n->lists, n->buffers.each}};
        ond_parallel_for(n->cells.cell_count, CELL_GRAIN, search_range, &s);
        if (!atomic_load(&n->overflow)) break;
        status = make_pool(n, 1.5 * n->lists.capacity + spare, err);
    }
    return status;
}

OndStatus ond_near_find(OndNearSearch *n, const float *x, const float *y, const float *z, int count,
                        float r, OndNeighbours *out, OndError *err)
{
    *out = (OndNeighbours){0};
    if (!(r > 0.0f) || !isfinite(r) || count < 0 || count > POINTS_MAX)
        return ond_fail(err, OND_BAD_VALUE,
                        "neighbours of %d points within %g m: the radius must be above 0, the "
                        "points at most %d",
                        count, (double)r, POINTS_MAX);
    if (count == 0) return OND_OK;
    Points p = {n, {x, y, z}, count};
    const double start = ond_now_ms();
    OndStatus status = make_points(n, count, err);
    if (status == OND_OK && !z) {
        memset(n->x[2], 0, (size_t)count * sizeof(float));
        p.from[2] = n->x[2]; // zeros, in any order
    }
    if (status == OND_OK) status = sort(&p, r, err);
    const double sorted = ond_now_ms();
    if (status == OND_OK)
        status = ond_near_buffers_make(&n->buffers,
                                       fmin(27.0 * ond_cells_fullest(&n->cells), count), err);
    if (status == OND_OK) status = search(n, r, !z, err);
    if (status != OND_OK) return status;
    *out = (OndNeighbours){.count = count,
                           .order = n->order,
                           .x = n->x[0],
                           .y = n->x[1],
                           .z = n->x[2],
                           .pool = n->lists.pool,
                           .first = n->first,
                           .length = n->length,
                           .sort_ms = sorted - start};
    for (int k = 0; k < count; ++k)
        out->total += n->length[k];
    return OND_OK;
}
