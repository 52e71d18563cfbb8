// SPDX-License-Identifier: MIT
// What a structure must be able to do. Only space.c and the structures include this.
//
// A structure never sees the caller's boxes, but a copy in floats, counted from a place in their
// midst and a little too large, so that a box found not to touch really does not. Which of those
// found do touch is decided afterwards (space.c) with the caller's own numbers. A structure may
// name an object several times.
//
// A box is kept as its sides (lo x, lo y, -hi x, -hi y): two boxes touch when no number of one is
// more than the matching number of the other's turned round (hi x, hi y, -lo x, -lo y). One
// comparison of four numbers; in 3D six, filled up to eight.
#ifndef OND_SPACE_SPACE_METHOD_H
#define OND_SPACE_SPACE_METHOD_H

#include "space/hits.h"
#include "space/loops.h"

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct OndSpaceItems {
    int dimension;
    int count;
    int kept;           ///< those that a structure has to hold
    int stride;         ///< floats an object has in `sides`: 4, in 3D 8
    const float *sides; ///< those left out have a first number of INFINITY
    float lo[3], hi[3]; ///< round all kept boxes
    float extent;       ///< longest side of that
    float slack;        ///< by which boxes are too large on each side
    float reach;        ///< usual radius of a question about points; 0: unknown
    float mean;         ///< mean of the boxes' longest sides
    int least, most;    ///< smallest and largest class of size
} OndSpaceItems;

typedef struct OndSpaceQuery {
    const OndLimits *limits;
    float lo[4], hi[4];     ///< 0 in axes that there are not
    float larger;           ///< objects of classes whose boxes are all smaller may be left out
    OndSpaceTraceFn *trace; ///< NULL: nobody watches
    void *watcher;
    const double *origin; ///< of all floats, for the watcher
} OndSpaceQuery;

typedef struct OndPending OndPending;

typedef struct OndSpaceMethod {
    const char *name;
    size_t size;      ///< of its state, zeroed at first
    bool keeps_sides; ///< questions read `items->sides`; else they are freed after `build`
    OndStatus (*build)(void *state, const OndSpaceItems *items, OndError *err);
    /// Adds runs of boxes that are to be tested; NULL: it has `touch`.
    void (*find)(const void *state, const OndSpaceItems *items, const OndSpaceQuery *query,
                 OndPending *pending);
    /// Tests, and appends to hits. False: no memory.
    bool (*touch)(const void *state, const OndSpaceItems *items, const OndSpaceQuery *query,
                  OndHits *hits);
    size_t (*bytes)(const void *state);
    void (*clear)(void *state);
} OndSpaceMethod;

extern const OndSpaceMethod ond_space_uniform_grid, ond_space_uniform_hash,
    ond_space_multilevel_hash, ond_space_topdown_hash, ond_space_hierarchical_grid,
    ond_space_kd_tree;

// ---- classes of size

/// The smallest c with 2^c >= size, for a size above 0.
static inline int ond_class_above(float size)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (int)((bits + 0x7FFFFFu) >> 23) - 127;
}

static inline float ond_class_size(int c)
{
    return ldexpf(1.0f, c);
}

static inline const float *ond_sides(const OndSpaceItems *items, int i)
{
    return items->sides + (size_t)i * (size_t)items->stride;
}
static inline bool ond_sides_left_out(const float *side)
{
    return side[0] == INFINITY;
}
static inline float ond_sides_lo(const float *side, int axis)
{
    return side[axis];
}
static inline float ond_sides_hi(const OndSpaceItems *items, const float *side, int axis)
{
    return -side[items->stride / 2 + axis];
}

/// Longest side of the box as the caller gave it.
static inline float ond_sides_size(const OndSpaceItems *items, const float *side)
{
    float size = 0.0f;
    for (int a = 0; a < items->dimension; ++a) {
        const float s = ond_sides_hi(items, side, a) - ond_sides_lo(side, a);
        size = s > size ? s : size;
    }
    size -= 4.0f * items->slack;
    return size > 0.0f ? size : 0.0f;
}

