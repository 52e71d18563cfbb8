// SPDX-License-Identifier: MIT
// The matrix of a grid, without being one: what every solver multiplies with.
//
//     (A x)_i = D_i x_i - sum over its six faces  w x_neighbour
//
// Weights are bytes, 255 for an open face and 0 for a closed one, and the diagonal is in the same
// unit, so that its sum of weights is exact in floats and constants really are in the kernel of a
// closed domain. Seven bytes a cell. D_i = 0 says that cell i is no unknown: solid, or its value is
// given, and then lies in the array of the solution, where the neighbours read it. Ghosts are such
// cells too.
#ifndef OND_GRID_MATRIX_H
#define OND_GRID_MATRIX_H

#include "grid/layout.h"

#define OND_FACE_OPEN 255

typedef struct OndMatrix {
    OndGrid grid;
    uint8_t *face[3]; ///< weights of the lower faces; face[2] is NULL in 2D
    float *diagonal;
} OndMatrix;

#endif
