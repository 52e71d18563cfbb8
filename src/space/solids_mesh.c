// SPDX-License-Identifier: MIT
#include "space/solids_mesh.h"

#include <string.h>

#define STACK_SIZE 64 // a tree of 2^26 things is 26 deep

// ---- triangles and their boxes ---------------------------------------------------------------

static void corners_of(const OndSolidMesh *s, const float *corner, int triangle, OndVec out[3])
{
    const uint32_t *t = s->triangle + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k) {
        const float *c = corner + 3 * (size_t)t[k];
        out[k] = ond_vec(c[0], c[1], c[2]);
    }
}

static OndBox add_corners(OndBox box, const OndVec corner[3])
{
    for (int k = 0; k < 3; ++k) {
        box.min = ond_vec(ond_min(box.min.x, corner[k].x), ond_min(box.min.y, corner[k].y),
                          ond_min(box.min.z, corner[k].z));
        box.max = ond_vec(ond_max(box.max.x, corner[k].x), ond_max(box.max.y, corner[k].y),
                          ond_max(box.max.z, corner[k].z));
    }
    return box;
}

static OndBox triangle_box(const OndSolidMesh *s, int triangle)
{
    OndVec corner[3];
    corners_of(s, s->corner, triangle, corner);
    OndBox box = add_corners((OndBox){corner[0], corner[0]}, corner);
    if (s->end == s->corner) return box;
    corners_of(s, s->end, triangle, corner);
    return add_corners(box, corner);
}

static void widen_node(OndBvhNode *node, const float min[3], const float max[3])
{
    for (int k = 0; k < 3; ++k) {
        node->min[k] = min[k] < node->min[k] ? min[k] : node->min[k];
        node->max[k] = max[k] > node->max[k] ? max[k] : node->max[k];
    }
}

static void fit_leaf(OndSolidMesh *s, OndBvhNode *node)
{
    for (int k = 0; k < 3; ++k) {
        node->min[k] = INFINITY;
        node->max[k] = -INFINITY;
    }
    for (int i = 0; i < node->count; ++i) {
        const OndBox box = triangle_box(s, s->bvh.order[node->first + i]); // corners are floats
        const float min[3] = {(float)box.min.x, (float)box.min.y, (float)box.min.z};
        const float max[3] = {(float)box.max.x, (float)box.max.y, (float)box.max.z};
        widen_node(node, min, max);
    }
}

