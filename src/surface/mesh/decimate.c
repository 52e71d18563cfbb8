// SPDX-License-Identifier: MIT
// Thinning of flat parts by collapsing edges, cheapest first [Garland and Heckbert 1997].
//
// A corner keeps the planes of all triangles that ended up in it, as a quadric: the mean of squared
// distances to them, weighed by area. Corner a may move into its neighbour b when b is within
// `distance` of a's planes and of its own, and when no triangle turns over or becomes a needle.
// Corners never move elsewhere, so what they carry stays true.
#include "base/memory.h"
#include "surface/mesh/half_edges.h"
#include "surface/mesh/smooth.h"

#include <string.h>

#define TURN_LEAST  0.7  // cosine between a triangle's normals before and after
#define SHAPE_LEAST 0.15 // 1: equilateral, 0: a needle

// Sum over planes of area (n . (p - base) + d)^2, and of the areas.
typedef struct Quadric {
    double xx, yy, zz, xy, xz, yz, x, y, z, one, area;
} Quadric;

typedef struct Candidate {
    double cost;
    uint32_t side; // whose start moves into its end
} Candidate;

typedef struct Thinning {
    OndMesh *mesh;
    OndHalfEdges half;
    Quadric *quadric;
    uint32_t *number; // of each corner in the new mesh
    Candidate *heap;
    size_t heap_count, heap_room;
    OndVec base;
    double limit; // squared
} Thinning;

static OndVec place(const Thinning *t, uint32_t c)
{
    const float *at = t->mesh->corner + 3 * (size_t)c;
    return ond_sub(ond_vec(at[0], at[1], at[2]), t->base);
}

// ---- quadrics

static void add_plane(Quadric *q, OndVec n, double d, double area)
{
    q->xx += area * n.x * n.x, q->yy += area * n.y * n.y, q->zz += area * n.z * n.z;
    q->xy += area * n.x * n.y, q->xz += area * n.x * n.z, q->yz += area * n.y * n.z;
    q->x += area * n.x * d, q->y += area * n.y * d, q->z += area * n.z * d;
    q->one += area * d * d, q->area += area;
}

static void add_quadric(Quadric *to, const Quadric *q)
{
    to->xx += q->xx, to->yy += q->yy, to->zz += q->zz;
    to->xy += q->xy, to->xz += q->xz, to->yz += q->yz;
    to->x += q->x, to->y += q->y, to->z += q->z, to->one += q->one, to->area += q->area;
}

// Mean of the squared distances.
static double distance2(const Quadric *q, OndVec p)
{
    const double sum = q->xx * p.x * p.x + q->yy * p.y * p.y + q->zz * p.z * p.z +
                       2.0 * (q->xy * p.x * p.y + q->xz * p.x * p.z + q->yz * p.y * p.z +
                              q->x * p.x + q->y * p.y + q->z * p.z) +
                       q->one;
    return q->area > 0.0 ? fmax(sum, 0.0) / q->area : 0.0;
}

static void start_quadrics(Thinning *t)
{
    const OndMesh *mesh = t->mesh;
    for (int n = 0; n < mesh->triangle_count; ++n) {
        const uint32_t *c = mesh->triangle + 3 * (size_t)n;
        const OndVec a = place(t, c[0]);
        const OndVec cross = ond_cross(ond_sub(place(t, c[1]), a), ond_sub(place(t, c[2]), a));
        const OndVec normal = ond_unit(cross);
        for (int k = 0; k < 3; ++k)
            add_plane(&t->quadric[c[k]], normal, -ond_dot(normal, a), ond_length(cross));
    }
}

// ---- the queue: a heap, cheapest on top; equal ones by side, so that the order is one

static bool cheaper(const Candidate *a, const Candidate *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->side < b->side);
}

static bool push(Thinning *t, Candidate candidate)
{
    if (t->heap_count == t->heap_room) {
        const size_t room = 2 * t->heap_room;
        Candidate *larger = OND_NEW_ARRAY(Candidate, room);
        if (!larger) return false;
        memcpy(larger, t->heap, t->heap_count * sizeof *larger);
        ond_free(t->heap);
        t->heap = larger, t->heap_room = room;
    }
    size_t at = t->heap_count++;
    for (; at > 0 && cheaper(&candidate, &t->heap[(at - 1) / 2]); at = (at - 1) / 2)
        t->heap[at] = t->heap[(at - 1) / 2];
    t->heap[at] = candidate;
    return true;
}

static Candidate pop(Thinning *t)
{
    const Candidate top = t->heap[0], last = t->heap[--t->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < t->heap_count; at = child) {
        if (child + 1 < t->heap_count && cheaper(&t->heap[child + 1], &t->heap[child])) ++child;
        if (!cheaper(&t->heap[child], &last)) break;
        t->heap[at] = t->heap[child];
    }
    t->heap[at] = last;
    return top;
}

static double cost_of(const Thinning *t, uint32_t side)
{
    const uint32_t a = t->half.triangle[side], b = ond_side_end(&t->half, side);
    const OndVec to = place(t, b);
    return fmax(distance2(&t->quadric[a], to), distance2(&t->quadric[b], to));
}

// Queues a side if the start may move into the end for little enough.
static bool consider(Thinning *t, uint32_t side)
{
    const double cost = cost_of(t, side);
    return !(cost <= t->limit) || push(t, (Candidate){cost, side});
}

// ---- collapsing

