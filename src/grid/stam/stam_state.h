// SPDX-License-Identifier: MIT
// What a Stam grid holds, shared by stam*.c.
#ifndef OND_GRID_STAM_STATE_H
#define OND_GRID_STAM_STATE_H

#include "base/fields.h"
#include "grid/layout.h"
#include "grid/stam/stam_def.h"
#include "method/world.h"

typedef enum OndStamPhase {
    OND_STAM_DIFFUSE,
    OND_STAM_PROJECT,
    OND_STAM_ADVECT,
    OND_STAM_PHASES
} OndStamPhase;

typedef struct OndStam {
    OndStamDef def;
    OndWorld world;
    OndGrid grid;
    OndFields cells;
    float *v[3], *density; // in `cells`
    float *before[3];      // velocities of before; pressure and divergence live here, too
    float *spare;          // the other values of a round of Jacobi
    uint8_t *solid;        // 1: the middle of the cell lies in a solid
    bool looked;           // `solid` is right
    double speed, kinetic, divergence;
    double phase_ms[OND_STAM_PHASES];
} OndStam;

// What an array holds, for its values beyond the sides: 0 to 2 are components of the velocity.
enum { OND_STAM_SCALAR = 3, OND_STAM_PRESSURE = 4 };

/// Sets the ghosts of an array, and its cells in solids.
void ond_stam_edges(const OndStam *s, int what, float *array);

/// Finds the cells that lie in solids.
void ond_stam_look(OndStam *s);

/// Implicit diffusion of an array; `before` is scratch.
void ond_stam_diffuse(OndStam *s, int what, float *x, float *before, double rate, double dt);

/// Makes the velocity free of divergence.
void ond_stam_project(OndStam *s);

/// `to` gets what stood in `from` where the velocity `v` comes from.
void ond_stam_advect(const OndStam *s, int what, float *to, const float *from, float *const v[3],
                     double dt);

#endif
