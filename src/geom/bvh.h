// SPDX-License-Identifier: MIT
// A tree of boxes over many small things (triangles, line segments), for two questions: which is
// nearest to a point, and which does a line along x meet.
//
// The tree knows only the things' boxes; the exact geometry is asked through a function. It is cut
// at the median, so its depth is the logarithm of the count whatever the input.
#ifndef OND_GEOM_BVH_H
#define OND_GEOM_BVH_H

#include "base/memory.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct OndBvhNode {
    float min[3], max[3]; ///< rounded outwards
    int first;            ///< leaf: first place in `order`; inner: the right child (left is next)
    int count;            ///< things in a leaf; 0 for inner nodes
} OndBvhNode;

typedef struct OndBvh {
    OndBvhNode *node; ///< node[0] is the root
    int *order;       ///< things, those of one leaf side by side
    int node_count;   ///< 0: nothing in it
} OndBvh;

/// Builds over `count` things (at most 2^26) with finite boxes; memory comes from `arena`. False
/// when there is none.
bool ond_bvh_build(OndBvh *bvh, OndArena *arena, const OndBox *box, int count);

/// Reorders items [first, last) so that the one at `place` has none with a smaller middle along
/// `axis` behind it, and none with a larger one before it.
void ond_boxes_select(const OndBox *box, int *item, int first, int last, int place, int axis);

/// Squared distance from `point` to thing `item`.
typedef double OndBvhDistanceFn(const void *context, int item, OndVec point);
/// The smallest of all squared distances; INFINITY for an empty tree.
double ond_bvh_nearest(const OndBvh *bvh, OndVec point, OndBvhDistanceFn *distance,
                       const void *context);

typedef void OndBvhVisitFn(void *context, int item);
/// Visits every thing whose box meets the half-line from `start` along +x (and maybe a few more
/// that it misses by a rounding error).
void ond_bvh_along_x(const OndBvh *bvh, OndVec start, OndBvhVisitFn *visit, void *context);

#endif
