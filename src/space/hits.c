// SPDX-License-Identifier: MIT
// What a question found, put in order.
//
// A structure names objects in its own order, some of them several times. Few are sorted by
// insertion. Many are marked, one bit for each object, with a bit for each word of marks above that
// and one more level on top; reading the marks back in order sorts and drops repeats at once.
#include "space/hits.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FEW       24
#define MARKS_MAX (1 << 26) // more objects than that and marks would take too much memory

void ond_hits_free(OndHits *hits)
{
    ond_free(hits->item);
    ond_free(hits->mark);
    memset(hits, 0, sizeof *hits);
}

bool ond_hits_grow(OndHits *hits, size_t more)
{
    const size_t want = (size_t)hits->count + more + OND_HITS_SPARE;
    if (want > INT32_MAX / 2) return false;
    const size_t room = want + want / 2 + 64;
    int *item = OND_NEW_ARRAY(int, room);
    if (!item) return false;
    if (hits->count) memcpy(item, hits->item, (size_t)hits->count * sizeof *item);
    ond_free(hits->item);
    hits->item = item, hits->room = (int)room;
    return true;
}

static void sort_few(OndHits *hits)
{
    int n = 0;
    for (int k = 0; k < hits->count; ++k) {
        const int item = hits->item[k];
        int at = n;
        while (at > 0 && hits->item[at - 1] > item)
            --at;
        if (at > 0 && hits->item[at - 1] == item) continue;
        for (int m = n++; m > at; --m)
            hits->item[m] = hits->item[m - 1];
        hits->item[at] = item;
    }
    hits->count = n;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_slowly(OndHits *hits)
{
    qsort(hits->item, (size_t)hits->count, sizeof(int), compare);
    int n = 0;
    for (int k = 0; k < hits->count; ++k)
        if (n == 0 || hits->item[n - 1] != hits->item[k]) hits->item[n++] = hits->item[k];
    hits->count = n;
}

static inline int words(int bits)
{
    return (bits + 63) / 64;
}

// Marks of `objects` objects, all clear between uses; NULL for want of memory.
static uint64_t *make_marks(OndHits *hits, int objects)
{
    const int low = words(objects), middle = words(low), top = words(middle);
    if (low + middle + top <= hits->mark_room) return hits->mark;
    ond_free(hits->mark);
    hits->mark_room = low + middle + top;
    hits->mark = OND_NEW_ARRAY(uint64_t, hits->mark_room);
    if (!hits->mark) hits->mark_room = 0;
    return hits->mark;
}

static inline int lowest(uint64_t word)
{
    return __builtin_ctzll(word);
}

static void sort_by_marks(OndHits *hits, int objects, uint64_t *top)
{
    const int middle_words = words(words(objects)), top_words = words(middle_words);
    uint64_t *middle = top + top_words, *low = middle + middle_words;
    for (int k = 0; k < hits->count; ++k) {
        const uint32_t i = (uint32_t)hits->item[k];
        if (!middle[i >> 12]) top[i >> 18] |= 1ull << (i >> 12 & 63);
        if (!low[i >> 6]) middle[i >> 12] |= 1ull << (i >> 6 & 63);
        low[i >> 6] |= 1ull << (i & 63);
    }
    int n = 0;
    for (int t = 0; t < top_words; ++t)
        for (; top[t]; top[t] &= top[t] - 1) {
            const int m = 64 * t + lowest(top[t]);
            for (; middle[m]; middle[m] &= middle[m] - 1) {
                const int l = 64 * m + lowest(middle[m]);
                for (uint64_t word = low[l]; word; word &= word - 1)
                    hits->item[n++] = 64 * l + lowest(word);
                low[l] = 0;
            }
        }
    hits->count = n;
}

void ond_hits_sort_many(OndHits *hits, int objects)
{
    if (hits->count <= FEW) {
        sort_few(hits);
        return;
    }
    uint64_t *marks = objects <= MARKS_MAX ? make_marks(hits, objects) : NULL;
    if (marks)
        sort_by_marks(hits, objects, marks);
    else
        sort_slowly(hits);
}
