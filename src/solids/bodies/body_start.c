// SPDX-License-Identifier: MIT
// Bodies that start where something else is, or outside the walls.
//
// Overlap has no way out that is right: which of two crates that share a place was meant to be
// where? A little of it, as modelling programs leave, is pushed apart and told; more is an error.
// Balls of a scatter are put at random and may overlap, so they are only told of.
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_things.h"

#define THIN  0.25 // of where a body is thinnest, and a spacing at most: deeper is an error
#define AWARE 0.1  // of that: less is not worth a word

typedef struct StartLook {
    OndBodyContacts *c;
    OndArena arena;        // of points
    OndBodyPoints *points; // by thing; of those that are no bodies as they are needed
    bool *known;
    int scattered; // pairs of scattered balls that overlap
} StartLook;

static const OndSimSolid *solid_of(const StartLook *l, const OndBodyThing *t)
{
    return &l->c->bodies->solids->solid[t->solid];
}

// How deep it may overlap.
static double most(const StartLook *l, const OndBodyThing *t)
{
    const OndBox box = solid_of(l, t)->bounds;
    const OndVec size = ond_sub(box.max, box.min);
    const double thin = fmin(fmin(size.x, size.y), l->c->bodies->flat ? size.x : size.z);
    return fmin(l->c->bodies->solids->scene->spacing, THIN * thin);
}

// ---- how deep

static OndStatus find_points(StartLook *l, const OndBodyThing *t, OndError *err)
{
    const OndSimSolid *const s = solid_of(l, t);
    const int k = (int)(t - l->c->thing);
    if (l->known[k]) return OND_OK;
    l->known[k] = true;
    l->points[k] = t->points;
    if (t->body >= 0 || !s->inside || s->solid.container) return OND_OK;
    const double pitch = 2.0 * l->c->bodies->solids->scene->spacing;
    return ond_body_points_make(s, pitch, l->c->bodies->flat, &l->arena, &l->points[k], err);
}

// How far points of one are on the wrong side of another; what contains holds something only where
// some of it is on the right side.
static double points_depth(const StartLook *l, const OndBodyThing *of, const OndBodyThing *at)
{
    const OndSimSolid *const s = solid_of(l, at);
    const OndSolids *const all = l->c->bodies->solids->solids;
    const OndPose *const from = &ond_solids_state(all, of->solid)->pose,
                         *const to = &ond_solids_state(all, at->solid)->pose;
    const OndBodyPoints *const points = &l->points[of - l->c->thing];
    const bool plane = s->solid.kind == OND_SOLID_PLANE;
    double low = 0.0, high = 0.0;
    if (!plane && !s->inside) return 0.0;
    for (int k = 0; k < points->count; ++k) {
        const OndVec own = ond_pose_in(to, ond_pose_out(from, points->point[k].at));
        const double d = plane ? own.y : ond_shape_distance(s->inside, own, l->c->bodies->flat);
        low = fmin(low, d), high = fmax(high, d);
    }
    return s->solid.container ? fmin(high, -low) : -low;
}

static OndStatus pair_depth(StartLook *l, const OndBodyThing *a, const OndBodyThing *b,
                            double *depth, OndError *err)
{
    *depth = 0.0;
    if (a->geom && b->geom) {
        const int count = ond_body_forms_touch(l->c, a, b);
        for (int k = 0; k < count; ++k)
            *depth = fmax(*depth, l->c->touch[k].depth);
        return OND_OK;
    }
    OndStatus status = find_points(l, a, err);
    if (status == OND_OK) status = find_points(l, b, err);
    if (status != OND_OK) return status;
    *depth = points_depth(l, a, b);
    if (!solid_of(l, b)->solid.container) *depth = fmax(*depth, points_depth(l, b, a));
    return OND_OK;
}

// ---- pairs

static bool is_scattered(const OndSimSolid *s)
{
    return ond_node_get(s->def->node, "scatter") != NULL;
}

static OndStatus check_pair(StartLook *l, const OndBodyThing *a, const OndBodyThing *b,
                            OndError *err)
{
    double depth, limit = most(l, a);
    OndSimSolids *const solids = l->c->bodies->solids;
    const OndStatus status = pair_depth(l, a, b, &depth, err);
    if (status != OND_OK) return status;
    if (b->body >= 0) limit = fmin(limit, most(l, b));
    if (!(depth > AWARE * limit)) return OND_OK;
    const OndSceneSolid *one = solid_of(l, a)->def, *other = solid_of(l, b)->def;
    if (is_scattered(solid_of(l, a)) && is_scattered(solid_of(l, b))) {
        ++l->scattered;
        return OND_OK;
    }
    if (b->body >= 0 && b->solid > a->solid) { // the later one is in the way
        const OndSceneSolid *const earlier = one;
        one = other, other = earlier;
    }
    const bool wall = other->use == OND_USE_CONTAINER;
    if (depth > limit)
        return ond_tree_fail(&solids->scene->tree, one->node, err,
                             "body '%.60s' starts %.3g m %s '%.60s'; move one of them (up to %.3g "
                             "m would be pushed apart)",
                             one->name, depth, wall ? "outside the container" : "inside",
                             other->name, limit);
    ond_sim_solids_note(solids, "body '%.60s' starts %.2g m %s '%.60s': they are pushed apart",
                        one->name, depth, wall ? "outside the container" : "inside", other->name);
    return OND_OK;
}

