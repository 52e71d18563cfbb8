// SPDX-License-Identifier: MIT
// Volume, centre of mass and inertia of shapes and meshes of density 1.
//
// Primitives and meshes are exact. What is made of several shapes is summed over a lattice of its
// bounds, where each cell counts by how far the surface cuts into it.
#ifndef OND_GEOM_MASS_H
#define OND_GEOM_MASS_H

#include "geom/mesh.h"
#include "geom/shape.h"

// Of a symmetric matrix: xx, yy, zz, xy, xz, yz.
typedef struct OndInertia {
    double xx, yy, zz, xy, xz, yz;
} OndInertia;

typedef struct OndMass {
    double volume;      ///< m^3 (flat: m^2)
    OndVec center;      ///< m
    OndInertia inertia; ///< about the centre, m^5 (flat: m^4)
} OndMass;

OndMass ond_mass_box(OndVec min, OndVec max, bool flat);
OndMass ond_mass_sphere(OndVec center, double radius, bool flat);
OndMass ond_mass_cylinder(OndVec from, OndVec to, double radius);
OndMass ond_mass_capsule(OndVec from, OndVec to, double radius);
/// Any shape, to about a thousandth; in 2D (`flat`) in the plane z = 0.
OndMass ond_mass_shape(const OndShape *shape, bool flat);
/// The inside of a closed mesh whose triangles agree on which side is out, whichever it is.
OndMass ond_mass_mesh(const OndMesh *mesh);

/// Product with a vector.
static inline OndVec ond_inertia_times(const OndInertia *m, OndVec v)
{
    return ond_vec(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                   m->xz * v.x + m->yz * v.y + m->zz * v.z);
}
/// Solves m x = v; the matrix must be positive definite.
OndVec ond_inertia_solve(const OndInertia *m, OndVec v);

#endif
