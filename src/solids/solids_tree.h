// SPDX-License-Identifier: MIT
// A tree of boxes over the triangles of a mesh, four children wide; inside src/solids only.
//
// Triangles are sorted as a kd-tree would, cut where whole blocks of four end, so that the tree
// needs no pointers: node i of a level holds nodes 4i to 4i + 3 of the level below, the lowest ones
// hold blocks of four triangles. Four boxes or four triangles are asked at once, in floats; what
// passes is asked exactly.
//
// Besides its box each child has a cone that all its normals lie in. A place can only be nearer to
// a point than all places round it when the point stands in the direction of the normals there
// [Johnson and Cohen 2001]; so a question about such places leaves out most of a surface that is
// within reach. Blocks say the same of single triangles: a point beside a triangle is nearest to
// one of its edges only where it does not stand over the neighbour there.
#ifndef OND_SOLIDS_TREE_H
#define OND_SOLIDS_TREE_H

#include "base/memory.h"
#include "space/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OND_BOX_TREE_WIDE   4
#define OND_BOX_TREE_LEVELS 14 // 4^14 triangles
#define OND_BOX_TREE_STACK  64

typedef struct OndBoxTreeNode { // of the four children:
    OndFour3 middle, half;      ///< boxes
    OndFour size;               ///< half their diagonals
    OndFour3 axis;              ///< middle of their normals
    OndFour cosine, sine;       ///< of the widest angle from it
} OndBoxTreeNode;
_Static_assert(sizeof(OndBoxTreeNode) == 192, "three cache lines");

typedef struct OndBoxTreeBlock {
    OndFour3 corner[3];
    OndFour3 beyond[3];              ///< the way into the neighbour at each edge; 0: there is none
    int triangle[OND_BOX_TREE_WIDE]; ///< -1: none
    unsigned char
        speaks[OND_BOX_TREE_WIDE]; ///< a bit for each corner where it speaks for all round it
} OndBoxTreeBlock;

typedef struct OndBoxTree {
    OndBoxTreeNode *node;
    OndBoxTreeBlock *block;
    int first[OND_BOX_TREE_LEVELS]; ///< first node of each level; level 0 holds blocks
    int levels, blocks;
} OndBoxTree;

/// What the tree is made from. It may be of other things than triangles: then there are boxes only.
typedef struct OndBoxTreeSource {
    int count;
    const OndBox *box;    ///< of each triangle
    const OndVec *corner; ///< three each
    const OndVec *beyond; ///< three each, see OndBoxTreeBlock
    const OndVec *axis;   ///< of the cone of all normals round the triangle; and its cosine
    const float *cosine;
    const unsigned char *speaks; ///< see OndBoxTreeBlock
} OndBoxTreeSource;

bool ond_box_tree_build(OndBoxTree *tree, OndArena *arena, const OndBoxTreeSource *source);
/// The same triangles elsewhere.
void ond_box_tree_fit(OndBoxTree *tree, const OndBoxTreeSource *source);
/// Only what is in one block is elsewhere.
void ond_box_tree_refit(OndBoxTree *tree, const OndBoxTreeSource *source, int block);
OndBox ond_box_tree_bounds(const OndBoxTree *tree);
size_t ond_box_tree_bytes(const OndBoxTree *tree);

/// Corners of one triangle of a block: the floats of the mesh.
static inline void ond_box_tree_corners(const OndBoxTreeBlock *block, int lane, OndVec corner[3])
{
    for (int c = 0; c < 3; ++c)
        corner[c] =
            ond_vec(block->corner[c].x[lane], block->corner[c].y[lane], block->corner[c].z[lane]);
}

// ---- walking -----------------------------------------------------------------------------------

/// Nodes that wait: level and index in one.
typedef struct OndBoxTreeWalk {
    uint32_t stack[OND_BOX_TREE_STACK];
    int top;
} OndBoxTreeWalk;

