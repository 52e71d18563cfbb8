// SPDX-License-Identifier: MIT
// Sort by cell, then neighbour lists.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/sph/sph_state.h"

#include <stdatomic.h>
#include <string.h>

#define CELL_GRAIN    64          // cells of about 8 particles: as many as OND_GRAIN
#define SPARE_ENTRIES (2 * 65536) // so that a small scene never grows its pool for one more slab
// Room for lists: less than all would have in the middle of a lattice, and so many times as much when that is too
// little. A search again costs less than room for nothing.
#define INSIDE 0.8
#define MORE   1.125

OndStatus ond_sph_sort(OndSph *s, OndError *err)
{
    const OndStatus status = ond_sorting_sort(&s->sorting, &s->fields, s->reach, &s->cells, err);
    if (status == OND_OK) ond_sph_bind(s);
    return status;
}

static OndStatus make_lists(OndSph *s, double entries, OndError *err)
{
    OndLists *l = &s->lists;
    if (s->fields.count > s->list_room) {
        ond_free(l->first), ond_free(l->length);
        s->list_room = s->fields.count + s->fields.count / 8;
        l->first = OND_NEW_ARRAY(uint32_t, s->list_room);
        l->length = OND_NEW_ARRAY(uint32_t, s->list_room);
        if (!l->first || !l->length) {
            s->list_room = 0;
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for neighbour lists");
        }
    }
    if (entries <= l->capacity) return OND_OK;
    if (entries > 4.0e9)
        return ond_fail(err, OND_UNSTABLE,
                        "particles have collapsed onto each other: more than 4e9 neighbour pairs");
    ond_free(l->pool);
    l->capacity = (uint32_t)ceil(entries); // not below: the next step asks for as much again
    l->pool = OND_NEW_ARRAY(uint32_t, l->capacity);
    if (l->pool) return OND_OK;
    l->capacity = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.0f neighbour pairs", entries);
}

typedef struct Search {
    const OndLoops *loops;
    OndSearchLoop loop;
} Search;

static void search_range(int first, int last, int worker, void *context)
{
    const Search *s = context;
    s->loops->search(&s->loop, first, last, worker);
}

static double expected_entries(const OndSph *s)
{
    const double reach = s->reach / s->world.spacing, lanes = OND_LANES / 2.0;
    const double near = s->world.dimension == 2 ? OND_PI * reach * reach
                                                : 4.0 / 3.0 * OND_PI * reach * reach * reach;
    return INSIDE * (near + lanes) * s->fields.count + SPARE_ENTRIES +
           65536.0 * (ond_threads() + 1);
}

OndStatus ond_sph_search(OndSph *s, OndError *err)
{
    const double fullest = ond_cells_fullest(&s->cells);
    const double images = s->images.count ? ond_cells_fullest(&s->images.cells) : 0;
    const double most = fmin(27.0 * (fullest + images), (double)s->fields.count + s->images.count);
    OndStatus status = ond_near_buffers_make(&s->near, most, err);
    if (status == OND_OK) status = ond_sph_make_quads(s, err);
    if (status == OND_OK) status = make_lists(s, expected_entries(s), err);
    if (status == OND_OK) ond_sph_fill_quads(s, s->place, s->x, s->volume); // whatever it is
    while (status == OND_OK) {
        atomic_store(&s->list_used, 0);
        atomic_store(&s->list_overflow, 0);
        s->lists.used = &s->list_used, s->lists.overflow = &s->list_overflow;
        ond_near_buffers_begin(&s->near);
        Search search = {s->loops,
                         {&s->cells, s->images.count ? &s->images.cells : NULL,
                          (uint32_t)s->fields.count, s->x[0], s->x[1], s->x[2], s->place, s->kernel,
                          s->reach * s->reach, s->lists, s->near.each, s->sum_w}};
        ond_parallel_for(s->cells.cell_count, CELL_GRAIN, search_range, &search);
        if (!atomic_load(&s->list_overflow)) return OND_OK;
        status = make_lists(s, s->lists.capacity * MORE + SPARE_ENTRIES, err);
    }
    return status;
}
