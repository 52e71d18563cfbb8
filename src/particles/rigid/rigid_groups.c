// SPDX-License-Identifier: MIT
// Groups: aggregation by strength of connection [Vanek, Mandel, Brezina 1996].
//
// Links act along their lines only, and their stiffness spans nine orders where something melts: a
// puddle beside a stone. What conjugate gradients find slowly are motions in which strongly linked
// particles move as one, shifted or turned. So these make a group, by links and not by place:
// a link is strong where k > strength x sqrt(w_i w_j), w being what holds each of its ends. A body is a
// group by itself. What no strong link reaches has none: its own three equations say how it moves.
//
// Groups of groups are made in the same way from the blocks of the system between them.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <math.h>
#include <string.h>

// Links of the lattice have 0.2 (sides) and 0.044 (diagonals). 0.1: letters, lava, chocolate and candle take
// a tenth fewer iterations than with 0.03, and 0.15 makes more groups for as many (bench melt).
#define STRENGTH 0.1f

// ---- the greedy choice, in the order of the nodes

static bool all_free(const OndStrongGraph *graph, const int *group, int i)
{
    bool some = false;
    for (uint32_t e = graph->first[i]; e < graph->first[i] + graph->length[i]; ++e) {
        if (!(graph->strong[e] > 0.0f)) continue;
        if (group[graph->near[e]] != OND_NO_GROUP) return false;
        some = true;
    }
    return some;
}

static void found(const OndStrongGraph *graph, int *group, int i, int number)
{
    group[i] = number;
    for (uint32_t e = graph->first[i]; e < graph->first[i] + graph->length[i]; ++e)
        if (graph->strong[e] > 0.0f && group[graph->near[e]] == OND_NO_GROUP)
            group[graph->near[e]] = number;
}

// The group to which i has its strongest link.
static int strongest(const OndStrongGraph *graph, const int *group, int i)
{
    float most = 0.0f;
    int best = OND_NO_GROUP;
    for (uint32_t e = graph->first[i]; e < graph->first[i] + graph->length[i]; ++e) {
        const int other = group[graph->near[e]];
        if (other >= 0 && graph->strong[e] > most) most = graph->strong[e], best = other;
    }
    return best;
}

int ond_group_greedily(const OndStrongGraph *graph, int *group, int groups)
{
    for (int i = 0; i < graph->count; ++i)
        if (group[i] == OND_NO_GROUP && all_free(graph, group, i)) found(graph, group, i, groups++);
    for (int i = 0; i < graph->count; ++i) // joiners are not yet joined: -3 - group
        if (group[i] == OND_NO_GROUP) {
            const int best = strongest(graph, group, i);
            if (best >= 0) group[i] = -3 - best;
        }
    for (int i = 0; i < graph->count; ++i)
        if (group[i] <= -3) group[i] = -3 - group[i];
    for (int i = 0; i < graph->count; ++i)
        if (group[i] == OND_NO_GROUP && strongest(graph, group, i) < 0 && all_free(graph, group, i))
            found(graph, group, i, groups++);
    return groups;
}

// ---- particles

typedef struct Strong {
    const OndRigid *g;
    float *weight;
} Strong;

// What holds each local: its links, its mass, the walls it meets. What is not soft is tied to nobody strongly.
static void weigh_range(int first, int last, int worker, void *context)
{
    const Strong *t = context;
    const OndRigid *g = t->g;
    for (int i = first; i < last; ++i)
        t->weight[i] = g->kind[i] == OND_LOCAL_SOFT
                           ? (g->own[0][i] + g->own[1][i] + g->own[2][i]) * 0.577f + g->mass[i]
                           : HUGE_VALF;
}

static void weigh(const Strong *t)
{
    const OndRigid *g = t->g;
    ond_parallel_for(g->count, 4 * OND_GRAIN, weigh_range, (void *)t);
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        if (c->body == OND_NO_BODY && c->active) t->weight[c->local] += (float)c->stiff;
    }
}

// Of each local's links those that are strong, one behind the other.
static void strong_range(int first, int last, int worker, void *context)
{
    const Strong *t = context;
    const OndRigid *g = t->g;
    const float *restrict x = g->pull[0], *restrict y = g->pull[1], *restrict z = g->pull[2];
    const float *restrict weight = t->weight;
    for (int i = first; i < last; ++i) {
        const float least = STRENGTH * STRENGTH * weight[i];
        const uint32_t begin = g->first[i];
        uint32_t n = 0;
        for (uint32_t e = begin; e < begin + g->length[i]; ++e) {
            const float k = x[e] * x[e] + y[e] * y[e] + z[e] * z[e];
            g->strong[begin + n] = k, g->strong_near[begin + n] = g->near[e];
            n += k * k > least * weight[g->near[e]];
        }
        g->strong_length[i] = n;
    }
}

