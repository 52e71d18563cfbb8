// SPDX-License-Identifier: MIT
// Spray, foam and bubbles of a liquid: particles that ride along [Ihmsen 2012] and that the liquid
// does not feel. Theory and choices: docs/foam.md.
//
// The owner of the liquid calls, in each step,
//
//     ond_foam_breathe   before the liquid moves: potentials, new particles, what each is, and how
//                        fast; only as often as motion asks for
//     ond_foam_drift     when solids know where they will be: all go on, as far as walls and solids
//                        let them
//
// Random numbers belong to a liquid particle's id and the count of these calls, so the same bits
// come out for any number of threads and after a resume. Rows stand in the order of their ids.
#ifndef OND_PARTICLES_FOAM_H
#define OND_PARTICLES_FOAM_H

#include "base/fields.h"
#include "method/world.h"
#include "particles/loops/loops.h"

// What is seen of the liquid: read, never written. Arrays of `pairs` go on with its images.
typedef struct OndFoamLiquid {
    OndPairs pairs; // neighbour lists, positions, velocities
    const OndCells *cells, *images;
    const OndLoops *loops;
    const uint32_t *id, *held;
    const float *rigidity;
    int count;
    float reach;   // of the lists, m
    float fastest; // of the liquid, m/s
} OndFoamLiquid;

typedef struct OndFoam OndFoam;

/// `world` has `foam` and outlives it; `wall_at`: where walls stop it (six places, infinite where
/// there is none). NULL and a sentence without memory.
OndFoam *ond_foam_create(const OndWorld *world, const float *wall_at, OndError *err);
void ond_foam_free(OndFoam *foam); ///< NULL is allowed

/// The speed that foams most, m/s, where the scene names none.
void ond_foam_set_speed(OndFoam *foam, double speed);

OndStatus ond_foam_breathe(OndFoam *foam, const OndFoamLiquid *liquid, double dt, OndError *err);
void ond_foam_drift(OndFoam *foam, double dt);

/// The particles: position, velocity, kind (OndFoamKind), age, life (what is left of it), id.
OndFields *ond_foam_particles(OndFoam *foam);
double ond_foam_refused(const OndFoam *foam); ///< new ones that found no room, so far
/// Numbers that a checkpoint keeps; NULL: there are no more.
const char *ond_foam_number(OndFoam *foam, int slot, double **value);
size_t ond_foam_bytes(const OndFoam *foam);

#endif
