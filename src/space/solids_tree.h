// SPDX-License-Identifier: MIT
// A tree of boxes over the triangles of a mesh, four children wide; inside src/space only.
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
#ifndef OND_SPACE_SOLIDS_TREE_H
#define OND_SPACE_SOLIDS_TREE_H

#include "base/memory.h"
#include "space/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OND_TREE_WIDE   4
#define OND_TREE_LEVELS 14 // 4^14 triangles
#define OND_TREE_STACK  64

typedef struct OndTreeNode { // of the four children:
    OndFour3 middle, half;   ///< boxes
    OndFour size;            ///< half their diagonals
    OndFour3 axis;           ///< middle of their normals
    OndFour cosine, sine;    ///< of the widest angle from it
} OndTreeNode;
_Static_assert(sizeof(OndTreeNode) == 192, "three cache lines");

typedef struct OndTreeBlock {
    OndFour3 corner[3];
    OndFour3 beyond[3];          ///< the way into the neighbour at each edge; 0: there is none
    int triangle[OND_TREE_WIDE]; ///< -1: none
    unsigned char speaks[OND_TREE_WIDE]; ///< a bit for each corner where it speaks for all round it
} OndTreeBlock;

typedef struct OndTree {
    OndTreeNode *node;
    OndTreeBlock *block;
    int first[OND_TREE_LEVELS]; ///< first node of each level; level 0 holds blocks
    int levels, blocks;
} OndTree;

/// What the tree is made from. It may be of other things than triangles: then there are boxes only.
typedef struct OndTreeSource {
    int count;
    const OndBox *box;    ///< of each triangle
    const OndVec *corner; ///< three each
    const OndVec *beyond; ///< three each, see OndTreeBlock
    const OndVec *axis;   ///< of the cone of all normals round the triangle; and its cosine
    const float *cosine;
    const unsigned char *speaks; ///< see OndTreeBlock
} OndTreeSource;

bool ond_tree_build(OndTree *tree, OndArena *arena, const OndTreeSource *source);
/// The same triangles elsewhere.
void ond_tree_fit(OndTree *tree, const OndTreeSource *source);
/// Only what is in one block is elsewhere.
void ond_tree_refit(OndTree *tree, const OndTreeSource *source, int block);
OndBox ond_tree_bounds(const OndTree *tree);
size_t ond_tree_bytes(const OndTree *tree);

/// Corners of one triangle of a block: the floats of the mesh.
static inline void ond_tree_corners(const OndTreeBlock *block, int lane, OndVec corner[3])
{
    for (int c = 0; c < 3; ++c)
        corner[c] =
            ond_vec(block->corner[c].x[lane], block->corner[c].y[lane], block->corner[c].z[lane]);
}

// ---- walking -----------------------------------------------------------------------------------

/// Nodes that wait: level and index in one.
typedef struct OndTreeWalk {
    uint32_t stack[OND_TREE_STACK];
    int top;
} OndTreeWalk;

#define OND_TREE_INDEX_BITS 25

static inline void ond_tree_push(OndTreeWalk *walk, int level, int index)
{
    walk->stack[walk->top++] = (uint32_t)level << OND_TREE_INDEX_BITS | (uint32_t)index;
}
static inline void ond_tree_begin(OndTreeWalk *walk, const OndTree *tree)
{
    walk->top = 0;
    if (tree->blocks > 0) ond_tree_push(walk, tree->levels - 1, 0);
}
/// The next node to look at; NULL: there is none.
static inline const OndTreeNode *ond_tree_pop(OndTreeWalk *walk, const OndTree *tree, int *level,
                                              int *index)
{
    if (walk->top == 0) return NULL;
    const uint32_t next = walk->stack[--walk->top];
    *level = (int)(next >> OND_TREE_INDEX_BITS);
    *index = (int)(next & ((1u << OND_TREE_INDEX_BITS) - 1));
    return &tree->node[tree->first[*level] + *index];
}

/// Asks the memory for a block that will be looked at soon.
static inline void ond_tree_fetch(const OndTreeBlock *block)
{
    for (size_t at = 0; at < sizeof *block; at += 64)
        __builtin_prefetch((const char *)block + at);
}

/// Pushes the children in `which` (a bit each), the nearest last, so that it comes first.
static inline void ond_tree_push_nearest_last(OndTreeWalk *walk, unsigned which, OndFour distance2,
                                              int level, int index)
{
    const int base = walk->top;
    float waiting[OND_TREE_WIDE];
    for (; which; which &= which - 1) {
        const int k = __builtin_ctz(which);
        int i = walk->top - base;
        ond_tree_push(walk, level, OND_TREE_WIDE * index + k);
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
static inline OndFour ond_tree_distances(const OndTreeNode *n, OndFour3 p)
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

static inline unsigned ond_tree_boxes_met(const OndTreeNode *n, const OndTreeBox *box)
{
    const OndFour3 way = ond_four_sub(box->middle, n->middle);
    return ond_four_bits((ond_four_abs(way.x) <= n->half.x + box->half.x) &
                         (ond_four_abs(way.y) <= n->half.y + box->half.y) &
                         (ond_four_abs(way.z) <= n->half.z + box->half.z));
}

/// Which children may hold a place whose normal leads to p: the way from the middle of the box to p
/// is as near to the cone's axis as cone and box together can be.
static inline OndFourMask ond_tree_facing(const OndTreeNode *n, OndFour3 p)
{
    const OndFour3 way = ond_four_sub(p, n->middle);
    const OndFour over = ond_four_above(ond_four_dot(way, way) - n->size * n->size);
    const OndFour along = ond_four_abs(ond_four_dot(way, n->axis)) + n->sine * n->size;
    return along * along >= n->cosine * n->cosine * over;
}

#endif
