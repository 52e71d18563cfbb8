// SPDX-License-Identifier: MIT
#include "solids/distance_grid.h"

#include <string.h>

// ---- what the tree is made from ----------------------------------------------------------------

typedef struct TriangleSource {
    OndBoxTreeSource tree;
    OndBox *box;
    OndVec *corner, *normal, *beyond, *axis;
    float *cosine;
    unsigned char *speaks; ///< of each triangle: a bit for each corner that it is the first of
    unsigned char *rim;    ///< of each corner: an edge there has no neighbour, or too many
} TriangleSource;

static void free_source(TriangleSource *m)
{
    ond_free(m->box);
    ond_free(m->corner);
    ond_free(m->normal);
    ond_free(m->beyond);
    ond_free(m->axis);
    ond_free(m->cosine);
    ond_free(m->speaks);
    ond_free(m->rim);
}

static bool make_source(TriangleSource *m, const OndSolidMesh *s)
{
    const size_t count = (size_t)s->triangle_count;
    m->box = OND_NEW_ARRAY(OndBox, count);
    m->corner = OND_NEW_ARRAY(OndVec, 3 * count);
    m->normal = OND_NEW_ARRAY(OndVec, count);
    m->beyond = OND_NEW_ARRAY(OndVec, 3 * count);
    m->axis = OND_NEW_ARRAY(OndVec, count);
    m->cosine = OND_NEW_ARRAY(float, count);
    m->speaks = OND_NEW_ARRAY(unsigned char, count);
    m->rim = OND_NEW_ARRAY(unsigned char, s->corner_count);
    m->tree = (OndBoxTreeSource){s->triangle_count, m->box,    m->corner, m->beyond,
                                 m->axis,           m->cosine, m->speaks};
    return m->box && m->corner && m->normal && m->beyond && m->axis && m->cosine && m->speaks &&
           m->rim;
}

static OndBox add_corners(OndBox box, const OndVec corner[3])
{
    for (int k = 0; k < 3; ++k)
        box = ond_box_add(box, corner[k]);
    return box;
}

/// Of the whole way that the triangle goes in the step.
static OndBox triangle_box(const OndSolidMesh *s, int triangle)
{
    OndVec corner[3];
    ond_solid_corners(s, s->corner, triangle, corner);
    const OndBox box = add_corners((OndBox){corner[0], corner[0]}, corner);
    if (s->end == s->corner) return box;
    ond_solid_corners(s, s->end, triangle, corner);
    return add_corners(box, corner);
}

/// The triangle on the other side of the edge a-b of triangle t; -1 when there is none or several.
static int neighbour(const OndSolidMesh *s, int t, uint32_t a, uint32_t b, bool *agrees)
{
    int found = -1;
    for (uint32_t i = s->first[a]; i < s->first[a + 1]; ++i) {
        const int other = (int)s->round[i];
        const uint32_t *c = s->triangle + 3 * (size_t)other;
        if (other == t || (c[0] != b && c[1] != b && c[2] != b)) continue;
        if (found >= 0) return -1;
        found = other;
        const int k = c[0] == b ? 0 : c[1] == b ? 1 : 2;
        *agrees = c[(k + 1) % 3] == a;
    }
    return found;
}

/// Which way the triangle on the other side of an edge goes from it; 0 when there is none.
static OndVec way_into_neighbour(const TriangleSource *m, const OndSolidMesh *s, int t, int k)
{
    const uint32_t *c = s->triangle + 3 * (size_t)t;
    const uint32_t a = c[k], b = c[(k + 1) % 3];
    bool agrees = true;
    const int other = neighbour(s, t, a, b, &agrees);
    if (other < 0) {
        m->rim[a] = m->rim[b] = 1;
        return ond_vec(0, 0, 0);
    }
    const OndVec from = m->corner[3 * (size_t)t + k], to = m->corner[3 * (size_t)t + (k + 1) % 3];
    const OndVec edge = agrees ? ond_sub(from, to) : ond_sub(to, from);
    return ond_unit(ond_cross(m->normal[other], edge));
}

