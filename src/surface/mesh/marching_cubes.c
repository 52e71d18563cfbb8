// SPDX-License-Identifier: MIT
// The table of marching cubes, made from one rule for faces instead of typed in.
//
// Where nodes of a face alternate, the inside ones are kept apart. The rule sees the face alone, so
// both cubes at a face draw the same lines on it, and there are no holes. Round each face, seen
// from outside the cube, a line runs from the edge where we come in to the edge where we go out
// again; each crossed edge is the start of one line and the end of another, so lines join into
// loops, one loop through each edge.
//
// A loop is filled with triangles whose inner edges do not lie in a face of the cube: the cube
// beyond that face might draw the same edge, and four triangles would meet there. So every edge of
// the mesh has two triangles (the test tries all patterns side by side). Round a lattice edge there
// are four faces with one line each from the corner on it: the triangles at a corner are one fan.
#include "surface/mesh/polygons.h"

#include <string.h>

#define EDGES 12

// Edge e starts from edge_node[e] along direction e / 4.
static const unsigned char edge_node[EDGES] = {0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};

// Nodes of each face, counter-clockwise seen from outside.
static const unsigned char face_node[6][4] = {
    {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6},
};

static int edge_between(int a, int b)
{
    const int low = a < b ? a : b, way = a ^ b;
    for (int e = 0; e < EDGES; ++e)
        if (edge_node[e] == low && 1 << e / 4 == way) return e;
    return -1;
}

static bool same_face(int a, int b)
{
    for (int f = 0; f < 6; ++f) {
        bool has_a = false, has_b = false;
        for (int k = 0; k < 4; ++k) {
            const int e = edge_between(face_node[f][k], face_node[f][(k + 1) % 4]);
            has_a = has_a || e == a, has_b = has_b || e == b;
        }
        if (has_a && has_b) return true;
    }
    return false;
}

static OndVec edge_place(int e)
{
    const double middle[3] = {e / 4 == 0 ? 0.5 : edge_node[e] & 1,
                              e / 4 == 1 ? 0.5 : edge_node[e] >> 1 & 1,
                              e / 4 == 2 ? 0.5 : edge_node[e] >> 2 & 1};
    return ond_vec(middle[0], middle[1], middle[2]);
}

// next[e]: where the line from edge e ends; -1 where none starts.
static void draw_lines(int bits, int next[EDGES])
{
    for (int e = 0; e < EDGES; ++e)
        next[e] = -1;
    for (int f = 0; f < 6; ++f)
        for (int k = 0; k < 4; ++k) {
            const unsigned char *node = face_node[f];
            if (bits >> node[k] & 1 || !(bits >> node[(k + 1) % 4] & 1)) continue;
            int last = k + 1; // the run of inside nodes that begins here
            while (bits >> node[(last + 1) % 4] & 1)
                ++last;
            const int in = edge_between(node[k], node[(k + 1) % 4]);
            next[in] = edge_between(node[last % 4], node[(last + 1) % 4]);
        }
}

// ---- filling a loop

// Best way to fill each stretch i..j of a loop: shortest inner edges.
typedef struct Fill {
    int edge[EDGES], count;
    double cost[EDGES][EDGES];
    int apex[EDGES][EDGES];
} Fill;

static double inner_cost(const Fill *fill, int i, int j)
{
    if (j - i < 2 || (i == 0 && j == fill->count - 1)) return 0.0; // a side of the loop
    if (same_face(fill->edge[i], fill->edge[j])) return HUGE_VAL;
    const OndVec way = ond_sub(edge_place(fill->edge[i]), edge_place(fill->edge[j]));
    return ond_dot(way, way);
}

static void weigh_fillings(Fill *fill)
{
    for (int length = 1; length < fill->count; ++length)
        for (int i = 0; i + length < fill->count; ++i) {
            const int j = i + length;
            double best = length < 2 ? 0.0 : HUGE_VAL;
            for (int k = i + 1; k < j; ++k) {
                const double cost = fill->cost[i][k] + fill->cost[k][j];
                if (cost < best) best = cost, fill->apex[i][j] = k;
            }
            fill->cost[i][j] = best + inner_cost(fill, i, j);
        }
}

static OndCellCorner corner_of(int e)
{
    return (OndCellCorner){edge_node[e], (unsigned char)(e / 4)};
}

static void add_triangles(OndCellCase *cell, const Fill *fill, int i, int j)
{
    if (j - i < 2) return;
    const int k = fill->apex[i][j];
    add_triangles(cell, fill, i, k);
    OndCellCorner *corner = cell->corner + 3 * cell->triangle_count++;
    corner[0] = corner_of(fill->edge[i]);
    corner[1] = corner_of(fill->edge[k]);
    corner[2] = corner_of(fill->edge[j]);
    add_triangles(cell, fill, k, j);
}

static void fill_cell(OndCellCase *cell, int bits)
{
    int next[EDGES];
    draw_lines(bits, next);
    for (int start = 0; start < EDGES; ++start) {
        Fill fill = {.count = 0};
        for (int e = start; next[e] >= 0;) {
            fill.edge[fill.count++] = e;
            const int to = next[e];
            next[e] = -1; // taken
            e = to;
        }
        if (fill.count < 3) continue;
        weigh_fillings(&fill);
        add_triangles(cell, &fill, 0, fill.count - 1);
    }
}

void ond_cubes_table(OndCellTable *table)
{
    memset(table, 0, sizeof *table);
    table->directions = 3;
    for (int bits = 0; bits < 256; ++bits)
        fill_cell(&table->of[bits], bits);
}
