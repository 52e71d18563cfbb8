// SPDX-License-Identifier: MIT
// The groups' levels: what masses and contacts add to the links' part of each (rigid_gather.c), inverses, and the
// system of the last.
//
// Contacts change within a step, links do not: their parts are kept apart. All of it is in double,
// for stiffness spans nine orders and a turn of a light group must not drown in rounding.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define GRAIN 32

// ---- memory

static bool renew(void *at, size_t each, size_t room)
{
    void **place = at;
    ond_free(*place);
    *place = ond_alloc(each * room);
    return *place != NULL;
}

OndStatus ond_level_room(OndGroupLevel *l, int count, int children, OndError *err)
{
    const int need = count > children ? count : children;
    if (need <= l->room) return OND_OK;
    const size_t room = (size_t)need + (size_t)need / 4 + 16;
    l->room = 0;
    const bool whole =
        renew(&l->center, sizeof *l->center, room) && renew(&l->first, 4, room) &&
        renew(&l->length, 4, room) && renew(&l->tie, sizeof *l->tie, room) &&
        renew(&l->whole, sizeof *l->whole, room + 1) &&
        renew(&l->inverse, sizeof *l->inverse, room + 1) && renew(&l->parent, 4, room) &&
        renew(&l->child_first, 4, room + 1) && renew(&l->child, 4, room) &&
        renew(&l->x, sizeof *l->x, room) && renew(&l->r, sizeof *l->r, room) &&
        renew(&l->t, sizeof *l->t, room) && renew(&l->stale, sizeof *l->stale, room) &&
        renew(&l->idle, sizeof *l->idle, room) && renew(&l->line, sizeof *l->line, room);
    if (!whole) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d groups", count);
    l->room = (int)room;
    return OND_OK;
}

OndStatus ond_level_block_room(OndGroupLevel *l, double blocks, OndError *err)
{
    if (blocks <= l->block_room) return OND_OK;
    if (blocks > 1e9) return ond_fail(err, OND_NO_MEMORY, "more ties of groups than fit");
    const size_t room = (size_t)(1.25 * blocks);
    l->block_room = 0;
    if (!renew(&l->near, 4, room) || !renew(&l->strong, 4, room) ||
        !renew(&l->link, sizeof *l->link, room + 1))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.0f ties of groups", blocks);
    l->block_room = (int)room;
    return OND_OK;
}

void ond_rigid_free_levels(OndRigid *g)
{
    for (int n = 0; n < OND_LEVELS_MAX; ++n) {
        OndGroupLevel *l = &g->level[n];
        void *blocks[] = {l->center, l->first,   l->length, l->near,        l->link,  l->tie,
                          l->whole,  l->inverse, l->parent, l->child_first, l->child, l->x,
                          l->r,      l->t,       l->stale,  l->strong,      l->idle,  l->line};
        for (int b = 0; b < OND_COUNT(blocks); ++b)
            ond_free(blocks[b]);
    }
    void *own[] = {g->group, g->strong, g->seat, g->top, g->node, g->single, g->body_of_group};
    for (int b = 0; b < OND_COUNT(own); ++b)
        ond_free(own[b]);
}

// ---- level by level

static void list_children(const OndGroupLevel *below, OndGroupLevel *l)
{
    memset(l->child_first, 0, (size_t)(l->count + 1) * sizeof *l->child_first);
    for (int i = 0; i < below->count; ++i)
        ++l->child_first[below->parent[i] + 1];
    for (int k = 0; k < l->count; ++k)
        l->child_first[k + 1] += l->child_first[k];
    for (int i = 0; i < below->count; ++i)
        l->child[l->child_first[below->parent[i]]++] = i;
    for (int k = l->count; k > 0; --k)
        l->child_first[k] = l->child_first[k - 1];
    l->child_first[0] = 0;
    for (int k = 0; k < l->count; ++k)
        for (int a = 0; a < 3; ++a) {
            double sum = 0;
            for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n)
                sum += below->center[l->child[n]][a];
            l->center[k][a] = sum / (l->child_first[k + 1] - l->child_first[k]);
        }
}