/// The class an object belongs to: that of its longest side [Pouchol 2010, eq. 1.25].
static inline int ond_sides_class(const OndSpaceItems *items, const float *side)
{
    const float size = ond_sides_size(items, side);
    const int c = size > 0.0f ? ond_class_above(size) : items->least;
    return c < items->least ? items->least : c > items->most ? items->most : c;
}

#define OND_CLASSES_MAX 64

/// Classes with objects, those with few of them joined to the next larger.
typedef struct OndLevels {
    int count;                        ///< of levels; 0 is that of the largest class
    int class_of[OND_CLASSES_MAX];    ///< largest class in each level
    int8_t level_of[OND_CLASSES_MAX]; ///< by class - items->least; only of classes with objects
} OndLevels;

/// A level costs every question a look. A class is joined to the next larger one where its objects
/// are so few that testing those in a larger cell costs less than the look.
void ond_levels_find(OndLevels *levels, const OndSpaceItems *items);

static inline int ond_sides_level(const OndLevels *levels, const OndSpaceItems *items,
                                  const float *side)
{
    return levels->level_of[ond_sides_class(items, side) - items->least];
}

/// Number of the cell that holds x, in cells of 1 / inv.
static inline int ond_cell_of(float x, float inv)
{
    const float at = x * inv;
    const int whole = (int)at; // floorf would be a call
    return whole - (at < (float)whole);
}

/// The same for a whole place, of three numbers and one more.
static inline void ond_cells_of(const float x[4], float inv, int cell[4])
{
    for (int a = 0; a < 4; ++a)
        cell[a] = ond_cell_of(x[a], inv);
}

// ---- testing and collecting

/// Below its limit by so much, a side is so in the caller's numbers too.
static inline float ond_sides_margin(const OndSpaceItems *items)
{
    return 4.0f * items->slack;
}

/// No side is more than its limit, and by `margin` less.
static inline bool ond_sides_below(const float *side, const float *limit, float margin, int stride)
{
#ifdef __SSE2__
    const __m128 less = _mm_set1_ps(margin);
    const __m128 low = _mm_cmple_ps(_mm_add_ps(_mm_loadu_ps(side), less), _mm_loadu_ps(limit));
    if (stride == 4) return _mm_movemask_ps(low) == 15;
    const __m128 high =
        _mm_cmple_ps(_mm_add_ps(_mm_loadu_ps(side + 4), less), _mm_loadu_ps(limit + 4));
    return _mm_movemask_ps(_mm_and_ps(low, high)) == 15;
#else
    bool all = true;
    for (int k = 0; k < stride; ++k)
        all &= side[k] + margin <= limit[k];
    return all;
#endif
}
/// No side is more than its limit.
static inline bool ond_sides_within(const float *side, const float *limit, int stride)
{
#ifdef __SSE2__
    const __m128 low = _mm_cmple_ps(_mm_loadu_ps(side), _mm_loadu_ps(limit));
    if (stride == 4) return _mm_movemask_ps(low) == 15;
    const __m128 high = _mm_cmple_ps(_mm_loadu_ps(side + 4), _mm_loadu_ps(limit + 4));
    return _mm_movemask_ps(_mm_and_ps(low, high)) == 15;
#else
    return ond_sides_below(side, limit, 0.0f, stride);
#endif
}

/// Appends object i when its box may touch; there must be room.
static inline void ond_hits_try(OndHits *hits, const OndSpaceItems *items,
                                const OndSpaceQuery *query, uint32_t i)
{
    const float *side = ond_sides(items, (int)i), *limit = query->limits->limit;
    if (!ond_sides_within(side, limit, items->stride)) return;
    const bool sure = ond_sides_below(side, limit, ond_sides_margin(items), items->stride);
    hits->doubt |= !sure;
    hits->item[hits->count++] = (int)(sure ? i : i | OND_HIT_DOUBT);
}

/// Tells the watcher about a cell of the given size at integer place `at`.
void ond_space_show_cell(const OndSpaceQuery *query, const OndSpaceItems *items, const int at[3],
                         float size, bool empty);

#endif
