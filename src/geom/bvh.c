// SPDX-License-Identifier: MIT
#include "geom/bvh.h"

#include "base/random.h"
#include "geom/minmax.h"

#include <math.h>
#include <stdint.h>

#define LEAF_SIZE  4
#define STACK_SIZE 64 // depth is at most 26

// ---- building ------------------------------------------------------------------------------

typedef struct BvhBuilder {
    OndBvh *bvh;
    const OndBox *box;
} BvhBuilder;

static double middle(const OndBox *box, int axis)
{
    return ond_axis(box->min, axis) + ond_axis(box->max, axis);
}

static OndBox join_boxes(const OndBox *box, const int *item, int count)
{
    OndBox all = box[item[0]];
    for (int i = 1; i < count; ++i)
        all = ond_box_join(all, box[item[i]]);
    return all;
}

static void set_node_box(OndBvhNode *node, OndBox box)
{
    for (int k = 0; k < 3; ++k) {
        node->min[k] = nextafterf((float)ond_axis(box.min, k), -INFINITY);
        node->max[k] = nextafterf((float)ond_axis(box.max, k), INFINITY);
    }
}

static int widest_axis(OndBox box)
{
    const OndVec size = ond_sub(box.max, box.min);
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

// Hoare's selection. The pivot is drawn, so no input order is a bad one.
void ond_boxes_select(const OndBox *box, int *item, int first, int last, int place, int axis)
{
    while (last - first > 1) {
        const uint64_t draw = ond_scramble(((uint64_t)first << 32) ^ (uint64_t)last);
        const double pivot =
            middle(&box[item[first + (int)(draw % (uint64_t)(last - first))]], axis);
        int i = first, j = last - 1;
        while (i <= j) {
            while (middle(&box[item[i]], axis) < pivot)
                ++i;
            while (middle(&box[item[j]], axis) > pivot)
                --j;
            if (i > j) break;
            const int swap = item[i];
            item[i++] = item[j];
            item[j--] = swap;
        }
        if (place <= j)
            last = j + 1;
        else if (place >= i)
            first = i;
        else
            return;
    }
}

static void build_node(BvhBuilder *b, int first, int last)
{
    OndBvh *bvh = b->bvh;
    OndBvhNode *node = &bvh->node[bvh->node_count++];
    const OndBox box = join_boxes(b->box, bvh->order + first, last - first);
    set_node_box(node, box);
    if (last - first <= LEAF_SIZE) {
        node->first = first;
        node->count = last - first;
        return;
    }
    const int half = first + (last - first) / 2;
    ond_boxes_select(b->box, b->bvh->order, first, last, half, widest_axis(box));
    build_node(b, first, half);
    node->first = bvh->node_count;
    build_node(b, half, last);
}

bool ond_bvh_build(OndBvh *bvh, OndArena *arena, const OndBox *box, int count)
{
    bvh->node_count = 0;
    bvh->node = NULL;
    bvh->order = NULL;
    if (count <= 0) return true;
    // A leaf holds at least half of LEAF_SIZE things, unless it is the root.
    const size_t leaves = (size_t)count / (LEAF_SIZE / 2) + 1;
    bvh->node = ond_arena_take(arena, 2 * leaves * sizeof(OndBvhNode));
    bvh->order = ond_arena_take(arena, (size_t)count * sizeof(int));
    if (!bvh->node || !bvh->order) return false;
    for (int i = 0; i < count; ++i)
        bvh->order[i] = i;
    BvhBuilder builder = {bvh, box};
    build_node(&builder, 0, count);
    return true;
}

// ---- asking --------------------------------------------------------------------------------

static double box_distance2(const OndBvhNode *node, OndVec p)
{
    const double x = ond_max(ond_max(node->min[0] - p.x, p.x - node->max[0]), 0.0);
    const double y = ond_max(ond_max(node->min[1] - p.y, p.y - node->max[1]), 0.0);
    const double z = ond_max(ond_max(node->min[2] - p.z, p.z - node->max[2]), 0.0);
    return x * x + y * y + z * z;
}

typedef struct Waiting {
    int node;
    double distance2;
} Waiting;

/// Pushes both children, the nearer one on top.
static int push_children(const OndBvh *bvh, int node, OndVec point, Waiting *stack, int top)
{
    const int left = node + 1, right = bvh->node[node].first;
    const Waiting a = {left, box_distance2(&bvh->node[left], point)};
    const Waiting b = {right, box_distance2(&bvh->node[right], point)};
    const bool left_first = a.distance2 <= b.distance2;
    stack[top++] = left_first ? b : a;
    stack[top++] = left_first ? a : b;
    return top;
}

double ond_bvh_nearest(const OndBvh *bvh, OndVec point, OndBvhDistanceFn *distance,
                       const void *context)
{
    double best = INFINITY;
    Waiting stack[STACK_SIZE];
    int top = 0;
    if (bvh->node_count > 0) stack[top++] = (Waiting){0, 0.0};
    while (top > 0) {
        const Waiting next = stack[--top];
        if (next.distance2 >= best) continue;
        const OndBvhNode *node = &bvh->node[next.node];
        if (node->count == 0) {
            top = push_children(bvh, next.node, point, stack, top);
            continue;
        }
        for (int i = 0; i < node->count; ++i)
            best = ond_min(best, distance(context, bvh->order[node->first + i], point));
    }
    return best;
}

static bool meets_half_line(const OndBvhNode *node, OndVec start)
{
    return start.x <= node->max[0] && start.y >= node->min[1] && start.y <= node->max[1] &&
           start.z >= node->min[2] && start.z <= node->max[2];
}

void ond_bvh_along_x(const OndBvh *bvh, OndVec start, OndBvhVisitFn *visit, void *context)
{
    int stack[STACK_SIZE];
    int top = 0;
    if (bvh->node_count > 0) stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *node = &bvh->node[index];
        if (!meets_half_line(node, start)) continue;
        for (int i = 0; i < node->count; ++i)
            visit(context, bvh->order[node->first + i]);
        if (node->count > 0) continue;
        stack[top++] = node->first;
        stack[top++] = index + 1;
    }
}
