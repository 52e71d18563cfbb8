// SPDX-License-Identifier: MIT
// The system that keeps a liquid's volume, which each solver solves in its own way
// (physics/incompressible.h has the equations).
//
// Unknowns are impulses k >= 0. What is left of a particle's crowding, r = b - B k, must be 0 where
// k > 0; where there is room (r < 0), k = 0. A projection keeps k (s->impulse), r (s->crowded) and
// the ways that particles will go in the step side by side; whoever adds to k adds to the others.
#ifndef OND_PARTICLES_PROJECTION_H
#define OND_PARTICLES_PROJECTION_H

#include "particles/sph/sph_state.h"

// What is asked for.
typedef struct OndProjectionAim {
    float crowding;   // of how crowded particles are already, the most that is to go
    double tolerance; // mean crowding that may be left, as a share of the rest density
    double height;    // of the liquid, m, and
    double shift;     // by how much its surface may move for what is left, m (`cg`)
    int most;         // iterations
    bool grids;       // multigrid.h has to answer
    bool falls;       // gravity has acted
} OndProjectionAim;

// What came of it.
typedef struct OndProjectionEnd {
    int iterations;
    double error; // mean of how far off particles are left, either way
    double worst; // of a particle
    bool capped;  // the iterations ended first
} OndProjectionEnd;

/// That the density is kept, as the scene asks: for a step of length dt.
OndProjectionAim ond_projection_density(const OndSph *s, float dt);
/// The same as the published solvers ask for it: one error, whatever moves.
OndProjectionAim ond_projection_published(const OndSph *s, float dt);

/// Makes all the memory that a solve among these neighbours takes, and finds what is behind faces, so that
/// nothing is refused once velocities have changed. `grids`: with multigrid.h.
OndStatus ond_projection_room(OndSph *s, bool grids, OndError *err);
/// Begins with the impulses that are in s->impulse, for velocities s->v over dt.
OndStatus ond_projection_begin(OndSph *s, const OndProjectionAim *aim, float dt, OndError *err);
/// By conjugate gradients (cg.c).
OndStatus ond_projection_cg(OndSph *s, const OndProjectionAim *aim, OndProjectionEnd *end,
                            OndError *err);
/// By relaxation: k += weight r / diagonal, no less than 0, again and again (relaxation.c). `even`:
/// the same diagonal for all, that of a full neighbourhood.
OndStatus ond_projection_relax(OndSph *s, const OndProjectionAim *aim, float weight, bool even,
                               OndProjectionEnd *end, OndError *err);
/// Velocities of the ways that were found.
void ond_projection_end(OndSph *s, float dt);

void ond_projection_free(struct OndProjection *projection);
size_t ond_projection_bytes(const struct OndProjection *projection); // 0 for NULL

#endif
