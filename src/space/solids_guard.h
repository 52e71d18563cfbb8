// SPDX-License-Identifier: MIT
// Where no face of a mesh is near, a bit for each cell of a coarse grid; inside src/space only.
//
// Half of the particles that are asked about turn out to be just out of reach, and to find that out
// takes a walk through the tree that hits no cache. A bit tells most of them apart. It speaks of a
// whole cell, so what it calls clear is clear.
#ifndef OND_SPACE_SOLIDS_GUARD_H
#define OND_SPACE_SOLIDS_GUARD_H

#include "space/solids_mesh.h"

/// Makes the grid for questions of up to `reach`. Without memory there is none, which costs time
/// alone.
void ond_solid_guard_make(OndSolidMesh *s, double reach);

/// True when nothing of the mesh, as it was made, is within `reach` of p; false when in doubt.
static inline bool ond_solid_guard_clear(const OndSolidMesh *s, OndVec p, double reach)
{
    const OndSolidGuard *g = &s->guard;
    if (!g->clear || reach > g->reach || s->bent[0]) return false;
    const double x = (p.x - g->origin.x) * g->per_cell, y = (p.y - g->origin.y) * g->per_cell,
                 z = (p.z - g->origin.z) * g->per_cell;
    if (!(x >= 0.0 && x < g->n[0] && y >= 0.0 && y < g->n[1] && z >= 0.0 && z < g->n[2]))
        return false;
    const size_t cell = ((size_t)z * (size_t)g->n[1] + (size_t)y) * (size_t)g->n[0] + (size_t)x;
    return g->clear[cell / 8] >> cell % 8 & 1;
}

#endif
