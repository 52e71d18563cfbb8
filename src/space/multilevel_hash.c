// SPDX-License-Identifier: MIT
// Multi-level hash of Eitz and Lixu (2007), as they wrote it: the peer to measure against.
//
// Cells of class c are 2^c wide, and an object goes into the class of its longest side [Pouchol
// 2010, eq. 1.25], where it touches at most two cells along each axis. All classes live in one
// table: the class is part of the key [eq. 1.27]. A cell is a chain of objects. A question looks
// into every class that has objects, whether or not there is anything near: that is what the
// top-down hash avoids.
//
// Time stamps spare the clearing of the table from step to step [2.5].
#include "base/memory.h"
#include "space/cell_hash.h"

#define SLOTS_PER_OBJECT 8
#define CLASSES_MAX      64
#define NOTHING          UINT32_MAX

typedef struct ChainSlot {
    uint32_t stamp; // of the build that filled it
    uint32_t head;  // of its chain
} ChainSlot;

typedef struct Link {
    uint32_t id, next;
} Link;

typedef struct MultilevelTable {
    int class_of[CLASSES_MAX], classes; // those that have objects, the largest first
    float size[CLASSES_MAX], inv[CLASSES_MAX];
    float largest[CLASSES_MAX]; // longest side of any object, class by class
    uint32_t stamp;
    ChainSlot *slot;
    size_t slots, slot_room;
    Link *link;
    size_t links, link_room;
} MultilevelTable;

static void find_classes(MultilevelTable *t, const OndSpaceItems *items, double *entries)
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
            t->class_of[t->classes] = items->most - k;
            t->size[t->classes] = ond_class_size(items->most - k);
            t->inv[t->classes] = 1.0f / t->size[t->classes];
            t->largest[t->classes++] = largest[k];
        }
}

static OndStatus make_room(MultilevelTable *t, const OndSpaceItems *items, double entries,
                           OndError *err)
{
    t->slots = ond_table_size((double)SLOTS_PER_OBJECT * items->kept);
    if (t->slots > t->slot_room) {
        ond_free(t->slot);
        t->slot_room = t->slots;
        t->slot = OND_NEW_ARRAY(ChainSlot, t->slot_room);
        t->stamp = 0;
    }
    if (entries > (double)t->link_room) {
        ond_free(t->link);
        t->link_room = (size_t)entries + (size_t)entries / 16;
        t->link = OND_NEW_ARRAY(Link, t->link_room);
    }
    if (!t->slot) t->slot_room = 0;
    if (t->slot && (t->link || entries <= 0.0)) return OND_OK;
    t->link_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for a hash of %.0f entries", entries);
}

static void insert(MultilevelTable *t, uint32_t key, uint32_t id)
{
    ChainSlot *slot = &t->slot[key & (t->slots - 1)];
    if (slot->stamp != t->stamp) *slot = (ChainSlot){t->stamp, NOTHING};
    t->link[t->links] = (Link){id, slot->head};
    slot->head = (uint32_t)t->links++;
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    MultilevelTable *t = state;
    double entries;
    find_classes(t, items, &entries);
    const OndStatus status = make_room(t, items, entries, err);
    if (status != OND_OK) return status;
    if (++t->stamp == 0) { // after 2^32 builds old stamps would look new
        memset(t->slot, 0, t->slot_room * sizeof *t->slot);
        t->stamp = 1;
    }
    t->links = 0;
    for (int i = 0; i < items->count; ++i) {
        const float *side = ond_sides(items, i);
        if (ond_sides_left_out(side)) continue;
        const int c = ond_sides_class(items, side);
        const OndCellRange r = ond_range_of(items, side, 1.0f / ond_class_size(c));
        OND_EACH_CELL(r, at) insert(t, ond_cell_key(at, c), (uint32_t)i);
    }
    return OND_OK;
}

static bool look_into(const MultilevelTable *t, const OndSpaceItems *items, const OndSpaceQuery *q,
                      const int at[3], int k, OndHits *hits)
{
    const int c = t->class_of[k];
    const ChainSlot *slot = &t->slot[ond_cell_key(at, c) & (t->slots - 1)];
    const uint32_t head = slot->stamp == t->stamp ? slot->head : NOTHING;
    if (q->trace) ond_space_show_cell(q, items, at, t->size[k], head == NOTHING);
    for (uint32_t l = head; l != NOTHING; l = t->link[l].next) {
        if (hits->count + 1 >= hits->room && !ond_hits_reserve(hits, 1)) return false;
        ond_hits_try(hits, items, q, t->link[l].id);
    }
    return true;
}

static bool touch(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                  OndHits *hits)
{
    const MultilevelTable *t = state;
    for (int k = 0; k < t->classes; ++k) {
        if (t->largest[k] < q->larger) continue;
        const OndCellRange r = ond_range_asked(items, q, t->inv[k]);
        if (ond_range_wide(&r) && ond_range_count(&r) > items->kept)
            return ond_touch_every(items, q, hits);
        OND_EACH_CELL(r, at)
        {
            if (!look_into(t, items, q, at, k, hits)) return false;
        }
    }
    return true;
}

static size_t bytes(const void *state)
{
    const MultilevelTable *t = state;
    return t->slot_room * sizeof *t->slot + t->link_room * sizeof *t->link;
}

static void clear(void *state)
{
    MultilevelTable *t = state;
    ond_free(t->slot);
    ond_free(t->link);
}

const OndSpaceMethod ond_space_multilevel_hash = {
    .name = "multi-level hash",
    .size = sizeof(MultilevelTable),
    .keeps_sides = true,
    .build = build,
    .touch = touch,
    .bytes = bytes,
    .clear = clear,
};
