// SPDX-License-Identifier: MIT
// The flow of a grid, asked at single places: for what drifts in it.
//
// Velocities stand on faces (smoke) or in the middles of cells (stam); what is asked lies between
// the 4 (8 in 3D) nearest. Places beyond the grid see what flows at its edge. Ways are found by
// three stages of Runge-Kutta [Ralston 1962], in pieces of at most a cell, so that long steps do
// not cut corners.
#ifndef OND_GRID_STREAM_H
#define OND_GRID_STREAM_H

#include "base/fields.h"
#include "grid/layout.h"

typedef struct OndStream {
    const OndGrid *grid;
    const float *v[3]; ///< m/s, with their ghosts
    bool faces;        ///< they stand on the cells' lower faces, each across its axis
} OndStream;

/// The flow of a method's cells: their field `velocity`, which outlives this.
OndStream ond_stream_of(const OndGrid *grid, const OndFields *cells);

OndVec ond_stream_at(const OndStream *stream, OndVec at);

/// Where something that is carried along is after `dt`. May lie beyond the grid.
OndVec ond_stream_carry(const OndStream *stream, OndVec from, double dt);

#endif
