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
// by side with their boxes, instead of in a chain of references: they are counted first, then put
// in from the back.
#include "base/memory.h"
#include "space/cell_hash.h"
#include "space/pending.h"

#define SLOTS_PER_OBJECT 4
#define BELOW            1u // in Slot.state: there is something below
#define STAMP_STEP       2u // the stamp is in bits 1 to 7
#define STAMP_BITS       0xFEu
#define COUNT_SHIFT      8 // then follows how many objects there are
#define COUNT_MAX        0xFFFFFFu

typedef struct StateSlot {
    uint32_t state; // see above
    uint32_t first; // place of its first object; 0: not yet known
} StateSlot;

typedef struct TopdownTable {
    OndLevels levels;
    float size[OND_CLASSES_MAX], inv[OND_CLASSES_MAX]; // of cells, level by level
    float largest[OND_CLASSES_MAX];                    // longest side of any object
    uint32_t stamp;
    bool overfull; // a cell holds more than can be counted: look at everything
    StateSlot *slot;
    size_t slots, slot_room;
    size_t placed; // objects that have a place
    OndRows rows;
} TopdownTable;

// Returns how many entries there will be.
static double find_levels(TopdownTable *t, const OndSpaceItems *items)
{
    double entries = 0.0;
    ond_levels_find(&t->levels, items);
    for (int k = 0; k < t->levels.count; ++k) {
        t->size[k] = ond_class_size(t->levels.class_of[k]);
        t->inv[k] = 1.0f / t->size[k];
        t->largest[k] = 0.0f;
    }
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const int level = ond_sides_level(&t->levels, items, side);
        const OndCellRange r = ond_range_of(items, side, t->inv[level]);
        t->largest[level] =
            fmaxf(t->largest[level], ond_sides_size(items, side) + 4.0f * items->slack);
        entries += ond_range_count(&r);
    }
    return entries;
}

static OndStatus make_room(TopdownTable *t, const OndSpaceItems *items, double entries,
                           OndError *err)
{
    t->slots = ond_table_size((double)SLOTS_PER_OBJECT * items->kept);
    if (t->slots > t->slot_room) {
        ond_free(t->slot);
        t->slot_room = t->slots;
        t->slot = OND_NEW_ARRAY(StateSlot, t->slot_room);
        t->stamp = 0;
        if (!t->slot) t->slot_room = 0;
        if (!t->slot) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a hash");
    }
    return ond_rows_reserve(&t->rows, items, (size_t)entries + 1, err);
}

// The slot of this build, wiped if it was left by an earlier one.
static inline StateSlot *take_slot(TopdownTable *t, uint32_t key)
{
    StateSlot *slot = &t->slot[key & (t->slots - 1)];
    if ((slot->state & STAMP_BITS) != t->stamp) *slot = (StateSlot){t->stamp, 0};
    return slot;
}

// Cell `at` of level `level` in the class of level `above`.
static inline void parent(const TopdownTable *t, const int at[3], int level, int above, int out[3])
{
    const int shift = t->levels.class_of[above] - t->levels.class_of[level];
    for (int a = 0; a < 3; ++a)
        out[a] = at[a] >> shift;
}

// Sum of keys down to a cell, leaving a mark in all cells above it [A2.1].
static uint32_t walk_down(TopdownTable *t, const int at[3], int level)
{
    uint32_t key = 0;
    for (int above = 0; above < level; ++above) {
        int cell[3];
        parent(t, at, level, above, cell);
        key += ond_cell_key(cell, t->levels.class_of[above]);
        take_slot(t, key)->state |= BELOW;
    }
    return key + ond_cell_key(at, t->levels.class_of[level]);
}

// Counts an object in every cell it touches, and notes their slots one after another.
static size_t count(TopdownTable *t, const OndSpaceItems *items, int i, uint32_t *noted)
{
    const float *side = ond_sides(items, i);
    if (ond_sides_left_out(side)) return 0;
    const int level = ond_sides_level(&t->levels, items, side);
    const OndCellRange r = ond_range_of(items, side, t->inv[level]);
    size_t n = 0;
    OND_EACH_CELL(r, at)
    {
        StateSlot *slot = take_slot(t, walk_down(t, at, level));
        noted[n++] = (uint32_t)(slot - t->slot);
        t->overfull |= slot->state >> COUNT_SHIFT == COUNT_MAX;
        if (!t->overfull) slot->state += 1u << COUNT_SHIFT;
    }
    return n;
}

static void place(TopdownTable *t, const OndSpaceItems *items, int i, uint32_t noted)
{
    StateSlot *slot = &t->slot[noted];
    if (slot->first == 0) {
        t->placed += slot->state >> COUNT_SHIFT;
        slot->first = (uint32_t)t->placed;
    }
    ond_rows_put(&t->rows, items, i, --slot->first);
}

// From the last object to the first, so that the objects of a cell increase.
static void place_all(TopdownTable *t, const OndSpaceItems *items, const uint32_t *noted, size_t n)
{
    for (int i = items->count - 1; i >= 0; --i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const OndCellRange r =
            ond_range_of(items, side, t->inv[ond_sides_level(&t->levels, items, side)]);
        for (int cells = (int)ond_range_count(&r); cells > 0; --cells)
            place(t, items, i, noted[--n]);
    }
}

static void put_in_line(TopdownTable *t, const OndSpaceItems *items)
{
    for (int i = 0; i < items->count; ++i)
        if (!ond_sides_left_out(ond_sides(items, i)))
            ond_rows_put(&t->rows, items, i, (uint32_t)t->placed++);
}