static OndStatus next_level(OndSph *s, bool *last, OndError *err)
{
    OndRigid *const g = s->rigid;
    OndGroupLevel *const below = &g->level[g->level_count - 1], *const l = below + 1;
    const int count = ond_group_blocks(below, g->r.at[0]);
    *last = count == below->count;
    if (*last) return OND_OK;
    OndStatus status = ond_level_room(l, count, below->count, err);
    if (status != OND_OK) return status;
    l->count = count;
    list_children(below, l);
    status = ond_rigid_gather(s, g->level_count, err);
    if (status != OND_OK) return status;
    ond_rigid_find_idle(g, g->level_count++);
    return OND_OK;
}

OndStatus ond_rigid_coarsen(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    g->level_count = 1;
    if (g->level[0].count == 0) return OND_OK; // nothing is tied strongly
    for (int k = 0; k < g->level[0].count; ++k)
        g->body_of_group[k] = OND_NO_BODY;
    for (int b = 0; b < g->body_count; ++b)
        if (g->body[b].group >= 0) g->body_of_group[g->body[b].group] = b;
    OndStatus status = ond_rigid_gather(s, 0, err);
    if (status == OND_OK) ond_rigid_find_idle(g, 0);
    for (bool last = false; status == OND_OK && !last && g->level_count < OND_LEVELS_MAX;)
        if (g->level[g->level_count - 1].count > OND_TOP)
            status = next_level(s, &last, err);
        else
            last = true;
    return status;
}

// ---- masses and contacts

// A particle at an arm r resists along each axis: row row^T of ond_motion_row, whose other entries are 0.
static void ground_one(double whole[6][6], const double r[3], const double resist[3])
{
    for (int a = 0; a < 3; ++a) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        const double k = resist[a], up = k * r[q], down = k * r[p];
        whole[a][a] += k;
        whole[a][3 + p] += up, whole[3 + p][a] += up;
        whole[a][3 + q] -= down, whole[3 + q][a] -= down;
        whole[3 + p][3 + p] += up * r[q];
        whole[3 + q][3 + q] += down * r[p];
        whole[3 + p][3 + q] -= up * r[p], whole[3 + q][3 + p] -= up * r[p];
    }
}

static void ground_particles(const OndRigid *g, const OndGroupLevel *l, int k)
{
    double(*whole)[6] = (double(*)[6])l->whole[k];
    for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n) {
        const int i = l->child[n];
        double r[3], resist[3];
        for (int a = 0; a < 3; ++a)
            r[a] = g->px[a][i] - l->center[k][a], resist[a] = g->grounded[a][i];
        ground_one(whole, r, resist);
    }
    const int b = g->body_of_group[k];
    for (int c = 0; b >= 0 && c < 36; ++c)
        l->whole[k][c] += g->body[b].block[c / 6][c % 6];
}

static void invert_group(const OndRigid *g, const OndGroupLevel *l, int k)
{
    double m[6][6], most = 1e-300;
    memcpy(m, l->whole[k], sizeof m);
    for (int a = 2; a < 5 && g->dimension == 2; ++a)
        for (int c = 0; c < 6; ++c)
            m[a][c] = m[c][a] = a == c ? 1.0 : 0.0;
    ond_rigid_stiffen_idle(l->idle[k], l->line[k], m[0], 6);
    for (int a = 0; a < 6; ++a)
        most = fmax(most, m[a][a]);
    if (!ond_cholesky6(m)) { // cannot be but by rounding: take its largest
        memset(m, 0, sizeof m);
        for (int a = 0; a < 6; ++a)
            m[a][a] = sqrt(most);
    }
    ond_cholesky6_invert((const double(*)[6])m, l->inverse[k]);
}

typedef struct Ground {
    OndRigid *g;
    const OndLoops *loops;
    int level;
} Ground;

