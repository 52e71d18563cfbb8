// SPDX-License-Identifier: MIT
// What two grains do to each other while they overlap [Pouchol 2010, eq. 1.18 to 1.21]: a linear
// spring and a dashpot along the normal n, which points from the other one to this one, and a force
// against the sliding,
//
//     push = k overlap - eta v.n        drag = k_t v_t        v_t = v - (v.n) n
//
// with v the velocity of this one seen from the other. The source leaves the drag without bounds;
// with a coefficient of friction it is at most mu |push| (Coulomb).
//
// A pair comes apart with a share e of its speed, e = exp(-pi zeta / sqrt(1 - zeta^2)) with zeta =
// eta / (2 sqrt(k m)), m = m1 m2 / (m1 + m2); against a wall m is the grain's own mass. So damping
// is given in two ways that add up: as eta, or as a share of sqrt(k m), for which e is the same
// whatever the grains weigh.
#ifndef OND_PHYSICS_CONTACT_H
#define OND_PHYSICS_CONTACT_H

#include <math.h>

#define OND_NO_SLIP_LIMIT 1e30f // a coefficient of friction that bounds nothing

typedef struct OndContactLaw {
    float stiffness;     // k, N/m
    float damping;       // eta, N s/m
    float damping_share; // of sqrt(k m), added to it
    float shear;         // k_t, N s/m
    float shear_share;   // of sqrt(k m), added to it
    float friction;      // mu; OND_NO_SLIP_LIMIT: as in the source
} OndContactLaw;

// Mass that a pair's relative motion feels; the same for both, bit by bit.
static inline float ond_contact_mass(float m1, float m2)
{
    return m1 * m2 / (m1 + m2);
}

// `inertia` is sqrt(k m), `apart` is v.n. Below 0 it pulls: a damped contact lets go slowly.
static inline float ond_contact_push(const OndContactLaw *law, float overlap, float apart,
                                     float inertia)
{
    return law->stiffness * overlap - (law->damping + law->damping_share * inertia) * apart;
}

// The force against sliding, by speed: times -v_t it is the force. `slide` is |v_t|.
static inline float ond_contact_drag(const OndContactLaw *law, float push, float slide,
                                     float inertia)
{
    const float drag = law->shear + law->shear_share * inertia;
    const float most = law->friction * (push > 0.0f ? push : 0.0f);
    return drag * slide > most ? most / slide : drag;
}

// Share of sqrt(k m) that damps a contact so that a share e of the speed is left.
static inline double ond_contact_damping(double e)
{
    const double log_e = log(e > 1e-3 ? e : 1e-3);
    return -2.0 * log_e / sqrt(9.869604401089358 + log_e * log_e);
}

// The largest stable step of x'' = -w2 x - c x', when velocities are kicked and positions follow.
static inline double ond_contact_step(double w2, double c)
{
    return w2 > 0.0 ? (sqrt(c * c + 4.0 * w2) - c) / w2 : INFINITY;
}

#endif