/// A cone that holds the normals of all triangles at the corners of t; cosine 0 when it is no cone.
static void cone_round(const TriangleSource *m, const OndSolidMesh *s, int t)
{
    const OndVec axis = m->normal[t];
    double least = ond_dot(axis, axis) > 0.0 ? 1.0 : 0.0;
    for (int k = 0; k < 3; ++k) {
        const uint32_t c = s->triangle[3 * (size_t)t + k];
        if (m->rim[c]) least = 0.0;
        for (uint32_t i = s->first[c]; i < s->first[c + 1]; ++i)
            least = ond_min(least, ond_dot(axis, m->normal[s->round[i]]));
    }
    const double wider = least > 0.1 ? cos(acos(ond_min(least, 1.0)) + 0.05) : 0.0;
    m->axis[t] = axis;
    m->cosine[t] = (float)ond_max(wider, 0.0);
}

/// Cones are left out while a mesh bends: they would have to hold all of its way.
static void fill_source(TriangleSource *m, const OndSolidMesh *s)
{
    const bool bends = s->end != s->corner;
    for (int t = 0; t < s->triangle_count; ++t) {
        OndVec *corner = m->corner + 3 * (size_t)t;
        ond_solid_corners(s, s->corner, t, corner);
        m->box[t] = triangle_box(s, t);
        m->normal[t] = ond_unit(ond_triangle_normal(corner));
        for (int k = 0; k < 3; ++k)
            if (s->round[s->first[s->triangle[3 * (size_t)t + k]]] == (uint32_t)t)
                m->speaks[t] |= (unsigned char)(1 << k);
    }
    for (int t = 0; t < s->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            m->beyond[3 * (size_t)t + k] = way_into_neighbour(m, s, t, k);
    for (int t = 0; !bends && t < s->triangle_count; ++t)
        cone_round(m, s, t);
}

/// Boxes for corners that have moved. Without memory the tree stays as it was, and false is told.
static bool fit_tree(OndSolidMesh *s)
{
    TriangleSource source;
    const bool room = make_source(&source, s);
    if (room) {
        fill_source(&source, s);
        ond_box_tree_fit(&s->tree, &source.tree);
        s->bounds = ond_box_tree_bounds(&s->tree);
    }
    free_source(&source);
    return room;
}

// ---- making ----------------------------------------------------------------------------------

static void list_triangles_round_corners(OndSolidMesh *s)
{
    const size_t uses = 3 * (size_t)s->triangle_count;
    for (size_t i = 0; i < uses; ++i)
        ++s->first[s->triangle[i] + 1];
    for (int c = 0; c < s->corner_count; ++c)
        s->first[c + 1] += s->first[c];
    for (size_t i = uses; i-- > 0;)
        s->round[--s->first[s->triangle[i] + 1]] = (uint32_t)(i / 3);
    // Each entry now stands where its own list begins, one place too far: move them back.
    memmove(s->first, s->first + 1, (size_t)s->corner_count * sizeof *s->first);
    s->first[s->corner_count] = (uint32_t)uses;
}

static OndStatus index_mesh(OndSolidMesh *s, OndArena *arena, const OndMesh *mesh, OndError *err)
{
    TriangleSource source;
    s->triangle = mesh->triangle;
    s->corner = s->end = mesh->corner;
    s->corner_count = mesh->corner_count;
    s->triangle_count = mesh->triangle_count;
    s->first = ond_arena_take(arena, ((size_t)s->corner_count + 1) * sizeof *s->first);
    s->round = ond_arena_take(arena, 3 * (size_t)s->triangle_count * sizeof *s->round);
    bool room = make_source(&source, s) && s->first && s->round;
    if (room) {
        list_triangles_round_corners(s);
        fill_source(&source, s);
        room = ond_box_tree_build(&s->tree, arena, &source.tree);
    }
    free_source(&source);
    s->bounds = ond_box_tree_bounds(&s->tree);
    if (room) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "no memory to search a mesh of %d triangles",
                    s->triangle_count);
}

