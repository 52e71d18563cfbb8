// SPDX-License-Identifier: MIT
// Places of a mesh that are nearer to a point than all places round them.
#include "solids/solids_mesh.h"

/// Cosine between triangles that are one face, though it may bend.
#define ONE_FACE 0.9

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
    ond_solid_corners(s, s->corner, t, corner);
    return ond_unit(ond_triangle_normal(corner));
}

static double angle_at(const OndSolidMesh *s, int t, int k)
{
    OndVec c[3];
    ond_solid_corners(s, s->corner, t, c);
    const OndVec a = ond_unit(ond_sub(c[(k + 1) % 3], c[k]));
    const OndVec b = ond_unit(ond_sub(c[(k + 2) % 3], c[k]));
    return acos(ond_clamp(ond_dot(a, b), -1.0, 1.0));
}

/// Of all faces that meet in a place those that look different ways are kept.
static void add_face(OndMeshTouch *one, OndVec normal)
{
    for (int k = 0; k < one->faces; ++k)
        if (ond_dot(one->face[k], normal) > ONE_FACE) return;
    if (one->faces < 3) one->face[one->faces++] = normal;
}

/// Of an edge; one that hardly turns is none.
static void set_faces(OndMeshTouch *one, OndVec a, OndVec b)
{
    const bool turns = ond_dot(a, b) <= ONE_FACE;
    one->faces = turns ? 2 : 0, one->face[0] = a, one->face[1] = b;
}

/// Looks at the triangles round corner c (those that hold corner d too, when it is an edge). False
/// when the distance falls into one of them, or when one of them comes before t and speaks for
/// all. `normal` gets their mean, weighed by angles [Baerentzen and Aanaes 2005], which tells the
/// side.
static bool least_round(const OndSolidMesh *s, int t, uint32_t c, uint32_t d, bool edge, OndVec p,
                        OndVec at, OndVec *normal, OndMeshTouch *one)
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
        const OndVec own = unit_normal(s, other);
        *normal = ond_add(*normal, ond_scale(own, weight));
        add_face(one, own);
    }
    if (one->faces == 1) one->faces = 0;
    return true;
}

/// A triangle, and the ways into its neighbours where it has one at each edge (else 0).
typedef struct TrianglePiece {
    int triangle;
    unsigned speaks; ///< a bit for each corner where no triangle round it comes before this one
    OndVec corner[3], beyond[3];
} TrianglePiece;

/// At an edge with one neighbour that alone tells: the place is least where p does not stand over
/// it. Where p stands over the very edge both say so.
static bool least_at_edge(const TrianglePiece *piece, int k, OndVec p, OndVec at, OndVec *normal,
                          OndMeshTouch *one)
{
    const OndVec way = ond_sub(p, at), beyond = piece->beyond[k];
    const OndVec edge = ond_unit(ond_sub(piece->corner[k], piece->corner[(k + 1) % 3]));
    const OndVec own = ond_unit(ond_triangle_normal(piece->corner));
    const OndVec other = ond_unit(ond_cross(edge, beyond)); // it goes the other way round
    *normal = ond_add(own, other);
    set_faces(one, own, other);
    return ond_dot(way, beyond) <= 1e-6 * ond_length(way);
}

static bool is_least(const OndSolidMesh *s, const TrianglePiece *piece, OndClosest closest,
                     OndVec p, OndVec *normal, OndMeshTouch *one)
{
    if (closest.part == OND_ON_FACE) {
        *normal = ond_triangle_normal(piece->corner);
        return true;
    }
    const bool edge = closest.part >= OND_ON_EDGE;
    const int k = edge ? closest.part - OND_ON_EDGE : closest.part;
    if (edge && ond_dot(piece->beyond[k], piece->beyond[k]) > 0.0)
        return least_at_edge(piece, k, p, closest.at, normal, one);
    if (!edge && !(piece->speaks >> k & 1)) { // soon told, and most are not asked further
        *normal = ond_vec(0, 0, 0);
        return false;
    }
    const uint32_t *corner = s->triangle + 3 * (size_t)piece->triangle;
    return least_round(s, piece->triangle, corner[k], corner[(k + 1) % 3], edge, p, closest.at,
                       normal, one);
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
    double nearest; ///< distance of all, whatever they are
} Gathering;

static void touch_one(const OndSolidMesh *s, const TrianglePiece *piece, OndVec p, double reach,
                      Gathering *g)
{
    OndVec normal;
    const OndClosest closest = ond_closest_on_triangle(piece->corner, p);
    const double distance2 = ond_distance2(closest.at, p);
    if (distance2 > reach * reach) return;
    OndMeshTouch one = {.triangle = piece->triangle, .at = closest.at, .distance = sqrt(distance2)};
    const bool least = is_least(s, piece, closest, p, &normal, &one);
    one.behind = s->closed && ond_dot(ond_sub(p, closest.at), normal) < 0.0;
    g->nearest = ond_min(g->nearest, one.distance);
    if (least) g->count = keep_touch(g->touch, g->count, g->room, one);
}

