// SPDX-License-Identifier: MIT
// Solids that fall and float: what pushes them moves them.
//
// A body is a solid with a mass. Before a step it is pushed by gravity and by the forces that the
// method found where everything stands now, then kept from entering what it touches
// (solids/bodies/body_contacts.h), and aimed where that velocity takes it: velocity first, then place, so
// that what floats does not swing itself up. What the step itself does to it - particles that were
// stopped at its surface - changes its velocity afterwards.
//
//     v += dt (F / m + g)      L += dt T      (contacts)      x += dt v      q turns by I^-1 L
//
// What overlaps is moved apart in the last two, by a speed of its own that the body does not keep.
//
// The turning keeps the angular momentum L exactly; the spin that belongs to it is taken at the
// middle of the step.
#ifndef OND_SOLIDS_BODIES_H
#define OND_SOLIDS_BODIES_H

#include "geom/mass.h"
#include "sim/checkpoint.h"
#include "solids/scene/sim_solids.h"

typedef struct OndBody {
    int solid;          ///< which of the solids it is
    double mass;        ///< kg (2D: kg/m)
    double volume;      ///< m^3 (2D: m^2)
    OndVec center;      ///< of mass, in its own frame
    OndInertia inertia; ///< about it, in its own frame, kg m^2
    OndVec velocity;    ///< of the centre, while a step is prepared
    OndVec momentum;    ///< angular, about the centre
    OndVec push;        ///< m/s, in the step under way: off what it overlaps, beside its velocity
    OndVec push_spin;   ///< rad/s: the same
    OndSolidLoad known; ///< load that it has moved by already
} OndBody;

typedef struct OndBodies {
    OndSimSolids *solids;
    OndVec gravity;
    bool flat;
    int count;
    OndBody *body;
    struct OndBodyContacts *contacts; ///< NULL: there are no bodies
    double *state;                    ///< scratch of checkpoints
    double *thickness; ///< of each solid, where it is thinnest (solids/bodies/body_thin.h)
} OndBodies;

/// Bodies of the scene; what cannot be one is an error at its place. Free with ond_bodies_free, in
/// every case.
OndStatus ond_bodies_make(OndSimSolids *solids, OndBodies *out, OndError *err);
void ond_bodies_free(OndBodies *bodies);

/// The longest step that contacts of bodies bear, s: nothing of them goes farther than a spacing,
/// or half of where it is thinnest, against what moves as told.
double ond_bodies_largest_step(const OndBodies *bodies);
/// How impulses move them, into the loads: before the step, once these are cleared.
void ond_bodies_tell(const OndBodies *bodies);
/// Where bodies will be at the end of a step of length dt, by the loads that are known now.
OndStatus ond_bodies_aim(OndBodies *bodies, double dt, OndError *err);
/// The loads as they are by now are those that bodies have moved by.
void ond_bodies_know(OndBodies *bodies);
/// After the step, and after the solids have arrived: loads that came with it.
void ond_bodies_finish(OndBodies *bodies, double dt);

/// An impulse, N s, at a point of the world; between two steps.
void ond_bodies_kick(OndBodies *bodies, int which, OndVec impulse, OndVec at);
/// Puts one elsewhere, with a velocity of its centre and a spin; between two steps.
void ond_bodies_put(OndBodies *bodies, int which, OndPose pose, OndVec velocity, OndVec spin);
/// A solid that stood still will be led about.
void ond_bodies_lead(OndBodies *bodies, int solid);

/// Their states, bit for bit. Borrows: valid until the next call.
void ond_bodies_save(OndBodies *bodies, OndCheckpoint *to);
OndStatus ond_bodies_restore(OndBodies *bodies, const OndCheckpoint *from, OndError *err);

/// Whether the contacts of the last step could not be solved exactly.
bool ond_bodies_unsettled(const OndBodies *bodies);

/// The body that a solid of the scene is; -1: it moves as told.
int ond_bodies_find(const OndBodies *bodies, int solid);

// ---- for solids/bodies/body_*.c

OndVec ond_body_center(const OndBodies *bodies, int which); ///< in the world, now
OndVec ond_body_spin(const OndBodies *bodies, int which);   ///< of its momentum, now
double ond_body_arm(const OndBodies *bodies, int which);    ///< from there to its farthest part

/// Of its solid, now.
static inline const OndSolidState *ond_body_state(const OndBodies *b, int which)
{
    return ond_solids_state(b->solids->solids, b->body[which].solid);
}

#endif
