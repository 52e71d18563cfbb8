// SPDX-License-Identifier: MIT
// Top-down hierarchical hash of Pouchol (2010, chapter 2; Pouchol and others 2009).
//
// Classes of size and their cells are those of the multi-level hash. Two things are new. Every cell
// remembers whether there is anything in smaller cells inside it, so a question that starts with
// the largest class ends at the first cell with nothing below: empty space costs one look [A2.1,
// A2.2]. And the key of a cell is the sum of the keys of all cells round it, up to the largest
// class [eq. 2.2], so that cells share a slot by bad luck less often.
//
// A question larger than the cells of a class goes on into all those children that it touches. (The
// source puts an object into the cells of its box's corners, which is enough only while the box is
// no larger than a cell; here it is put into every cell that its box touches.)
//
// Time stamps spare the clearing of the table [2.5]. Beyond the source, a cell's objects stand side
// by side instead of in a chain, which takes less memory and is read in order: lists are counted
// first and filled from the back, and the last of each carries a mark.
#include "base/memory.h"
#include "space/cell_hash.h"

#define SLOTS_PER_OBJECT 4
#define CLASSES_MAX      64
#define PLACED           0x80000000u // in Slot.list: the list has a place, this is where it begins
#define LAST             0x80000000u // in an id: the list ends here

typedef struct Slot {
    uint32_t stamp; // of the build that filled it; the lowest bit: there is something below
    uint32_t list;  // while counting: how many; then PLACED and the first id; 0: none
} Slot;

typedef struct Table {
    int class_of[CLASSES_MAX], classes; // those that have objects, the largest first
    float size[CLASSES_MAX], inv[CLASSES_MAX];
    float largest[CLASSES_MAX]; // longest side of any object, class by class
    uint32_t stamp;
    Slot *slot;
    size_t slots, slot_room;
    uint32_t *id;
    size_t ids, id_room;
} Table;

static int rank_of(const Table *t, int c)
{
    int rank = 0;
    while (t->class_of[rank] != c)
        ++rank;
    return rank;
}

static void find_classes(Table *t, const OndSpaceItems *items, double *entries)
{
    float largest[CLASSES_MAX] = {0};
    bool used[CLASSES_MAX] = {false};
    *entries = 0.0;
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const int c = ond_sides_class(items, side), k = items->most - c;
        const OndCellRange r = ond_range_of(items, side, 1.0f / ond_class_size(c));
        used[k] = true;
        largest[k] = fmaxf(largest[k], ond_sides_size(items, side) + 4.0f * items->slack);
        *entries += ond_range_count(&r);
    }
    t->classes = 0;
    for (int k = 0; k <= items->most - items->least; ++k)
        if (used[k]) {
            const int c = items->most - k;
            t->class_of[t->classes] = c;
            t->size[t->classes] = ond_class_size(c), t->inv[t->classes] = 1.0f / ond_class_size(c);
            t->largest[t->classes++] = largest[k];
        }
}

static OndStatus make_room(Table *t, const OndSpaceItems *items, double entries, OndError *err)
{
    t->slots = ond_table_size((double)SLOTS_PER_OBJECT * items->kept);
    if (t->slots > t->slot_room) {
        ond_free(t->slot);
        t->slot_room = t->slots;
        t->slot = OND_NEW_ARRAY(Slot, t->slot_room);
        t->stamp = 0;
    }
    if (entries > (double)t->id_room) {
        ond_free(t->id);
        t->id_room = (size_t)entries + (size_t)entries / 16;
        t->id = OND_NEW_ARRAY(uint32_t, t->id_room);
    }
    if (!t->slot) t->slot_room = 0;
    if (t->slot && (t->id || entries <= 0.0)) return OND_OK;
    t->id_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a hash of %.0f entries", entries);
}

// The slot of this build, wiped if it was left by an earlier one.
static inline Slot *take_slot(Table *t, uint32_t key)
{
    Slot *slot = &t->slot[key & (t->slots - 1)];
    if ((slot->stamp & ~1u) != t->stamp) *slot = (Slot){t->stamp, 0};
    return slot;
}

// Cell `at` of rank `rank` in the class of rank `above`.
static inline void parent(const Table *t, const int at[3], int rank, int above, int out[3])
{
    const int shift = t->class_of[above] - t->class_of[rank];
    for (int a = 0; a < 3; ++a)
        out[a] = at[a] >> shift;
}

// Sum of keys down to a cell, leaving a mark in all cells above it [A2.1].
static uint32_t walk_down(Table *t, const int at[3], int rank)
{
    uint32_t key = 0;
    for (int above = 0; above < rank; ++above) {
        int cell[3];
        parent(t, at, rank, above, cell);
        key += ond_cell_key(cell, t->class_of[above]);
        take_slot(t, key)->stamp |= 1u;
    }
    return key + ond_cell_key(at, t->class_of[rank]);
}