// A body that holds something is a group by itself. With what it holds most in it, the candle takes a fifth
// more iterations: a thousand particles round a body do not move as one.
static int seed_bodies(OndRigid *g)
{
    int groups = 0;
    for (int b = 0; b < g->body_count; ++b) {
        OndRigidPiece *body = &g->body[b];
        body->group = body->driven || body->rim_first == body->rim_last ? OND_NO_GROUP : groups++;
    }
    return groups;
}

// Locals by group, in order.
static void list_members(const OndRigid *g, OndGroupLevel *l)
{
    memset(l->child_first, 0, (size_t)(l->count + 1) * sizeof *l->child_first);
    for (int i = 0; i < g->count; ++i)
        if (g->group[i] >= 0) ++l->child_first[g->group[i] + 1];
    for (int k = 0; k < l->count; ++k)
        l->child_first[k + 1] += l->child_first[k];
    for (int i = 0; i < g->count; ++i)
        if (g->group[i] >= 0) l->child[l->child_first[g->group[i]]++] = i;
    for (int k = l->count; k > 0; --k)
        l->child_first[k] = l->child_first[k - 1];
    l->child_first[0] = 0;
}

// A body's group turns about the body's centre, others about their middle.
static void find_centers(const OndRigid *g, OndGroupLevel *l)
{
    for (int k = 0; k < l->count; ++k)
        for (int a = 0; a < 3; ++a) {
            double sum = 0;
            for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n)
                sum += g->px[a][l->child[n]];
            const int count = l->child_first[k + 1] - l->child_first[k];
            l->center[k][a] = count ? sum / count : 0.0;
        }
    for (int b = 0; b < g->body_count; ++b)
        if (g->body[b].group >= 0)
            memcpy(l->center[g->body[b].group], g->body[b].center, sizeof *l->center);
}

static OndStatus group_particles(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    Strong t = {g, g->r.at[0]}; // free until the solve
    weigh(&t);
    ond_parallel_for(g->count, OND_GRAIN, strong_range, &t);
    for (int i = 0; i < g->count; ++i)
        g->group[i] = g->kind[i] == OND_LOCAL_SOFT ? OND_NO_GROUP : OND_NOT_GROUPED;
    const OndStrongGraph graph = {g->count, g->first, g->strong_length, g->strong_near, g->strong};
    const int groups = ond_group_greedily(&graph, g->group, seed_bodies(g));
    const OndStatus status = ond_level_room(&g->level[0], groups, g->count, err);
    if (status != OND_OK) return status;
    g->level[0].count = groups;
    list_members(g, &g->level[0]);
    find_centers(g, &g->level[0]);
    return OND_OK;
}

// ---- groups of groups

// Of the part of a block that speaks of shifts.
static float norm_of(const double block[36])
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            sum += block[6 * a + b] * block[6 * a + b];
    return (float)sqrt(sum);
}

typedef struct Ties {
    OndGroupLevel *l;
    float *weight;
} Ties;

static void weigh_groups(int first, int last, int worker, void *context)
{
    const Ties *t = context;
    for (int k = first; k < last; ++k)
        t->weight[k] = norm_of(t->l->tie[k]), t->l->parent[k] = OND_NO_GROUP;
}

static void strong_ties(int first, int last, int worker, void *context)
{
    const Ties *t = context;
    const OndGroupLevel *l = t->l;
    for (int k = first; k < last; ++k)
        for (uint32_t e = l->first[k]; e < l->first[k] + l->length[k]; ++e)
            l->strong[e] =
                norm_of(l->link[e]) / sqrtf(t->weight[k] * t->weight[l->near[e]] + 1e-30f);
}

// Fills `parent`; returns how many groups there are above. Every tie counts as strong: few levels
// are worth more here than good ones. What is tied to nothing is one by itself.
int ond_group_blocks(OndGroupLevel *l, float *weight)
{
    Ties t = {l, weight};
    ond_parallel_for(l->count, OND_GRAIN, weigh_groups, &t);
    ond_parallel_for(l->count, OND_GRAIN, strong_ties, &t);
    const OndStrongGraph graph = {l->count, l->first, l->length, l->near, l->strong};
    int groups = ond_group_greedily(&graph, l->parent, 0);
    for (int k = 0; k < l->count; ++k)
        if (l->parent[k] == OND_NO_GROUP) l->parent[k] = groups++;
    return groups;
}

// Every local has a node: its group, or one of its own.
static void number_nodes(OndRigid *g)
{
    g->node_count = g->level[0].count;
    for (int i = 0; i < g->count; ++i) {
        g->node[i] = g->group[i];
        if (g->kind[i] != OND_LOCAL_SOFT || g->group[i] >= 0) continue;
        g->single[g->node_count - g->level[0].count] = i;
        g->node[i] = g->node_count++;
    }
}

OndStatus ond_rigid_group(OndSph *s, OndError *err)
{
    const OndStatus status = group_particles(s, err);
    if (status == OND_OK) number_nodes(s->rigid);
    return status;
}
