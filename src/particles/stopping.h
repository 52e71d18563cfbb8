// SPDX-License-Identifier: MIT
// Where a particle ends that solids stop inside the walls of the domain.
//
// Of the two the solid is never passed. Where its face sends a particle out of the box, the
// particle goes along the face to where that meets the wall; where the face and the wall leave less
// room than the distance it keeps, it keeps a smaller one. A solid that goes on through the wall
// takes along what is in between: that is crushed, and the run must not go on as if nothing had
// happened.
#ifndef OND_PARTICLES_STOPPING_H
#define OND_PARTICLES_STOPPING_H

#include "solids/solids.h"

typedef struct OndStopping {
    const OndSolids *solids;
    const float *wall_at; ///< six places, infinite without a wall: -x +x -y +y -z +z
    double spacing;       ///< of the particles, m
    double radius;        ///< kept from faces, m
    double dt;            ///< of the step, s
} OndStopping;

/// As ond_solids_stop, with the walls.
bool ond_stopping_stop(const OndStopping *s, OndVec from, OndVec *to, OndVec *velocity,
                       OndHit *hit);
/// Whether `hit` presses what it left at `to` out of the box. Bodies do not: what is under them
/// bears them.
bool ond_stopping_crushes(const OndStopping *s, OndVec to, const OndHit *hit);
/// The sentence for that. `what`: one particle, as it is called.
OndStatus ond_stopping_fail(const OndSolids *solids, int solid, const char *what, OndError *err);

#endif