static void ground_range(int first, int last, int worker, void *context)
{
    const Ground *t = context;
    const OndGroupLevel *const l = &t->g->level[t->level], *const below = t->level ? l - 1 : NULL;
    for (int k = first; k < last; ++k) {
        if (!l->stale[k]) continue;
        memset(l->whole[k], 0, sizeof *l->whole);
        if (t->level == 0) ground_particles(t->g, l, k);
        for (int n = l->child_first[k]; t->level && n < l->child_first[k + 1]; ++n) {
            const int i = l->child[n];
            double arm[3], ground[36];
            for (int a = 0; a < 3; ++a)
                arm[a] = below->center[i][a] - l->center[k][a];
            for (int c = 0; c < 36; ++c) // what is not the links' part
                ground[c] = below->whole[i][c] - below->tie[i][c];
            t->loops->carry(l->whole[k], ground, arm, arm);
        }
        for (int c = 0; c < 36; ++c)
            l->whole[k][c] += l->tie[k][c];
        invert_group(t->g, l, k);
    }
}

// The last level as one matrix, and its Cholesky factor.
static void factor_top(OndRigid *g)
{
    const OndGroupLevel *const l = &g->level[g->level_count - 1];
    const int n = 6 * l->count;
    if (l->count > OND_TOP || n == 0) return; // untied, each by itself is exact
    double *const m = g->top;
    memset(m, 0, (size_t)(n * n) * sizeof *m);
    for (int k = 0; k < l->count; ++k) {
        for (int c = 0; c < 36; ++c)
            m[(6 * k + c / 6) * n + 6 * k + c % 6] = l->whole[k][c];
        for (uint32_t e = l->first[k]; e < l->first[k] + l->length[k]; ++e)
            for (int c = 0; c < 36; ++c)
                m[(6 * k + c % 6) * n + 6 * (int)l->near[e] + c / 6] = l->link[e][c];
        ond_rigid_stiffen_idle(l->idle[k], l->line[k], m + 6 * k * n + 6 * k, n);
    }
    ond_factor_top(m, n);
}

static void ground_all(const OndSph *s)
{
    OndRigid *g = s->rigid;
    for (int n = 0; n < g->level_count; ++n) {
        Ground t = {g, s->loops, n};
        ond_parallel_for(g->level[n].count, GRAIN, ground_range, &t);
    }
}

static OndStatus top_room(OndRigid *g, OndError *err)
{
    if (g->top_room || g->level[0].count == 0) return OND_OK;
    if (!renew(&g->top, sizeof *g->top, 36 * OND_TOP * OND_TOP))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for groups of particles");
    g->top_room = 36 * OND_TOP * OND_TOP;
    return OND_OK;
}

OndStatus ond_rigid_coarse_ground(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    const OndStatus status = top_room(g, err);
    if (status != OND_OK) return status;
    for (int n = 0; n < g->level_count; ++n)
        for (int k = 0; k < g->level[n].count; ++k)
            g->level[n].stale[k] = true;
    ground_all(s);
    factor_top(g);
    return OND_OK;
}

void ond_rigid_coarse_regroup(OndSph *s)
{
    OndRigid *g = s->rigid;
    if (g->level[0].count == 0) return;
    for (int n = 0; n < g->level_count; ++n)
        memset(g->level[n].stale, 0, (size_t)g->level[n].count * sizeof *g->level[n].stale);
    for (int k = 0; k < g->contact_count; ++k) {
        const OndWallContact *c = &g->contact[k];
        const int group = c->body == OND_NO_BODY ? g->group[c->local] : g->body[c->body].group;
        if (c->changed && group >= 0) g->level[0].stale[group] = true;
    }
    for (int n = 0; n + 1 < g->level_count; ++n)
        for (int k = 0; k < g->level[n].count; ++k)
            if (g->level[n].stale[k]) g->level[n + 1].stale[g->level[n].parent[k]] = true;
    ground_all(s);
    factor_top(g);
}
