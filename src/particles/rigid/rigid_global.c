// SPDX-License-Identifier: MIT
// The order of the `global` solver: pieces, links, contacts, one symmetric system.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/rigid/rigid_state.h"

#include <string.h>

#define BODY_ROUNDS 60 // of contacts, where nothing is soft: six equations each

static bool make_array(void *at, size_t each, int room)
{
    void **place = at;
    ond_free(*place);
    *place = ond_alloc((size_t)room * each);
    return *place != NULL;
}

static bool make_locals(OndRigid *g, int room)
{
    bool whole = make_array(&g->local, 4, room) && make_array(&g->particle, 4, room) &&
                 make_array(&g->kind, 1, room) && make_array(&g->member, 4, room) &&
                 make_array(&g->hold, 4, room) && make_array(&g->mass, 4, room) &&
                 make_array(&g->first, 4, room) && make_array(&g->length, 4, room) &&
                 make_array(&g->order, 4, room) && make_array(&g->rim, 4, room) &&
                 make_array(&g->group, 4, room) && make_array(&g->node, 4, room) &&
                 make_array(&g->single, 4, room) && make_array(&g->home, 4, room) &&
                 make_array(&g->strong_length, 4, room) && make_array(&g->body_of_group, 4, room) &&
                 make_array(&g->loose, 4, room) && make_array(&g->inert, 4, room) &&
                 make_array(&g->quad, sizeof *g->quad, room) &&
                 make_array(&g->sum, 12 * sizeof(double), ond_sum_block_count(room) + 1);
    float **arrays[] = {g->ground,      g->own,      g->own + 3, g->inverse, g->inverse + 3,
                        g->px,          g->w,        g->x.at,    g->r.at,    g->z.at,
                        g->p.at,        g->y.at,     g->b.at,    g->f.at,    g->settled,
                        g->settled + 3, g->grounded, g->c.at,    g->q.at};
    for (int k = 0; k < OND_COUNT(arrays); ++k)
        for (int a = 0; a < 3; ++a)
            whole = whole && make_array(&arrays[k][a], sizeof(float), room);
    return whole;
}

OndStatus ond_rigid_room(OndSph *s, OndError *err)
{
    if (!s->rigid) s->rigid = OND_NEW(OndRigid);
    if (s->rigid) s->rigid->dimension = s->world.dimension;
    if (s->rigid && s->fields.count <= s->rigid->room) return OND_OK;
    const int room = s->fields.count + s->fields.count / 8 + 64;
    if (s->rigid && make_locals(s->rigid, room)) {
        s->rigid->room = room;
        return OND_OK;
    }
    if (s->rigid) s->rigid->room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the solids among %d particles",
                    s->fields.count);
}

static void add_to_bodies(OndRigid *g)
{
    for (int b = 0; b < g->body_count; ++b) {
        bool touched = false;
        for (int k = 0; k < 6; ++k) {
            g->body[b].motion[k] += g->x.body[b][k];
            touched |= g->x.body[b][k] != 0.0;
        }
        if (touched) g->body[b].pull[0] = g->body[b].pull[1] = g->body[b].pull[2] = 0.0;
    }
}

// What is solid does not move as a liquid would, so its walls come first: soft parts then see how
// it really moves, and sag where it stands.
static OndStatus meet_walls(OndSph *s, float dt, OndError *err)
{
    OndRigid *g = s->rigid;
    g->count = g->rim_count = 0;
    for (int b = 0; b < g->body_count; ++b)
        g->body[b].rim_first = g->body[b].rim_last = 0;
    ond_rigid_own_blocks(g);
    const OndStatus status = ond_rigid_find_contacts(s, dt, true, err);
    if (status != OND_OK || g->contact_count == 0) return status;
    bool again = true;
    ond_rigid_look_afresh(g);
    for (int round = 0; round < BODY_ROUNDS && again; ++round) {
        ond_rigid_put_contacts(s);
        ond_rigid_prepare_bodies(s, true);
        ond_rigid_solve_bodies(s);
        again = ond_rigid_judge_bodies(s, dt);
    }
    s->unsettled |= again;
    add_to_bodies(g);
    ond_body_stiffen(s);
    return OND_OK;
}

