// SPDX-License-Identifier: MIT
// Where corners of the mesh lie that belong to the face against a wall.
//
// A lattice edge that goes through a wall has its corner where it does. The free surface, though,
// ends at the first nodes within the wall, up to a cell before it, and the strip from there to the
// face would show the cells as teeth. So the corners on edges between those first nodes are laid on
// the wall as well, straight across: the images see to it that the free surface stands at a right
// angle to it. Where two walls meet, corners are laid close to the edge for the same reason. What
// is moved lies between the wall and the first nodes, where nothing else is, so
// the mesh stays as it was but for that.
#ifndef OND_SURFACE_WALL_EDGES_H
#define OND_SURFACE_WALL_EDGES_H

#include "surface/mesh/walls.h"

typedef struct OndWallEdge {
    OndVec in, out;           ///< the ends; only the first is in the liquid
    double share;             ///< of the way from `in`, where the corner is
    unsigned through, beside; ///< walls that it goes through, and runs near to, as bits
} OndWallEdge;

/// The axes of walls between the ends, as bits; sets `share` by the first of them.
unsigned ond_wall_edge_through(const OndWalls *walls, OndWallEdge *edge);

/// Whether the edge runs between first nodes within walls, not farther away than `cell`.
bool ond_wall_edge_beside(const OndWalls *walls, OndWallEdge *edge, double cell);

OndVec ond_wall_edge_place(const OndWalls *walls, const OndWallEdge *edge);
OndVec ond_wall_edge_normal(const OndWallEdge *edge);

#endif