static void begin(TopdownTable *t)
{
    t->stamp = (t->stamp + STAMP_STEP) & STAMP_BITS;
    if (t->stamp == 0) { // old stamps would look new
        memset(t->slot, 0, t->slot_room * sizeof *t->slot);
        t->stamp = STAMP_STEP;
    }
    t->overfull = false;
    t->placed = 1; // place 0 stands for none
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    TopdownTable *t = state;
    const double entries = find_levels(t, items);
    const OndStatus status = make_room(t, items, entries, err);
    uint32_t *noted = status == OND_OK ? OND_NEW_ARRAY(uint32_t, (size_t)entries + 1) : NULL;
    if (status != OND_OK) return status;
    if (!noted) return ond_fail(err, OND_NO_MEMORY, "not enough memory to fill a hash");
    begin(t);
    size_t n = 0;
    for (int i = 0; i < items->count; ++i)
        n += count(t, items, i, noted + n);
    if (t->overfull)
        put_in_line(t, items);
    else
        place_all(t, items, noted, n);
    ond_free(noted);
    return OND_OK;
}

// ---- questions

typedef struct TopdownWalk {
    const TopdownTable *table;
    const OndSpaceItems *items;
    const OndSpaceQuery *query;
    OndPending *pending;
    OndCellRange asked; // cells of the smallest class that the question touches
    int last;           // level of that class
} TopdownWalk;

// Takes the objects of a cell along; true when there is something below. `key` becomes the cell's.
static inline bool look_into(const TopdownWalk *w, const int at[3], int level, uint32_t *key)
{
    const TopdownTable *t = w->table;
    *key += ond_cell_key(at, t->levels.class_of[level]);
    const StateSlot slot = t->slot[*key & (t->slots - 1)];
    const bool here = (slot.state & STAMP_BITS) == t->stamp;
    const uint32_t objects = (slot.state >> COUNT_SHIFT) & (0u - here); // no branch can be foreseen
    if (w->query->trace) ond_space_show_cell(w->query, w->items, at, t->size[level], !objects);
    ond_pending_add(w->pending, slot.first, slot.first + objects);
    return here & slot.state & BELOW;
}

// Those cells of a level that the question touches and that lie in cell `in` of the level above.
// Cells lie within each other, so those of a larger class are found by shifting.
static void go_down(const TopdownWalk *w, const int in[3], int level, uint32_t key)
{
    const int *class_of = w->table->levels.class_of;
    const int shift = class_of[level - 1] - class_of[level];
    const int coarser = class_of[level] - class_of[w->last];
    OndCellRange r = {{0}, {0}};
    for (int a = 0; a < w->items->dimension; ++a) {
        const int lo = in[a] * (1 << shift), hi = lo + (1 << shift) - 1;
        const int first = w->asked.lo[a] >> coarser, last = w->asked.hi[a] >> coarser;
        r.lo[a] = lo > first ? lo : first;
        r.hi[a] = hi < last ? hi : last;
    }
    OND_EACH_CELL(r, at)
    {
        uint32_t sum = key;
        if (look_into(w, at, level, &sum) && level < w->last) go_down(w, at, level + 1, sum);
    }
}

static void go_down_everywhere(const TopdownWalk *w)
{
    const int coarser = w->table->levels.class_of[0] - w->table->levels.class_of[w->last];
    OndCellRange r;
    for (int a = 0; a < 3; ++a)
        r.lo[a] = w->asked.lo[a] >> coarser, r.hi[a] = w->asked.hi[a] >> coarser;
    OND_EACH_CELL(r, at)
    {
        uint32_t sum = 0;
        if (look_into(w, at, 0, &sum) && w->last > 0) go_down(w, at, 1, sum);
    }
}

// A question that touches one cell of the smallest class touches one of each: mostly it is so.
static void go_straight_down(const TopdownWalk *w)
{
    const int *class_of = w->table->levels.class_of;
    uint32_t key = 0;
    for (int level = 0; level <= w->last; ++level) {
        const int coarser = class_of[level] - class_of[w->last];
        const int *lo = w->asked.lo, at[3] = {lo[0] >> coarser, lo[1] >> coarser, lo[2] >> coarser};
        if (!look_into(w, at, level, &key)) return;
    }
}

static inline OndCellRange range_asked(const OndSpaceQuery *q, float inv)
{
    int lo[4], hi[4];
    ond_cells_of(q->lo, inv, lo);
    ond_cells_of(q->hi, inv, hi);
    return (OndCellRange){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}};
}

static void find(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                 OndPending *pending)
{
    const TopdownTable *t = state;
    pending->rows = &t->rows;
    int last = t->levels.count - 1;
    while (last >= 0 && t->largest[last] < q->larger)
        --last;
    if (last < 0) return;
    const TopdownWalk w = {t, items, q, pending, range_asked(q, t->inv[last]), last};
    // so many cells that it is cheaper to look at everything
    if (t->overfull || (ond_range_wide(&w.asked) && ond_range_count(&w.asked) > items->kept))
        ond_pending_add(pending, 1, (uint32_t)t->placed);
    else if (ond_range_single(&w.asked))
        go_straight_down(&w);
    else
        go_down_everywhere(&w);
}

static size_t bytes(const void *state)
{
    const TopdownTable *t = state;
    return t->slot_room * sizeof *t->slot + t->rows.room * sizeof(float);
}

static void clear(void *state)
{
    TopdownTable *t = state;
    ond_free(t->slot);
    ond_rows_free(&t->rows);
}

const OndSpaceMethod ond_space_topdown_hash = {
    .name = "top-down hash",
    .size = sizeof(TopdownTable),
    .build = build,
    .find = find,
    .bytes = bytes,
    .clear = clear,
};