static OndStatus find_system(OndSph *s, float dt, OndError *err)
{
    OndStatus status = ond_rigid_links(s, dt, err);
    if (status != OND_OK || s->rigid->count == 0) return status;
    ond_rigid_find_pull(s);
    status = ond_rigid_find_contacts(s, dt, false, err);
    if (status == OND_OK) status = ond_rigid_group(s, err);
    if (status == OND_OK) status = ond_rigid_coarsen(s, err);
    return status == OND_OK ? ond_rigid_components(s, err) : status;
}

static OndStatus solve_system(OndSph *s, float dt, OndError *err)
{
    ond_rigid_put_contacts(s);
    const OndStatus status = ond_rigid_prepare(s, err);
    if (status != OND_OK) return status;
    ond_rigid_guess(s);
    ond_rigid_start(s);
    s->rigid_iterations = ond_rigid_solve(s, dt, s->def.rigidity.iterations);
    s->iterations += s->rigid_iterations;
    ond_rigid_keep_momentum(s);
    ond_rigid_keep_given(s);
    return OND_OK;
}

static void add_range(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    const OndRigid *g = s->rigid;
    for (int l = first; l < last; ++l) {
        if (g->kind[l] != OND_LOCAL_SOFT) continue;
        for (int a = 0; a < 3; ++a)
            s->v[a][g->particle[l]] += g->x.at[a][l];
    }
}

OndStatus ond_rigid_global(OndSph *s, float dt, OndError *err)
{
    OndStatus status = ond_rigid_room(s, err);
    if (status == OND_OK) status = ond_rigid_pieces(s, err);
    if (status != OND_OK) return status;
    ond_rigid_rub(s, dt);
    ond_body_sum(s);
    status = meet_walls(s, dt, err);
    if (status == OND_OK) status = find_system(s, dt, err);
    if (status != OND_OK) return status;
    if (s->rigid->count) {
        status = solve_system(s, dt, err);
        if (status != OND_OK) return status;
        ond_parallel_for(s->rigid->count, OND_GRAIN, add_range, s);
        ond_rigid_stop_soft(s);
        add_to_bodies(s->rigid);
    }
    ond_rigid_keep_contacts(s);
    status = ond_rigid_meet_solids(s, dt, err);
    if (status == OND_OK) ond_body_move(s, dt);
    return status;
}

size_t ond_rigid_bytes(const OndRigid *g)
{
    if (!g) return 0;
    size_t levels = 0;
    for (int n = 0; n < OND_LEVELS_MAX; ++n)
        levels += (size_t)g->level[n].room * (3 * 36 * 8 + 24 * 8 + 6 * 4 + 1) +
                  (size_t)g->level[n].block_room * (36 * 8 + 8);
    const size_t each = 17 * 4 + 1 + 61 * sizeof(float); // of a local: numbers, kind, vectors
    return (size_t)g->room * each + (size_t)g->link_room * 24 + levels + g->seat_room * 4 +
           (size_t)g->root_room * (4 + sizeof *g->part + sizeof *g->component) +
           (size_t)g->table_room * 5 + (size_t)g->top_room * sizeof *g->top +
           (size_t)g->body_room * (sizeof *g->body + 9 * sizeof *g->x.body) +
           (size_t)g->contact_room * sizeof *g->contact +
           (size_t)g->meeting_room * sizeof *g->meeting;
}

void ond_rigid_free(OndRigid *g)
{
    if (!g) return;
    ond_rigid_free_levels(g);
    void *blocks[] = {g->local, g->particle,    g->kind,         g->member, g->hold,    g->mass,
                      g->first, g->length,      g->near,         g->order,  g->rim,     g->loose,
                      g->inert, g->sum,         g->body,         g->table,  g->contact, g->root,
                      g->part,  g->component,   g->meeting,      g->moving, g->quad,    g->restless,
                      g->home,  g->strong_near, g->strong_length};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    float **arrays[] = {g->ground,  g->own,         g->own + 3,  g->inverse, g->inverse + 3,
                        g->px,      g->w,           g->x.at,     g->r.at,    g->z.at,
                        g->p.at,    g->y.at,        g->b.at,     g->f.at,    g->pull,
                        g->settled, g->settled + 3, g->grounded, g->c.at,    g->q.at};
    for (int k = 0; k < OND_COUNT(arrays); ++k)
        for (int a = 0; a < 3; ++a)
            ond_free(arrays[k][a]);
    OndRigidVector *all[] = {&g->x, &g->r, &g->z, &g->p, &g->y, &g->b, &g->f, &g->c, &g->q};
    for (int v = 0; v < OND_COUNT(all); ++v)
        ond_free(all[v]->body);
    ond_free(g);
}
