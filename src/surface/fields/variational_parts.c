// SPDX-License-Identifier: MIT
// Many overlapping patches, blended: the partition of unity.
//
// A tree halves the box of the constraints, each time across its longest side, until few are left
// in a small one: so front and back of a layer come apart. The box of such a leaf, grown on all
// sides, is what its patch is asked for, and all constraints in the grown box are what it is fitted
// to, so neighbours agree where they overlap. With the smooth weight w of each grown box, 1 in its
// middle and 0 at its faces,
//
//     f = sum w_l f_l / sum w_l                                       [Ohtake et al. 2003]
//
// Leaves are solved in parallel, each by itself; a node adds them up in the order of the tree. So
// the bits do not depend on the threads. Each node of the tree knows a box round the grown boxes
// below it, which finds the leaves near a place.
//
// Constraints of large particles are split from those of small ones before all else, or a leaf with
// one of them would grow over thousands of the others. Leaves of large ones leave small ones out,
// and weigh little where leaves of these are.
//
// [Ohtake et al. 2003] Multi-level partition of unity implicits, SIGGRAPH.
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/fields/variational_tree.h"

#include <stdlib.h>
#include <string.h>

#define MOST      250 // constraints of one patch
#define NO_WEIGHT 1e-9

// ---- fitting

static bool inside(const OndParts *p, const OndPartsNode *box, const double *at)
{
    for (int a = 0; a < p->axes; ++a)
        if (!(at[a] > box->low[a] && at[a] < box->high[a])) return false;
    return true;
}

// Constraints in the leaf's grown box, but for far smaller ones; `which` may be NULL to count them.
static int gather(const OndParts *p, const OndPartsNode *leaf, uint32_t *which)
{
    OndPartsWalk w = ond_parts_walk(p, leaf->low, leaf->high);
    int count = 0;
    for (const OndPartsNode *near; (near = ond_parts_next(&w));)
        for (uint32_t k = near->first; k < near->last; ++k) {
            const OndConstraint *c = &p->list[p->order[k]];
            if ((!p->exact && OND_PARTS_UNLIKE * c->size < leaf->most) || !inside(p, leaf, c->at))
                continue;
            if (which) which[count] = p->order[k];
            ++count;
        }
    return count;
}

// Where particles lie in crowds, the grown box of a leaf may hold thousands of constraints: then
// only the nearest to its middle count.
typedef struct Ranked {
    double distance2;
    uint32_t index;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->distance2 != y->distance2) return x->distance2 < y->distance2 ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool keep_nearest(const OndParts *p, const OndPartsNode *leaf, uint32_t *which, int *count)
{
    if (*count <= MOST || p->exact) return true;
    Ranked *list = OND_NEW_ARRAY(Ranked, *count);
    if (!list) return false;
    for (int k = 0; k < *count; ++k) {
        list[k].index = which[k];
        for (int a = 0; a < p->axes; ++a) {
            const double middle = 0.5 * (leaf->low[a] + leaf->high[a]);
            const double x = p->list[which[k]].at[a] - middle;
            list[k].distance2 += x * x;
        }
    }
    qsort(list, (size_t)*count, sizeof *list, compare_ranked);
    *count = MOST;
    for (int k = 0; k < MOST; ++k)
        which[k] = list[k].index;
    ond_free(list);
    return true;
}

static void fit_leaves(int first, int last, int worker, void *context)
{
    OndParts *p = context;
    for (int l = first; l < last; ++l) {
        const OndPartsNode *leaf = &p->node[p->leaf_node[l]];
        int count = gather(p, leaf, NULL);
        uint32_t *which = OND_NEW_ARRAY(uint32_t, count);
        p->status[l] = OND_NO_MEMORY;
        if (!which) continue;
        gather(p, leaf, which);
        if (keep_nearest(p, leaf, which, &count))
            p->status[l] = ond_patch_fit(&p->patch[l], p->list, which, count, p->dimension, NULL);
        ond_free(which);
    }
}