static void count(Table *t, Slot *slot, uint32_t id)
{
    ++slot->list;
}

static void place(Table *t, Slot *slot, uint32_t id)
{
    if (!(slot->list & PLACED)) {
        t->ids += slot->list;
        slot->list = PLACED | (uint32_t)t->ids;
        id |= LAST;
    }
    --slot->list;
    t->id[slot->list & ~PLACED] = id;
}

static void put_in(Table *t, const OndSpaceItems *items, int i,
                   void (*entry)(Table *, Slot *, uint32_t))
{
    const float *side = ond_sides(items, i);
    if (ond_sides_left_out(side)) return;
    const int rank = rank_of(t, ond_sides_class(items, side));
    const OndCellRange r = ond_range_of(items, side, t->inv[rank]);
    OND_EACH_CELL(r, at) entry(t, take_slot(t, walk_down(t, at, rank)), (uint32_t)i);
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    Table *t = state;
    double entries;
    find_classes(t, items, &entries);
    const OndStatus status = make_room(t, items, entries, err);
    if (status != OND_OK) return status;
    t->stamp += 2;
    if (t->stamp == 0) { // after 2^31 builds old stamps would look new
        memset(t->slot, 0, t->slot_room * sizeof *t->slot);
        t->stamp = 2;
    }
    t->ids = 0;
    for (int i = 0; i < items->count; ++i)
        put_in(t, items, i, count);
    for (int i = items->count - 1; i >= 0; --i) // from the last, so that lists increase
        put_in(t, items, i, place);
    return OND_OK;
}

// ---- questions

typedef struct Walk {
    const Table *table;
    const OndSpaceItems *items;
    const OndSpaceQuery *query;
    OndHits *hits;
    OndCellRange asked[CLASSES_MAX]; // cells of each class that the question touches
    int last;                        // rank of the smallest class that matters
} Walk;

static bool read_list(const Walk *w, uint32_t list)
{
    if (!(list & PLACED)) return true;
    const uint32_t *id = w->table->id + (list & ~PLACED);
    for (;; ++id) {
        if (w->hits->count + 1 >= w->hits->room && !ond_hits_reserve(w->hits, 1)) return false;
        ond_hits_try(w->hits, w->items, w->query, *id & ~LAST);
        if (*id & LAST) return true;
    }
}

static bool look_into(const Walk *w, const int at[3], int rank, uint32_t key);

// Children of a cell that the question touches.
static bool go_down(const Walk *w, const int at[3], int rank, uint32_t key)
{
    const int shift = w->table->class_of[rank] - w->table->class_of[rank + 1];
    OndCellRange r = w->asked[rank + 1];
    for (int a = 0; a < w->items->dimension; ++a) {
        const long long lo = (long long)at[a] * (1LL << shift), hi = lo + (1LL << shift) - 1;
        r.lo[a] = lo > r.lo[a] ? (int)lo : r.lo[a];
        r.hi[a] = hi < r.hi[a] ? (int)hi : r.hi[a];
    }
    OND_EACH_CELL(r, child)
    {
        if (!look_into(w, child, rank + 1, key)) return false;
    }
    return true;
}

static bool look_into(const Walk *w, const int at[3], int rank, uint32_t key)
{
    const Table *t = w->table;
    key += ond_cell_key(at, t->class_of[rank]);
    const Slot slot = t->slot[key & (t->slots - 1)];
    const bool here = (slot.stamp & ~1u) == t->stamp;
    if (w->query->trace)
        ond_space_show_cell(w->query, w->items, at, t->size[rank], !here || !slot.list);
    if (!here) return true;
    if (!read_list(w, slot.list)) return false;
    return !(slot.stamp & 1u) || rank >= w->last || go_down(w, at, rank, key);
}

static bool touch(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                  OndHits *hits)
{
    const Table *t = state;
    Walk w;
    w.table = t, w.items = items, w.query = q, w.hits = hits;
    w.last = -1;
    for (int k = 0; k < t->classes && t->largest[k] >= q->larger; ++k) {
        w.asked[k] = ond_range_asked(items, q, t->inv[k]);
        if (ond_range_count(&w.asked[k]) > items->kept) return ond_touch_every(items, q, hits);
        w.last = k;
    }
    if (w.last < 0) return true;
    OND_EACH_CELL(w.asked[0], at)
    {
        if (!look_into(&w, at, 0, 0)) return false;
    }
    return true;
}

static size_t bytes(const void *state)
{
    const Table *t = state;
    return t->slot_room * sizeof *t->slot + t->id_room * sizeof *t->id;
}

static void clear(void *state)
{
    Table *t = state;
    ond_free(t->slot);
    ond_free(t->id);
}

const OndSpaceMethod ond_space_topdown_hash = {
    .name = "top-down hash",
    .size = sizeof(Table),
    .keeps_sides = true,
    .build = build,
    .touch = touch,
    .bytes = bytes,
    .clear = clear,
};
