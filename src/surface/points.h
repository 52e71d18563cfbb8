// SPDX-License-Identifier: MIT
// The particles that a surface is made from: a frame's finite positions, sorted by cell, each with
// its size, and the grid that finds who is near.
#ifndef OND_SURFACE_POINTS_H
#define OND_SURFACE_POINTS_H

#include "sim/frame.h"
#include "space/cells.h"

#include <stdbool.h>

typedef struct OndPoints {
    int count;
    int dimension;    ///< 2 or 3; in 2D all z are 0
    double spacing;   ///< rest distance of the particles, m (that of most, if sizes differ)
    float *x, *y, *z; ///< m
    float *size;      ///< rest distance of each particle, m
    float *volume;    ///< m^3 (2D: m^2): what each stands for where it lies, by its own density
    uint32_t *source; ///< which particle of the frame each one is
    unsigned char *surface; ///< 1: near the free surface
    int dropped;            ///< particles left out because their position is not finite
    float reach;            ///< the grid's cells are at least so wide
    OndCells cells;
    OndBox box; ///< round all of them
} OndPoints;

/// Copies and sorts a frame's particles; `reach` is the farthest that a neighbour may be, in
/// spacings. A frame without particles, or without a known or guessable spacing, is an error that
/// says so.
OndStatus ond_points_take(OndPoints *points, const OndFrame *frame, double reach, OndError *err);
void ond_points_free(OndPoints *points);

#endif
