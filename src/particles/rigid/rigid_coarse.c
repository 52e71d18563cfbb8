// SPDX-License-Identifier: MIT
// The systems of the groups (Galerkin): what links, masses and contacts make of stiff motions.
//
// A group that moves with velocity V of its centre c and spin W moves a particle at x with V + W x
// (x - c). Put into the particles' system, that gives blocks of 6 x 6: a link g between two groups
// adds row row^T to both own blocks and -row row'^T between them, row = (g, (x - c) x g); links
// within a group add nothing, because it does not deform. So a block is a sum over links from one
// group's side, and each group gathers its own. The next level is made from these blocks alike.
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
    const bool whole = renew(&l->center, sizeof *l->center, room) && renew(&l->first, 4, room) &&
                       renew(&l->length, 4, room) && renew(&l->tie, sizeof *l->tie, room) &&
                       renew(&l->whole, sizeof *l->whole, room + 1) &&
                       renew(&l->inverse, sizeof *l->inverse, room + 1) &&
                       renew(&l->parent, 4, room) && renew(&l->child_first, 4, room + 1) &&
                       renew(&l->child, 4, room) && renew(&l->x, sizeof *l->x, room) &&
                       renew(&l->r, sizeof *l->r, room) && renew(&l->t, sizeof *l->t, room) &&
                       renew(&l->stale, sizeof *l->stale, room);
    if (!whole) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d groups", count);
    l->room = (int)room;
    return OND_OK;
}

static OndStatus block_room(OndGroupLevel *l, int blocks, OndError *err)
{
    if (blocks <= l->block_room) return OND_OK;
    const size_t room = (size_t)blocks + (size_t)blocks / 4;
    l->block_room = 0;
    if (!renew(&l->near, 4, room) || !renew(&l->link, sizeof *l->link, room + 1))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d ties of groups", blocks);
    l->block_room = (int)room;
    return OND_OK;
}

static OndStatus seat_room(OndRigid *g, OndError *err)
{
    const int need = g->level[0].count * ond_threads();
    if (need <= g->seat_room) return OND_OK;
    g->seat_room = 0;
    if (!renew(&g->seat, sizeof *g->seat, (size_t)need + 1024))
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for groups of particles");
    g->seat_room = need + 1024;
    return OND_OK;
}

void ond_rigid_free_levels(OndRigid *g)
{
    for (int n = 0; n < OND_LEVELS_MAX; ++n) {
        OndGroupLevel *l = &g->level[n];
        void *blocks[] = {l->center, l->first, l->length,  l->near,   l->link,
                          l->tie,    l->whole, l->inverse, l->parent, l->child_first,
                          l->child,  l->x,     l->r,       l->t,      l->stale};
        for (int b = 0; b < OND_COUNT(blocks); ++b)
            ond_free(blocks[b]);
    }
    void *own[] = {g->group, g->strong, g->seat, g->top, g->node, g->single, g->body_of_group};
    for (int b = 0; b < OND_COUNT(own); ++b)
        ond_free(own[b]);
}

// ---- each group's neighbours and blocks

// A group at work: where the blocks of its neighbours are.
typedef struct Gather {
    OndRigid *g;
    OndGroupLevel *l;
    const OndGroupLevel *below; // NULL: particles
    bool counting;
} Gather;

// The neighbours that a group has met so far. While counting, `at` holds the group that met one last;
// then its block, which says itself whether it is meant.
typedef struct Seats {
    int *at;
    int group, first, count;
} Seats;

static int take_seat(Seats *seats, const Gather *t, int other)
{
    int *const at = &seats->at[other];
    if (t->counting) {
        seats->count += *at != seats->group + 1;
        *at = seats->group + 1;
        return -1;
    }
    const int block = *at;
    if (block >= seats->first && block < seats->first + seats->count &&
        t->l->near[block] == (uint32_t)other)
        return block;
    *at = seats->first + seats->count++;
    t->l->near[*at] = (uint32_t)other;
    memset(t->l->link[*at], 0, sizeof *t->l->link);
    return *at;
}

static void add_product(double block[36], const double row[6], const double other[6], double sign)
{
    for (int a = 0; a < 6; ++a) {
        const double scale = sign * row[a];
        for (int b = 0; b < 6; ++b)
            block[6 * a + b] += scale * other[b];
    }
}

