// SPDX-License-Identifier: MIT
// Neighbours in a mesh, and triangles turned so that neighbours agree.
#include "geom/mesh_edges.h"

#include "base/memory.h"
#include "geom/triangle.h"

#include <stdlib.h>

typedef struct Side {
    uint32_t low, high;
    int side;
} Side;

static int compare_sides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return x->side - y->side;
}

static void pair_sides(OndMeshEdges *edges, const Side *list, int count)
{
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1;
             next < count && list[next].low == list[i].low && list[next].high == list[i].high;)
            ++next;
        const int uses = next - i;
        for (int k = i; k < next; ++k)
            edges->other[list[k].side] = uses == 2   ? list[k == i ? i + 1 : i].side
                                         : uses == 1 ? OND_EDGE_OPEN
                                                     : OND_EDGE_CROWDED;
        edges->open += uses % 2;
        edges->crowded += uses > 2;
    }
}

OndStatus ond_mesh_edges_find(OndMeshEdges *edges, const OndMesh *mesh, OndError *err)
{
    const int sides = 3 * mesh->triangle_count;
    Side *list = OND_NEW_ARRAY(Side, sides);
    edges->open = edges->crowded = 0;
    edges->other = OND_NEW_ARRAY(int, sides);
    if (!list || !edges->other) {
        ond_free(list);
        ond_mesh_edges_free(edges);
        return ond_fail(err, OND_NO_MEMORY, "no memory for the edges of a mesh");
    }
    for (int i = 0; i < sides; ++i) {
        const uint32_t a = ond_side_from(mesh, i), b = ond_side_to(mesh, i);
        list[i] = (Side){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(list, (size_t)sides, sizeof *list, compare_sides);
    pair_sides(edges, list, sides);
    ond_free(list);
    return OND_OK;
}

void ond_mesh_edges_free(OndMeshEdges *edges)
{
    ond_free(edges->other);
    edges->other = NULL;
}

// ---- turning -----------------------------------------------------------------------------------

enum { NOT_SEEN, AS_IT_IS, TURNED };

typedef struct Turning {
    OndMesh *mesh;
    const OndMeshEdges *edges;
    unsigned char *seen; ///< of each triangle: how its part wants it
    int *part;           ///< triangles of the part under way
    int count, turned;   ///< of it
    bool closed;
} Turning;

/// All triangles that hang together with `seed`, and which of them face against it.
static void walk_part(Turning *w, int seed)
{
    w->count = w->turned = 0;
    w->closed = true;
    w->part[w->count++] = seed;
    w->seen[seed] = AS_IT_IS;
    for (int i = 0; i < w->count; ++i)
        for (int side = 3 * w->part[i]; side < 3 * w->part[i] + 3; ++side) {
            const int other = w->edges->other[side];
            if (other == OND_EDGE_OPEN) w->closed = false;
            if (other < 0 || w->seen[other / 3] != NOT_SEEN) continue;
            // Neighbours that agree go along their edge in opposite directions.
            const bool agree = ond_side_from(w->mesh, side) == ond_side_to(w->mesh, other);
            const bool as_it_is = (w->seen[w->part[i]] == AS_IT_IS) == agree;
            w->seen[other / 3] = as_it_is ? AS_IT_IS : TURNED;
            w->turned += !as_it_is;
            w->part[w->count++] = other / 3;
        }
}

static OndVec corner_of(const OndMesh *mesh, int t, int k)
{
    return ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
}

/// Six times the volume that the part encloses as it is to be turned.
static double volume_of(const Turning *w)
{
    double volume = 0.0;
    const OndVec base = corner_of(w->mesh, w->part[0], 0);
    for (int i = 0; i < w->count; ++i) {
        const int t = w->part[i];
        const OndVec a = ond_sub(corner_of(w->mesh, t, 0), base);
        const OndVec b = ond_sub(corner_of(w->mesh, t, 1), base);
        const OndVec c = ond_sub(corner_of(w->mesh, t, 2), base);
        volume += (w->seen[t] == TURNED ? -1.0 : 1.0) * ond_dot(a, ond_cross(b, c));
    }
    return volume;
}

/// How often a half-line along +x from p passes the surface of other parts.
static int crossings_from(const Turning *w, OndVec p, const unsigned char *own)
{
    int count = 0;
    for (int t = 0; t < w->mesh->triangle_count; ++t) {
        if (own[t]) continue;
        OndVec c[3];
        int turn = 0;
        for (int k = 0; k < 3; ++k)
            c[k] = corner_of(w->mesh, t, k);
        for (int k = 0; k < 3; ++k) {
            const uint32_t a = w->mesh->triangle[3 * (size_t)t + k];
            const uint32_t b = w->mesh->triangle[3 * (size_t)t + (k + 1) % 3];
            const OndVec from = c[k], to = c[(k + 1) % 3];
            turn += a < b ? ond_edge_turn(from, to, false, p.y, p.z)
                          : ond_edge_turn(to, from, true, p.y, p.z);
        }
        if (turn != 0 && ond_triangle_x_at(c[0], c[1], c[2], p.y, p.z) > p.x) ++count;
    }
    return count;
}

/// Whether the part stands inside others; told by a few of its corners.
static bool stands_inside(const Turning *w)
{
    unsigned char *own = OND_NEW_ARRAY(unsigned char, w->mesh->triangle_count);
    bool inside = own != NULL && w->count < w->mesh->triangle_count;
    for (int i = 0; own && i < w->count; ++i)
        own[w->part[i]] = 1;
    for (int i = 0; inside && i < 8; ++i) {
        const int t = w->part[(int)((long long)w->count * i / 8)];
        inside = crossings_from(w, corner_of(w->mesh, t, i % 3), own) % 2 == 1;
    }
    ond_free(own);
    return inside;
}

static void turn_triangle(OndMesh *mesh, int t)
{
    uint32_t *c = mesh->triangle + 3 * (size_t)t;
    const uint32_t swap = c[1];
    c[1] = c[2];
    c[2] = swap;
}

static bool part_turns_round(const Turning *w, int parts)
{
    if (!w->closed) return 2 * w->turned > w->count;
    const bool inside_out = volume_of(w) < 0.0;
    // A part inside others is a hole in them when it faces inwards: that is for the file to say.
    if (parts <= 256 && inside_out != (2 * w->turned > w->count) && stands_inside(w))
        return 2 * w->turned > w->count;
    return inside_out;
}

int ond_mesh_turn(OndMesh *mesh, const OndMeshEdges *edges)
{
    Turning w = {.mesh = mesh, .edges = edges};
    int turned = 0, parts = 0;
    w.seen = OND_NEW_ARRAY(unsigned char, mesh->triangle_count);
    w.part = OND_NEW_ARRAY(int, mesh->triangle_count);
    unsigned char *turn = OND_NEW_ARRAY(unsigned char, mesh->triangle_count);
    const bool room = w.seen && w.part && turn;
    for (int t = 0; room && t < mesh->triangle_count; ++t) {
        if (w.seen[t] != NOT_SEEN) continue;
        walk_part(&w, t);
        const bool round = part_turns_round(&w, ++parts);
        for (int i = 0; i < w.count; ++i)
            turn[w.part[i]] = (w.seen[w.part[i]] == TURNED) != round;
    }
    for (int t = 0; room && t < mesh->triangle_count; ++t) {
        if (!turn[t]) continue;
        turn_triangle(mesh, t);
        ++turned;
    }
    ond_free(w.seen);
    ond_free(w.part);
    ond_free(turn);
    return room ? turned : -1;
}
