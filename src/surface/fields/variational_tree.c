// SPDX-License-Identifier: MIT
#include "surface/fields/variational_tree.h"

#include <string.h>

#define LEAF       24   // constraints: smaller leaves overlap more, larger ones cost n^3
#define WIDE       4.0  // spacings: wider leaves are halved too, or scattered drops would share one
#define GROW       0.5  // of the leaf's longest side, on each side,
#define GROW_SIZES 1.25 // or so many spacings: what lies between a constraint and the surface

// Constraints before `cut` come first, in their order; returns how many they are. Axis 3: by size.
static uint32_t part(OndParts *p, int axis, double cut, uint32_t first, uint32_t last)
{
    uint32_t low = first, high = 0;
    for (uint32_t k = first; k < last; ++k) {
        const uint32_t c = p->order[k];
        if ((axis == 3 ? p->list[c].size : p->list[c].at[axis]) < cut)
            p->order[low++] = c;
        else
            p->spare[high++] = c;
    }
    memcpy(p->order + low, p->spare, high * sizeof *p->order);
    return low - first;
}

static void find_box(const OndParts *p, OndPartsNode *node)
{
    node->least = HUGE_VAL;
    for (int a = 0; a < 3; ++a)
        node->low[a] = HUGE_VAL, node->high[a] = -HUGE_VAL;
    for (uint32_t k = node->first; k < node->last; ++k) {
        const OndConstraint *c = &p->list[p->order[k]];
        node->least = fmin(node->least, c->size), node->most = fmax(node->most, c->size);
        for (int a = 0; a < 3; ++a) {
            const double at = a < p->axes ? c->at[a] : 0.0;
            node->low[a] = fmin(node->low[a], at);
            node->high[a] = fmax(node->high[a], at);
        }
    }
}

static int longest_axis(const OndPartsNode *node)
{
    int axis = 0;
    for (int a = 1; a < 3; ++a)
        if (node->high[a] - node->low[a] > node->high[axis] - node->low[axis]) axis = a;
    return axis;
}

static bool is_leaf(const OndParts *p, const OndPartsNode *node, int level)
{
    const uint32_t count = node->last - node->first;
    const int axis = longest_axis(node);
    const double width = node->high[axis] - node->low[axis];
    if (p->exact || level >= OND_PARTS_LEVELS) return true;
    if (node->most > OND_PARTS_UNLIKE * node->least) return false;
    if (!(width > 1e-9 * node->most)) return true;
    return count <= LEAF && width <= WIDE * node->most;
}

static void grow_leaf(OndParts *p, int index)
{
    OndPartsNode *node = &p->node[index];
    const int axis = longest_axis(node);
    const double grow = fmax(GROW * (node->high[axis] - node->low[axis]), GROW_SIZES * node->most);
    for (int a = 0; a < 3; ++a)
        node->low[a] -= grow, node->high[a] += grow;
    node->weight = pow(p->node[0].most / node->most, 3.0);
    node->leaf = p->leaves;
    p->leaf_node[p->leaves++] = index;
}

int ond_parts_split(OndParts *p, uint32_t first, uint32_t last, int level)
{
    const int index = p->nodes++;
    OndPartsNode *node = &p->node[index];
    *node = (OndPartsNode){.first = first, .last = last, .leaf = -1};
    find_box(p, node);
    if (is_leaf(p, node, level)) {
        grow_leaf(p, index);
        return index;
    }
    const bool unlike = node->most > OND_PARTS_UNLIKE * node->least;
    const int axis = unlike ? 3 : longest_axis(node);
    const double cut =
        unlike ? sqrt(node->most * node->least) : 0.5 * (node->low[axis] + node->high[axis]);
    const uint32_t middle = first + part(p, axis, cut, first, last);
    const int left = ond_parts_split(p, first, middle, level + 1);
    const int right = ond_parts_split(p, middle, last, level + 1);
    node->right = right;
    for (int a = 0; a < 3; ++a) {
        node->low[a] = fmin(p->node[left].low[a], p->node[right].low[a]);
        node->high[a] = fmax(p->node[left].high[a], p->node[right].high[a]);
    }
    return index;
}

OndPartsWalk ond_parts_walk(const OndParts *p, const double low[3], const double high[3])
{
    OndPartsWalk w = {.parts = p, .depth = 1};
    memcpy(w.low, low, sizeof w.low);
    memcpy(w.high, high, sizeof w.high);
    return w;
}

static bool meets(const OndPartsWalk *w, const OndPartsNode *node)
{
    for (int a = 0; a < w->parts->axes; ++a)
        if (node->high[a] <= w->low[a] || node->low[a] >= w->high[a]) return false;
    return true;
}

const OndPartsNode *ond_parts_next(OndPartsWalk *w)
{
    while (w->depth > 0) {
        const int index = w->stack[--w->depth];
        const OndPartsNode *node = &w->parts->node[index];
        if (!meets(w, node)) continue;
        if (node->leaf >= 0) return node;
        w->stack[w->depth++] = node->right;
        w->stack[w->depth++] = index + 1;
    }
    return NULL;
}
