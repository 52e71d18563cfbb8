// SPDX-License-Identifier: MIT
// The Open Dynamics Engine on a leash: it never prints, never ends the program, and what it shares
// between worlds - its start and end, the dice of its iteration - is used by one at a time.
//
// ODE reports faults to handlers of the whole process. A message (the exact solver has lost its
// way) is counted for the thread that asked; errors and failed assertions, after which ODE would
// leave the program, go back to the call that led there.
#ifndef OND_SOLIDS_BODY_ODE_H
#define OND_SOLIDS_BODY_ODE_H

#include <ode/ode.h>
#include <stdbool.h>

typedef enum OndOdeEnd {
    OND_ODE_GOOD,
    OND_ODE_LOST,   ///< the exact solver says that its answer is none
    OND_ODE_BROKEN, ///< out of memory, or a failed assertion: the world is of no more use
} OndOdeEnd;

void ond_ode_open(void); ///< before anything else of ODE; once for each ond_ode_close
void ond_ode_close(void);

/// dCollide; -1 when ODE has failed at it.
int ond_ode_collide(dGeomID a, dGeomID b, int most, dContactGeom *found);
/// A world with a queue of work of its own: the one that worlds share is not made for threads, nor
/// for a step that was broken off.
typedef struct OndOdeWorld {
    dWorldID world;
    dThreadingImplementationID queue;
    bool broken;
} OndOdeWorld;

OndOdeWorld ond_ode_world_make(void);
void ond_ode_world_free(OndOdeWorld *world); ///< what a broken step left in the queue is lost

/// dWorldStep, or with `rounds` dWorldQuickStep of so many, in an order that is always the same.
OndOdeEnd ond_ode_step(OndOdeWorld *world, double dt, int rounds);

#endif
