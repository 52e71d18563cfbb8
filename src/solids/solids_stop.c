// SPDX-License-Identifier: MIT
// Where a moving ball ends that solids stand in the way of.
//
// A step has two halves. In the first the solids move: the ball is carried from its start to a
// place at the end of the step that it reaches without being passed by any of them; each solid
// tells that in its own frame. In the second they stand still, and it slides from there towards
// where it wants to be [Dumas 2011, 1.2]: to the first contact, a little off it, on along the
// tangent plane, in a crease along the crease, in a corner no further. The source warns that a
// slight change of this lets particles through, or never ends. Here the way is never left without
// a sweep, so it cannot pass; rounds are counted, so it ends; and inside a bent wall, where every
// tangent runs into the wall again, the tangent's end is first pushed off the wall, so it gets on.
//
// Squeezed by solids closer than two radii a ball keeps a smaller distance, about the same from
// both; when they close in entirely it stays with the one that was met first.
#include "solids/solids_parts.h"

#define ROUNDS_MAX  12
#define CARRIES_MAX 8
#define PUSHES_MAX  8
#define PLANES_MAX  (ROUNDS_MAX + PUSHES_MAX + 1)
#define SMALL       1e-6 // of the radius: how far off a contact it goes on
#define MARGIN      1e-4 // of the radius: all that contacts and their rounds may lose
#define SAME_FACE   0.999

typedef struct MetSolid {
    OndContact contact; ///< in the solid's own frame
    int solid, part;    ///< solid -1: nothing
    OndVec at, normal;  ///< in the world, at the end of the step
} MetSolid;

typedef struct StopPlane {
    OndVec normal, velocity;
    int solid;
} StopPlane;

typedef struct StopWalk {
    const OndSolids *all;
    int nearby[OND_SOLIDS_NEARBY], count; ///< count -1: there are too many to list, ask all
    double kept;  ///< distance kept: the radius and a margin for rounding, twice
    double least; ///< one rounding less: nearer than this it is too near
    double dt;
    bool moves;
    StopPlane plane[PLANES_MAX];
    int planes;
    OndHit hit;
} StopWalk;

// ---- the first contact with any solid ----------------------------------------------------------

static const OndSolid *solid_of(const StopWalk *w, int k, int *which)
{
    *which = w->count < 0 ? k : w->nearby[k];
    return &w->all->solid[*which];
}

static int solids_asked(const StopWalk *w)
{
    return w->count < 0 ? w->all->count : w->count;
}

static OndVec in_frame(const StopWalk *w, const OndPose *pose, OndVec p)
{
    OndVec own = ond_pose_in(pose, p);
    if (w->all->flat) own.z = 0.0;
    return own;
}

static bool first_contact(const StopWalk *w, OndWhen when, OndVec from, OndVec to, double radius,
                          MetSolid *met)
{
    met->solid = -1;
    met->contact.t = 1.0 + 1e-9;
    met->contact.start = INFINITY;
    for (int k = 0; k < solids_asked(w); ++k) {
        int which, part;
        const OndSolid *s = solid_of(w, k, &which);
        const OndPose *begin = when == OND_AT_END ? &s->end.pose : &s->start.pose;
        const OndSweep sweep = {in_frame(w, begin, from), in_frame(w, &s->end.pose, to), radius};
        if (!ond_solid_sweep(s, w->all->flat, when, &sweep, &met->contact, &part)) continue;
        met->solid = which;
        met->part = part;
    }
    if (met->solid < 0) return false;
    const OndSolid *s = &w->all->solid[met->solid];
    OndVec at = met->contact.at;
    if (when == OND_ON_THE_WAY && s->bends)
        at = ond_solid_mesh_carried(&s->mesh, met->part, at, met->contact.t, 1.0);
    met->at = ond_pose_out(&s->end.pose, at);
    met->normal = ond_pose_turn(&s->end.pose, met->contact.normal);
    return true;
}

/// The nearest surface at the end of the step, as a contact; its distance.
static double nearest(const StopWalk *w, OndVec p, double reach, MetSolid *met)
{
    double best = INFINITY;
    for (int k = 0; k < solids_asked(w); ++k) {
        int which, part;
        const OndSolid *s = solid_of(w, k, &which);
        const OndVec own = in_frame(w, &s->end.pose, p);
        OndVec at;
        const double distance =
            ond_solid_nearest(s, w->all->flat, OND_AT_END, own, ond_min(reach, best), &at, &part);
        if (!(distance < best)) continue;
        best = distance;
        met->solid = which;
        met->part = part;
        met->contact.at = at;
        met->contact.t = 1.0;
        met->at = ond_pose_out(&s->end.pose, at);
        met->normal = ond_pose_turn(&s->end.pose, ond_unit(ond_sub(own, at)));
    }
    return best;
}

// ---- velocities and planes ---------------------------------------------------------------------

static bool known_face(const StopWalk *w, OndVec normal, int solid)
{
    for (int i = 0; i < w->planes; ++i)
        if (w->plane[i].solid == solid && ond_dot(w->plane[i].normal, normal) > SAME_FACE)
            return true;
    return false;
}