static void link_row(const OndRigid *g, const double center[3], int i, uint32_t e, double row[6])
{
    const double r[3] = {g->px[0][i] - center[0], g->px[1][i] - center[1], g->px[2][i] - center[2]};
    ond_link_row(g, e, r, row);
}

// The group that a local moves with.
static int group_of(const OndRigid *g, int j)
{
    if (g->kind[j] == OND_LOCAL_RIM) return g->body[g->member[g->particle[j]]].group;
    return g->group[j] >= 0 ? g->group[j] : OND_NO_GROUP;
}

static void gather_local(const Gather *t, Seats *seats, int k, int i)
{
    const OndRigid *g = t->g;
    for (uint32_t e = g->first[i]; e < g->first[i] + g->length[i]; ++e) {
        const int j = (int)g->near[e], other = group_of(g, j);
        double row[6], theirs[6];
        if (other == k || j == i) continue;
        const int block = other >= 0 ? take_seat(seats, t, other) : -1;
        if (t->counting) continue;
        link_row(g, t->l->center[k], i, e, row);
        add_product(t->l->tie[k], row, row, 1.0);
        if (block < 0) continue;
        link_row(g, t->l->center[other], j, e, theirs);
        add_product(t->l->link[block], theirs, row, -1.0); // column by column
    }
}

static void gather_particles(const Gather *t, Seats *seats, int k)
{
    const OndRigid *g = t->g;
    for (int n = t->l->child_first[k]; n < t->l->child_first[k + 1]; ++n)
        gather_local(t, seats, k, t->l->child[n]);
    const int b = g->body_of_group[k];
    for (int n = b < 0 ? 0 : g->body[b].rim_first; b >= 0 && n < g->body[b].rim_last; ++n)
        gather_local(t, seats, k, g->rim[n]);
}

// block += T^T m U, T and U the motions of a part that lies an arm d (e) from the centre of its whole.
static void add_moved(double block[36], const double m[36], const double d[3], const double e[3])
{
    double half[36]; // m U: columns of spin get m's columns of shift, crossed with e
    memcpy(half, m, sizeof half);
    for (int a = 0; a < 6; ++a)
        for (int c = 0; c < 3; ++c) {
            const int p = (c + 1) % 3, q = (c + 2) % 3;
            half[6 * a + 3 + c] += e[p] * m[6 * a + q] - e[q] * m[6 * a + p];
        }
    for (int k = 0; k < 36; ++k)
        block[k] += half[k];
    for (int c = 0; c < 3; ++c) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        for (int b = 0; b < 6; ++b)
            block[6 * (3 + c) + b] += d[p] * half[6 * q + b] - d[q] * half[6 * p + b];
    }
}

static void arm_of(const Gather *t, int child, int k, double arm[3])
{
    for (int a = 0; a < 3; ++a)
        arm[a] = t->below->center[child][a] - t->l->center[k][a];
}

static void gather_groups(const Gather *t, Seats *seats, int k)
{
    const OndGroupLevel *const below = t->below;
    for (int n = t->l->child_first[k]; n < t->l->child_first[k + 1]; ++n) {
        const int i = t->l->child[n];
        double arm[3], theirs[3];
        arm_of(t, i, k, arm);
        if (!t->counting) add_moved(t->l->tie[k], below->tie[i], arm, arm);
        for (uint32_t e = below->first[i]; e < below->first[i] + below->length[i]; ++e) {
            const int j = (int)below->near[e], other = below->parent[j];
            const int block = other == k ? -1 : take_seat(seats, t, other);
            if (t->counting) continue;
            arm_of(t, j, other, theirs);
            // blocks of links stand column by column
            add_moved(other == k ? t->l->tie[k] : t->l->link[block], below->link[e], theirs, arm);
        }
    }
}

static void gather_range(int first, int last, int worker, void *context)
{
    const Gather *t = context;
    const int stride = t->g->level[0].count;
    for (int k = first; k < last; ++k) {
        Seats seats = {.at = t->g->seat + (size_t)worker * (size_t)stride, .group = k};
        if (!t->counting) {
            seats.first = (int)t->l->first[k];
            memset(t->l->tie[k], 0, sizeof *t->l->tie);
        }
        (t->below ? gather_groups : gather_particles)(t, &seats, k);
        if (t->counting) t->l->length[k] = (uint32_t)seats.count;
    }
}

