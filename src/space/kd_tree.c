// SPDX-License-Identifier: MIT
// kd-tree: objects cut in two halves again and again, each time along the longest side of the box
// round their middles.
//
// The cut goes by number, so the tree is a complete one and needs no pointers: the children of node
// k are 2k + 1 and 2k + 2. Each node keeps the box round its objects, which for points is what a
// kd-tree knows anyway and for boxes is what makes it right where they overlap the cut. Objects of
// a leaf stand side by side in memory.
#include "base/memory.h"
#include "base/parallel.h"
#include "space/pending.h"

#define LEAF       16 // objects at most
#define DEPTH_MAX  28
#define TASK_DEPTH 5 // subtrees below it are built side by side

typedef struct Tree {
    float *node; // sides of each node's box, `stride` numbers as in OndSpaceItems
    size_t node_room;
    int depth; // of the leaves
    int kept;
    OndRows rows;
} Tree;

typedef struct Build {
    Tree *tree;
    const OndSpaceItems *items;
    uint32_t *order; // objects, those of a node side by side
} Build;

// Objects of the node that is number `at` at its depth: those from here on, up to the next.
static inline uint32_t first_of(const Tree *t, int depth, uint32_t at)
{
    return (uint32_t)(((uint64_t)t->kept * at) >> depth);
}

static inline size_t node_at(int depth, uint32_t at)
{
    return ((size_t)1 << depth) - 1 + at;
}

// ---- building

static inline float middle(const OndSpaceItems *items, uint32_t i, int axis)
{
    const float *side = ond_sides(items, (int)i);
    return side[axis] - side[items->stride / 2 + axis]; // twice the middle does as well
}

static inline bool before(const OndSpaceItems *items, uint32_t i, uint32_t j, int axis)
{
    const float x = middle(items, i, axis), y = middle(items, j, axis);
    return x < y || (x == y && i < j);
}

// Moves the k smallest along the axis to the front.
static void select_front(const OndSpaceItems *items, uint32_t *order, uint32_t count, uint32_t k,
                         int axis)
{
    uint32_t first = 0, last = count - 1;
    while (first < last) {
        const uint32_t pivot = order[first + (last - first) / 2];
        uint32_t i = first, j = last;
        for (;;) {
            while (before(items, order[i], pivot, axis))
                ++i;
            while (before(items, pivot, order[j], axis))
                --j;
            if (i >= j) break;
            const uint32_t swap = order[i];
            order[i++] = order[j], order[j--] = swap;
        }
        if (k <= j)
            last = j;
        else
            first = j + 1;
    }
}

static int longest_axis(const OndSpaceItems *items, const uint32_t *order, uint32_t count)
{
    int best = 0;
    float most = -1.0f;
    for (int a = 0; a < items->dimension; ++a) {
        float lo = INFINITY, hi = -INFINITY;
        for (uint32_t k = 0; k < count; ++k) {
            const float at = middle(items, order[k], a);
            lo = at < lo ? at : lo, hi = at > hi ? at : hi;
        }
        if (hi - lo > most) most = hi - lo, best = a;
    }
    return best;
}

static void close_leaf(const Build *b, uint32_t first, uint32_t last, float *node)
{
    const int stride = b->items->stride;
    for (int s = 0; s < stride; ++s)
        node[s] = INFINITY;
    for (uint32_t k = first; k < last; ++k) {
        const float *side = ond_sides(b->items, (int)b->order[k]);
        for (int s = 0; s < stride; ++s)
            node[s] = side[s] < node[s] ? side[s] : node[s];
        ond_rows_put(&b->tree->rows, b->items, (int)b->order[k], k);
    }
}

static void join_children(const Build *b, size_t k)
{
    const int stride = b->items->stride;
    float *node = b->tree->node + k * (size_t)stride;
    const float *left = b->tree->node + (2 * k + 1) * (size_t)stride, *right = left + stride;
    for (int s = 0; s < stride; ++s)
        node[s] = left[s] < right[s] ? left[s] : right[s];
}

static void cut(const Build *b, int depth, uint32_t at)
{
    const uint32_t first = first_of(b->tree, depth, at), last = first_of(b->tree, depth, at + 1);
    const uint32_t half = first_of(b->tree, depth + 1, 2 * at + 1);
    if (half == first || half == last) return;
    uint32_t *order = b->order + first;
    select_front(b->items, order, last - first, half - first,
                 longest_axis(b->items, order, last - first));
}