/// What a wall does to a velocity: its normal part is given back, its tangential part slips.
static OndVec rebound(OndVec v, const StopPlane *plane, const OndSolidDef *def)
{
    const OndVec relative = ond_sub(v, plane->velocity), n = plane->normal;
    const double along = ond_dot(relative, n);
    const OndVec tangential = ond_sub(relative, ond_scale(n, along));
    const double back = along < 0.0 ? -def->restitution * along : along;
    return ond_add(plane->velocity, ond_add(ond_scale(tangential, def->slip), ond_scale(n, back)));
}

/// Velocities must not lead into this face from now on.
static StopPlane note_face(StopWalk *w, const MetSolid *met)
{
    const OndSolid *s = &w->all->solid[met->solid];
    StopPlane plane = {met->normal, {0, 0, 0}, met->solid};
    plane.velocity = ond_solid_velocity(s, met->part, met->contact.at, met->contact.t, w->dt);
    if (w->planes < PLANES_MAX) w->plane[w->planes++] = plane;
    return plane;
}

static void note_contact(StopWalk *w, const MetSolid *met, OndVec *velocity)
{
    const bool known = known_face(w, met->normal, met->solid);
    const StopPlane plane = note_face(w, met);
    w->hit =
        (OndHit){met->solid, met->part, met->at, met->normal, plane.velocity, w->hit.rounds + 1};
    if (!known) *velocity = rebound(*velocity, &plane, &w->all->solid[met->solid].def);
}

/// No velocity may lead into any of the faces met.
static void keep_out(const StopWalk *w, OndVec *velocity)
{
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < w->planes; ++i) {
            const StopPlane *p = &w->plane[i];
            const double into = ond_dot(ond_sub(*velocity, p->velocity), p->normal);
            if (into < 0.0) *velocity = ond_sub(*velocity, ond_scale(p->normal, into));
        }
}

static bool leads_into(const StopWalk *w, OndVec way, int besides, int and_besides)
{
    for (int i = 0; i < w->planes; ++i)
        if (i != besides && i != and_besides &&
            ond_dot(way, w->plane[i].normal) < -1e-12 * ond_length(way))
            return true;
    return false;
}

/// What is left of a way at all the planes met: along one of them, along the crease of two, or
/// nothing.
static OndVec clip_way(const StopWalk *w, OndVec way)
{
    if (!leads_into(w, way, -1, -1)) return way;
    for (int i = w->planes - 1; i >= 0; --i) {
        const OndVec n = w->plane[i].normal;
        const OndVec along = ond_sub(way, ond_scale(n, ond_dot(way, n)));
        if (ond_dot(way, n) < 0.0 && !leads_into(w, along, i, i)) return along;
    }
    for (int i = w->planes - 1; i > 0; --i)
        for (int k = i - 1; k >= 0; --k) {
            const OndVec crease = ond_unit(ond_cross(w->plane[i].normal, w->plane[k].normal));
            const OndVec along = ond_scale(crease, ond_dot(way, crease));
            if (ond_dot(along, along) > 0.0 && !leads_into(w, along, i, k)) return along;
        }
    return ond_vec(0, 0, 0);
}

// ---- the two halves of a step ------------------------------------------------------------------

/// A place at the end of the step that is reached from the start without being passed. The first
/// guess is where the ball wants to go, then where it stays with what it met; whatever that runs
/// into pushes it off. Where there is not enough room it keeps a smaller distance.
static OndVec carry(StopWalk *w, OndVec from, OndVec to, OndVec *velocity)
{
    OndVec place = to;
    bool noted = false;
    for (double radius = w->kept; radius > 1e-4 * w->kept; radius *= 0.25)
        for (int round = 0; round < CARRIES_MAX; ++round) {
            MetSolid met;
            if (round == 0) place = to;
            if (!first_contact(w, OND_ON_THE_WAY, from, place, radius, &met)) return place;
            if (!noted) note_contact(w, &met, velocity);
            noted = true;
            const OndSolid *s = &w->all->solid[met.solid];
            const OndSweep way = {in_frame(w, &s->start.pose, from),
                                  in_frame(w, &s->end.pose, place), radius};
            const OndVec centre =
                ond_add(way.from, ond_scale(ond_sub(way.to, way.from), met.contact.t));
            const double distance = sqrt(ond_distance2(centre, met.contact.at));
            if (round == 0)
                place = ond_add(met.at, ond_scale(met.normal, distance + SMALL * radius));
            else
                place = ond_add(
                    place, ond_scale(met.normal, (1.0 + SMALL) * radius -
                                                     ond_dot(ond_sub(place, met.at), met.normal)));
        }
    return place;
}

/// A ball that is nearer than its radius is pushed off, on its side. What is behind it stops it
/// half way, so that between two it comes to rest in the middle.
static OndVec push_off(StopWalk *w, OndVec place, OndVec *velocity)
{
    for (int round = 0; round < PUSHES_MAX; ++round) {
        MetSolid near, met;
        const double distance = nearest(w, place, w->least, &near);
        if (!(distance < w->least) || distance <= 0.0) break;
        note_contact(w, &near, velocity);
        const OndVec way = ond_scale(near.normal, w->kept * (1.0 + SMALL) - distance);
        const bool blocked =
            first_contact(w, OND_AT_END, place, ond_add(place, way), 0.5 * distance, &met);
        place = ond_add(place, ond_scale(way, blocked ? 0.5 * met.contact.t : 1.0));
    }
    return place;
}

