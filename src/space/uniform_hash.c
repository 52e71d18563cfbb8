// SPDX-License-Identifier: MIT
// Uniform hash: cells of one size everywhere, but memory only for a table of them [Teschner 2003].
//
// The place of a cell is scrambled into a number, and that number, cut down to the size of the
// table, says where the cell's list is. Space has no borders and empty space costs nothing. Cells
// that fall on the same number share a list: their objects are tested in vain, no more. An object
// stands in every cell that its box touches; cells are as large as the mean object, or larger where
// an object would stand in more than eight cells on average.
#include "base/memory.h"
#include "space/cell_hash.h"

#define ENTRIES_PER_OBJECT 8
#define SLOTS_PER_ENTRY    2

typedef struct UniformTable {
    float cell, inv;
    size_t slots;
    uint32_t *first; // first entry of each slot, and one past the end
    uint32_t *id;
    size_t first_room, id_room;
} UniformTable;

static double count_entries(const OndSpaceItems *items, float inv)
{
    double sum = 0.0;
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const OndCellRange r = ond_range_of(items, side, inv);
        sum += ond_range_count(&r);
    }
    return sum;
}

static double choose_cell(UniformTable *t, const OndSpaceItems *items)
{
    const float mean = items->mean > 0.0f ? ond_class_size(ond_class_above(items->mean)) : 0.0f;
    t->cell = fmaxf(mean, ond_class_size(items->least));
    for (;; t->cell *= 2.0f) {
        t->inv = 1.0f / t->cell;
        const double entries = count_entries(items, t->inv);
        if (entries <= (double)ENTRIES_PER_OBJECT * items->kept || t->cell > items->extent)
            return entries;
    }
}

static OndStatus make_room(UniformTable *t, double entries, OndError *err)
{
    t->slots = ond_table_size(SLOTS_PER_ENTRY * entries);
    if (t->slots + 2 > t->first_room) {
        ond_free(t->first);
        t->first_room = t->slots + 2;
        t->first = OND_NEW_ARRAY(uint32_t, t->first_room);
    }
    if (entries > (double)t->id_room) {
        ond_free(t->id);
        t->id_room = (size_t)entries + (size_t)entries / 16;
        t->id = OND_NEW_ARRAY(uint32_t, t->id_room);
    }
    if (!t->first) t->first_room = 0;
    if (t->first && (t->id || entries <= 0.0)) return OND_OK;
    t->id_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a hash of %.0f entries", entries);
}

// Once to count what goes into each slot, once to put it there.
static void each_entry(UniformTable *t, const OndSpaceItems *items, bool place)
{
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const OndCellRange r = ond_range_of(items, side, t->inv);
        OND_EACH_CELL(r, at)
        {
            uint32_t *slot = t->first + (ond_cell_key(at, 0) & (t->slots - 1));
            if (place)
                t->id[slot[1]++] = (uint32_t)i;
            else
                ++slot[2];
        }
    }
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    UniformTable *t = state;
    const OndStatus status = make_room(t, choose_cell(t, items), err);
    if (status != OND_OK) return status;
    memset(t->first, 0, (t->slots + 2) * sizeof *t->first);
    each_entry(t, items, false);
    for (size_t s = 0; s < t->slots; ++s)
        t->first[s + 2] += t->first[s + 1];
    each_entry(t, items, true);
    return OND_OK;
}

static bool touch(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                  OndHits *hits)
{
    const UniformTable *t = state;
    const OndCellRange r = ond_range_asked(items, q, t->inv);
    if (ond_range_wide(&r) && ond_range_count(&r) > items->kept)
        return ond_touch_every(items, q, hits);
    OND_EACH_CELL(r, at)
    {
        const uint32_t *slot = t->first + (ond_cell_key(at, 0) & (t->slots - 1));
        if (q->trace) ond_space_show_cell(q, items, at, t->cell, slot[0] == slot[1]);
        if (!ond_hits_reserve(hits, slot[1] - slot[0])) return false;
        for (uint32_t k = slot[0]; k < slot[1]; ++k)
            ond_hits_try(hits, items, q, t->id[k]);
    }
    return true;
}

static size_t bytes(const void *state)
{
    const UniformTable *t = state;
    return (t->first_room + t->id_room) * sizeof(uint32_t);
}

static void clear(void *state)
{
    UniformTable *t = state;
    ond_free(t->first);
    ond_free(t->id);
}

const OndSpaceMethod ond_space_uniform_hash = {
    .name = "uniform hash",
    .size = sizeof(UniformTable),
    .keeps_sides = true,
    .build = build,
    .touch = touch,
    .bytes = bytes,
    .clear = clear,
};