static void build_below(const Build *b, int depth, uint32_t at)
{
    const Tree *t = b->tree;
    if (depth == t->depth) {
        close_leaf(b, first_of(t, depth, at), first_of(t, depth, at + 1),
                   t->node + node_at(depth, at) * (size_t)b->items->stride);
        return;
    }
    cut(b, depth, at);
    build_below(b, depth + 1, 2 * at);
    build_below(b, depth + 1, 2 * at + 1);
    join_children(b, node_at(depth, at));
}

typedef struct Tasks {
    const Build *build;
    int depth;
    bool cut_only;
} Tasks;

static void run_tasks(int first, int last, int worker, void *context)
{
    const Tasks *t = context;
    for (int at = first; at < last; ++at)
        if (t->cut_only)
            cut(t->build, t->depth, (uint32_t)at);
        else
            build_below(t->build, t->depth, (uint32_t)at);
}

static void build_all(const Build *b)
{
    const int depth = b->tree->depth < TASK_DEPTH ? b->tree->depth : TASK_DEPTH;
    for (int d = 0; d < depth; ++d) {
        Tasks cuts = {b, d, true};
        ond_parallel_for(1 << d, 1, run_tasks, &cuts);
    }
    Tasks rest = {b, depth, false};
    ond_parallel_for(1 << depth, 1, run_tasks, &rest);
    for (size_t k = node_at(depth, 0); k-- > 0;)
        join_children(b, k);
}

static OndStatus make_room(Tree *t, const OndSpaceItems *items, OndError *err)
{
    t->kept = items->kept;
    t->depth = 0;
    while (((int64_t)LEAF << t->depth) < t->kept && t->depth < DEPTH_MAX)
        ++t->depth;
    const size_t want = (((size_t)2 << t->depth) - 1) * (size_t)items->stride;
    if (want > t->node_room) {
        ond_free(t->node);
        t->node_room = want;
        t->node = OND_NEW_ARRAY(float, want);
        if (!t->node) t->node_room = 0;
        if (!t->node) return ond_fail(err, OND_NO_MEMORY, "not enough memory for a tree");
    }
    return ond_rows_reserve(&t->rows, items, (size_t)t->kept, err);
}

static OndStatus build(void *state, const OndSpaceItems *items, OndError *err)
{
    Tree *t = state;
    const OndStatus status = make_room(t, items, err);
    if (status != OND_OK) return status;
    const Build b = {t, items, OND_NEW_ARRAY(uint32_t, items->kept + 1)};
    if (!b.order) return ond_fail(err, OND_NO_MEMORY, "not enough memory to build a tree");
    uint32_t n = 0;
    for (int i = 0; i < items->count; ++i)
        if (!ond_sides_left_out(ond_sides(items, i))) b.order[n++] = (uint32_t)i;
    build_all(&b);
    ond_free(b.order);
    return OND_OK;
}

// ---- questions

static void show(const OndSpaceItems *items, const OndSpaceQuery *q, const float *node, bool empty)
{
    double lo[3] = {0}, hi[3] = {0};
    for (int a = 0; a < items->dimension; ++a) {
        lo[a] = q->origin[a] + (double)ond_sides_lo(node, a);
        hi[a] = q->origin[a] + (double)ond_sides_hi(items, node, a);
    }
    q->trace((OndBox){{lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}}, empty, q->watcher);
}

static void find(const void *state, const OndSpaceItems *items, const OndSpaceQuery *q,
                 OndPending *pending)
{
    const Tree *t = state;
    struct {
        int depth;
        uint32_t at;
    } stack[DEPTH_MAX + 2];
    int top = 0;
    pending->rows = &t->rows;
    stack[top].depth = 0, stack[top++].at = 0;
    while (top > 0) {
        const int depth = stack[--top].depth;
        const uint32_t at = stack[top].at;
        const float *node = t->node + node_at(depth, at) * (size_t)items->stride;
        const bool inside = ond_sides_within(node, q->limits->limit, items->stride);
        if (q->trace) show(items, q, node, !inside);
        if (!inside) continue;
        if (depth == t->depth) {
            const uint32_t first = first_of(t, depth, at), last = first_of(t, depth, at + 1);
            ond_pending_add(pending, first, last);
            continue;
        }
        stack[top].depth = depth + 1, stack[top++].at = 2 * at + 1;
        stack[top].depth = depth + 1, stack[top++].at = 2 * at;
    }
}

static size_t bytes(const void *state)
{
    const Tree *t = state;
    return (t->node_room + t->rows.room) * sizeof(float);
}

static void clear(void *state)
{
    Tree *t = state;
    ond_free(t->node);
    ond_rows_free(&t->rows);
}

const OndSpaceMethod ond_space_kd_tree = {
    .name = "kd-tree",
    .size = sizeof(Tree),
    .build = build,
    .find = find,
    .bytes = bytes,
    .clear = clear,
};
