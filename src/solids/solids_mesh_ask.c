// SPDX-License-Identifier: MIT
// What is nearest to a point, and what a moving ball meets first: questions to the tree of a mesh.
#include "solids/solids_mesh.h"

typedef struct AskedPoint {
    OndVec at;
    OndFour3 four;
    float rounding; ///< how far the floats are off at most, and a little more
} AskedPoint;

static AskedPoint point_at(OndVec p)
{
    const double most = ond_max(fabs(p.x), ond_max(fabs(p.y), fabs(p.z)));
    const AskedPoint point = {p, ond_four_same(p), (float)(4e-7 * most)};
    return point;
}

static float squared_reach(const AskedPoint *p, double reach)
{
    const float wide = (float)(reach * (1.0 + 1e-6)) + p->rounding;
    return wide * wide;
}

// ---- the nearest place -------------------------------------------------------------------------

typedef struct Best {
    double distance2;
    OndVec at;
    int triangle; ///< -1: none yet
} Best;

/// Which of four triangles have a plane within `limit` of p: no place of the others is nearer.
static unsigned planes_near(const OndBoxTreeBlock *b, OndFour3 p, float limit)
{
    const OndFour3 normal = ond_four_cross(ond_four_sub(b->corner[1], b->corner[0]),
                                           ond_four_sub(b->corner[2], b->corner[0]));
    const OndFour height = ond_four_dot(normal, ond_four_sub(p, b->corner[0]));
    return ond_four_bits(height * height <=
                         ond_four(limit * limit * 1.001f) * ond_four_dot(normal, normal));
}

static void nearest_in_block(const OndSolidMesh *s, const float *corners, const OndBoxTreeBlock *b,
                             const AskedPoint *p, bool still, Best *best)
{
    const float limit = (float)sqrt(best->distance2) * 1.0001f + p->rounding;
    unsigned near = still ? planes_near(b, p->four, limit) : 15u;
    for (; near; near &= near - 1) {
        const int lane = __builtin_ctz(near), t = b->triangle[lane];
        if (t < 0) continue;
        OndVec corner[3];
        if (still)
            ond_box_tree_corners(b, lane, corner);
        else
            ond_solid_corners(s, corners, t, corner);
        const OndVec at = ond_closest_on_triangle(corner, p->at).at;
        const double distance2 = ond_distance2(at, p->at);
        if (distance2 > best->distance2 ||
            (distance2 == best->distance2 && best->triangle >= 0 && t > best->triangle))
            continue;
        *best = (Best){distance2, at, t};
    }
}

double ond_solid_mesh_nearest(const OndSolidMesh *s, OndWhen when, OndVec p, double reach,
                              OndVec *at, int *triangle)
{
    const float *corners = when == OND_AT_START ? s->corner : s->end;
    const bool still = s->corner == s->end;
    const AskedPoint point = point_at(p);
    Best best = {reach * reach, p, -1};
    OndBoxTreeWalk walk;
    const OndBoxTreeNode *node;
    int level, index;
    ond_box_tree_begin(&walk, &s->tree);
    while ((node = ond_box_tree_pop(&walk, &s->tree, &level, &index))) {
        const OndFour distance2 = ond_box_tree_distances(node, point.four);
        float limit = squared_reach(&point, sqrt(best.distance2));
        if (level > 0) {
            const unsigned near = ond_four_bits(distance2 <= ond_four(limit));
            ond_tree_push_nearest_last(&walk, near, distance2, level - 1, index);
            continue;
        }
        for (int k = 0; k < OND_BOX_TREE_WIDE; ++k) {
            if (!(distance2[k] <= limit)) continue;
            nearest_in_block(s, corners, &s->tree.block[OND_BOX_TREE_WIDE * index + k], &point,
                             still, &best);
            limit = squared_reach(&point, sqrt(best.distance2));
        }
    }
    if (best.triangle < 0) return INFINITY;
    *at = best.at;
    *triangle = best.triangle;
    return sqrt(best.distance2);
}

bool ond_solid_mesh_may_touch(const OndSolidMesh *s, OndVec p, double reach)
{
    const AskedPoint point = point_at(p);
    const float limit = squared_reach(&point, reach);
    OndBoxTreeWalk walk;
    const OndBoxTreeNode *node;
    int level, index;
    ond_box_tree_begin(&walk, &s->tree);
    while ((node = ond_box_tree_pop(&walk, &s->tree, &level, &index))) {
        const OndFour distance2 = ond_box_tree_distances(node, point.four);
        for (int k = 0; k < OND_BOX_TREE_WIDE; ++k) {
            if (!(distance2[k] <= limit)) continue;
            if (level == 0) return true;
            ond_box_tree_push(&walk, level - 1, OND_BOX_TREE_WIDE * index + k);
        }
    }
    return false;
}

// ---- sweeps
// --------------------------------------------------------------------------------------

