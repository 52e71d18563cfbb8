// SPDX-License-Identifier: MIT
// Liquids that keep their volume: pressure that depends on the step's length.
//
// Each solver is a file of its own and a line in solvers.h; all solve the same system
// (projection.h), with the same walls, solids and masses.
#ifndef OND_PARTICLES_INCOMPRESSIBLE_H
#define OND_PARTICLES_INCOMPRESSIBLE_H

#include "particles/incompressible/projection.h"

typedef struct OndPressureSolver {
    const char *name;
    float recalls; // share of the last step's pressure that it begins with
    bool grids;    // it wants multigrid.h
    // Before forces act, may be NULL; then with them. Impulses and ways are left in the projection.
    OndStatus (*begin)(OndSph *s, float dt, OndProjectionEnd *end, OndError *err);
    OndStatus (*correct)(OndSph *s, float dt, OndProjectionEnd *end, OndError *err);
} OndPressureSolver;

/// That of the scene; NULL: an equation of state.
const OndPressureSolver *ond_pressure_solver(const OndSph *s);

/// The pressure that is shown at the start: that of a step of length dt, after which nothing moves. The first
/// step searches by itself; beginning with this makes no pool calmer.
OndStatus ond_incompressible_start(OndSph *s, float dt, OndError *err);
/// Memory for the solves of a step, among the neighbours that were found.
OndStatus ond_incompressible_room(OndSph *s, OndError *err);
/// Velocities of before the forces of a step, so that nothing closes in.
OndStatus ond_incompressible_begin(OndSph *s, float dt, OndError *err);
/// Velocities that particles travel with, so that nobody is crowded after the step.
OndStatus ond_incompressible_correct(OndSph *s, float dt, OndError *err);
/// How long the next steps may be, by the density that was measured.
void ond_incompressible_adapt(OndSph *s);

#endif