static OndStatus fit_all(OndParts *p, OndError *err)
{
    ond_parallel_for(p->leaves, 1, fit_leaves, p);
    for (int l = 0; l < p->leaves; ++l) {
        if (p->status[l] == OND_NO_MEMORY)
            return ond_fail(err, OND_NO_MEMORY,
                            "not enough memory for a variational surface of %d "
                            "parts",
                            p->leaves);
        if (p->status[l] != OND_OK)
            return ond_fail(err, p->status[l],
                            "part %d of a variational surface has no solution; "
                            "are the positions sane?",
                            l);
    }
    return OND_OK;
}

static OndParts *make_room(int count)
{
    OndParts *p = OND_NEW(OndParts);
    if (!p) return NULL;
    p->order = OND_NEW_ARRAY(uint32_t, count);
    p->spare = OND_NEW_ARRAY(uint32_t, count);
    p->node = OND_NEW_ARRAY(OndPartsNode, 2 * (size_t)count);
    p->patch = OND_NEW_ARRAY(OndPatch, count);
    p->leaf_node = OND_NEW_ARRAY(int, count);
    p->status = OND_NEW_ARRAY(OndStatus, count);
    if (p->order && p->spare && p->node && p->patch && p->leaf_node && p->status) return p;
    ond_parts_free(p);
    return NULL;
}

OndStatus ond_parts_make(OndParts **parts, const OndConstraints *all, int dimension,
                         int exact_limit, OndError *err)
{
    const int count = all->count;
    *parts = NULL;
    if (count < 1) return ond_fail(err, OND_BAD_VALUE, "a variational surface needs constraints");
    OndParts *p = make_room(count);
    if (!p) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d constraints", count);
    p->list = all->list, p->dimension = dimension;
    p->axes = dimension == 2 ? 2 : 3;
    for (int k = 0; k < count; ++k)
        p->order[k] = (uint32_t)k;
    p->exact = count <= exact_limit;
    ond_parts_split(p, 0, (uint32_t)count, 0);
    if (p->leaves == 1) // the only one reaches everywhere
        for (int a = 0; a < 3; ++a)
            p->node[0].low[a] = -HUGE_VAL, p->node[0].high[a] = HUGE_VAL;
    const OndStatus status = fit_all(p, err);
    if (status == OND_OK)
        *parts = p;
    else
        ond_parts_free(p);
    return status;
}

void ond_parts_free(OndParts *p)
{
    if (!p) return;
    for (int l = 0; p->patch && l < p->leaves; ++l)
        ond_patch_free(&p->patch[l]);
    ond_free(p->order);
    ond_free(p->spare);
    ond_free(p->node);
    ond_free(p->patch);
    ond_free(p->leaf_node);
    ond_free(p->status);
    ond_free(p);
}

int ond_parts_count(const OndParts *parts)
{
    return parts->leaves;
}

int ond_parts_most(const OndParts *parts)
{
    int most = 0;
    for (int l = 0; l < parts->leaves; ++l)
        most = parts->patch[l].count > most ? parts->patch[l].count : most;
    return most;
}

// ---- asking

// (1 - u^2)^3 with u from -1 to 1 across the box; its slope goes to `steep`.
static double weigh(const OndPartsNode *leaf, int axis, double at, double *steep)
{
    *steep = 0.0;
    if (leaf->high[axis] == HUGE_VAL) return 1.0;
    const double half = 0.5 * (leaf->high[axis] - leaf->low[axis]);
    const double u = (at - leaf->low[axis]) / half - 1.0, rest = 1.0 - u * u;
    if (rest <= 0.0) return 0.0;
    *steep = -6.0 * u * rest * rest / half;
    return rest * rest * rest;
}

typedef struct Blend {
    double weight[OND_BLOCK * OND_BLOCK * OND_BLOCK], sum[OND_BLOCK * OND_BLOCK * OND_BLOCK];
    double x[OND_BLOCK]; // of the nodes in a row, and beyond its end
} Blend;

