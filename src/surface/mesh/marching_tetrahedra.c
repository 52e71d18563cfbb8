// SPDX-License-Identifier: MIT
// Each cube is six tetrahedra round its diagonal, one for each order in which a path from node 0 to
// node 7 can take its three steps. Opposite faces of the cube are cut the same way, so cubes fit,
// and within a tetrahedron no sign pattern is ambiguous [Dumas 2011, 3].
//
// Diagonals of a quadrilateral run through the inside of its tetrahedron: no other tetrahedron can
// have them, so every edge of the mesh has two triangles.
#include "surface/mesh/polygons.h"

#include <string.h>

static const unsigned char tetrahedra[6][4] = {
    {0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7},
};

static OndVec node_place(int node)
{
    return ond_vec(node & 1, node >> 1 & 1, node >> 2 & 1);
}

static OndCellCorner corner_between(int a, int b)
{
    const int low = a < b ? a : b, way = a ^ b; // paths only ever add bits
    OndCellCorner corner = {(unsigned char)low, 0};
    while (ond_direction[corner.direction] != way)
        ++corner.direction;
    return corner;
}

static OndVec corner_place(OndCellCorner c)
{
    const int other = c.node | ond_direction[c.direction];
    return ond_scale(ond_add(node_place(c.node), node_place(other)), 0.5);
}

// Adds a triangle, turned so that it faces from the node `inside` to the node `outside`.
static void add(OndCellCase *cell, OndCellCorner a, OndCellCorner b, OndCellCorner c, int inside,
                int outside)
{
    const OndVec pa = corner_place(a), ab = ond_sub(corner_place(b), pa),
                 ac = ond_sub(corner_place(c), pa);
    const OndVec way = ond_sub(node_place(outside), node_place(inside));
    const bool right = ond_dot(ond_cross(ab, ac), way) > 0.0;
    OndCellCorner *corner = cell->corner + 3 * cell->triangle_count++;
    corner[0] = a, corner[1] = right ? b : c, corner[2] = right ? c : b;
}

static void cut(OndCellCase *cell, const unsigned char tetrahedron[4], int bits)
{
    int in[4], out[4], ins = 0, outs = 0;
    for (int k = 0; k < 4; ++k)
        if (bits >> tetrahedron[k] & 1)
            in[ins++] = tetrahedron[k];
        else
            out[outs++] = tetrahedron[k];
    if (ins == 1)
        add(cell, corner_between(in[0], out[0]), corner_between(in[0], out[1]),
            corner_between(in[0], out[2]), in[0], out[0]);
    if (ins == 3)
        add(cell, corner_between(out[0], in[0]), corner_between(out[0], in[1]),
            corner_between(out[0], in[2]), in[0], out[0]);
    if (ins != 2) return;
    const OndCellCorner quad[4] = {corner_between(in[0], out[0]), corner_between(in[0], out[1]),
                                   corner_between(in[1], out[1]), corner_between(in[1], out[0])};
    add(cell, quad[0], quad[1], quad[2], in[0], out[0]);
    add(cell, quad[0], quad[2], quad[3], in[0], out[0]);
}

void ond_tetrahedra_table(OndCellTable *table)
{
    memset(table, 0, sizeof *table);
    table->directions = OND_DIRECTIONS;
    table->normals_at_nodes = true;
    for (int bits = 0; bits < 256; ++bits)
        for (int t = 0; t < 6; ++t)
            cut(&table->of[bits], tetrahedra[t], bits);
}
