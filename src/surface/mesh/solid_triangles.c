// SPDX-License-Identifier: MIT
#include "surface/mesh/solid_triangles.h"

#include "sim/scene/scene_shape.h"
#include "surface/mesh/plane_triangles.h"
#include "surface/mesh/triangle_pile.h"

#include <string.h>

#define ROUND 64  // sides of what is round
#define CELLS 160 // along the longest side of what is cut out

typedef struct TriangleMaker {
    const OndSimSolids *all;
    OndPile *pile;
    double thin; // half the thickness of things in 2D
    OndError *err;
} TriangleMaker;

// ---- closed forms

static void add_box(OndPile *pile, OndVec min, OndVec max)
{
    static const unsigned char face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; ++f) {
        OndVec p[4];
        for (int k = 0; k < 4; ++k) {
            const int c = face[f][k];
            p[k] = ond_vec(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z);
        }
        ond_pile_add(pile, p[0], p[1], p[2]);
        ond_pile_add(pile, p[0], p[2], p[3]);
    }
}

// A body of revolution: radius and height along the axis, from one end to the other.
typedef struct Profile {
    OndVec from, along, u, v; // `along` is one long
    double radius[ROUND + 2], height[ROUND + 2];
    int count;
} Profile;

static Profile profile_about(OndVec from, OndVec axis)
{
    Profile p = {.from = from, .along = ond_unit(axis)};
    const OndVec other = fabs(p.along.x) < 0.6 ? ond_vec(1, 0, 0) : ond_vec(0, 1, 0);
    p.u = ond_unit(ond_cross(p.along, other));
    p.v = ond_cross(p.along, p.u);
    return p;
}

static void profile_put(Profile *p, double radius, double height)
{
    p->radius[p->count] = radius;
    p->height[p->count++] = height;
}

static OndVec profile_point(const Profile *p, int ring, int side)
{
    const double angle = 2.0 * M_PI * (side % ROUND) / ROUND;
    const OndVec out = ond_add(ond_scale(p->u, cos(angle)), ond_scale(p->v, sin(angle)));
    return ond_add(ond_add(p->from, ond_scale(p->along, p->height[ring])),
                   ond_scale(out, p->radius[ring]));
}

static void add_profile(OndPile *pile, const Profile *p)
{
    for (int r = 0; r + 1 < p->count; ++r)
        for (int s = 0; s < ROUND; ++s) {
            const OndVec a = profile_point(p, r, s), b = profile_point(p, r, s + 1),
                         c = profile_point(p, r + 1, s + 1), d = profile_point(p, r + 1, s);
            if (p->radius[r] > 0.0) ond_pile_add(pile, a, b, c);
            if (p->radius[r + 1] > 0.0) ond_pile_add(pile, a, c, d);
        }
}

static void add_sphere(OndPile *pile, const OndSphereDef *ball)
{
    Profile p = profile_about(ball->center, ond_vec(0, 1, 0));
    for (int k = 0; k <= ROUND / 2; ++k) {
        const double angle = M_PI * k / (ROUND / 2);
        const bool end = k == 0 || k == ROUND / 2;
        profile_put(&p, end ? 0.0 : ball->radius * sin(angle), -ball->radius * cos(angle));
    }
    add_profile(pile, &p);
}

static void add_rod(OndPile *pile, const OndRodDef *rod, bool round)
{
    const OndVec way = ond_sub(rod->to, rod->from);
    const double length = ond_length(way), r = rod->radius;
    const int steps = round ? ROUND / 4 : 1;
    Profile p = profile_about(rod->from, way);
    profile_put(&p, 0.0, round ? -r : 0.0);
    for (int k = 1; k <= steps; ++k) {
        const double angle = 0.5 * M_PI * k / steps;
        profile_put(&p, r * sin(angle), round ? -r * cos(angle) : 0.0);
    }
    for (int k = steps; k >= 1; --k) {
        const double angle = 0.5 * M_PI * k / steps;
        profile_put(&p, r * sin(angle), length + (round ? r * cos(angle) : 0.0));
    }
    profile_put(&p, 0.0, length + (round ? r : 0.0));
    add_profile(pile, &p);
}

// ---- by kind