static OndStatus gather_blocks(OndRigid *g, int n, OndError *err)
{
    OndGroupLevel *const l = &g->level[n];
    Gather t = {g, l, n ? &g->level[n - 1] : NULL, true};
    memset(g->seat, 0, (size_t)g->seat_room * sizeof *g->seat);
    ond_parallel_for(l->count, GRAIN, gather_range, &t);
    int sum = 0;
    for (int k = 0; k < l->count; ++k) {
        l->first[k] = (uint32_t)sum;
        sum += (int)l->length[k];
    }
    const OndStatus status = block_room(l, sum, err);
    if (status != OND_OK) return status;
    t.counting = false;
    ond_parallel_for(l->count, GRAIN, gather_range, &t);
    return OND_OK;
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

static OndStatus next_level(OndRigid *g, bool *last, OndError *err)
{
    OndGroupLevel *const below = &g->level[g->level_count - 1], *const l = below + 1;
    const int count = ond_group_blocks(below, g->strong, g->r.at[0]);
    *last = count == below->count;
    if (*last) return OND_OK;
    OndStatus status = ond_level_room(l, count, below->count, err);
    if (status != OND_OK) return status;
    l->count = count;
    list_children(below, l);
    status = gather_blocks(g, g->level_count, err);
    if (status == OND_OK) ++g->level_count;
    return status;
}

OndStatus ond_rigid_coarsen(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    g->level_count = 1;
    if (g->level[0].count == 0) return OND_OK; // nothing is tied strongly
    OndStatus status = seat_room(g, err);
    for (int k = 0; k < g->level[0].count; ++k)
        g->body_of_group[k] = OND_NO_BODY;
    for (int b = 0; b < g->body_count; ++b)
        if (g->body[b].group >= 0) g->body_of_group[g->body[b].group] = b;
    if (status == OND_OK) status = gather_blocks(g, 0, err);
    for (bool last = false; status == OND_OK && !last && g->level_count < OND_LEVELS_MAX;)
        if (g->level[g->level_count - 1].count > OND_TOP)
            status = next_level(g, &last, err);
        else
            last = true;
    return status;
}

// ---- masses and contacts

static void ground_particles(const OndRigid *g, const OndGroupLevel *l, int k)
{
    double(*whole)[6] = (double(*)[6])l->whole[k];
    for (int n = l->child_first[k]; n < l->child_first[k + 1]; ++n) {
        const int i = l->child[n];
        double r[3], row[6];
        for (int a = 0; a < 3; ++a)
            r[a] = g->px[a][i] - l->center[k][a];
        for (int a = 0; a < 3; ++a) {
            ond_motion_row(r, a, row);
            ond_add_square(whole, row, g->grounded[a][i]);
        }
    }
    const int b = g->body_of_group[k];
    for (int c = 0; b >= 0 && c < 36; ++c)
        l->whole[k][c] += g->body[b].block[c / 6][c % 6];
}

static void invert_group(const OndRigid *g, const OndGroupLevel *l, int k)
{
    double m[6][6], most = 1e-300;
    memcpy(m, l->whole[k], sizeof m);
    for (int a = 0; a < 6; ++a)
        most = fmax(most, m[a][a]);
    for (int a = 0; a < 6; ++a) {
        const bool none = g->dimension == 2 && a >= 2 && a < 5;
        for (int c = 0; c < 6 && none; ++c)
            m[a][c] = m[c][a] = 0.0;
        // a turn that nothing resists (a line of particles) has no force either
        m[a][a] = none ? 1.0 : m[a][a] * (1.0 + 1e-12) + 1e-14 * most;
    }
    if (!ond_cholesky6(m)) { // cannot be but by rounding: take its largest
        memset(m, 0, sizeof m);
        for (int a = 0; a < 6; ++a)
            m[a][a] = sqrt(most);
    }
    ond_cholesky6_invert((const double(*)[6])m, l->inverse[k]);
}

typedef struct Ground {
    OndRigid *g;
    int level;
} Ground;

static void ground_range(int first, int last, int worker, void *context)
{
    const Ground *t = context;
    const OndGroupLevel *const l = &t->g->level[t->level], *const below = l - 1;
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
            add_moved(l->whole[k], ground, arm, arm);
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
    }
    ond_factor_top(m, n);
}

static void ground_all(OndRigid *g)
{
    for (int n = 0; n < g->level_count; ++n) {
        Ground t = {g, n};
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
    ground_all(g);
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
    ground_all(g);
    factor_top(g);
}
