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
// Such a drag needs some sliding to act. A contact that grips has a spring across it besides, which
// is stretched by the sliding and holds until Coulomb's limit [Cundall, Strack 1979]:
//
//     drag = k_s s + k_t v_t,  at most mu |push|        s = sum of v_t dt since they touch
//
// Where the limit is met the spring gives way, so that it never holds more than that.
//
// A pair comes apart with a share e of its speed, e = exp(-pi zeta / sqrt(1 - zeta^2)) with zeta =
// eta / (2 sqrt(k m)), m = m1 m2 / (m1 + m2); against a wall m is the grain's own mass. So damping
// is given in two ways that add up: as eta, or as a share of sqrt(k m), for which e is the same
// whatever the grains weigh.
#ifndef OND_PHYSICS_CONTACT_H
#define OND_PHYSICS_CONTACT_H

#include "physics/law.h"

#include <math.h>

#define OND_NO_SLIP_LIMIT 1e30f // a coefficient of friction that bounds nothing

typedef struct OndContactLaw {
    float stiffness;     // k, N/m
    float damping;       // eta, N s/m
    float damping_share; // of sqrt(k m), added to it
    float shear;         // k_t, N s/m
    float shear_share;   // of sqrt(k m), added to it
    float friction;      // mu; OND_NO_SLIP_LIMIT: as in the source
    float grip;          // k_s as a share of k; 0: no spring across
} OndContactLaw;

// Mass that a pair's relative motion feels; the same for both, bit by bit.
OND_LAW float ond_contact_mass(float m1, float m2)
{
    return m1 * m2 / (m1 + m2);
}

// sqrt(k m), by which shares of damping are measured.
OND_LAW float ond_contact_inertia(const OndContactLaw *law, float mass)
{
    return sqrtf(law->stiffness * mass);
}

// Of the drag, N s/m, and of the spring across, N/m.
OND_LAW float ond_contact_shear(const OndContactLaw *law, float inertia)
{
    return law->shear + law->shear_share * inertia;
}

OND_LAW float ond_contact_spring(const OndContactLaw *law)
{
    return law->grip * law->stiffness;
}

// `inertia` is sqrt(k m), `apart` is v.n. Below 0 it pulls: a damped contact lets go slowly.
OND_LAW float ond_contact_push(const OndContactLaw *law, float overlap, float apart, float inertia)
{
    return law->stiffness * overlap - (law->damping + law->damping_share * inertia) * apart;
}

// Coulomb: a drag that gives no more than `most` at this speed.
OND_LAW float ond_contact_limited(float drag, float slide, float most)
{
    return drag * slide > most ? most / slide : drag;
}

// The force against sliding, by speed: times -v_t it is the force. `slide` is |v_t|.
OND_LAW float ond_contact_drag(const OndContactLaw *law, float push, float slide, float inertia)
{
    const float drag = ond_contact_shear(law, inertia);
    const float most = law->friction * (push > 0.0f ? push : 0.0f);
    return ond_contact_limited(drag, slide, most);
}

// The force across a contact that grips, along the surface. `stretch` is how far its spring is
// stretched, along the surface too; it follows the sliding over dt, and gives way.
OND_LAW void ond_contact_grip(const OndContactLaw *law, float push, const float slide[3],
                              float inertia, float dt, float stretch[3], float force[3])
{
    const float k = ond_contact_spring(law), drag = ond_contact_shear(law, inertia);
    const float most = law->friction * (push > 0.0f ? push : 0.0f);
    for (int a = 0; a < 3; ++a) {
        stretch[a] += dt * slide[a];
        force[a] = -(k * stretch[a] + drag * slide[a]);
    }
    const float size = sqrtf(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    if (!(size > most)) return;
    for (int a = 0; a < 3; ++a) {
        force[a] *= most / size;
        stretch[a] = -(force[a] + drag * slide[a]) / k;
    }
}

// Share of sqrt(k m) that damps a contact so that a share e of the speed is left.
OND_LAW double ond_contact_damping(double e)
{
    const double log_e = log(e > 1e-3 ? e : 1e-3);
    return -2.0 * log_e / sqrt(9.869604401089358 + log_e * log_e);
}

// The stiffness by which two grains of a mass that meet press each other by `overlap` at most: at
// speed v they do by v sqrt(m / 2k), and v^2 = 2 `energy`, which is per mass. The weight of a column
// as high as a fall that gives that energy then presses the lowest contact by overlap^2 / diameter.
OND_LAW double ond_contact_stiffness(double mass, double energy, double overlap)
{
    return mass * energy / (overlap * overlap);
}

// The largest stable step of x'' = -w2 x - c x', when velocities are kicked and positions follow.
OND_LAW double ond_contact_step(double w2, double c)
{
    return w2 > 0.0 ? (sqrt(c * c + 4.0 * w2) - c) / w2 : INFINITY;
}

#endif
