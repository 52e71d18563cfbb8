// SPDX-License-Identifier: MIT
// The coarse levels of the preconditioner.
//
// Conjugate gradients carry an error one link a step; what a tall body needs is to be moved as a
// whole. So particles are grouped by cell (about 8 in each), cells by 2 x 2 x 2, and so on up to
// one; on each level the links between groups are added up, as if every group moved stiffly and
// each direction by itself, and the error that is left is smoothed there and handed on. Groups only
// guide the iteration: the answer is that of the particles' own links.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define GRAIN 256
#define TIED                                                                                       \
    4.0f // where a group leans on one side with a quarter of its links, it follows that side

static inline int way_to(const int from[3], const int to[3])
{
    const int way = (to[0] - from[0] + 1) + 3 * (to[1] - from[1] + 1) + 9 * (to[2] - from[2] + 1);
    return way < 13 ? way : way - 1; // the middle is left out
}

static void free_level(OndAggregateLevel *l)
{
    void *blocks[] = {l->corner, l->blend,    l->at,      l->place, l->parent, l->near, l->link,
                      l->ground, l->diagonal, l->inverse, l->x,     l->r,      l->t};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    memset(l, 0, sizeof *l);
}

void ond_rigid_free_levels(OndRigid *g)
{
    for (int l = 0; l < OND_LEVELS_MAX; ++l)
        free_level(&g->level[l]);
}

static OndStatus make_level(OndAggregateLevel *l, int count, int grid, OndError *err)
{
    if (count <= l->capacity && grid <= l->grid_capacity) return OND_OK;
    free_level(l);
    const int room = count + count / 4 + 64, cells = grid + grid / 4 + 64;
    l->at = OND_NEW_ARRAY(int, cells), l->parent = OND_NEW_ARRAY(int, room);
    l->place = ond_alloc((size_t)room * sizeof *l->place);
    l->near = ond_alloc((size_t)room * sizeof *l->near);
    l->link = ond_alloc((size_t)room * sizeof *l->link);
    l->corner = ond_alloc((size_t)room * sizeof *l->corner);
    l->blend = ond_alloc((size_t)room * sizeof *l->blend);
    bool whole = l->at && l->parent && l->place && l->near && l->link && l->corner && l->blend;
    OndQuad **arrays[] = {&l->ground, &l->diagonal, &l->inverse, &l->x, &l->r, &l->t};
    for (int k = 0; k < OND_COUNT(arrays); ++k)
        whole = (*arrays[k] = OND_NEW_ARRAY(OndQuad, room)) && whole;
    l->capacity = room, l->grid_capacity = cells;
    if (whole) return OND_OK;
    free_level(l);
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d groups of particles", count);
}

static inline int grid_cell(const OndAggregateLevel *l, const int place[3])
{
    return (place[2] * l->n[1] + place[1]) * l->n[0] + place[0];
}

// ---- the finest groups: runs of locals in one cell

static inline int clamp_cell(float at, int n)
{
    return at > 0.0f ? (at < (float)(n - 1) ? (int)at : n - 1) : 0;
}

static void cell_place(const OndSph *s, int local, int place[3])
{
    const OndCells *c = &s->cells;
    const int n[3] = {c->nx, c->ny, c->nz};
    for (int a = 0; a < 3; ++a)
        place[a] = clamp_cell((s->rigid->px[a][local] - c->origin[a]) * c->inv_size, n[a]);
}

static OndStatus group_particles(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    OndAggregateLevel *l = &g->level[0];
    const int grid = s->cells.nx * s->cells.ny * s->cells.nz;
    const OndStatus status = make_level(l, g->count < grid ? g->count : grid, grid, err);
    if (status != OND_OK) return status;
    l->n[0] = s->cells.nx, l->n[1] = s->cells.ny, l->n[2] = s->cells.nz;
    memset(l->at, 0xff, (size_t)grid * sizeof *l->at);
    l->count = 0;
    for (int i = 0; i < g->count; ++i) {
        if (g->kind[i] == OND_LOCAL_HELD) { // no unknown: it only fills a run
            g->cell_of[i] = l->count ? l->count - 1 : 0;
            continue;
        }
        int place[3];
        cell_place(s, i, place);
        int *at = &l->at[grid_cell(l, place)];
        if (*at < 0) {
            *at = l->count++;
            memcpy(l->place[*at], place, sizeof place);
            g->run[*at] = *at ? i : 0;
        }
        g->cell_of[i] = *at;
    }
    g->run[l->count] = g->count;
    return OND_OK;
}