static void add_row(const OndParts *p, const OndPartsNode *leaf, Blend *b, const double at[4],
                    const double *wx, int n, int start)
{
    double steep, value[OND_BLOCK];
    const double w =
        weigh(leaf, 1, at[1], &steep) * (p->axes == 3 ? weigh(leaf, 2, at[2], &steep) : 1.0);
    if (w < NO_WEIGHT) return;
    ond_patch_row(&p->patch[leaf->leaf], b->x, at, value);
    for (int k = 0; k < n; ++k) {
        b->weight[start + k] += w * wx[k];
        b->sum[start + k] += w * wx[k] * value[k];
    }
}

static void add_leaf(const OndParts *p, const OndPartsNode *leaf, const OndLattice *lattice,
                     double when, Blend *b)
{
    double wx[OND_BLOCK], steep;
    for (int k = 0; k < OND_BLOCK; ++k)
        wx[k] = leaf->weight * weigh(leaf, 0, b->x[k], &steep);
    for (int k = 0; k < lattice->n[2]; ++k)
        for (int j = 0; j < lattice->n[1]; ++j) {
            const double at[4] = {0.0, ond_lattice_at(lattice, 1, j), ond_lattice_at(lattice, 2, k),
                                  when};
            add_row(p, leaf, b, at, wx, lattice->n[0], (k * lattice->n[1] + j) * lattice->n[0]);
        }
}

void ond_parts_sample(const OndParts *p, const OndLattice *lattice, double when, float *value)
{
    Blend b = {0};
    double low[3], high[3];
    const int count = lattice->n[0] * lattice->n[1] * lattice->n[2];
    for (int a = 0; a < 3; ++a) {
        low[a] = ond_lattice_at(lattice, a, 0);
        high[a] = ond_lattice_at(lattice, a, lattice->n[a] - 1);
    }
    for (int k = 0; k < OND_BLOCK; ++k)
        b.x[k] = ond_lattice_at(lattice, 0, k);
    OndPartsWalk w = ond_parts_walk(p, low, high);
    for (const OndPartsNode *leaf; (leaf = ond_parts_next(&w));)
        add_leaf(p, leaf, lattice, when, &b);
    for (int k = 0; k < count; ++k)
        value[k] = b.weight[k] > NO_WEIGHT ? (float)(b.sum[k] / b.weight[k]) : NAN;
}

double ond_parts_gradient(const OndParts *p, const double at[3], double when, double out[3])
{
    const double place[4] = {at[0], at[1], at[2], when};
    double weight = 0.0, sum = 0.0, weight_slope[3] = {0}, sum_slope[3] = {0};
    OndPartsWalk walker = ond_parts_walk(p, at, at);
    for (const OndPartsNode *leaf; (leaf = ond_parts_next(&walker));) {
        double w[3] = {1.0, 1.0, 1.0}, steep[3] = {0}, slope[4] = {0};
        for (int a = 0; a < p->axes; ++a)
            w[a] = weigh(leaf, a, at[a], &steep[a]);
        w[0] *= leaf->weight, steep[0] *= leaf->weight;
        const double whole = w[0] * w[1] * w[2];
        if (whole < NO_WEIGHT) continue;
        const double f = ond_patch_value(&p->patch[leaf->leaf], place, slope);
        weight += whole, sum += whole * f;
        for (int a = 0; a < p->axes; ++a) {
            const double turn = steep[a] * w[(a + 1) % 3] * w[(a + 2) % 3];
            weight_slope[a] += turn;
            sum_slope[a] += turn * f + whole * slope[a];
        }
    }
    const bool reached = weight > NO_WEIGHT;
    for (int a = 0; a < 3; ++a)
        out[a] = reached ? (sum_slope[a] - weight_slope[a] * sum / weight) / weight : 0.0;
    return reached ? sum / weight : NAN;
}
