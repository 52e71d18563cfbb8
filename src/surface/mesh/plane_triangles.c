// SPDX-License-Identifier: MIT
#include "surface/mesh/plane_triangles.h"

#define LITTLE 1e-6 // of the box's diagonal: a corner so near to the plane lies on it

typedef struct Wedge {
    OndVec corner[8];
    double before[8]; // how far the corners lie before the plane
    OndVec normal, u, v;
} Wedge;

typedef struct Polygon {
    OndVec corner[8];
    double angle[8];
    int count;
} Polygon;

static Wedge wedge_of(OndBox box, const OndPose *pose)
{
    Wedge w = {.normal = ond_pose_turn(pose, ond_vec(0, 1, 0)),
               .u = ond_pose_turn(pose, ond_vec(0, 0, 1)),
               .v = ond_pose_turn(pose, ond_vec(1, 0, 0))};
    const double little = LITTLE * ond_length(ond_sub(box.max, box.min));
    for (int c = 0; c < 8; ++c) {
        w.corner[c] = ond_box_corner(box, c);
        w.before[c] = ond_dot(ond_sub(w.corner[c], pose->at), w.normal);
        if (fabs(w.before[c]) < little) w.before[c] = 0.0;
    }
    return w;
}

static bool crosses(const Wedge *w, int a, int b)
{
    return w->before[a] * w->before[b] < 0.0;
}

// The same bits from both ends: what meets there must meet exactly.
static OndVec crossing(const Wedge *w, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    const double t = w->before[low] / (w->before[low] - w->before[high]);
    return ond_add(w->corner[low], ond_scale(ond_sub(w->corner[high], w->corner[low]), t));
}

static void add_fan(const OndVec *corner, int count, const OndPose *pose, OndPile *pile)
{
    for (int k = 2; k < count; ++k)
        ond_pile_add(pile, ond_pose_in(pose, corner[0]), ond_pose_in(pose, corner[k - 1]),
                     ond_pose_in(pose, corner[k]));
}

// What is behind of a side of the box.
static void add_side(const Wedge *w, const unsigned char face[4], const OndPose *pose,
                     OndPile *pile)
{
    OndVec kept[8];
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        const int a = face[k], b = face[(k + 1) % 4];
        if (w->before[a] <= 0.0) kept[count++] = w->corner[a];
        if (crosses(w, a, b)) kept[count++] = crossing(w, a, b);
    }
    add_fan(kept, count, pose, pile);
}

static void put(Polygon *p, OndVec at)
{
    if (p->count < 8) p->corner[p->count++] = at;
}

// Round the middle, against the clock as seen from before the plane. There are few.
static void put_in_order(const Wedge *w, Polygon *p)
{
    OndVec middle = {0, 0, 0};
    for (int k = 0; k < p->count; ++k)
        middle = ond_add(middle, ond_scale(p->corner[k], 1.0 / p->count));
    for (int k = 0; k < p->count; ++k) {
        const OndVec at = p->corner[k], arm = ond_sub(at, middle);
        const double angle = atan2(ond_dot(arm, w->v), ond_dot(arm, w->u));
        int to = k;
        for (; to > 0 && p->angle[to - 1] > angle; --to)
            p->corner[to] = p->corner[to - 1], p->angle[to] = p->angle[to - 1];
        p->corner[to] = at, p->angle[to] = angle;
    }
}

static void add_cut(const Wedge *w, const OndPose *pose, OndPile *pile)
{
    Polygon cut = {.count = 0};
    for (int c = 0; c < 8; ++c) {
        if (w->before[c] == 0.0) put(&cut, w->corner[c]);
        for (int axis = 1; axis < 8; axis *= 2)
            if (!(c & axis) && crosses(w, c, c | axis)) put(&cut, crossing(w, c, c | axis));
    }
    put_in_order(w, &cut);
    add_fan(cut.corner, cut.count, pose, pile);
}

bool ond_plane_wedge(OndBox box, const OndPose *pose, OndPile *pile)
{
    static const unsigned char face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const Wedge w = wedge_of(box, pose);
    double low = 0.0, high = 0.0;
    for (int c = 0; c < 8; ++c)
        low = fmin(low, w.before[c]), high = fmax(high, w.before[c]);
    if (!(low < 0.0 && high > 0.0)) return false;
    add_cut(&w, pose, pile);
    for (int side = 0; side < 6; ++side)
        add_side(&w, face[side], pose, pile);
    return true;
}