/// A place a little behind a bent wall is put before it. `before` is the side; `last` gets the face
/// that it was too near to, solid -1 when it is as good as it was.
static OndVec pull_before(const StopWalk *w, OndVec place, OndVec before, MetSolid *last)
{
    last->solid = -1;
    for (int round = 0; round < 3; ++round) {
        MetSolid near;
        const double distance = nearest(w, place, w->kept, &near);
        if (!(distance < w->kept) || distance <= 0.0) break;
        const double side = ond_dot(near.normal, before) < 0.0 ? -1.0 : 1.0;
        const double off = w->kept * (1.0 + 2.0 * SMALL) - side * distance;
        place = ond_add(place, ond_scale(near.normal, side * off));
        *last = near;
        last->normal = ond_scale(near.normal, side);
    }
    return place;
}

/// From a safe place towards `to`, while all stands as it does at the end of the step.
static OndVec slide(StopWalk *w, OndVec from, OndVec to, OndVec *velocity)
{
    MetSolid met, wall = {.solid = -1};
    for (int round = 0; round < ROUNDS_MAX; ++round) {
        const OndVec way = ond_sub(to, from);
        if (ond_dot(way, way) <= SMALL * SMALL * w->kept * w->kept) return from;
        if (!first_contact(w, OND_AT_END, from, to, w->kept, &met)) {
            if (wall.solid >= 0) note_face(w, &wall);
            return to;
        }
        note_contact(w, &met, velocity);
        from = ond_add(from, ond_scale(way, met.contact.t));
        const OndVec off = ond_add(from, ond_scale(met.normal, SMALL * w->kept));
        MetSolid behind;
        if (!first_contact(w, OND_AT_END, from, off, 0.5 * w->kept, &behind)) from = off;
        const OndVec rest = clip_way(w, ond_scale(way, 1.0 - met.contact.t));
        to = ond_add(from, rest);
        if (ond_dot(rest, rest) > 0.0) to = pull_before(w, to, met.normal, &wall);
    }
    return from;
}

// ---- which solids
// --------------------------------------------------------------------------------

/// How far a solid carries what stands at p.
static double carries(const OndSolid *s, OndVec p)
{
    if (!s->moves) return 0.0;
    const OndVec then = ond_pose_out(&s->end.pose, ond_pose_in(&s->start.pose, p));
    return sqrt(ond_distance2(then, p));
}

/// Solids that the ball can meet, on its own way or carried by another: first those near its way,
/// then those near where they may carry it.
static void list_nearby(StopWalk *w, OndVec from, OndVec to)
{
    const OndBox way = ond_box_add((OndBox){from, from}, to);
    // Along a surface it may leave the box of its way, but it goes no farther.
    const double around = 4.0 * w->kept + sqrt(ond_distance2(from, to));
    double most = 0.0;
    w->count = ond_solids_list(w->all, way, around, w->nearby);
    w->moves = w->count < 0;
    for (int k = 0; k < w->count; ++k) {
        const OndSolid *s = &w->all->solid[w->nearby[k]];
        w->moves |= s->moves;
        most = ond_max(most, carries(s, from));
    }
    if (most > 0.0) w->count = ond_solids_list(w->all, way, around + 2.0 * most, w->nearby);
}

static OndVec rounded(OndVec p)
{
    return ond_vec((float)p.x, (float)p.y, (float)p.z);
}

static double largest(OndVec p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

bool ond_solids_stop(const OndSolids *solids, OndVec from, OndVec *to, OndVec *velocity,
                     double radius, double dt, OndHit *hit)
{
    StopWalk w;
    MetSolid met;
    if (hit) hit->solid = -1;
    if (ond_solids_count(solids) == 0) return false;
    w.all = solids;
    // Places are stored as floats: that must not bring the ball nearer than its radius, nor so near
    // that the next step has to push it off.
    const double rounding = ond_max(largest(from), largest(*to)) * 0x1p-24;
    w.kept = radius * (1.0 + MARGIN) + 2.0 * rounding;
    w.least = radius * (1.0 + 0.5 * MARGIN) + rounding;
    w.dt = dt;
    w.moves = false;
    w.count = w.planes = 0;
    w.hit = (OndHit){.solid = -1};
    list_nearby(&w, from, *to);
    if (w.count == 0) return false;
    if (!first_contact(&w, OND_ON_THE_WAY, from, *to, w.kept, &met) && met.contact.start >= w.least)
        return false;
    OndVec place = w.moves ? carry(&w, from, *to, velocity) : from;
    if (met.contact.start < w.least || w.moves) place = push_off(&w, place, velocity);
    place = slide(&w, place, *to, velocity);
    if (w.hit.solid < 0) return false; // it was too near, and has left
    keep_out(&w, velocity);
    *to = rounded(place);
    if (hit) *hit = w.hit;
    return true;
}
