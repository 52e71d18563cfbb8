// SPDX-License-Identifier: MIT
// Which solid particles belong together.
//
// A piece is a set of solid particles (rigidity 1) of one fluid that hang together; the field
// `piece` holds its label and stays with a particle, so that two pieces that touch do not become
// one. They do when something sets between them: a particle that was not solid before bonds with
// every solid neighbour. Where a piece melts through, what is left falls into pieces by itself.
// Nothing is done in steps in which nothing melts or sets, or is taken away.
#include "base/memory.h"
#include "particles/rigid/rigid_state.h"

#define BOND_REACH 1.5f // spacings; the diagonal of a square is 1.41

// What is solid stays so until it has softened a little: a skin that is hardly warmer than the core
// would shield it from all that is soft, and particles would come and go at every step.
static bool is_solid(const OndSph *s, int i)
{
    return s->rigidity[i] >= 1.0f ||
           (s->piece[i] && s->rigidity[i] >= (float)s->def.rigidity.softens);
}

static bool has_changed(const OndSph *s)
{
    bool changed = s->thinned != 0.0;
    for (int i = 0; i < s->fields.count && !changed; ++i)
        changed = is_solid(s, i) != (s->piece[i] != 0);
    return changed;
}

static bool bonded(const OndSph *s, int i, int j)
{
    const float reach = BOND_REACH * (float)s->world.spacing;
    const float x = s->x[0][i] - s->x[0][j], y = s->x[1][i] - s->x[1][j],
                z = s->x[2][i] - s->x[2][j];
    const bool known = s->piece[i] && s->piece[j];
    return is_solid(s, j) && s->material[i] == s->material[j] &&
           (!known || s->piece[i] == s->piece[j]) && x * x + y * y + z * z < reach * reach;
}

static void join(const OndSph *s, int *root, int i)
{
    const uint32_t *list = s->lists.pool + s->lists.first[i];
    for (uint32_t k = 0; k < s->lists.length[i]; ++k) {
        if (list[k] >= (uint32_t)i || !bonded(s, i, (int)list[k])) continue;
        const int a = ond_find_root(root, i), b = ond_find_root(root, (int)list[k]);
        if (a < b) root[b] = a;
        if (b < a) root[a] = b;
    }
}

// The label of a piece is one more than the smallest id in it.
static void label(OndSph *s, int *root)
{
    const int n = s->fields.count;
    for (int i = 0; i < n; ++i)
        root[i] = ond_find_root(root, i);
    for (int i = 0; i < n; ++i)
        s->piece[i] = is_solid(s, i) ? s->id[i] + 1 : 0;
    for (int i = 0; i < n; ++i) // into the root first, then out to all
        if (s->piece[i] && s->piece[i] < s->piece[root[i]]) s->piece[root[i]] = s->piece[i];
    for (int i = 0; i < n; ++i)
        if (s->piece[i]) s->piece[i] = s->piece[root[i]];
}

static void find_pieces(OndSph *s)
{
    int *root = s->rigid->local; // free until the links are made
    for (int i = 0; i < s->fields.count; ++i)
        root[i] = i;
    for (int i = 0; i < s->fields.count; ++i)
        if (is_solid(s, i)) join(s, root, i);
    label(s, root);
    s->thinned = 0.0;
}

// ---- from labels to bodies

static OndStatus make_table(OndSph *s, OndError *err)
{
    OndRigid *g = s->rigid;
    const int need = (int)fmin(fmax(s->next_id, 0.0), 2e9) + 2;
    if (need <= g->table_room) return OND_OK;
    ond_free(g->table), ond_free(g->restless);
    g->table_room = need + need / 4;
    g->table = OND_NEW_ARRAY(int, g->table_room);
    g->restless = OND_NEW_ARRAY(uint8_t, g->table_room);
    if (g->table && g->restless) return OND_OK;
    g->table_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for the pieces of %d particles", need);
}

static OndStatus make_bodies(OndRigid *g, int count, OndError *err)
{
    if (count <= g->body_room) return OND_OK;
    ond_free(g->body);
    g->body_room = count + count / 2 + 16;
    g->body = OND_NEW_ARRAY(OndRigidPiece, g->body_room);
    OndRigidVector *all[] = {&g->x, &g->r, &g->z, &g->p, &g->y, &g->b, &g->f, &g->c, &g->q};
    bool whole = g->body != NULL;
    for (int v = 0; v < OND_COUNT(all); ++v) {
        ond_free(all[v]->body);
        all[v]->body = ond_alloc((size_t)g->body_room * sizeof *all[v]->body);
        whole = whole && all[v]->body;
    }
    if (whole) return OND_OK;
    g->body_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d solid pieces", count);
}

// The table counts the members of each label, then gives the body's number.
static int number_bodies(OndSph *s)
{
    OndRigid *g = s->rigid;
    int count = 0;
    uint32_t one = 0;
    g->several = false;
    for (int i = 0; i < s->fields.count; ++i) {
        if (s->piece[i] >= (uint32_t)g->table_room) s->piece[i] = 0; // from a forged file
        if (!s->piece[i]) continue;
        g->table[s->piece[i]] = 0;
        g->several |= one && s->piece[i] != one;
        one = s->piece[i];
    }
    for (int i = 0; i < s->fields.count; ++i)
        if (s->piece[i] && ++g->table[s->piece[i]] == OND_BODY_LEAST) ++count;
    return count;
}

static void list_bodies(OndSph *s)
{
    OndRigid *g = s->rigid;
    int at = 0, b = 0;
    for (int i = 0; i < s->fields.count; ++i) {
        const uint32_t piece = s->piece[i];
        g->member[i] = OND_NO_BODY;
        const int count = piece ? g->table[piece] : 0; // below 0: met before
        if (count >= 0 && count < OND_BODY_LEAST)
            s->rest[0][i] = s->rest[1][i] = s->rest[2][i] = 0.0f;
        if (count < OND_BODY_LEAST) continue;
        g->body[b] = (OndRigidPiece){.first = at, .last = at};
        at += g->table[piece];
        g->table[piece] = -1 - b++; // met
    }
    for (int i = 0; i < s->fields.count; ++i) {
        if (!s->piece[i] || g->table[s->piece[i]] >= 0) continue;
        g->member[i] = -1 - g->table[s->piece[i]];
        OndRigidPiece *body = &g->body[g->member[i]];
        body->driven |= s->held[i] != 0;
        g->order[body->last++] = (uint32_t)i;
    }
    g->body_count = b;
}

OndStatus ond_rigid_pieces(OndSph *s, OndError *err)
{
    OndStatus status = make_table(s, err);
    if (status != OND_OK) return status;
    if (has_changed(s)) find_pieces(s);
    status = make_bodies(s->rigid, number_bodies(s), err);
    if (status != OND_OK) return status;
    list_bodies(s);
    return OND_OK;
}