/// Boxes for corners that have moved; children stand behind their parents.
static void fit_boxes(OndSolidMesh *s)
{
    for (int i = s->bvh.node_count - 1; i >= 0; --i) {
        OndBvhNode *node = &s->bvh.node[i];
        if (node->count > 0) {
            fit_leaf(s, node);
            continue;
        }
        const OndBvhNode *left = node + 1, *right = &s->bvh.node[node->first];
        memcpy(node->min, left->min, sizeof node->min);
        memcpy(node->max, left->max, sizeof node->max);
        widen_node(node, right->min, right->max);
    }
    const OndBvhNode *root = s->bvh.node;
    s->bounds.min = ond_vec(root->min[0], root->min[1], root->min[2]);
    s->bounds.max = ond_vec(root->max[0], root->max[1], root->max[2]);
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

static bool build_tree(OndSolidMesh *s, OndArena *arena)
{
    OndBox *box = OND_NEW_ARRAY(OndBox, s->triangle_count);
    for (int t = 0; box && t < s->triangle_count; ++t)
        box[t] = triangle_box(s, t);
    const bool built = box && ond_bvh_build(&s->bvh, arena, box, s->triangle_count);
    ond_free(box);
    if (built && s->bvh.node_count > 0) fit_boxes(s);
    return built;
}

static OndStatus index_mesh(OndSolidMesh *s, OndArena *arena, const OndMesh *mesh, OndError *err)
{
    s->triangle = mesh->triangle;
    s->corner = s->end = mesh->corner;
    s->corner_count = mesh->corner_count;
    s->triangle_count = mesh->triangle_count;
    s->bounds = (OndBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    s->first = ond_arena_take(arena, ((size_t)s->corner_count + 1) * sizeof *s->first);
    s->round = ond_arena_take(arena, 3 * (size_t)s->triangle_count * sizeof *s->round);
    if (!s->first || !s->round || !build_tree(s, arena))
        return ond_fail(err, OND_NO_MEMORY, "no memory to search a mesh of %d triangles",
                        s->triangle_count);
    list_triangles_round_corners(s);
    return OND_OK;
}

/// Where the edge a-b crosses z = 0: the same bits from either end.
static void cut_edge(const float *a, const float *b, float out[2])
{
    if (a[2] > b[2]) {
        const float *swap = a;
        a = b;
        b = swap;
    }
    const double t = a[2] / ((double)a[2] - b[2]);
    out[0] = (float)(a[0] + t * ((double)b[0] - a[0]));
    out[1] = (float)(a[1] + t * ((double)b[1] - a[1]));
}

/// The line in which z = 0 cuts a triangle, its inside on the left; false when there is none.
/// Corners at z = 0 count as above, so that two triangles never both miss a line.
static bool cut_triangle(const OndMesh *mesh, int t, float line[4])
{
    const float *c[3];
    int above = 0;
    for (int k = 0; k < 3; ++k) {
        c[k] = mesh->corner + 3 * (size_t)mesh->triangle[3 * (size_t)t + k];
        above |= (c[k][2] >= 0.0f) << k;
    }
    if (above == 0 || above == 7) return false;
    int in = 0, out = 0; // the edges where the way round goes above and below
    for (int k = 0; k < 3; ++k) {
        const int here = above >> k & 1, next = above >> ((k + 1) % 3) & 1;
        if (!here && next) in = k;
        if (here && !next) out = k;
    }
    cut_edge(c[out], c[(out + 1) % 3], line);
    cut_edge(c[in], c[(in + 1) % 3], line + 2);
    return true;
}

/// A wall from z = -height to height on a line.
static void stand_wall(OndMesh *cut, int wall, const float line[4], float height)
{
    float *c = cut->corner + 12 * (size_t)wall;
    uint32_t *t = cut->triangle + 6 * (size_t)wall;
    const uint32_t base = 4 * (uint32_t)wall;
    const uint32_t corner[6] = {0, 1, 3, 0, 3, 2};
    for (int k = 0; k < 4; ++k) {
        c[3 * k] = line[2 * (k & 1)];
        c[3 * k + 1] = line[2 * (k & 1) + 1];
        c[3 * k + 2] = k < 2 ? -height : height;
    }
    for (int k = 0; k < 6; ++k)
        t[k] = base + corner[k];
}

static float widest(const OndMesh *mesh)
{
    float most = 1.0f;
    for (size_t i = 0; i < 3 * (size_t)mesh->corner_count; ++i)
        most = fabsf(mesh->corner[i]) > most ? fabsf(mesh->corner[i]) : most;
    return most;
}

/// In 2D the mesh is what z = 0 cuts out of it, stood up so high that its rims are out of sight.
static OndStatus cut_flat(const OndMesh *mesh, OndMesh *cut, OndError *err)
{
    float line[4];
    long long walls = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
        walls += cut_triangle(mesh, t, line);
    OndMesh raw;
    OndStatus status = ond_mesh_make(&raw, 4 * walls, 2 * walls, err);
    if (status != OND_OK) return status;
    const float height = widest(mesh);
    int wall = 0;
    for (int t = 0; t < mesh->triangle_count; ++t)
        if (cut_triangle(mesh, t, line)) stand_wall(&raw, wall++, line, height);
    if (walls > 0) {
        status = ond_mesh_weld(&raw, cut, err);
        ond_mesh_free(&raw);
    } else {
        *cut = raw;
    }
    return status;
}

OndStatus ond_solid_mesh_make(OndSolidMesh *s, OndArena *arena, const OndMesh *mesh, bool closed,
                              bool flat, OndError *err)
{
    memset(s, 0, sizeof *s);
    s->closed = closed;
    if (!flat) return index_mesh(s, arena, mesh, err);
    const OndStatus status = cut_flat(mesh, &s->cut, err);
    return status == OND_OK ? index_mesh(s, arena, &s->cut, err) : status;
}

void ond_solid_mesh_free(OndSolidMesh *s)
{
    ond_free(s->bent[0]);
    ond_free(s->bent[1]);
    ond_mesh_free(&s->cut);
}

// ---- bending ---------------------------------------------------------------------------------

bool ond_solid_mesh_bend(OndSolidMesh *s, const float *corner)
{
    const size_t values = 3 * (size_t)s->corner_count;
    if (s->cut.corner) return false;
    for (int k = 0; k < 2; ++k)
        if (!s->bent[k]) s->bent[k] = OND_NEW_ARRAY(float, values);
    if (!s->bent[0] || !s->bent[1]) return false;
    const int free_one = s->corner == s->bent[0];
    memcpy(s->bent[free_one], corner, values * sizeof *corner);
    s->end = s->bent[free_one];
    if (s->bvh.node_count > 0) fit_boxes(s);
    return true;
}

void ond_solid_mesh_arrive(OndSolidMesh *s)
{
    if (s->end == s->corner) return;
    s->corner = s->end;
    if (s->bvh.node_count > 0) fit_boxes(s);
}

OndVec ond_solid_mesh_carried(const OndSolidMesh *s, int triangle, OndVec at, double t, double then)
{
    OndVec way[3], now[3];
    if (s->end == s->corner) return at;
    corners_of(s, s->corner, triangle, now);
    corners_of(s, s->end, triangle, way);
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

// ---- asking ----------------------------------------------------------------------------------

static double box_distance2(const OndBvhNode *node, OndVec p)
{
    const double x = ond_max(ond_max(node->min[0] - p.x, p.x - node->max[0]), 0.0);
    const double y = ond_max(ond_max(node->min[1] - p.y, p.y - node->max[1]), 0.0);
    const double z = ond_max(ond_max(node->min[2] - p.z, p.z - node->max[2]), 0.0);
    return x * x + y * y + z * z;
}

double ond_solid_mesh_nearest(const OndSolidMesh *s, OndWhen when, OndVec p, double reach,
                              OndVec *at, int *triangle)
{
    const float *corners = when == OND_AT_START ? s->corner : s->end;
    double best2 = reach * reach;
    bool found = false;
    int stack[STACK_SIZE], top = 0;
    if (s->bvh.node_count > 0) stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *node = &s->bvh.node[index];
        if (box_distance2(node, p) > best2) continue;
        if (node->count == 0) {
            const int left = index + 1, right = node->first;
            const bool left_first =
                box_distance2(&s->bvh.node[left], p) <= box_distance2(&s->bvh.node[right], p);
            stack[top++] = left_first ? right : left;
            stack[top++] = left_first ? left : right;
            continue;
        }
        for (int i = 0; i < node->count; ++i) {
            OndVec corner[3];
            const int t = s->bvh.order[node->first + i];
            corners_of(s, corners, t, corner);
            const OndVec here = ond_closest_on_triangle(corner, p).at;
            const double distance2 = ond_distance2(here, p);
            if (distance2 > best2 || (distance2 == best2 && found && t > *triangle)) continue;
            best2 = distance2;
            found = true;
            *at = here;
            *triangle = t;
        }
    }
    return found ? sqrt(best2) : INFINITY;
}

static bool sweep_one(const OndSolidMesh *s, OndWhen when, int triangle, const OndSweep *sweep,
                      OndContact *contact)
{
    OndVec corner[3], end[3];
    corners_of(s, when == OND_AT_END ? s->end : s->corner, triangle, corner);
    if (when != OND_ON_THE_WAY || s->end == s->corner)
        return ond_sweep_triangle(corner, sweep, contact);
    corners_of(s, s->end, triangle, end);
    return ond_sweep_moving_triangle(corner, end, sweep, contact);
}

static OndBox sweep_box(const OndSweep *sweep)
{
    const OndVec a = sweep->from, b = sweep->to;
    const double r = sweep->radius * (1.0 + 1e-6);
    const OndBox box = {{ond_min(a.x, b.x) - r, ond_min(a.y, b.y) - r, ond_min(a.z, b.z) - r},
                        {ond_max(a.x, b.x) + r, ond_max(a.y, b.y) + r, ond_max(a.z, b.z) + r}};
    return box;
}

static bool node_meets(const OndBvhNode *node, const OndBox *box)
{
    return node->min[0] <= box->max.x && node->max[0] >= box->min.x && node->min[1] <= box->max.y &&
           node->max[1] >= box->min.y && node->min[2] <= box->max.z && node->max[2] >= box->min.z;
}

bool ond_solid_mesh_sweep(const OndSolidMesh *s, OndWhen when, const OndSweep *sweep,
                          OndContact *contact, int *triangle)
{
    const OndBox box = sweep_box(sweep);
    bool hit = false;
    int stack[STACK_SIZE], top = 0;
    if (s->bvh.node_count > 0) stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *node = &s->bvh.node[index];
        if (!node_meets(node, &box)) continue;
        if (node->count == 0) {
            stack[top++] = node->first;
            stack[top++] = index + 1;
            continue;
        }
        for (int i = 0; i < node->count; ++i) {
            const int t = s->bvh.order[node->first + i];
            if (!sweep_one(s, when, t, sweep, contact)) continue;
            hit = true;
            *triangle = t;
        }
    }
    return hit;
}

bool ond_solid_mesh_may_touch(const OndSolidMesh *s, OndVec p, double reach)
{
    int stack[STACK_SIZE], top = 0;
    if (s->bvh.node_count > 0) stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *node = &s->bvh.node[index];
        if (box_distance2(node, p) > reach * reach) continue;
        if (node->count > 0) return true;
        stack[top++] = node->first;
        stack[top++] = index + 1;
    }
    return false;
}