static double shape_of(OndVec a, OndVec b, OndVec c)
{
    const OndVec ab = ond_sub(b, a), ac = ond_sub(c, a), bc = ond_sub(c, b);
    const double sides = ond_dot(ab, ab) + ond_dot(ac, ac) + ond_dot(bc, bc);
    return sides > 0.0 ? 3.4641016 * ond_length(ond_cross(ab, ac)) / sides : 0.0;
}

// Triangles round the corner that moves, as they would be.
static bool stays_in_shape(const Thinning *t, uint32_t side)
{
    const OndHalfEdges *h = &t->half;
    const OndVec from = place(t, h->triangle[side]), to = place(t, ond_side_end(h, side));
    const uint32_t last = h->twin[side]; // its triangle goes, as that of `side` does
    for (uint32_t n = ond_side_turn(h, side); n != side; n = ond_side_turn(h, n)) {
        if (n - n % 3 == last - last % 3) continue;
        const OndVec b = place(t, ond_side_end(h, n)),
                     c = place(t, h->triangle[ond_side_before(n)]);
        const OndVec before = ond_cross(ond_sub(b, from), ond_sub(c, from)),
                     after = ond_cross(ond_sub(b, to), ond_sub(c, to));
        if (!(ond_dot(before, after) > TURN_LEAST * ond_length(before) * ond_length(after)))
            return false;
        const double shape = shape_of(to, b, c);
        if (shape < SHAPE_LEAST && shape < shape_of(from, b, c)) return false;
    }
    return true;
}

static bool collapse(Thinning *t, uint32_t side)
{
    OndHalfEdges *h = &t->half;
    const uint32_t a = h->triangle[side], b = ond_side_end(h, side);
    add_quadric(&t->quadric[b], &t->quadric[a]);
    ond_half_edges_collapse(h, side);
    bool good = true;
    const uint32_t start = h->side[b];
    uint32_t n = start;
    do {
        good = consider(t, n) && consider(t, h->twin[n]) && good;
        n = ond_side_turn(h, n);
    } while (n != start);
    return good;
}

// Whatever changed was queued again with its new cost.
static bool still_true(const Thinning *t, const Candidate *c)
{
    return t->half.twin[c->side] != OND_GONE && cost_of(t, c->side) == c->cost;
}

static bool thin_out(Thinning *t)
{
    bool good = true;
    start_quadrics(t);
    for (uint32_t n = 0; n < 3 * (uint32_t)t->half.triangle_count && good; ++n)
        good = consider(t, n);
    while (t->heap_count && good) {
        const Candidate c = pop(t);
        if (still_true(t, &c) && ond_half_edges_may_collapse(&t->half, c.side) &&
            stays_in_shape(t, c.side))
            good = collapse(t, c.side);
    }
    return good;
}

// ---- what is left

static OndStatus compact(Thinning *t, uint32_t **kept, OndError *err)
{
    const OndMesh *old = t->mesh;
    uint32_t *number = t->number, corners = 0, triangles = 0;
    for (int c = 0; c < old->corner_count; ++c)
        number[c] = t->half.side[c] == OND_GONE ? OND_GONE : corners++;
    for (size_t n = 0; n < 3 * (size_t)old->triangle_count; n += 3)
        triangles += t->half.twin[n] != OND_GONE;
    OndMesh mesh = {0};
    *kept = OND_NEW_ARRAY(uint32_t, corners + 1);
    OndStatus status = ond_mesh_make(&mesh, corners, triangles, err);
    if (!*kept && status == OND_OK)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %u corners", corners);
    if (status != OND_OK) {
        ond_mesh_free(&mesh);
        return status;
    }
    for (int c = 0; c < old->corner_count; ++c) {
        if (number[c] == OND_GONE) continue;
        memcpy(mesh.corner + 3 * (size_t)number[c], old->corner + 3 * (size_t)c, 12);
        (*kept)[number[c]] = (uint32_t)c;
    }
    uint32_t *out = mesh.triangle;
    for (size_t n = 0; n < 3 * (size_t)old->triangle_count; ++n)
        if (t->half.twin[n] != OND_GONE) *out++ = number[old->triangle[n]];
    ond_mesh_free(t->mesh);
    *t->mesh = mesh;
    return OND_OK;
}

OndStatus ond_mesh_decimate(OndMesh *mesh, double distance, uint32_t **kept, OndError *err)
{
    *kept = NULL;
    Thinning t = {.mesh = mesh, .limit = distance * distance};
    OndStatus status = ond_half_edges_make(&t.half, mesh, err);
    if (status != OND_OK) return status;
    t.base = mesh->corner_count ? place(&t, 0) : t.base;
    t.heap_room = 3 * (size_t)mesh->triangle_count + 16;
    t.quadric = OND_NEW_ARRAY(Quadric, (size_t)mesh->corner_count + 1);
    t.number = OND_NEW_ARRAY(uint32_t, (size_t)mesh->corner_count + 1);
    t.heap = OND_NEW_ARRAY(Candidate, t.heap_room);
    if (t.quadric && t.number && t.heap && thin_out(&t))
        status = compact(&t, kept, err);
    else
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to thin out %d triangles",
                          mesh->triangle_count);
    ond_half_edges_free(&t.half);
    ond_free(t.quadric);
    ond_free(t.number);
    ond_free(t.heap);
    if (status != OND_OK) {
        ond_free(*kept);
        *kept = NULL;
    }
    return status;
}