#define OND_BOX_TREE_INDEX_BITS 25

static inline void ond_box_tree_push(OndBoxTreeWalk *walk, int level, int index)
{
    walk->stack[walk->top++] = (uint32_t)level << OND_BOX_TREE_INDEX_BITS | (uint32_t)index;
}
static inline void ond_box_tree_begin(OndBoxTreeWalk *walk, const OndBoxTree *tree)
{
    walk->top = 0;
    if (tree->blocks > 0) ond_box_tree_push(walk, tree->levels - 1, 0);
}
/// The next node to look at; NULL: there is none.
static inline const OndBoxTreeNode *ond_box_tree_pop(OndBoxTreeWalk *walk, const OndBoxTree *tree,
                                                     int *level, int *index)
{
    if (walk->top == 0) return NULL;
    const uint32_t next = walk->stack[--walk->top];
    *level = (int)(next >> OND_BOX_TREE_INDEX_BITS);
    *index = (int)(next & ((1u << OND_BOX_TREE_INDEX_BITS) - 1));
    return &tree->node[tree->first[*level] + *index];
}

/// Asks the memory for a block that will be looked at soon.
static inline void ond_box_tree_fetch(const OndBoxTreeBlock *block)
{
    for (size_t at = 0; at < sizeof *block; at += 64)
        __builtin_prefetch((const char *)block + at);
}

/// Pushes the children in `which` (a bit each), the nearest last, so that it comes first.
static inline void ond_tree_push_nearest_last(OndBoxTreeWalk *walk, unsigned which,
                                              OndFour distance2, int level, int index)
{
    const int base = walk->top;
    float waiting[OND_BOX_TREE_WIDE];
    for (; which; which &= which - 1) {
        const int k = __builtin_ctz(which);
        int i = walk->top - base;
        ond_box_tree_push(walk, level, OND_BOX_TREE_WIDE * index + k);
        const uint32_t one = walk->stack[walk->top - 1];
        for (; i > 0 && waiting[i - 1] < distance2[k]; --i) {
            waiting[i] = waiting[i - 1];
            walk->stack[base + i] = walk->stack[base + i - 1];
        }
        waiting[i] = distance2[k];
        walk->stack[base + i] = one;
    }
}

/// Squared distance from a point to each child's box.
static inline OndFour ond_box_tree_distances(const OndBoxTreeNode *n, OndFour3 p)
{
    const OndFour3 way = ond_four_sub(p, n->middle);
    const OndFour x = ond_four_above(ond_four_abs(way.x) - n->half.x);
    const OndFour y = ond_four_above(ond_four_abs(way.y) - n->half.y);
    const OndFour z = ond_four_above(ond_four_abs(way.z) - n->half.z);
    return x * x + y * y + z * z;
}

/// A box that is asked for, the same in all lanes.
typedef struct OndTreeBox {
    OndFour3 middle, half;
} OndTreeBox;

static inline unsigned ond_tree_boxes_met(const OndBoxTreeNode *n, const OndTreeBox *box)
{
    const OndFour3 way = ond_four_sub(box->middle, n->middle);
    return ond_four_bits((ond_four_abs(way.x) <= n->half.x + box->half.x) &
                         (ond_four_abs(way.y) <= n->half.y + box->half.y) &
                         (ond_four_abs(way.z) <= n->half.z + box->half.z));
}

/// Which children may hold a place whose normal leads to p: the way from the middle of the box to p
/// is as near to the cone's axis as cone and box together can be.
static inline OndFourMask ond_box_tree_facing(const OndBoxTreeNode *n, OndFour3 p)
{
    const OndFour3 way = ond_four_sub(p, n->middle);
    const OndFour over = ond_four_above(ond_four_dot(way, way) - n->size * n->size);
    const OndFour along = ond_four_abs(ond_four_dot(way, n->axis)) + n->sine * n->size;
    return along * along >= n->cosine * n->cosine * over;
}

#endif