// ---- local minima ----------------------------------------------------------------------------

/// Which corner of a triangle that is; 3: none.
static int place_of(const uint32_t *t, uint32_t corner)
{
    return t[0] == corner ? 0 : t[1] == corner ? 1 : t[2] == corner ? 2 : 3;
}

static OndVec corner_at(const OndSolidMesh *s, uint32_t corner)
{
    const float *c = s->corner + 3 * (size_t)corner;
    return ond_vec(c[0], c[1], c[2]);
}

/// Whether the distance falls from `at`, on triangle t, towards its corner `other`.
static bool falls_towards(const OndSolidMesh *s, OndVec p, OndVec at, uint32_t other)
{
    const OndVec way = ond_sub(corner_at(s, other), at), offset = ond_sub(p, at);
    const double slope = ond_dot(offset, way);
    return slope > 0.0 && slope * slope > 1e-18 * ond_dot(offset, offset) * ond_dot(way, way);
}

static OndVec unit_normal(const OndSolidMesh *s, int t)
{
    OndVec corner[3];
    corners_of(s, s->corner, t, corner);
    return ond_unit(ond_triangle_normal(corner));
}

static double angle_at(const OndSolidMesh *s, int t, int k)
{
    OndVec c[3];
    corners_of(s, s->corner, t, c);
    const OndVec a = ond_unit(ond_sub(c[(k + 1) % 3], c[k]));
    const OndVec b = ond_unit(ond_sub(c[(k + 2) % 3], c[k]));
    return acos(ond_clamp(ond_dot(a, b), -1.0, 1.0));
}

