// SPDX-License-Identifier: MIT
// Who takes part, and who holds whom.
//
// Unknowns are the particles with some rigidity that are in no body; beside them stand the members
// of bodies and the held particles that touch them. Two of these that are near hold each other
// (physics/rigidity.h).
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"
#include "physics/rigidity.h"

#include <stdatomic.h>
#include <string.h>

typedef struct Part {
    OndSph *s;
    float dt;
    float *lead, *scale; // per particle: weight of its rigidity; K m / 2 / lattice sum
    double stiffness;
} Part;

// Sum of the links' shape over the lattice.
static double lattice_sum(const OndSph *s)
{
    const int flat = s->world.dimension == 2 ? 0 : 1;
    double sum = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const double rest =
                    1.0 - (x * x + y * y + z * z) / (OND_LINK_REACH * OND_LINK_REACH);
                if ((x || y || z) && rest > 0.0) sum += rest * rest;
            }
    return sum;
}

static void weigh_range(int first, int last, int worker, void *context)
{
    const Part *p = context;
    const OndSph *s = p->s;
    const OndRigidDef *d = &s->def.rigidity;
    for (int i = first; i < last; ++i) {
        const bool real = i < s->fields.count;
        const float rigid = real ? s->rigidity[i] : 0.0f;
        p->lead[i] = ond_link_lead(rigid, (float)d->exponent, (float)d->floor);
        p->scale[i] = real ? (float)(p->stiffness * s->mass[s->material[i]]) : 0.0f;
    }
}

// ---- who

static bool is_soft(const OndSph *s, int i)
{
    return s->rigidity[i] > 0.0f && !s->held[i] && s->rigid->member[i] == OND_NO_BODY;
}

// A member of a body, or a held particle, with something soft beside it.
static bool touches_soft(const OndSph *s, int i)
{
    const float reach = OND_LINK_REACH * (float)s->world.spacing;
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        const int j = (int)list[k];
        if (j >= s->fields.count || !is_soft(s, j)) continue;
        const float x = s->x[0][i] - s->x[0][j], y = s->x[1][i] - s->x[1][j],
                    z = s->x[2][i] - s->x[2][j];
        if (x * x + y * y + z * z < reach * reach) return true;
    }
    return false;
}

#define ABSENT 255

static uint8_t kind_of(const OndSph *s, int i)
{
    if (s->rigidity[i] <= 0.0f) return ABSENT;
    if (is_soft(s, i)) return OND_LOCAL_SOFT;
    if (!touches_soft(s, i)) return ABSENT;
    const int body = s->rigid->member[i];
    return body == OND_NO_BODY || s->rigid->body[body].driven ? OND_LOCAL_HELD : OND_LOCAL_RIM;
}

typedef struct Kinds {
    OndSph *s;
    uint8_t *kind; // per particle
} Kinds;

static void kind_range(int first, int last, int worker, void *context)
{
    const Kinds *k = context;
    for (int i = first; i < last; ++i)
        k->kind[i] = kind_of(k->s, i);
}

static bool any_soft(const OndSph *s)
{
    for (int i = 0; i < s->fields.count; ++i)
        if (is_soft(s, i)) return true;
    return false;
}

static void number_locals(OndSph *s, const uint8_t *kind)
{
    OndRigid *g = s->rigid;
    g->count = 0;
    for (int i = 0; i < s->fields.count; ++i) {
        g->local[i] = kind[i] == ABSENT ? -1 : g->count;
        if (kind[i] == ABSENT) continue;
        g->particle[g->count] = (uint32_t)i;
        g->kind[g->count++] = kind[i];
    }
}

static void gather_range(int first, int last, int worker, void *context)
{
    const Part *p = context;
    const OndSph *s = p->s;
    OndRigid *g = s->rigid;
    for (int l = first; l < last; ++l) {
        const uint32_t i = g->particle[l];
        g->hold[l] = ond_rigidity_in_step(s->rigidity[i], p->dt, (float)s->def.rigidity.time);
        g->mass[l] = s->mass[s->material[i]];
        for (int a = 0; a < 3; ++a)
            g->px[a][l] = s->x[a][i], g->w[a][l] = s->v[a][i], g->ground[a][l] = 0.0f;
    }
}

