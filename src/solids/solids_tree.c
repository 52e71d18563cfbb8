// SPDX-License-Identifier: MIT
#include "solids/solids_tree.h"

#include "geom/bvh.h"
#include "geom/minmax.h"

#include <string.h>

// ---- the order of the triangles --------------------------------------------------------------

typedef struct BoxSorting {
    const OndBox *box;
    int *order;
} BoxSorting;

static double middle(const BoxSorting *s, int item, int axis)
{
    return ond_axis(s->box[item].min, axis) + ond_axis(s->box[item].max, axis);
}

static int widest_axis(const BoxSorting *s, int first, int last)
{
    int best = 0;
    double widest = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int i = first; i < last; ++i) {
            const double m = middle(s, s->order[i], axis);
            low = ond_min(low, m);
            high = ond_max(high, m);
        }
        if (!(high - low > widest)) continue;
        widest = high - low;
        best = axis;
    }
    return best;
}

/// Cuts where a power of two ends, so that blocks and nodes are whole.
static void sort_range(const BoxSorting *s, int first, int last)
{
    while (last - first > OND_BOX_TREE_WIDE) {
        int half = OND_BOX_TREE_WIDE;
        while (2 * half < last - first)
            half *= 2;
        ond_boxes_select(s->box, s->order, first, last, first + half, widest_axis(s, first, last));
        sort_range(s, first, first + half);
        first += half;
    }
}

// ---- boxes and cones -------------------------------------------------------------------------

typedef struct Child {
    float min[3], max[3], axis[3], cosine;
} Child;

static Child no_child(void)
{
    const Child none = {{INFINITY, INFINITY, INFINITY},
                        {-INFINITY, -INFINITY, -INFINITY},
                        {0.0f, 0.0f, 0.0f},
                        1.0f};
    return none;
}

/// The cone round several: their mean axis, and the widest angle of any from it.
static void join_cones(const Child *child, int count, Child *out)
{
    double sum[3] = {0, 0, 0}, widest = 0.0;
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < 3; ++a)
            sum[a] += child[i].axis[a];
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int i = 0; i < count; ++i) {
        double along = 0.0;
        for (int a = 0; a < 3; ++a)
            along += sum[a] / (length > 0.0 ? length : 1.0) * child[i].axis[a];
        const double angle =
            acos(ond_clamp(along, -1.0, 1.0)) + acos(ond_clamp(child[i].cosine, 0.0, 1.0));
        widest = ond_max(widest, child[i].cosine > 0.0f ? angle : 2.0);
    }
    for (int a = 0; a < 3; ++a)
        out->axis[a] = length > 0.0 ? (float)(sum[a] / length) : 0.0f;
    out->cosine = widest < 1.57 && length > 0.0 ? (float)cos(widest) : 0.0f;
}

static Child join_children(const Child *child, int count)
{
    Child all = no_child();
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < 3; ++a) {
            all.min[a] = child[i].min[a] < all.min[a] ? child[i].min[a] : all.min[a];
            all.max[a] = child[i].max[a] > all.max[a] ? child[i].max[a] : all.max[a];
        }
    if (count > 0) join_cones(child, count, &all);
    return all;
}

static Child child_of_triangle(const OndBoxTreeSource *source, int t)
{
    Child child = {0};
    for (int a = 0; a < 3; ++a) {
        child.min[a] = nextafterf((float)ond_axis(source->box[t].min, a), -INFINITY);
        child.max[a] = nextafterf((float)ond_axis(source->box[t].max, a), INFINITY);
        if (source->axis) child.axis[a] = (float)ond_axis(source->axis[t], a);
    }
    if (source->cosine) child.cosine = source->cosine[t];
    return child;
}

/// A box as middle and half its size, never smaller than it was.
static float set_span(OndFour *middle, OndFour *half, int k, float min, float max)
{
    const double size = 0.5 * ((double)max - min);
    (*middle)[k] = (float)(0.5 * ((double)max + min));
    (*half)[k] = (float)(size * (1.0 + 1e-6) + 1e-6 * fabs((*middle)[k]));
    return (*half)[k];
}

static void set_child(OndBoxTreeNode *node, int k, const Child *child)
{
    if (!(child->min[0] <= child->max[0])) { // nobody is near to it
        node->middle.x[k] = INFINITY;
        return;
    }
    const float x = set_span(&node->middle.x, &node->half.x, k, child->min[0], child->max[0]);
    const float y = set_span(&node->middle.y, &node->half.y, k, child->min[1], child->max[1]);
    const float z = set_span(&node->middle.z, &node->half.z, k, child->min[2], child->max[2]);
    node->size[k] = sqrtf(x * x + y * y + z * z);
    node->axis.x[k] = child->axis[0];
    node->axis.y[k] = child->axis[1];
    node->axis.z[k] = child->axis[2];
    node->cosine[k] = child->cosine;
    node->sine[k] = sqrtf(1.0f - child->cosine * child->cosine);
}

static Child get_child(const OndBoxTreeNode *n, int k)
{
    const Child child = {{n->middle.x[k] - n->half.x[k], n->middle.y[k] - n->half.y[k],
                          n->middle.z[k] - n->half.z[k]},
                         {n->middle.x[k] + n->half.x[k], n->middle.y[k] + n->half.y[k],
                          n->middle.z[k] + n->half.z[k]},
                         {n->axis.x[k], n->axis.y[k], n->axis.z[k]},
                         n->cosine[k]};
    return child;
}