OndStatus ond_solid_mesh_make(OndSolidMesh *s, OndArena *arena, const OndMesh *mesh, bool closed,
                              bool flat, OndError *err)
{
    memset(s, 0, sizeof *s);
    s->closed = closed;
    if (!flat) return index_mesh(s, arena, mesh, err);
    const OndStatus status = ond_mesh_cut_flat(mesh, &s->cut, err);
    return status == OND_OK ? index_mesh(s, arena, &s->cut, err) : status;
}

void ond_solid_mesh_free(OndSolidMesh *s)
{
    ond_free(s->bent[0]);
    ond_free(s->bent[1]);
    ond_distance_grid_free(&s->distance);
    ond_mesh_free(&s->cut);
}

size_t ond_solid_mesh_bytes(const OndSolidMesh *s)
{
    size_t bytes = ond_box_tree_bytes(&s->tree);
    bytes += 3 * (size_t)s->triangle_count * sizeof *s->round;
    bytes += (size_t)s->corner_count * sizeof *s->first;
    bytes += ond_distance_grid_bytes(&s->distance);
    if (s->bent[0]) bytes += 6 * (size_t)s->corner_count * sizeof(float);
    return bytes;
}

// ---- bending ---------------------------------------------------------------------------------

static double farthest_way(const float *from, const float *to, int corners)
{
    double most = 0.0;
    for (size_t i = 0; i < 3 * (size_t)corners; i += 3) {
        const double x = to[i] - from[i], y = to[i + 1] - from[i + 1], z = to[i + 2] - from[i + 2];
        most = ond_max(most, x * x + y * y + z * z);
    }
    return sqrt(most);
}

bool ond_solid_mesh_bend(OndSolidMesh *s, const float *corner)
{
    const size_t values = 3 * (size_t)s->corner_count;
    if (s->cut.corner || s->triangle_count == 0) return false;
    for (int k = 0; k < 2; ++k)
        if (!s->bent[k]) s->bent[k] = OND_NEW_ARRAY(float, values);
    if (!s->bent[0] || !s->bent[1]) return false;
    const int free_one = s->corner == s->bent[0];
    memcpy(s->bent[free_one], corner, values * sizeof *corner);
    s->end = s->bent[free_one];
    s->way = farthest_way(s->corner, s->end, s->corner_count);
    if (fit_tree(s)) return true;
    s->end = s->corner;
    s->way = 0.0;
    return false;
}

void ond_solid_mesh_arrive(OndSolidMesh *s)
{
    if (s->end == s->corner) return;
    s->corner = s->end;
    s->way = 0.0;
    fit_tree(s); // without memory boxes stay wider than they need be
}

OndVec ond_solid_mesh_carried(const OndSolidMesh *s, int triangle, OndVec at, double t, double then)
{
    OndVec way[3], now[3];
    if (s->end == s->corner) return at;
    ond_solid_corners(s, s->corner, triangle, now);
    ond_solid_corners(s, s->end, triangle, way);
    for (int k = 0; k < 3; ++k) {
        way[k] = ond_sub(way[k], now[k]);
        now[k] = ond_add(now[k], ond_scale(way[k], t));
    }
    // Shares of the three corners, each by the area opposite to it.
    const OndVec normal = ond_triangle_normal(now);
    const double normal2 = ond_dot(normal, normal);
    OndVec place = at;
    for (int k = 0; k < 3; ++k) {
        const OndVec edge = ond_sub(now[(k + 2) % 3], now[(k + 1) % 3]);
        const OndVec offset = ond_sub(at, now[(k + 1) % 3]);
        const double share =
            normal2 > 0.0 ? ond_dot(ond_cross(edge, offset), normal) / normal2 : 1.0 / 3.0;
        place = ond_add(place, ond_scale(way[k], share * (then - t)));
    }
    return place;
}
