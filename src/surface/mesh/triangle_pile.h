// SPDX-License-Identifier: MIT
// Triangles that come one by one, and a mesh of them in the end; inside surface/ only.
#ifndef OND_SURFACE_TRIANGLE_PILE_H
#define OND_SURFACE_TRIANGLE_PILE_H

#include "geom/mesh.h"

typedef struct OndPile {
    float *corner; ///< nine numbers a triangle
    int count, room;
    bool failed; ///< no memory: what came after is lost
} OndPile;

void ond_pile_add(OndPile *pile, OndVec a, OndVec b, OndVec c);
void ond_pile_add_mesh(OndPile *pile, const OndMesh *mesh, const float *corner);
void ond_pile_clear(OndPile *pile);
void ond_pile_free(OndPile *pile);

/// Corners at the same place become one; triangles with two of them are gone.
OndStatus ond_pile_mesh(const OndPile *pile, OndMesh *out, OndError *err);

#endif
