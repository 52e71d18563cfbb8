// SPDX-License-Identifier: MIT
// How a projection begins and ends.
#include "particles/incompressible/projection.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "particles/incompressible/projection_state.h"
#include "particles/rigid/rigid.h"
#include "solids/solids.h"

#define FAINT   1e-3f // of the largest diagonal: one neighbour at half the kernel's reach makes more
#define FULL    0.999  // of the room between walls
#define BRIMFUL 1.0005 // and with more than there is

// ---- begin

typedef struct Start {
    OndSph *s;
    OndProjection *p;
    float crowding, dt;
    bool pieces;
} Start;

static bool has_free_solids(const OndSph *s)
{
    for (int k = 0; k < ond_solids_count(s->world.solids); ++k)
        if (ond_solids_def(s->world.solids, k)->free) return true;
    return false;
}

// Solids may become free while it runs.
static OndStatus make_bodies(const OndSph *s, OndProjection *p, OndError *err)
{
    const int count = has_free_solids(s) ? ond_solids_count(s->world.solids) : 0;
    if (count == p->bodies) return OND_OK;
    ond_free(p->body), ond_free(p->gained);
    p->body = count ? ond_alloc((size_t)count * sizeof *p->body) : NULL;
    p->gained = count ? ond_alloc((size_t)count * sizeof *p->gained) : NULL;
    p->bodies = p->body && p->gained ? count : 0;
    if (p->bodies == count) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the solids in a liquid");
}

static OndStatus make_room(OndSph *s, OndError *err)
{
    if (!s->projection) s->projection = OND_NEW(OndProjection);
    OndProjection *const p = s->projection;
    const int need = s->fields.count + s->images.count;
    if (p) p->place = s->place, p->trial = s->go;
    if (p && need <= p->room) return OND_OK;
    if (p) {
        const int room = need + need / 32;
        ond_free(p->way), ond_free(p->mirror);
        p->way = OND_NEW_ARRAY(OndQuad, room);
        p->mirror = OND_NEW_ARRAY(OndQuad, room);
        p->room = p->way && p->mirror ? room : 0;
        if (p->room) return OND_OK;
    }
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the pressure of %d particles",
                    s->fields.count);
}

OndStatus ond_projection_room(OndSph *s, bool grids, OndError *err)
{
    OndStatus status = make_room(s, err);
    if (status == OND_OK) status = make_bodies(s, s->projection, err);
    if (status == OND_OK) status = ond_projection_faces(s, err);
    if (status == OND_OK && grids) status = ond_multigrid_lay(&s->projection->grids, s, err);
    return status;
}

void ond_projection_free(OndProjection *p)
{
    if (!p) return;
    ond_free(p->way), ond_free(p->mirror);
    ond_free(p->body), ond_free(p->gained);
    ond_multigrid_free(p->grids);
    ond_free(p->image), ond_free(p->image_first);
    ond_free(p);
}

size_t ond_projection_bytes(const OndProjection *p)
{
    return p ? sizeof *p + (size_t)p->room * 2 * sizeof(OndQuad) +
                   (size_t)p->bodies * 2 * sizeof *p->body + ond_multigrid_bytes(p->grids) +
                   (size_t)p->image_room * sizeof *p->image +
                   (size_t)p->image_rows * sizeof *p->image_first
             : 0;
}

// Places with inverse masses, for the diagonal.
static void place_range(int first, int last, int worker, void *context)
{
    const Start *b = context;
    OndSph *s = b->s;
    for (int i = first; i < last; ++i) {
        const float mass = s->mass[s->material[i]];
        s->inverse_mass[i] = s->held[i] ? 0.0f : ond_rigid_pressure_ease(s, i, 1.0f / mass);
        s->rest_room[i] = mass / s->world.material[s->material[i]].density;
        b->p->place[i] = (OndQuad){s->x[0][i], s->x[1][i], s->x[2][i], s->inverse_mass[i]};
    }
}

