// SPDX-License-Identifier: MIT
// Which faces and cells have ghost values, and what they need to know of the surface; inside
// grid/smoke/solid_ghosts*.c.
#ifndef OND_GRID_SMOKE_SOLID_GHOSTS_STATE_H
#define OND_GRID_SMOKE_SOLID_GHOSTS_STATE_H

#include "grid/smoke/solid_ghosts.h"

#include <stdbool.h>
#include <stdint.h>

// A covered face near the surface, or one that is nearly so.
typedef struct OndGhostFace {
    size_t at;
    int axis;
    bool closed;
    float slip;
    float held[3];   // the solid's velocity there
    float normal[3]; // of the surface, one long
    float look[3];   // where the flow is looked at, m
    float value;
} OndGhostFace;

// A covered cell beside fluid, or anywhere in a solid with a temperature.
typedef struct OndGhostCell {
    size_t at;
    bool heats;
    float warmth; // of the solid
} OndGhostCell;

// A cell with fluid that may have a surface with a temperature between itself and neighbours.
typedef struct OndGhostShore {
    size_t at;
    uint8_t colour;  // of the cell, as on a chessboard
    uint8_t behind;  // bit 2 axis + way: that neighbour is beyond the surface
    float near;      // one over the distance of the surface in cells, summed over those
    float near_heat; // the same times its warmth
} OndGhostShore;

struct OndSolidGhosts {
    OndGhostFace *face;
    OndGhostCell *cell;
    OndGhostShore *shore;
    int faces, cells, shores;
    bool heats; // a solid does
    int *row;   // of one kind, while they are found
};

#endif
