// SPDX-License-Identifier: MIT
// Where things are: broad phase and neighbour search, one interface, six structures behind it.
//
// Two questions. Which objects may this box touch: objects are boxes, and a thing that moves is
// asked for, and put in, by the box round its whole path over the step, so that nothing is passed
// through. And who is within r of this point: objects are points, or balls of different radii.
//
// All structures give the same answer, the exact one: boxes that share at least a point, points at
// a distance of at most r, each object once, in increasing order. They differ in time and memory
// (docs/hierarchy.md); when in doubt take OND_SPACE_HIERARCHICAL_GRID.
//
//     OndSpace *space = ond_space_create(OND_SPACE_HIERARCHICAL_GRID, 3, err);
//     ond_space_set_boxes(space, box, count, err);        // each time the boxes have moved
//     OndHits hits = {0};                                  // one a thread, used again and again
//     ond_space_touch(space, &path, &hits, err);
//     for (int k = 0; k < hits.count; ++k) test(hits.item[k]);
//     ond_hits_free(&hits);
//     ond_space_destroy(space);
//
// Questions do not change the space: any number of threads may ask at once, each with hits of its
// own.
#ifndef OND_SPACE_SPACE_H
#define OND_SPACE_SPACE_H

#include "base/vec.h"

#include <ondine/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum OndSpaceKind {
    OND_SPACE_UNIFORM_GRID,
    OND_SPACE_UNIFORM_HASH,
    OND_SPACE_MULTILEVEL_HASH, ///< Eitz and Lixu: every question visits every class of size
    OND_SPACE_TOPDOWN_HASH,    ///< Pouchol: from the largest class down, while there is something
                               ///< below
    OND_SPACE_HIERARCHICAL_GRID,
    OND_SPACE_KD_TREE,
    OND_SPACE_KINDS,
} OndSpaceKind;

/// "uniform grid" and so on.
const char *ond_space_name(OndSpaceKind kind);

typedef struct OndSpace OndSpace;

/// An empty space of 2 or 3 dimensions (in 2D, z is not looked at). NULL on failure.
OndSpace *ond_space_create(OndSpaceKind kind, int dimension, OndError *err);
/// NULL is allowed.
void ond_space_destroy(OndSpace *space);

/// Objects by their boxes, at most 2^28; replaces what was there. The array is not copied: it must
/// stay as it is while questions are asked. Boxes may be points, infinite, or empty (a minimum
/// above its maximum, or not a number): nothing touches an empty box.
OndStatus ond_space_set_boxes(OndSpace *space, const OndBox *box, int count, OndError *err);

/// Points, all alike or balls of different radii.
typedef struct OndSpacePoints {
    const float *x, *y, *z; ///< m; z may be NULL in 2D. Not copied
    const float *radius;    ///< m, of each ball; NULL: all are points. Not copied
    int count;
    double reach; ///< m: radius that ond_space_near will mostly ask for; 0: unknown
} OndSpacePoints;

/// Objects by their centres; replaces what was there. Those with a coordinate or radius that is not
/// a finite number are never found.
OndStatus ond_space_set_points(OndSpace *space, const OndSpacePoints *points, OndError *err);

/// What a question found. Zeroed it is empty and ready.
typedef struct OndHits {
    int *item; ///< increasing
    int count;
    int room;
    uint64_t *mark; ///< scratch: one bit for each object, and sums of those
    int mark_room;
    bool doubt; ///< scratch: some must be tested again
} OndHits;
void ond_hits_free(OndHits *hits);

/// Objects whose boxes share at least a point with `box`. Fails only for want of memory.
OndStatus ond_space_touch(const OndSpace *space, const OndBox *box, OndHits *hits, OndError *err);

/// Points (centres of balls) at a distance of at most r. The space must hold points.
OndStatus ond_space_near(const OndSpace *space, OndVec at, double r, OndHits *hits, OndError *err);

/// Balls that ball i touches (distance at most the sum of radii) and that are larger; of equal size
/// those with a higher index. So each pair is found once, by the smaller. The space must hold
/// points.
OndStatus ond_space_larger(const OndSpace *space, int i, OndHits *hits, OndError *err);

// ---- many questions at once

/// One answer of many; `hits` lasts until the function returns. Called from several threads at a
/// time, `worker` as in base/parallel.h.
typedef void OndSpaceAnswerFn(int question, const OndHits *hits, int worker, void *context);

/// Asks for all boxes, on all threads. Questions are taken in the order of a space-filling curve
/// when there are many, so that neighbours find the structure in the cache.
OndStatus ond_space_touch_all(const OndSpace *space, const OndBox *box, int count,
                              OndSpaceAnswerFn *answer, void *context, OndError *err);
/// Asks for all of the space's own points, with one radius.
OndStatus ond_space_near_all(const OndSpace *space, double r, OndSpaceAnswerFn *answer,
                             void *context, OndError *err);
/// Asks for the larger neighbours of all balls.
OndStatus ond_space_larger_all(const OndSpace *space, OndSpaceAnswerFn *answer, void *context,
                               OndError *err);

// ---- about a space

/// What it holds now: the structure and its copies of boxes, not the caller's arrays.
size_t ond_space_bytes(const OndSpace *space);

/// One cell (or node of a tree) that a question looks at.
typedef void OndSpaceTraceFn(OndBox cell, bool empty, void *context);
/// Shows the cells that ond_space_touch would look at, in its order. For pictures and for counting.
OndStatus ond_space_trace(const OndSpace *space, const OndBox *box, OndSpaceTraceFn *trace,
                          void *context, OndError *err);

#endif