// Rims by body, in order.
static void list_rims(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].rim_first = g->body[b].rim_last = 0;
    for (int l = 0; l < g->count; ++l)
        if (g->kind[l] == OND_LOCAL_RIM) ++g->body[g->member[g->particle[l]]].rim_last;
    int at = 0;
    for (int b = 0; b < g->body_count; ++b) {
        const int count = g->body[b].rim_last;
        g->body[b].rim_first = g->body[b].rim_last = at;
        at += count;
    }
    for (int l = 0; l < g->count; ++l)
        if (g->kind[l] == OND_LOCAL_RIM) g->rim[g->body[g->member[g->particle[l]]].rim_last++] = l;
    g->rim_count = at;
}

// ---- links

static OndStatus make_links(OndRigid *g, double count, OndError *err)
{
    if (count <= g->link_room) return OND_OK;
    if (count > 2e9) return ond_fail(err, OND_NO_MEMORY, "more links between particles than fit");
    ond_free(g->near);
    ond_free(g->strong);
    ond_free(g->strong_near);
    for (int a = 0; a < 3; ++a)
        ond_free(g->pull[a]);
    g->link_room = (int)count;
    g->near = OND_NEW_ARRAY(uint32_t, g->link_room);
    g->strong = OND_NEW_ARRAY(float, g->link_room);
    g->strong_near = OND_NEW_ARRAY(uint32_t, g->link_room);
    for (int a = 0; a < 3; ++a)
        g->pull[a] = OND_NEW_ARRAY(float, g->link_room);
    if (g->near && g->strong && g->strong_near && g->pull[0] && g->pull[1] && g->pull[2])
        return OND_OK;
    g->link_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %.0f links", count);
}

typedef struct Linking {
    const OndLoops *loops;
    OndLinkLoop loop;
} Linking;

static void link_range(int first, int last, int worker, void *context)
{
    const Linking *l = context;
    l->loops->link(&l->loop, first, last, worker);
}

static OndStatus link_all(OndSph *s, const Part *p, OndError *err)
{
    OndRigid *g = s->rigid;
    const float reach = OND_LINK_REACH * (float)s->world.spacing;
    _Atomic(uint32_t) used;
    _Atomic(int) overflow;
    OndStatus status = make_links(g, 26.0 * g->count + 16384.0 * (ond_threads() + 1), err);
    while (status == OND_OK) {
        atomic_init(&used, 0);
        atomic_init(&overflow, 0);
        ond_near_buffers_begin(&s->near);
        Linking l = {s->loops,
                     {s->lists.pool,
                      s->lists.first,
                      s->lists.length,
                      s->x[0],
                      s->x[1],
                      s->x[2],
                      p->lead,
                      p->scale,
                      reach * reach,
                      g->particle,
                      s->piece,
                      g->local,
                      g->kind,
                      s->near.each,
                      &used,
                      &overflow,
                      (uint32_t)g->link_room,
                      g->near,
                      g->first,
                      g->length,
                      g->pull[0],
                      g->pull[1],
                      g->pull[2]}};
        ond_parallel_for(g->count, OND_GRAIN, link_range, &l);
        if (!atomic_load(&overflow)) return OND_OK;
        status = make_links(g, 1.5 * g->link_room, err);
    }
    return status;
}

OndStatus ond_rigid_links(OndSph *s, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    const int all = s->fields.count + s->images.count;
    g->count = g->rim_count = 0;
    list_rims(g);
    if (!any_soft(s)) return OND_OK;
    Kinds k = {.s = s, .kind = (uint8_t *)g->first}; // the lists are made later
    ond_parallel_for(s->fields.count, OND_GRAIN, kind_range, &k);
    number_locals(s, k.kind);
    list_rims(g);
    Part p = {.s = s,
              .dt = dt,
              .lead = s->lead,
              .scale = s->link_scale,
              .stiffness = 0.5 * s->def.rigidity.stiffness / lattice_sum(s)};
    ond_parallel_for(all, OND_GRAIN, weigh_range, &p);
    ond_parallel_for(g->count, OND_GRAIN, gather_range, &p);
    return link_all(s, &p, err);
}