// A wall meets what is solid by contact (rigid_contact.c): its images do not push.
static void place_images(int first, int last, int worker, void *context)
{
    const Start *b = context;
    OndSph *s = b->s;
    for (int k = first; k < last; ++k) {
        const uint32_t from = s->images.source[k];
        const int to = s->fields.count + k;
        float sign[3];
        for (int a = 0; a < 3; ++a)
            sign[a] = ond_images_mirror(&s->images, &s->world, k, a) ? -1.0f : 1.0f;
        const bool pushes = !(s->has_rigidity && s->piece[from]);
        b->p->mirror[k] = (OndQuad){sign[0], sign[1], sign[2], 1.0f};
        b->p->place[to] =
            pushes ? (OndQuad){s->x[0][to], s->x[1][to], s->x[2][to], s->inverse_mass[from]}
                   : (OndQuad){OND_FAR, OND_FAR, OND_FAR, 0.0f};
    }
}

// Nor does what is solid feel those of a liquid, or the liquid would feel it push without pushing back: the system would
// not be symmetric. What is left out of a list is itself, at no distance.
static void forget_images(int first, int last, int worker, void *context)
{
    const Start *b = context;
    const OndSph *s = b->s;
    for (int i = first; i < last; ++i) {
        if (!s->piece[i]) continue;
        uint32_t *list = s->lists.pool + s->lists.first[i];
        for (uint32_t k = 0; k < s->lists.length[i]; ++k)
            if (list[k] >= (uint32_t)s->fields.count) list[k] = (uint32_t)i;
    }
}

// The impulses of before; then the ways that particles would go by themselves and by those.
static void recall_range(int first, int last, int worker, void *context)
{
    const Start *b = context;
    for (int i = first; i < last; ++i)
        b->p->place[i][3] = b->s->impulse[i];
}

static void way_range(int first, int last, int worker, void *context)
{
    const Start *b = context;
    const OndSph *s = b->s;
    const OndQuad dt = {b->dt, b->dt, b->dt, b->dt};
    for (int i = first; i < last; ++i)
        b->p->way[i] = dt * (OndQuad){s->v[0][i], s->v[1][i], s->v[2][i], 0.0f} + b->p->trial[i];
}

// Who is held and meets others only at the edge of the kernel would throw them far for the least that it is
// crowded, since hardly any way of theirs changes that: their own impulses keep them off.
static void drop_faint(OndSph *s)
{
    float most = 0.0f;
    for (int i = 0; i < s->fields.count; ++i)
        most = fmaxf(most, s->diagonal[i]);
    for (int i = 0; i < s->fields.count; ++i)
        if (s->held[i] && s->diagonal[i] < FAINT * most) s->diagonal[i] = s->impulse[i] = 0.0f;
}

// Who has nobody but its own piece around it.
static void drop_alone(int first, int last, int worker, void *context)
{
    const Start *b = context;
    for (int i = first; i < last; ++i)
        if (ond_rigid_pressure_alone(b->s, i)) b->s->diagonal[i] = b->s->impulse[i] = 0.0f;
}

// Adds how crowded particles are already. Who has room may use it in either case.
static void source_range(int first, int last, int worker, void *context)
{
    const Start *b = context;
    OndSph *s = b->s;
    for (int i = first; i < last; ++i) {
        float now = s->density[i] / s->world.material[s->material[i]].density - 1.0f;
        if (s->held[i] == OND_HELD_ASLEEP) // it rests squeezed as it is
            now = fminf(now, fmaxf(now - s->rest_squeeze[i], 0.0f));
        if (now > 0.0f && b->pieces) now = fminf(now, ond_rigid_pressure_most(s, i, b->crowding));
        s->crowded[i] += fminf(now, b->crowding) / s->rest_room[i];
    }
}

// Room between walls, m^3 (in the plane m^2); infinite where one is missing, or solids take some.
static double room_of(const OndWorld *w)
{
    double room = w->solids ? INFINITY : 1.0;
    for (int a = 0; a < w->dimension; ++a)
        for (int side = 2 * a; side < 2 * a + 2; ++side)
            if (w->side[side].kind == OND_SIDE_OPEN) room = INFINITY;
    for (int a = 0; a < w->dimension; ++a)
        room *= ond_axis(w->box.max, a) - ond_axis(w->box.min, a);
    return room;
}

