// SPDX-License-Identifier: MIT
// A triangle mesh: corners and triples of indices.
#ifndef OND_GEOM_MESH_H
#define OND_GEOM_MESH_H

#include "base/vec.h"

#include <ondine/error.h>
#include <stdint.h>

typedef struct OndMesh {
    float *corner; ///< x y z of each corner, m
    uint32_t *triangle; ///< three corner indices each, counter-clockwise seen from outside
    int corner_count, triangle_count;
} OndMesh;

void ond_mesh_free(OndMesh *mesh);

#endif
