// SPDX-License-Identifier: MIT
// Where bodies have no room.
//
// Contacts see faces as planes, and only those near by; a body that turns, is fast, or is struck
// may end in one all the same. So every member near a solid is led along its way, as particles of a
// liquid are (sph_solids_stop.c), and what would end in a face or in a wall becomes a contact, for
// the solver to look at again. What is rigid cannot be squeezed: when some members still end there
// after a few looks, solids leave it no room, and nothing that it could do would be right. Then the
// step fails, with everything where it was.
#include "particles/rigid/rigid_state.h"
#include "particles/sph/sph_solids.h"

#define CLOSE  0.05f // spacings: members come no nearer to a face,
#define UNSURE 0.1   // of that: what need not be put right,
#define WRONG  0.8   // and what must

// Where a member goes, and from where.
typedef struct Way {
    OndVec from, to;
} Way;

static Way way_of(const OndSph *s, const OndBodyWay *body, int i)
{
    double x[3], to[3];
    for (int a = 0; a < 3; ++a)
        x[a] = (double)s->x[a][i] + s->rest[a][i];
    ond_body_end(body, x, to);
    return (Way){ond_vec(x[0], x[1], x[2]), ond_vec(to[0], to[1], to[2])};
}

// Whether a face is in the way.
static bool ends_in_solid(const OndSph *s, int i, const Way *way, float dt, OndRigidEnd *end)
{
    const double close = CLOSE * s->world.spacing;
    const int slot = s->solids->slot[i];
    const double length = ond_length(ond_sub(way->to, way->from));
    if (slot >= 0 && ond_sph_row_clear(s, &s->solids->row[slot], close, length, dt)) return false;
    OndVec to = way->to, v = ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]);
    OndHit hit;
    if (!ond_solids_stop(s->world.solids, way->from, &to, &v, close, dt, &hit)) return false;
    *end = (OndRigidEnd){.particle = i,
                         .solid = hit.solid,
                         .normal = {hit.normal.x, hit.normal.y, hit.normal.z},
                         .velocity = {hit.velocity.x, hit.velocity.y, hit.velocity.z},
                         .lift = ond_dot(ond_sub(to, way->to), hit.normal)};
    return end->lift > UNSURE * close;
}

static bool ends_in_wall(const OndSph *s, int i, const Way *way, OndRigidEnd *end)
{
    const double close = CLOSE * s->world.spacing;
    *end = (OndRigidEnd){.particle = i, .solid = OND_NO_SOLID, .lift = UNSURE * close};
    for (int side = 0; side < 2 * s->world.dimension; ++side) {
        if (s->world.side[side].kind != OND_SIDE_WALL) continue;
        const double inward = side % 2 ? -1.0 : 1.0;
        const OndVec at = side % 2 ? s->world.box.max : s->world.box.min;
        const double gap = inward * (ond_axis(way->to, side / 2) - ond_axis(at, side / 2));
        if (close - gap <= end->lift) continue;
        end->lift = close - gap, end->side = side;
        for (int a = 0; a < 3; ++a)
            end->normal[a] = a == side / 2 ? inward : 0.0;
    }
    return end->lift > UNSURE * close;
}

// ---- who is to blame

// Of the solids that come towards a body, the fastest; else the one that it ends in, or any that it
// meets.
static int find_presser(const OndSph *s, const OndRigidEnd *end)
{
    const OndRigid *g = s->rigid;
    int presser = end->solid;
    double fastest = 0.0;
    for (int k = 0; k < g->meeting_count; ++k) {
        const OndMeeting *m = &g->meeting[k];
        if (m->solid == OND_NO_SOLID || m->body != g->member[end->particle]) continue;
        if (presser == OND_NO_SOLID) presser = m->solid;
        if (m->face[0] > fastest) fastest = m->face[0], presser = m->solid;
    }
    return presser;
}

static OndStatus fail_pressed(const OndSph *s, const OndRigidEnd *end, OndError *err)
{
    const int presser = find_presser(s, end);
    const char *by = presser == OND_NO_SOLID ? "" : ond_solids_def(s->world.solids, presser)->name;
    const char *name = s->world.material[s->material[end->particle]].name;
    return ond_fail(err, OND_UNSTABLE,
                    "solid '%.60s' leaves '%.60s' no room: it is rigid there, and is pressed into "
                    "what stands behind it, near (%.4g, %.4g, %.4g). Leave it a way out, or move "
                    "the solid less far",
                    by, name ? name : "", s->x[0][end->particle], s->x[1][end->particle],
                    s->x[2][end->particle]);
}

// ---- a look

typedef struct RoomLook {
    OndSph *s;
    float dt;
    bool last; // what is wrong now stays wrong
    int *late;
} RoomLook;

static OndStatus take_end(const RoomLook *l, const OndRigidEnd *end, OndError *err)
{
    ++*l->late;
    if (!l->last) return ond_rigid_meet_end(l->s, end, l->dt, err);
    return end->lift > WRONG * CLOSE * l->s->world.spacing ? fail_pressed(l->s, end, err) : OND_OK;
}

// `far`: faces may come from beyond reach.
static OndStatus look_at(const RoomLook *l, const OndBodyWay *body, int i, bool far, OndError *err)
{
    const Way way = way_of(l->s, body, i);
    OndRigidEnd end;
    OndStatus status = OND_OK;
    if ((far || l->s->solids->slot[i] >= 0) && ends_in_solid(l->s, i, &way, l->dt, &end))
        status = take_end(l, &end, err);
    if (status == OND_OK && ends_in_wall(l->s, i, &way, &end)) status = take_end(l, &end, err);
    return status;
}

// Whether members beyond reach of all faces may come to one in this step.
static bool goes_far(const OndSph *s, const OndRigidPiece *b, const OndBodyWay *way, float dt)
{
    double far = 0.0;
    for (int k = b->first; k < b->last; ++k) {
        const Way w = way_of(s, way, (int)s->rigid->order[k]);
        far = fmax(far, ond_length(ond_sub(w.to, w.from)));
    }
    return far + s->solids->speed * dt > 0.5 * (s->solids->reach - s->solids->radius);
}

OndStatus ond_rigid_look_ahead(OndSph *s, float dt, bool last, int *late, OndError *err)
{
    const OndRigid *g = s->rigid;
    const RoomLook look = {s, dt, last, late};
    OndStatus status = OND_OK;
    *late = 0;
    for (int b = 0; b < g->body_count; ++b) {
        const OndRigidPiece *body = &g->body[b];
        if (body->driven) continue;
        const OndBodyWay way = ond_body_way(s, body, dt);
        const bool far = goes_far(s, body, &way, dt);
        for (int k = body->first; k < body->last && status == OND_OK; ++k) {
            const int i = (int)g->order[k];
            if (far || body->meets || s->solids->slot[i] >= 0)
                status = look_at(&look, &way, i, far, err);
        }
    }
    return status;
}