static OndStatus check_pairs(StartLook *l, OndError *err)
{
    const OndBodyContacts *const c = l->c;
    OndStatus status = OND_OK;
    for (int i = 0; i < c->count; ++i) {
        const OndBodyThing *const a = &c->thing[i];
        if (a->body < 0) continue;
        for (int j = 0; j < c->count && status == OND_OK; ++j) {
            const OndBodyThing *const b = &c->thing[j];
            if (b->solid < 0 || j == i || (b->body >= 0 && j < i)) continue;
            if (ond_body_things_near(a, b)) status = check_pair(l, a, b, err);
        }
    }
    if (l->scattered > 0)
        ond_sim_solids_note(c->bodies->solids,
                            "%d pairs of scattered balls overlap at the start: they are pushed "
                            "apart",
                            l->scattered);
    return status;
}

// ---- walls

static OndBox extent(const StartLook *l, const OndBodyThing *t)
{
    const OndSimSolid *const s = solid_of(l, t);
    const OndPose *const pose = &ond_solids_state(l->c->bodies->solids->solids, t->solid)->pose;
    OndBox box = ond_box_empty();
    if (t->geom) {
        dReal side[6];
        dGeomGetAABB(t->geom, side);
        return (OndBox){{side[0], side[2], side[4]}, {side[1], side[3], side[5]}};
    }
    for (int k = 0; k < t->points.count; ++k)
        box = ond_box_add(box, ond_pose_out(pose, t->points.point[k].at));
    for (int k = 0; k < s->mesh.corner_count && !l->c->bodies->flat; ++k)
        box = ond_box_add(box, ond_pose_out(pose, ond_mesh_corner(&s->mesh, (uint32_t)k)));
    return box;
}

static OndStatus check_axis(const StartLook *l, const OndBodyThing *t, OndBox box, int axis,
                            OndError *err)
{
    OndSimSolids *const solids = l->c->bodies->solids;
    const OndSceneDef *const scene = solids->scene;
    const OndSceneSolid *const def = solid_of(l, t)->def;
    const bool wall[2] = {scene->domain.side[2 * axis].kind == OND_SIDE_WALL,
                          scene->domain.side[2 * axis + 1].kind == OND_SIDE_WALL};
    const double low = ond_axis(box.min, axis), high = ond_axis(box.max, axis),
                 from = ond_axis(scene->domain.min, axis), to = ond_axis(scene->domain.max, axis),
                 below = wall[0] ? from - low : 0.0, above = wall[1] ? high - to : 0.0,
                 limit = most(l, t);
    const char *remedy = NULL;
    if (wall[0] && wall[1] && high - low > to - from + limit)
        remedy = "it does not fit: make it smaller, or the domain wider";
    else if (fmax(below, above) > limit)
        remedy = "move it in, or widen the domain";
    if (remedy)
        return ond_tree_fail(&scene->tree, def->node, err,
                             "body '%.60s' reaches from %.4g to %.4g m in %c, and the domain from "
                             "%.4g to %.4g m; %s",
                             def->name, low, high, "xyz"[axis], from, to, remedy);
    if (fmax(below, above) > AWARE * limit)
        ond_sim_solids_note(solids,
                            "body '%.60s' starts %.2g m outside the domain's wall in %c: it is "
                            "pushed in",
                            def->name, fmax(below, above), "xyz"[axis]);
    return OND_OK;
}

static OndStatus check_walls(const StartLook *l, OndError *err)
{
    const OndSceneDef *const scene = l->c->bodies->solids->scene;
    OndStatus status = OND_OK;
    if (!scene->has_domain) return OND_OK;
    for (int k = 0; k < l->c->count; ++k) {
        if (l->c->thing[k].body < 0) continue;
        const OndBox box = extent(l, &l->c->thing[k]);
        for (int a = 0; a < scene->dimension && status == OND_OK; ++a)
            status = check_axis(l, &l->c->thing[k], box, a, err);
    }
    return status;
}

OndStatus ond_body_start_check(OndBodyContacts *c, OndError *err)
{
    StartLook l = {.c = c};
    l.points = ond_arena_take(&l.arena, (size_t)c->count * sizeof *l.points);
    l.known = ond_arena_take(&l.arena, (size_t)c->count * sizeof *l.known);
    OndStatus status = OND_OK;
    if (!l.points || !l.known)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    ond_body_things_place(c);
    if (status == OND_OK) status = check_walls(&l, err);
    if (status == OND_OK) status = check_pairs(&l, err);
    ond_arena_free(&l.arena);
    return status;
}

#endif