static void find_near(int first, int last, int worker, void *context)
{
    OndAggregateLevel *l = context;
    for (int k = first; k < last; ++k)
        for (int way = 0; way < 26; ++way) {
            const int w = way < 13 ? way : way + 1;
            const int place[3] = {l->place[k][0] + w % 3 - 1, l->place[k][1] + w / 3 % 3 - 1,
                                  l->place[k][2] + w / 9 - 1};
            const bool inside = place[0] >= 0 && place[0] < l->n[0] && place[1] >= 0 &&
                                place[1] < l->n[1] && place[2] >= 0 && place[2] < l->n[2];
            const int other = inside ? l->at[grid_cell(l, place)] : -1;
            l->near[k][way] = other < 0 ? k : other;
            l->link[k][way] = 0.0f;
        }
}

// Links that leave a group, as scalars: a link that points anywhere holds a third of its strength
// each way. Those to held particles hold it to the ground.
static void add_links(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndRigid *g = s->rigid;
    OndAggregateLevel *l = &g->level[0];
    const float share = 1.0f / (float)s->world.dimension;
    for (int k = first; k < last; ++k) {
        float held = 0.0f;
        for (int i = g->run[k]; i < g->run[k + 1]; ++i) {
            if (g->kind[i] == OND_LOCAL_HELD) continue;
            for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
                const uint32_t j = g->near[e];
                const float x = g->pull[0][e], y = g->pull[1][e], z = g->pull[2][e];
                const float stiff = share * (x * x + y * y + z * z);
                if (g->kind[j] == OND_LOCAL_HELD)
                    held += stiff;
                else if (g->cell_of[j] != k)
                    l->link[k][way_to(l->place[k], l->place[g->cell_of[j]])] += stiff;
            }
        }
        g->tied[k] = held;
    }
}

static int count_slaves(const OndRigid *g, int group)
{
    int count = 0;
    for (int i = g->run[group]; i < g->run[group + 1]; ++i)
        count += g->kind[i] == OND_LOCAL_SLAVE;
    return count;
}

// The groups that a body is part of hang together as the body does.
static void stiffen_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndRigid *g = s->rigid;
    OndAggregateLevel *l = &g->level[0];
    for (int k = first; k < last; ++k) {
        const int here = count_slaves(g, k);
        for (int way = 0; here && way < 26; ++way) {
            if (l->near[k][way] == k) continue;
            const int other = l->near[k][way], there = count_slaves(g, other);
            const float mass = fminf(g->mass[g->run[k]], g->mass[g->run[other]]);
            l->link[k][way] +=
                (float)(s->def.rigidity.stiffness * mass * (here < there ? here : there));
        }
    }
}

// ---- each level from the one below

// The 8 groups of the level above that are nearest to a group.
static void find_corners(OndAggregateLevel *fine, const OndAggregateLevel *coarse)
{
    for (int k = 0; k < fine->count; ++k)
        for (int c = 0; c < 8; ++c) {
            int place[3];
            bool inside = true;
            for (int a = 0; a < 3; ++a) {
                const int side = fine->place[k][a] % 2 ? 1 : -1;
                place[a] = fine->place[k][a] / 2 + (c >> a & 1 ? side : 0);
                inside = inside && place[a] >= 0 && place[a] < coarse->n[a];
            }
            const int other = inside ? coarse->at[grid_cell(coarse, place)] : -1;
            fine->corner[k][c] = other < 0 ? fine->parent[k] : other;
        }
}

static OndStatus group_groups(OndAggregateLevel *fine, OndAggregateLevel *coarse, OndError *err)
{
    for (int a = 0; a < 3; ++a)
        coarse->n[a] = (fine->n[a] + 1) / 2;
    const int grid = coarse->n[0] * coarse->n[1] * coarse->n[2];
    int n[3];
    memcpy(n, coarse->n, sizeof n);
    const OndStatus status = make_level(coarse, fine->count < grid ? fine->count : grid, grid, err);
    if (status != OND_OK) return status;
    memcpy(coarse->n, n, sizeof n);
    memset(coarse->at, 0xff, (size_t)grid * sizeof *coarse->at);
    coarse->count = 0;
    for (int k = 0; k < fine->count; ++k) {
        const int place[3] = {fine->place[k][0] / 2, fine->place[k][1] / 2, fine->place[k][2] / 2};
        int *at = &coarse->at[grid_cell(coarse, place)];
        if (*at < 0) {
            *at = coarse->count++;
            memcpy(coarse->place[*at], place, sizeof place);
        }
        fine->parent[k] = *at;
    }
    find_corners(fine, coarse);
    find_near(0, coarse->count, 0, coarse);
    for (int k = 0; k < fine->count; ++k)
        for (int way = 0; way < 26; ++way) {
            const int from = fine->parent[k], to = fine->parent[fine->near[k][way]];
            if (from != to)
                coarse->link[from][way_to(coarse->place[from], coarse->place[to])] +=
                    fine->link[k][way];
        }
    return OND_OK;
}