// ---- filling ---------------------------------------------------------------------------------

static void set_lane(OndFour3 *four, int k, OndVec p)
{
    four->x[k] = (float)p.x;
    four->y[k] = (float)p.y;
    four->z[k] = (float)p.z;
}

static Child fill_block(OndBoxTreeBlock *block, const OndBoxTreeSource *source)
{
    Child child[OND_BOX_TREE_WIDE];
    int count = 0;
    for (int k = 0; k < OND_BOX_TREE_WIDE; ++k) {
        const int t = block->triangle[k] >= 0 ? block->triangle[k] : block->triangle[0];
        if (block->triangle[k] >= 0) child[count++] = child_of_triangle(source, t);
        if (source->speaks) block->speaks[k] = source->speaks[t];
        for (int c = 0; source->corner && c < 3; ++c) {
            set_lane(&block->corner[c], k, source->corner[3 * (size_t)t + c]);
            set_lane(&block->beyond[c], k, source->beyond[3 * (size_t)t + c]);
        }
    }
    return join_children(child, count);
}

static Child join_node(const OndBoxTreeNode *node)
{
    Child child[OND_BOX_TREE_WIDE];
    int count = 0;
    for (int k = 0; k < OND_BOX_TREE_WIDE; ++k)
        if (node->middle.x[k] < INFINITY) child[count++] = get_child(node, k);
    return join_children(child, count);
}

void ond_box_tree_fit(OndBoxTree *tree, const OndBoxTreeSource *source)
{
    int below = tree->blocks;
    for (int level = 0; level < tree->levels; ++level) {
        OndBoxTreeNode *node = tree->node + tree->first[level];
        const int count = (below + OND_BOX_TREE_WIDE - 1) / OND_BOX_TREE_WIDE;
        for (int i = 0; i < OND_BOX_TREE_WIDE * count; ++i) {
            Child child = no_child();
            if (i < below && level == 0) child = fill_block(&tree->block[i], source);
            if (i < below && level > 0) child = join_node(&tree->node[tree->first[level - 1] + i]);
            set_child(&node[i / OND_BOX_TREE_WIDE], i % OND_BOX_TREE_WIDE, &child);
        }
        below = count;
    }
}

void ond_box_tree_refit(OndBoxTree *tree, const OndBoxTreeSource *source, int block)
{
    Child child = fill_block(&tree->block[block], source);
    int index = block;
    for (int level = 0; level < tree->levels; ++level) {
        OndBoxTreeNode *node = &tree->node[tree->first[level] + index / OND_BOX_TREE_WIDE];
        set_child(node, index % OND_BOX_TREE_WIDE, &child);
        child = join_node(node);
        index /= OND_BOX_TREE_WIDE;
    }
}

static int lay_levels(OndBoxTree *tree)
{
    int nodes = 0, below = tree->blocks;
    tree->levels = 0;
    do {
        below = (below + OND_BOX_TREE_WIDE - 1) / OND_BOX_TREE_WIDE;
        tree->first[tree->levels++] = nodes;
        nodes += below;
    } while (below > 1);
    return nodes;
}

static void name_triangles(OndBoxTree *tree, const int *order, int count)
{
    for (int i = 0; i < OND_BOX_TREE_WIDE * tree->blocks; ++i)
        tree->block[i / OND_BOX_TREE_WIDE].triangle[i % OND_BOX_TREE_WIDE] =
            i < count ? order[i] : -1;
}

bool ond_box_tree_build(OndBoxTree *tree, OndArena *arena, const OndBoxTreeSource *source)
{
    memset(tree, 0, sizeof *tree);
    if (source->count <= 0) return true;
    int *order = OND_NEW_ARRAY(int, source->count);
    tree->blocks = (source->count + OND_BOX_TREE_WIDE - 1) / OND_BOX_TREE_WIDE;
    const int nodes = lay_levels(tree);
    tree->node = ond_arena_take(arena, (size_t)nodes * sizeof *tree->node);
    tree->block = ond_arena_take(arena, (size_t)tree->blocks * sizeof *tree->block);
    const bool room = order && tree->node && tree->block;
    if (room) {
        const BoxSorting sorting = {source->box, order};
        for (int i = 0; i < source->count; ++i)
            order[i] = i;
        sort_range(&sorting, 0, source->count);
        name_triangles(tree, order, source->count);
        ond_box_tree_fit(tree, source);
    }
    ond_free(order);
    if (!room) tree->blocks = 0;
    return room;
}

OndBox ond_box_tree_bounds(const OndBoxTree *tree)
{
    const Child all =
        tree->blocks > 0 ? join_node(&tree->node[tree->first[tree->levels - 1]]) : no_child();
    const OndBox box = {{all.min[0], all.min[1], all.min[2]}, {all.max[0], all.max[1], all.max[2]}};
    return box;
}

size_t ond_box_tree_bytes(const OndBoxTree *tree)
{
    if (tree->blocks == 0) return 0;
    const int nodes = tree->first[tree->levels - 1] + 1;
    return (size_t)nodes * sizeof(OndBoxTreeNode) + (size_t)tree->blocks * sizeof(OndBoxTreeBlock);
}
