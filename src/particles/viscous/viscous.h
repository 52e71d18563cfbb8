// SPDX-License-Identifier: MIT
// Implicit viscosity: friction by the velocities that liquids have after the step, so that honey and
// syrup take the steps of water.
//
//     m_i (v_i - v*_i) = dt sum_j K_ij x_ij (x_ij . (v_j - v_i)),    K_ij = 2 / (1/a_i + 1/a_j) k(r)
//
// v* being the velocities that all other forces make, a_i = mu_i V_i^2 (physics/viscosity.h). Pairs
// pull along the line between them [Monaghan 2005; implicit: Weiler et al. 2018], so both momentum
// and turning stay, and a drop that turns as a whole feels nothing. The system is symmetric and
// positive: conjugate gradients, with the 3 x 3 block of each particle as preconditioner, begin with
// the friction of the last step. What friction gives is summed up once more at the end, so that what
// one particle gains its neighbour loses, whatever the solver has left.
//
// What leaves an emitter keeps its speed while it is in the mouth. Without that the thread below pulls
// each layer off as it comes out, all of it falls freely, and it tears where it has just begun.
//
// Each file: viscous.c the solver, viscous_sums.c the sums over neighbours, images and faces of
// solids, viscous_def.c the keys.
#ifndef OND_PARTICLES_VISCOUS_H
#define OND_PARTICLES_VISCOUS_H

#include "particles/sph/sph_state.h"

/// Spacings for which an emitter's mouth holds what it pours: at least one layer is in it at any time.
#define OND_VISCOUS_MOUTH 1.5f

/// Whether the scene, or its steps, ask for it.
bool ond_viscous_wanted(const OndSph *s);
/// Factors of the kernel that make it exact on the start lattice.
void ond_viscous_set_up(OndSph *s);
/// Room for the particles and images of now.
OndStatus ond_viscous_room(OndSph *s, OndError *err);
/// Adds the friction of a step of length dt to the forces of now, and to what faces of solids push.
OndStatus ond_viscous_rub(OndSph *s, float dt, OndError *err);

void ond_viscous_free(struct OndViscous *viscous);
size_t ond_viscous_bytes(const struct OndViscous *viscous); // 0 for NULL

#endif
