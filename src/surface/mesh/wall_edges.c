// SPDX-License-Identifier: MIT
#include "surface/mesh/wall_edges.h"

#define BEVEL                                                                                      \
    0.05 // of the way from a wall to the first nodes: width of the slope between two faces

unsigned ond_wall_edge_through(const OndWalls *walls, OndWallEdge *edge)
{
    unsigned axes = 0;
    edge->share = 1.0;
    for (int side = 0; side < 6; ++side) {
        if (!(walls->sides >> side & 1)) continue;
        const double in = ond_walls_depth(walls, side, ond_axis(edge->in, side / 2)),
                     out = ond_walls_depth(walls, side, ond_axis(edge->out, side / 2));
        if (out > 0.0 || !(in > 0.0)) continue;
        axes |= 1u << side / 2;
        edge->through |= 1u << side;
        edge->share = fmin(edge->share, in / (in - out));
    }
    return axes;
}

bool ond_wall_edge_beside(const OndWalls *walls, OndWallEdge *edge, double cell)
{
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2;
        if (!(walls->sides >> side & 1) || ond_axis(edge->in, axis) != ond_axis(edge->out, axis))
            continue;
        if (ond_walls_depth(walls, side, ond_axis(edge->in, axis)) < cell)
            edge->beside |= 1u << side;
    }
    return edge->beside != 0;
}

// Between two faces there is a narrow slope, so that no two corners fall on one place.
static double lie_at(const OndWalls *walls, const OndWallEdge *edge, int side, double at)
{
    const double wall = ond_walls_at(walls, side);
    if (edge->through) return edge->through >> side & 1 ? wall : wall + BEVEL * (at - wall);
    const bool one = !(edge->beside & (edge->beside - 1));
    return one ? wall : wall + 0.5 * BEVEL * (at - wall);
}

OndVec ond_wall_edge_place(const OndWalls *walls, const OndWallEdge *edge)
{
    const OndVec p =
        ond_add(ond_scale(edge->in, 1.0 - edge->share), ond_scale(edge->out, edge->share));
    double at[3] = {p.x, p.y, p.z};
    for (int side = 0; side < 6; ++side)
        if ((edge->through | edge->beside) >> side & 1)
            at[side / 2] = lie_at(walls, edge, side, at[side / 2]);
    return ond_vec(at[0], at[1], at[2]);
}

OndVec ond_wall_edge_normal(const OndWallEdge *edge)
{
    const unsigned on = edge->through ? edge->through : edge->beside;
    double n[3] = {0, 0, 0};
    for (int side = 0; side < 6; ++side)
        if (on >> side & 1) n[side / 2] = side & 1 ? 1.0 : -1.0;
    return ond_unit(ond_vec(n[0], n[1], n[2]));
}
