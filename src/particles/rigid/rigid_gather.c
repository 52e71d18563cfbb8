// SPDX-License-Identifier: MIT
// The links' part of the groups' systems (Galerkin): what ties stiff motions to each other.
//
// A group that moves with velocity V of its centre c and spin W moves what is at x with V + W x (x - c). A link g
// between two groups adds row row^T to both own blocks and -row row'^T between them, row = (g, (x - c) x g), x the
// link's middle: g points along it, so its torque is the same anywhere on it. Links within a group add nothing,
// because it does not deform. The rows of both groups differ by the way between their centres alone; so a group
// sums row row^T over its links to a neighbour, a symmetric block of 21 numbers, and shifts the sum once. The next
// level is made from these blocks alike, each moved to the centres of the larger groups.
//
// All of it is in double, for stiffness spans nine orders and a turn of a light group must not drown in rounding.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <stdatomic.h>
#include <string.h>

#define GRAIN 32
#define SLAB  2048 // blocks taken from the level's at a time, at most

typedef struct Gather {
    OndRigid *g;
    OndGroupLevel *l;
    const OndGroupLevel *below; // NULL: particles
    const OndLoops *loops;
    OndTieLoop loop;
    uint32_t slab;
    _Atomic(uint32_t) used; // of the level's blocks
    _Atomic(int) overflow;
} Gather;

// A worker's: blocks that it took and did not use yet, and behind that, where it looks its seats up: whatever stands
// there is held against the blocks themselves.
typedef struct GatherRoom {
    uint32_t at, end, seat[];
} GatherRoom;

static uint32_t take_seat(OndSeats *seats, const OndGroupLevel *l, int other)
{
    const uint32_t block = seats->at[other];
    if (block - seats->first < seats->count && l->near[block] == (uint32_t)other) return block;
    const uint32_t fresh = seats->first + seats->count++;
    seats->at[other] = fresh;
    l->near[fresh] = (uint32_t)other;
    memset(l->link[fresh], 0, sizeof *l->link);
    return fresh;
}

// ---- links of particles

// The group that a local moves with.
static void home_range(int first, int last, int worker, void *context)
{
    const OndRigid *g = context;
    for (int i = first; i < last; ++i)
        g->home[i] =
            g->kind[i] == OND_LOCAL_RIM ? g->body[g->member[g->particle[i]]].group : g->group[i];
}

static void gather_particles(const Gather *t, OndSeats *seats, int k)
{
    const OndRigid *g = t->g;
    OndGroupLevel *const l = t->l;
    const int b = g->body_of_group[k], first = l->child_first[k];
    t->loops->tie(&t->loop, seats, k, l->child + first, l->child_first[k + 1] - first);
    if (b >= 0)
        t->loops->tie(&t->loop, seats, k, g->rim + g->body[b].rim_first,
                      g->body[b].rim_last - g->body[b].rim_first);
    t->loops->share(&t->loop, seats, k);
}

// As many links as a group has, without those of a body's rim.
static uint32_t links_of_particles(const Gather *t, int k)
{
    uint32_t sum = 0;
    for (int n = t->l->child_first[k]; n < t->l->child_first[k + 1]; ++n)
        sum += t->g->length[t->l->child[n]];
    return sum;
}

// How many others a rim is linked to, which are few beside its links. Seats bear a mark that is no block.
static uint32_t others_of_rim(const Gather *t, GatherRoom *w, int k)
{
    const OndRigid *g = t->g;
    const int b = g->body_of_group[k];
    const uint32_t mark = 0x80000000u | (uint32_t)k;
    uint32_t sum = 0;
    for (int n = b < 0 ? 0 : g->body[b].rim_first; b >= 0 && n < g->body[b].rim_last; ++n) {
        const uint32_t first = g->first[g->rim[n]], last = first + g->length[g->rim[n]];
        for (uint32_t e = first; e < last; ++e) {
            const int other = g->home[g->near[e]];
            if (other < 0 || other == k || w->seat[other] == mark) continue;
            w->seat[other] = mark, ++sum;
        }
    }
    return sum;
}

// ---- blocks of groups

static void arm_of(const Gather *t, int child, int k, double arm[3])
{
    for (int a = 0; a < 3; ++a)
        arm[a] = t->below->center[child][a] - t->l->center[k][a];
}