typedef struct Swath {
    const OndSweep *sweep;
    OndFour3 from, to;
    OndTreeBox box; ///< of the way, a little wider than the ball
    OndFour radius;
} Swath;

static Swath swath_of(const OndSweep *sweep)
{
    Swath w;
    const OndVec a = sweep->from, b = sweep->to;
    const double most_a = ond_max(fabs(a.x), ond_max(fabs(a.y), fabs(a.z)));
    const double most_b = ond_max(fabs(b.x), ond_max(fabs(b.y), fabs(b.z)));
    const double wide = sweep->radius * (1.0 + 1e-4) + 1e-6 * ond_max(most_a, most_b);
    const OndVec half = {0.5 * fabs(b.x - a.x) + wide, 0.5 * fabs(b.y - a.y) + wide,
                         0.5 * fabs(b.z - a.z) + wide};
    w.sweep = sweep;
    w.from = ond_four_same(a);
    w.to = ond_four_same(b);
    w.box.middle = ond_four_same(ond_scale(ond_add(a, b), 0.5));
    w.box.half = ond_four_same(half);
    w.radius = ond_four((float)wide);
    return w;
}

static OndFourMask spans_meet(OndFour a, OndFour b, OndFour c, OndFour middle, OndFour half)
{
    return (ond_four_min(a, ond_four_min(b, c)) <= middle + half) &
           (ond_four_max(a, ond_four_max(b, c)) >= middle - half);
}

/// Which of four triangles have a box that meets the way, and a plane that it comes near to.
static unsigned triangles_met(const OndBoxTreeBlock *block, const Swath *w)
{
    const OndFour3 a = block->corner[0], b = block->corner[1], c = block->corner[2];
    const OndFourMask box = spans_meet(a.x, b.x, c.x, w->box.middle.x, w->box.half.x) &
                            spans_meet(a.y, b.y, c.y, w->box.middle.y, w->box.half.y) &
                            spans_meet(a.z, b.z, c.z, w->box.middle.z, w->box.half.z);
    const OndFour3 normal = ond_four_cross(ond_four_sub(b, a), ond_four_sub(c, a));
    const OndFour from = ond_four_dot(normal, ond_four_sub(w->from, a));
    const OndFour to = ond_four_dot(normal, ond_four_sub(w->to, a));
    const OndFour nearer = ond_four_min(ond_four_abs(from), ond_four_abs(to));
    const OndFour limit = w->radius * w->radius * ond_four(1.001f) * ond_four_dot(normal, normal);
    const OndFourMask passes = from * to <= ond_four(0.0f);
    return ond_four_bits(box & (passes | (nearer * nearer <= limit)));
}

static bool sweep_bending(const OndSolidMesh *s, OndWhen when, int triangle, const OndSweep *sweep,
                          OndContact *contact)
{
    OndVec corner[3], end[3];
    ond_solid_corners(s, when == OND_AT_END ? s->end : s->corner, triangle, corner);
    if (when != OND_ON_THE_WAY) return ond_sweep_triangle(corner, sweep, contact);
    ond_solid_corners(s, s->end, triangle, end);
    return ond_sweep_moving_triangle(corner, end, sweep, contact);
}

static bool sweep_block(const OndSolidMesh *s, OndWhen when, const OndBoxTreeBlock *block,
                        const Swath *w, OndContact *contact, int *triangle)
{
    const bool still = s->end == s->corner;
    unsigned met = still ? triangles_met(block, w) : 15u;
    bool hit = false;
    for (; met; met &= met - 1) {
        OndVec corner[3];
        const int lane = __builtin_ctz(met), t = block->triangle[lane];
        if (t < 0) continue;
        ond_box_tree_corners(block, lane, corner);
        if (still ? !ond_sweep_triangle(corner, w->sweep, contact)
                  : !sweep_bending(s, when, t, w->sweep, contact))
            continue;
        hit = true;
        *triangle = t;
    }
    return hit;
}

bool ond_solid_mesh_sweep(const OndSolidMesh *s, OndWhen when, const OndSweep *sweep,
                          OndContact *contact, int *triangle)
{
    const Swath swath = swath_of(sweep);
    bool hit = false;
    OndBoxTreeWalk walk;
    const OndBoxTreeNode *node;
    int level, index;
    ond_box_tree_begin(&walk, &s->tree);
    while ((node = ond_box_tree_pop(&walk, &s->tree, &level, &index))) {
        for (unsigned met = ond_tree_boxes_met(node, &swath.box); met; met &= met - 1) {
            const int child = OND_BOX_TREE_WIDE * index + __builtin_ctz(met);
            if (level > 0)
                ond_box_tree_push(&walk, level - 1, child);
            else
                hit |= sweep_block(s, when, &s->tree.block[child], &swath, contact, triangle);
        }
    }
    return hit;
}