static OndStatus add_shape(const TriangleMaker *m, const OndVariant *def);

static OndStatus add_parts(const TriangleMaker *m, const OndVariant *def)
{
    const OndList *const parts = &((const OndPartsDef *)def->def)->parts;
    OndStatus status = OND_OK;
    for (int p = 0; p < parts->count && status == OND_OK; ++p)
        status = add_shape(m, (const OndVariant *)parts->items + p);
    return status;
}

// Everything that has no layout of its own.
static OndStatus add_by_distance(const TriangleMaker *m, const OndShape *shape)
{
    OndMesh mesh = {0};
    const OndStatus status = ond_shape_triangles(shape, CELLS, &mesh, m->err);
    if (status == OND_OK) ond_pile_add_mesh(m->pile, &mesh, mesh.corner);
    ond_mesh_free(&mesh);
    return status;
}

static OndStatus add_shape(const TriangleMaker *m, const OndVariant *def)
{
    const bool flat = m->all->scene->dimension == 2;
    switch ((OndShapeType)def->which) {
    case OND_SHAPE_BOX: {
        OndBoxDef box = *(const OndBoxDef *)def->def;
        if (flat) box.min.z = -m->thin, box.max.z = m->thin;
        add_box(m->pile, box.min, box.max);
        return OND_OK;
    }
    case OND_SHAPE_SPHERE:
        add_sphere(m->pile, def->def);
        return OND_OK;
    case OND_SHAPE_CYLINDER:
    case OND_SHAPE_CAPSULE:
        add_rod(m->pile, def->def, def->which == OND_SHAPE_CAPSULE);
        return OND_OK;
    case OND_SHAPE_UNION:
        return add_parts(m, def);
    default:
        break;
    }
    return OND_MISSING; // asked by its distance
}

// Where it stands still in a domain, what is behind it there. In 2D one looks along it, and sees
// what is behind.
static void add_plane(const TriangleMaker *m, const OndSimSolid *solid, double size)
{
    const OndSceneDef *const scene = m->all->scene;
    if (scene->dimension == 2) {
        const double far = 3.0 * size; // beyond the picture
        add_box(m->pile, ond_vec(-far, -far, -m->thin), ond_vec(far, 0, m->thin));
        return;
    }
    if (scene->has_domain && !ond_motion_moves(&solid->motion)) {
        const OndBox domain = {scene->domain.min, scene->domain.max};
        const OndPose pose = ond_motion_at(&solid->motion, 0.0).pose;
        if (ond_plane_wedge(domain, &pose, m->pile)) return;
    }
    const OndVec a = ond_vec(-size, 0, -size), b = ond_vec(size, 0, -size),
                 c = ond_vec(size, 0, size), d = ond_vec(-size, 0, size);
    ond_pile_add(m->pile, a, c, b);
    ond_pile_add(m->pile, a, d, c);
}

// Parts of a union that have no layout make it whole by distance.
static OndStatus add_form(const TriangleMaker *m, const OndSimSolid *solid)
{
    const OndVariant *shape = &solid->def->shape;
    if (shape->which == OND_SHAPE_MESH) shape = &((const OndMeshDef *)shape->def)->stand_in;
    const OndStatus status = add_shape(m, shape);
    if (status != OND_MISSING) return status;
    ond_pile_clear(m->pile);
    return add_by_distance(m, solid->inside);
}

OndStatus ond_solid_triangles(const OndSimSolids *solids, int which, double size, OndMesh *out,
                              OndError *err)
{
    const OndSimSolid *const solid = &solids->solid[which];
    OndPile pile = {0};
    const TriangleMaker m = {solids, &pile, 0.5 * solids->scene->spacing, err};
    OndStatus status = OND_OK;
    memset(out, 0, sizeof *out);
    if (solid->mesh.triangle_count > 0)
        ond_pile_add_mesh(&pile, &solid->mesh, solid->mesh.corner);
    else if (solid->solid.kind == OND_SOLID_PLANE)
        add_plane(&m, solid, size);
    else
        status = add_form(&m, solid);
    if (status == OND_OK) status = ond_pile_mesh(&pile, out, err);
    ond_pile_free(&pile);
    return status;
}
