// SPDX-License-Identifier: MIT
// Keeps bodies from entering each other, solids that move as told, and the walls of the domain.
//
// Broad phase: pairs whose boxes meet (solids/bodies/body_things.c). Narrow phase, which places touch:
// boxes, balls, cylinders, capsules and planes are asked in pairs (ODE); for all others points on a
// body's surface are asked how far they are from the other's (solids/bodies/body_points.h). Contact
// solver: the velocities that keep them apart, with friction and restitution, are found for all
// contacts together by ODE; what overlaps is moved apart beside that, without becoming faster
// (solids/bodies/body_solve.c).
#ifndef OND_SOLIDS_BODY_CONTACTS_H
#define OND_SOLIDS_BODY_CONTACTS_H

#include "solids/bodies/bodies.h"

typedef struct OndBodyContacts OndBodyContacts;

/// Without ODE in the build, bodies are an error that says so. So is one that starts deep inside
/// something else or outside the domain's walls, at its place in the scene.
OndStatus ond_body_contacts_make(OndBodies *bodies, OndBodyContacts **out, OndError *err);
void ond_body_contacts_free(OndBodyContacts *contacts); ///< NULL is allowed

/// Changes the bodies' velocity and momentum so that contacts of now hold over a step of dt, and
/// says how they are to be moved apart where they overlap (OndBody's push and push_spin).
OndStatus ond_body_contacts_solve(OndBodyContacts *contacts, double dt, OndError *err);
/// A solid that stood still will be led about.
void ond_body_contacts_lead(OndBodyContacts *contacts, int solid);
/// Whether the exact solver lost its way in the last one, and another had to find an answer.
bool ond_body_contacts_unsettled(const OndBodyContacts *contacts);

#endif