/// The mean normal round a place of triangle t, as least_round weighs it, of all that meet there.
static OndVec normal_round(const OndSolidMesh *s, int t, int part)
{
    if (part == OND_ON_FACE) return unit_normal(s, t);
    const bool edge = part >= OND_ON_EDGE;
    const int k = part - (edge ? OND_ON_EDGE : 0);
    const uint32_t *own = s->triangle + 3 * (size_t)t, c = own[k], d = own[(k + 1) % 3];
    OndVec sum = {0, 0, 0};
    for (uint32_t i = s->first[c]; i < s->first[c + 1]; ++i) {
        const int other = (int)s->round[i];
        const uint32_t *corner = s->triangle + 3 * (size_t)other;
        if (edge && place_of(corner, d) == 3) continue;
        const double weight = edge ? 1.0 : angle_at(s, other, place_of(corner, c));
        sum = ond_add(sum, ond_scale(unit_normal(s, other), weight));
    }
    return sum;
}

OndMeshTouch ond_solid_mesh_touch(const OndSolidMesh *s, OndVec p, double reach)
{
    OndMeshTouch touch = {0};
    OndVec corner[3];
    touch.distance = ond_solid_mesh_nearest(s, OND_AT_START, p, reach, &touch.at, &touch.triangle);
    if (touch.distance == INFINITY || !s->closed) return touch;
    ond_solid_corners(s, s->corner, touch.triangle, corner);
    const OndClosest closest = ond_closest_on_triangle(corner, p);
    const OndVec normal = normal_round(s, touch.triangle, closest.part);
    touch.behind = ond_dot(ond_sub(p, closest.at), normal) < 0.0;
    return touch;
}

/// Rounding must not lose the nearest place: two triangles may each think that it is the other's.
static int with_nearest(const OndSolidMesh *s, OndVec p, double reach, Gathering *g)
{
    for (int i = 0; i < g->count; ++i)
        if (g->touch[i].distance <= g->nearest * (1.0 + 1e-9)) return g->count;
    const OndMeshTouch nearest = ond_solid_mesh_touch(s, p, reach);
    if (nearest.distance == INFINITY) return g->count;
    return keep_touch(g->touch, g->count, g->room, nearest);
}

/// How far, as a share of the distance, a point may stand over a neighbour all the same.
#define OVER 0.03f

/// Which of four triangles may have a place nearer than all round it: those that p stands over, and
/// those with an edge that p is beyond without standing over the neighbour.
static unsigned may_be_least(const OndBoxTreeBlock *b, OndFour3 p, float reach2)
{
    const OndFour zero = ond_four(0.0f), slack2 = ond_four(OVER * OVER);
    const OndFour3 normal = ond_four_cross(ond_four_sub(b->corner[1], b->corner[0]),
                                           ond_four_sub(b->corner[2], b->corner[0]));
    OndFourMask over = zero == zero, beyond = zero != zero;
    for (int c = 0; c < 3; ++c) {
        const OndFour3 edge = ond_four_sub(b->corner[c == 2 ? 0 : c + 1], b->corner[c]);
        const OndFour3 way = ond_four_sub(p, b->corner[c]);
        const OndFour own = ond_four_dot(ond_four_cross(normal, edge), way);
        const OndFour past = ond_four_dot(b->beyond[c], way);
        over &= own >= zero;
        beyond |=
            (own < zero) & ((past <= zero) | (past * past <= slack2 * ond_four_dot(way, way)));
    }
    const OndFour height = ond_four_dot(normal, ond_four_sub(p, b->corner[0]));
    const OndFour limit = ond_four(1.001f * reach2) * ond_four_dot(normal, normal);
    return ond_four_bits((over | beyond) & (height * height <= limit));
}

static void touch_block(const OndSolidMesh *s, const OndBoxTreeBlock *block, OndVec p, double reach,
                        unsigned may, Gathering *g)
{
    for (; may; may &= may - 1) {
        const int lane = __builtin_ctz(may);
        TrianglePiece piece;
        piece.triangle = block->triangle[lane];
        if (piece.triangle < 0) continue;
        piece.speaks = block->speaks[lane];
        for (int c = 0; c < 3; ++c) {
            piece.corner[c] = ond_four_lane(&block->corner[c], lane);
            piece.beyond[c] = ond_four_lane(&block->beyond[c], lane);
        }
        touch_one(s, &piece, p, reach, g);
    }
}

int ond_solid_mesh_touches(const OndSolidMesh *s, OndVec p, double reach, OndMeshTouch *touch,
                           int room)
{
    const double most = ond_max(fabs(p.x), ond_max(fabs(p.y), fabs(p.z)));
    const float wide = (float)(reach * (1.0 + 1e-6) + 4e-7 * most), reach2 = wide * wide;
    const OndFour3 four = ond_four_same(p);
    Gathering g = {touch, 0, room, INFINITY};
    OndBoxTreeWalk walk;
    const OndBoxTreeNode *node;
    int level, index;
    ond_box_tree_begin(&walk, &s->tree);
    while ((node = ond_box_tree_pop(&walk, &s->tree, &level, &index))) {
        const OndFourMask near = ond_box_tree_distances(node, four) <= ond_four(reach2);
        unsigned may = ond_four_bits(near & ond_box_tree_facing(node, four));
        for (unsigned soon = level == 0 ? may : 0; soon; soon &= soon - 1)
            ond_box_tree_fetch(&s->tree.block[OND_BOX_TREE_WIDE * index + __builtin_ctz(soon)]);
        for (; may; may &= may - 1) {
            const int child = OND_BOX_TREE_WIDE * index + __builtin_ctz(may);
            const OndBoxTreeBlock *block = &s->tree.block[child];
            if (level > 0)
                ond_box_tree_push(&walk, level - 1, child);
            else
                touch_block(s, block, p, reach, may_be_least(block, four, reach2), &g);
        }
    }
    return with_nearest(s, p, reach, &g);
}
