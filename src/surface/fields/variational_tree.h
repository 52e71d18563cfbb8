// SPDX-License-Identifier: MIT
// The tree of patches: where they are, and which of them are near; inside
// surface/fields/variational_*.c.
#ifndef OND_SURFACE_VARIATIONAL_TREE_H
#define OND_SURFACE_VARIATIONAL_TREE_H

#include "surface/fields/variational.h"

#define OND_PARTS_UNLIKE 3.0 // sizes that differ by more do not share a leaf
#define OND_PARTS_LEVELS 60

typedef struct OndPartsNode {
    double low[3], high[3]; // round all grown boxes below
    uint32_t first, last;   // constraints, in the order of the tree
    int right;              // child; the left one is next in the list. 0: a leaf
    int leaf;
    double least, most; // sizes
    double weight;      // 1 where sizes are the largest, more for smaller ones
} OndPartsNode;

struct OndParts {
    const OndConstraint *list;
    int dimension; // of the patches, time included
    int axes;      // of space
    bool exact;    // one patch for all
    uint32_t *order, *spare;
    OndPartsNode *node;
    OndPatch *patch;
    int *leaf_node; // which node each leaf is
    int nodes, leaves;
    OndStatus *status; // of each leaf
};

/// Makes the node of constraints first to last, of the order so far, and all below it. Returns its
/// index.
int ond_parts_split(OndParts *parts, uint32_t first, uint32_t last, int level);

/// Leaves whose grown box meets a box, in the order of the tree.
typedef struct OndPartsWalk {
    const OndParts *parts;
    double low[3], high[3];
    int stack[OND_PARTS_LEVELS + 2], depth;
} OndPartsWalk;

OndPartsWalk ond_parts_walk(const OndParts *parts, const double low[3], const double high[3]);
/// NULL: there are no more.
const OndPartsNode *ond_parts_next(OndPartsWalk *walk);

#endif