static void gather_groups(const Gather *t, OndSeats *seats, int k)
{
    const OndGroupLevel *const below = t->below;
    for (int n = t->l->child_first[k]; n < t->l->child_first[k + 1]; ++n) {
        const int i = t->l->child[n];
        double arm[3], theirs[3];
        arm_of(t, i, k, arm);
        t->loops->carry(t->l->tie[k], below->tie[i], arm, arm);
        for (uint32_t e = below->first[i]; e < below->first[i] + below->length[i]; ++e) {
            const int j = (int)below->near[e], other = below->parent[j];
            double *const to =
                other == k ? t->l->tie[k] : t->l->link[take_seat(seats, t->l, other)];
            arm_of(t, j, other, theirs);
            t->loops->carry(to, below->link[e], theirs, arm); // links' stand column by column
        }
    }
}

static uint32_t links_of_groups(const Gather *t, int k)
{
    uint32_t sum = 0;
    for (int n = t->l->child_first[k]; n < t->l->child_first[k + 1]; ++n)
        sum += t->below->length[t->l->child[n]];
    return sum;
}

// ---- a level

static size_t worker_size(const OndRigid *g)
{
    return sizeof(GatherRoom) / sizeof(uint32_t) + (size_t)g->level[0].count;
}

static GatherRoom *worker_of(const OndRigid *g, int worker)
{
    return (GatherRoom *)(g->seat + (size_t)worker * worker_size(g));
}

static OndStatus seat_room(OndRigid *g, OndError *err)
{
    const size_t need = worker_size(g) * (size_t)ond_threads();
    if (need <= g->seat_room) return OND_OK;
    ond_free(g->seat);
    g->seat_room = 0;
    g->seat = OND_NEW_ARRAY(uint32_t, need + need / 4);
    if (!g->seat) return ond_fail(err, OND_NO_MEMORY, "not enough memory for groups of particles");
    g->seat_room = need + need / 4;
    return OND_OK;
}

// Room for one group's blocks; false when the level's are used up.
static bool take_room(Gather *t, GatherRoom *w, uint32_t most)
{
    if (w->end - w->at >= most) return true;
    if (atomic_load_explicit(&t->overflow, memory_order_relaxed)) return false;
    const uint32_t size = most > t->slab ? most : t->slab, room = (uint32_t)t->l->block_room;
    const uint32_t at = atomic_fetch_add_explicit(&t->used, size, memory_order_relaxed);
    if (at > room || room - at < size) {
        atomic_store_explicit(&t->overflow, 1, memory_order_relaxed);
        return false;
    }
    w->at = at, w->end = at + size;
    return true;
}

static void gather_range(int first, int last, int worker, void *context)
{
    Gather *const t = context;
    OndGroupLevel *const l = t->l;
    GatherRoom *const w = worker_of(t->g, worker);
    for (int k = first; k < last; ++k) {
        const uint32_t links =
            t->below ? links_of_groups(t, k) : links_of_particles(t, k) + others_of_rim(t, w, k);
        const uint32_t others = (uint32_t)l->count - 1;
        if (!take_room(t, w, links < others ? links : others)) return;
        OndSeats seats = {w->seat, w->at, 0};
        memset(l->tie[k], 0, sizeof *l->tie);
        (t->below ? gather_groups : gather_particles)(t, &seats, k);
        l->first[k] = w->at, l->length[k] = seats.count;
        w->at += seats.count;
    }
}

static OndTieLoop tie_loop(const OndRigid *g, const OndGroupLevel *l)
{
    return (OndTieLoop){g->first,
                        g->length,
                        g->near,
                        g->pull[0],
                        g->pull[1],
                        g->pull[2],
                        g->px[0],
                        g->px[1],
                        g->px[2],
                        g->home,
                        (const double(*)[3])l->center,
                        l->tie,
                        l->link,
                        l->near};
}

OndStatus ond_rigid_gather(OndSph *s, int n, OndError *err)
{
    OndRigid *g = s->rigid;
    OndGroupLevel *const l = &g->level[n];
    if (n == 0) ond_parallel_for(g->count, 4 * OND_GRAIN, home_range, g);
    const uint32_t slab = l->count < SLAB ? (uint32_t)l->count : SLAB;
    const int ranges = (l->count + GRAIN - 1) / GRAIN;
    const int workers = ranges < ond_threads() ? ranges : ond_threads();
    double blocks = 24.0 * l->count + (double)slab * (workers + 1);
    for (;;) {
        OndStatus status = seat_room(g, err);
        if (status == OND_OK) status = ond_level_block_room(l, blocks, err);
        if (status != OND_OK) return status;
        Gather t = {g, l, n ? &g->level[n - 1] : NULL, s->loops, tie_loop(g, l), slab, 0, 0};
        for (int worker = 0; worker < ond_threads(); ++worker)
            worker_of(g, worker)->at = worker_of(g, worker)->end = 0;
        ond_parallel_for(l->count, GRAIN, gather_range, &t);
        if (!atomic_load(&t.overflow)) return OND_OK;
        blocks = 1.5 * l->block_room;
    }
}