/// Looks at the triangles round corner c (those that hold corner d too, when it is an edge). False
/// when the distance falls into one of them, or when one of them comes before t and speaks for
/// all. `normal` gets their mean, weighed by angles [Baerentzen and Aanaes 2005], which tells the
/// side.
static bool least_round(const OndSolidMesh *s, int t, uint32_t c, uint32_t d, bool edge, OndVec p,
                        OndVec at, OndVec *normal)
{
    *normal = ond_vec(0, 0, 0);
    for (uint32_t i = s->first[c]; i < s->first[c + 1]; ++i) {
        const int other = (int)s->round[i];
        const uint32_t *corner = s->triangle + 3 * (size_t)other;
        const int k = place_of(corner, c), e = edge ? place_of(corner, d) : 3;
        if (edge && e == 3) continue;
        if (other < t) return false;
        for (int j = 0; j < 3; ++j)
            if (j != k && j != e && falls_towards(s, p, at, corner[j])) return false;
        if (!s->closed) continue;
        const double weight = edge ? 1.0 : angle_at(s, other, k);
        *normal = ond_add(*normal, ond_scale(unit_normal(s, other), weight));
    }
    return true;
}

static bool is_least(const OndSolidMesh *s, int t, OndClosest closest, OndVec p, OndVec *normal)
{
    const uint32_t *corner = s->triangle + 3 * (size_t)t;
    if (closest.part == OND_ON_FACE) {
        *normal = s->closed ? unit_normal(s, t) : ond_vec(0, 0, 0);
        return true;
    }
    const bool edge = closest.part >= OND_ON_EDGE;
    const int k = edge ? closest.part - OND_ON_EDGE : closest.part;
    return least_round(s, t, corner[k], corner[(k + 1) % 3], edge, p, closest.at, normal);
}

