// SPDX-License-Identifier: MIT
// The surface of a shape that is known by its signed distance alone.
//
// A cube whose centre is farther from the surface than its half diagonal holds none of it: the
// distance of shapes is never too large. The others are cut in eight, down to the finest, which are
// cut into six tetrahedra about a diagonal; neighbours share the cut of their common face, so the
// mesh has no cracks. A corner lies on an edge where the distance changes its sign, found by
// bisection from the same end by all that share the edge: with the same bits.
#include "surface/mesh/solid_triangles.h"
#include "surface/mesh/triangle_pile.h"

#include <string.h>

#define ROUNDS 10 // of bisection

typedef struct Carver {
    const OndShape *shape;
    OndPile *pile;
    OndVec corner; // of the lattice
    double cell;
} Carver;

typedef struct LatticeNode {
    int at[3]; // of the lattice
    OndVec place;
    double distance;
} LatticeNode;

static OndVec place_of(const Carver *c, const int at[3])
{
    return ond_add(c->corner, ond_vec(at[0] * c->cell, at[1] * c->cell, at[2] * c->cell));
}

static bool comes_first(const LatticeNode *a, const LatticeNode *b)
{
    for (int k = 2; k >= 0; --k)
        if (a->at[k] != b->at[k]) return a->at[k] < b->at[k];
    return true;
}

static OndVec cut(const Carver *c, const LatticeNode *a, const LatticeNode *b)
{
    const LatticeNode *const from = comes_first(a, b) ? a : b, *const to = from == a ? b : a;
    const OndVec way = ond_sub(to->place, from->place);
    const bool starts_inside = from->distance < 0.0;
    double low = 0.0, high = 1.0;
    for (int k = 0; k < ROUNDS; ++k) {
        const double middle = 0.5 * (low + high);
        const OndVec p = ond_add(from->place, ond_scale(way, middle));
        const bool inside = ond_shape_distance(c->shape, p, false) < 0.0;
        *(inside == starts_inside ? &low : &high) = middle;
    }
    return ond_add(from->place, ond_scale(way, 0.5 * (low + high)));
}

// Facing away from the inside node.
static void add_facing(const Carver *c, OndVec p, OndVec q, OndVec r, OndVec inside)
{
    const OndVec n = ond_cross(ond_sub(q, p), ond_sub(r, p));
    if (ond_dot(n, ond_sub(p, inside)) >= 0.0)
        ond_pile_add(c->pile, p, q, r);
    else
        ond_pile_add(c->pile, p, r, q);
}

static void carve_tetrahedron(const Carver *c, const LatticeNode *n[4])
{
    const LatticeNode *in[4], *out[4];
    int ins = 0, outs = 0;
    for (int k = 0; k < 4; ++k)
        if (n[k]->distance < 0.0)
            in[ins++] = n[k];
        else
            out[outs++] = n[k];
    if (ins == 0 || outs == 0) return;
    if (ins == 2) {
        const OndVec a = cut(c, in[0], out[0]), b = cut(c, in[0], out[1]),
                     d = cut(c, in[1], out[0]), e = cut(c, in[1], out[1]);
        add_facing(c, a, b, e, in[0]->place);
        add_facing(c, a, e, d, in[0]->place);
        return;
    }
    const LatticeNode *const lone = ins == 1 ? in[0] : out[0];
    const LatticeNode **const rest = ins == 1 ? out : in;
    add_facing(c, cut(c, lone, rest[0]), cut(c, lone, rest[1]), cut(c, lone, rest[2]),
               in[0]->place);
}

static void carve_cell(const Carver *c, const int at[3])
{
    static const unsigned char tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    LatticeNode node[8];
    int inside = 0;
    for (int k = 0; k < 8; ++k) {
        for (int a = 0; a < 3; ++a)
            node[k].at[a] = at[a] + (k >> a & 1);
        node[k].place = place_of(c, node[k].at);
        node[k].distance = ond_shape_distance(c->shape, node[k].place, false);
        inside += node[k].distance < 0.0;
    }
    if (inside == 0 || inside == 8) return;
    for (int t = 0; t < 6; ++t) {
        const LatticeNode *four[4];
        for (int k = 0; k < 4; ++k)
            four[k] = &node[tetrahedra[t][k]];
        carve_tetrahedron(c, four);
    }
}

static void carve(const Carver *c, const int at[3], int size)
{
    const double half = 0.5 * size * c->cell;
    const OndVec middle = ond_add(place_of(c, at), ond_vec(half, half, half));
    if (fabs(ond_shape_distance(c->shape, middle, false)) > 1.74 * half) return;
    if (size == 1) {
        carve_cell(c, at);
        return;
    }
    for (int k = 0; k < 8; ++k) {
        const int next[3] = {at[0] + (k & 1) * size / 2, at[1] + (k >> 1 & 1) * size / 2,
                             at[2] + (k >> 2 & 1) * size / 2};
        carve(c, next, size / 2);
    }
}

OndStatus ond_shape_triangles(const OndShape *shape, int cells, OndMesh *out, OndError *err)
{
    OndPile pile = {0};
    const OndBox box = ond_shape_bounds(shape);
    const OndVec size = ond_sub(box.max, box.min);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    Carver c = {.shape = shape, .pile = &pile, .cell = longest / cells};
    int whole = 1;
    while (whole < cells + 2)
        whole *= 2;
    // off the lattice by an odd share: faces along the axes must not pass through nodes
    c.corner = ond_sub(box.min, ond_scale(ond_vec(0.531, 0.577, 0.613), c.cell));
    const int first[3] = {0, 0, 0};
    memset(out, 0, sizeof *out);
    if (isfinite(longest) && longest > 0.0) carve(&c, first, whole);
    const OndStatus status = ond_pile_mesh(&pile, out, err);
    ond_pile_free(&pile);
    return status;
}
