// SPDX-License-Identifier: MIT
// A closed manifold mesh whose edges can be collapsed.
//
// Side n of the mesh goes from triangle[n] to the next corner of the same triangle, and twin[n] is
// the same edge seen from the triangle beyond. Triangles that are gone have equal corners 0, 0, 0.
#ifndef OND_SURFACE_HALF_EDGES_H
#define OND_SURFACE_HALF_EDGES_H

#include "geom/mesh.h"

#define OND_GONE UINT32_MAX

typedef struct OndHalfEdges {
    uint32_t *triangle; ///< the mesh's own
    uint32_t *twin;     ///< of each side; OND_GONE where its triangle is gone
    uint32_t *side;     ///< one that starts from each corner; OND_GONE where the corner is gone
    int corner_count, triangle_count;
} OndHalfEdges;

static inline uint32_t ond_side_next(uint32_t n)
{
    return n % 3 == 2 ? n - 2 : n + 1;
}
static inline uint32_t ond_side_before(uint32_t n)
{
    return n % 3 == 0 ? n + 2 : n - 1;
}
static inline uint32_t ond_side_end(const OndHalfEdges *h, uint32_t n)
{
    return h->triangle[ond_side_next(n)];
}
/// The next side that starts from the same corner, going round.
static inline uint32_t ond_side_turn(const OndHalfEdges *h, uint32_t n)
{
    return h->twin[ond_side_before(n)];
}

/// Fails on a mesh that is not closed, manifold and of one orientation.
OndStatus ond_half_edges_make(OndHalfEdges *h, const OndMesh *mesh, OndError *err);
void ond_half_edges_free(OndHalfEdges *h);

/// Whether the mesh stays manifold when the start of side `n` moves into its end: the two have only
/// those two neighbours in common that are opposite to the edge, and it is not a tetrahedron.
bool ond_half_edges_may_collapse(const OndHalfEdges *h, uint32_t n);

/// Does it: the start of `n` and the two triangles at the edge are gone.
void ond_half_edges_collapse(OndHalfEdges *h, uint32_t n);

#endif