OndStatus ond_rigid_coarsen(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    OndStatus status = group_particles(s, err);
    if (status != OND_OK) return status;
    ond_parallel_for(g->level[0].count, GRAIN, find_near, &g->level[0]);
    ond_parallel_for(g->level[0].count, GRAIN, add_links, s);
    if (g->slave_count) ond_parallel_for(g->level[0].count, GRAIN, stiffen_range, s);
    g->level_count = 1;
    while (g->level[g->level_count - 1].count > 1 && g->level_count < OND_LEVELS_MAX &&
           status == OND_OK) {
        status = group_groups(&g->level[g->level_count - 1], &g->level[g->level_count], err);
        ++g->level_count;
    }
    return status;
}

// ---- what holds groups to the ground

// A body's mass and walls are shared by those of its members that touch something soft.
static void add_ground(const OndRigid *g, int i, float sum[3])
{
    const OndRigidPiece *b =
        &g->body[g->kind[i] == OND_LOCAL_SLAVE ? g->member[g->particle[i]] : 0];
    for (int a = 0; a < 3; ++a)
        if (g->kind[i] == OND_LOCAL_SOFT)
            sum[a] += g->mass[i] + g->ground[a][i];
        else if (g->kind[i] == OND_LOCAL_SLAVE)
            sum[a] += (float)(b->block[a][a] / (b->slave_last - b->slave_first));
}

static void ground_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int k = first; k < last; ++k) {
        float sum[3] = {g->tied[k], g->tied[k], g->tied[k]};
        for (int i = g->run[k]; i < g->run[k + 1]; ++i)
            add_ground(g, i, sum);
        g->level[0].ground[k] = (OndQuad){sum[0], sum[1], sum[2], 1.0f};
    }
}

// What a group gets from the level above is blended from the 8 groups nearest to it, up to 3/4 and
// 1/4 an axis, so that a body that bends is not handed over as stairs. But a group follows another
// only as far as links tie it there: a puddle must not drag the stone beside it.
static void sum_links(const OndAggregateLevel *l, int k, float *all, float toward[3])
{
    *all = toward[0] = toward[1] = toward[2] = 0.0f;
    for (int way = 0; way < 26; ++way) {
        const int w = way < 13 ? way : way + 1;
        const int step[3] = {w % 3 - 1, w / 3 % 3 - 1, w / 9 - 1};
        *all += l->link[k][way];
        for (int a = 0; a < 3; ++a)
            if (step[a] == (l->place[k][a] % 2 ? 1 : -1)) toward[a] += l->link[k][way];
    }
}

static void find_blend(OndAggregateLevel *l, int k, float all, const float toward[3])
{
    const OndQuad ground = l->ground[k];
    const float whole = all + (ground[0] + ground[1] + ground[2]) / 3.0f;
    float far[3];
    for (int a = 0; a < 3; ++a)
        far[a] = 0.25f * fminf(1.0f, TIED * toward[a] / whole);
    for (int c = 0; c < 8; ++c) {
        l->blend[k][c] = 1.0f;
        for (int a = 0; a < 3; ++a)
            l->blend[k][c] *= c >> a & 1 ? far[a] : 1.0f - far[a];
    }
}

static void invert_range(int first, int last, int worker, void *context)
{
    OndAggregateLevel *l = context;
    const OndQuad one = {1.0f, 1.0f, 1.0f, 1.0f};
    for (int k = first; k < last; ++k) {
        float links, toward[3];
        sum_links(l, k, &links, toward);
        l->diagonal[k] = l->ground[k] + links;
        l->inverse[k] = one / l->diagonal[k];
        find_blend(l, k, links, toward);
    }
}

void ond_rigid_coarse_ground(OndSph *s)
{
    OndRigid *g = s->rigid;
    ond_parallel_for(g->level[0].count, GRAIN, ground_range, g);
    for (int n = 0; n < g->level_count; ++n) {
        OndAggregateLevel *l = &g->level[n];
        ond_parallel_for(l->count, 8 * GRAIN, invert_range, l);
        if (n + 1 == g->level_count) break;
        OndAggregateLevel *up = &g->level[n + 1];
        memset(up->ground, 0, (size_t)up->count * sizeof *up->ground);
        for (int k = 0; k < l->count; ++k)
            up->ground[l->parent[k]] += l->ground[k];
    }
}