static void see_filled(OndTotals *t, int block, int begin, int end)
{
    double filled = 0.0;
    for (int i = begin; i < end; ++i)
        filled += (double)t->s->rest_room[i];
    t->first[block] = filled, t->second[block] = t->third[block] = 0.0;
}

static void see_crowded(OndTotals *t, int block, int begin, int end)
{
    const OndSph *s = t->s;
    double crowded = 0.0;
    for (int i = begin; i < end; ++i)
        crowded += (double)(s->crowded[i] * s->rest_room[i]);
    t->first[block] = crowded, t->second[block] = t->third[block] = 0.0;
}

static void spare_range(int first, int last, int worker, void *context)
{
    const OndTotals *t = context;
    const float mean = (float)(t->sum[0] / t->s->fields.count);
    for (int i = first; i < last; ++i)
        t->s->crowded[i] -= mean / t->s->rest_room[i];
}

// In a full closed box no motion makes room for all: what is crowded as the mean is stays so. In one that is
// poured into until it is fuller than full nobody who is crowded finds room, and so does what closes
// in on the mean, or particles would be thrown about by ever new ways to find some.
static OndStatus add_source(Start *b, OndError *err)
{
    OndSph *const s = b->s;
    const double room = room_of(&s->world);
    OndTotals t;
    const OndStatus status = ond_totals_make(s, &t, err);
    if (status != OND_OK) return status;
    ond_totals_find(&t, see_filled);
    const bool full = t.sum[0] >= FULL * room;
    if (t.sum[0] > BRIMFUL * room) b->crowding = 0.0f;
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, source_range, b);
    if (!full) return OND_OK;
    ond_totals_find(&t, see_crowded);
    if (t.sum[0] > 0.0) ond_parallel_for(s->fields.count, 8 * OND_GRAIN, spare_range, &t);
    return OND_OK;
}

OndStatus ond_projection_begin(OndSph *s, const OndProjectionAim *aim, float dt, OndError *err)
{
    OndStatus status = make_bodies(s, s->projection, err);
    if (status == OND_OK) status = ond_rigid_pressure_begin(s, err);
    if (status != OND_OK) return status;
    Start b = {s, s->projection, aim->crowding, dt, ond_rigid_is_pushed(s)};
    const int n = s->fields.count;
    ond_parallel_for(n, 8 * OND_GRAIN, place_range, &b);
    ond_parallel_for(s->images.count, OND_IMAGE_BLOCK, place_images, &b);
    if (s->has_rigidity) ond_parallel_for(n, OND_GRAIN, forget_images, &b);
    ond_projection_diagonal(s);
    if (aim->grids) {
        ond_multigrid_make(s->projection->grids, s, s->projection->trial);
        drop_faint(s);
    }
    if (b.pieces) ond_parallel_for(n, OND_GRAIN, drop_alone, &b);
    ond_parallel_for(n, 8 * OND_GRAIN, recall_range, &b);
    ond_projection_push(s, s->projection->trial);
    ond_parallel_for(n, 8 * OND_GRAIN, way_range, &b);
    ond_projection_crowd(s, s->projection->way, s->crowded);
    ond_projection_walls(s, dt, aim->falls);
    return add_source(&b, err);
}

// ---- end

static void end_range(int first, int last, int worker, void *context)
{
    const Start *b = context;
    OndSph *s = b->s;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            if (!s->held[i]) s->v[a][i] = b->p->way[i][a] / b->dt;
}

void ond_projection_end(OndSph *s, float dt)
{
    Start b = {s, s->projection, 0.0f, dt, false};
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, end_range, &b);
    if (!ond_rigid_is_pushed(s)) return;
    // how members gave was for the solve alone: pieces get what all impulses make of them
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, recall_range, &b);
    ond_projection_push_each(s, s->projection->trial);
    ond_rigid_pressure_end(s, s->projection->trial, dt);
}