/// Adds one; when there is no room the farthest gives way.
static int keep_touch(OndMeshTouch *touch, int count, int room, OndMeshTouch one)
{
    if (count < room) {
        touch[count] = one;
        return count + 1;
    }
    int farthest = 0;
    for (int i = 1; i < count; ++i)
        if (touch[i].distance > touch[farthest].distance) farthest = i;
    if (one.distance < touch[farthest].distance) touch[farthest] = one;
    return count;
}

typedef struct Gathering {
    OndMeshTouch *touch;
    int count, room;
    OndMeshTouch nearest; ///< of all, whatever it is
} Gathering;

static void touch_one(const OndSolidMesh *s, int t, OndVec p, double reach, Gathering *g)
{
    OndVec corner[3], normal;
    corners_of(s, s->corner, t, corner);
    const OndClosest closest = ond_closest_on_triangle(corner, p);
    const double distance2 = ond_distance2(closest.at, p);
    if (distance2 > reach * reach) return;
    OndMeshTouch one = {t, closest.at, sqrt(distance2), false};
    const bool least = is_least(s, t, closest, p, &normal);
    one.behind = s->closed && ond_dot(ond_sub(p, closest.at), normal) < 0.0;
    if (one.distance < g->nearest.distance) g->nearest = one;
    if (least) g->count = keep_touch(g->touch, g->count, g->room, one);
}

/// Rounding must not lose the nearest place: two triangles may each think that it is the other's.
static int with_nearest(const Gathering *g)
{
    if (g->nearest.distance == INFINITY) return 0;
    for (int i = 0; i < g->count; ++i)
        if (g->touch[i].distance <= g->nearest.distance * (1.0 + 1e-9)) return g->count;
    return keep_touch(g->touch, g->count, g->room, g->nearest);
}

int ond_solid_mesh_touches(const OndSolidMesh *s, OndVec p, double reach, OndMeshTouch *touch,
                           int room)
{
    int stack[STACK_SIZE], top = 0;
    Gathering g = {touch, 0, room, {0, {0, 0, 0}, INFINITY, false}};
    if (s->bvh.node_count > 0) stack[top++] = 0;
    while (top > 0) {
        const int index = stack[--top];
        const OndBvhNode *node = &s->bvh.node[index];
        if (box_distance2(node, p) > reach * reach) continue;
        for (int i = 0; i < node->count; ++i)
            touch_one(s, s->bvh.order[node->first + i], p, reach, &g);
        if (node->count > 0) continue;
        stack[top++] = node->first;
        stack[top++] = index + 1;
    }
    return with_nearest(&g);
}
