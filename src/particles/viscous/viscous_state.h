// SPDX-License-Identifier: MIT
// What viscous.c and viscous_sums.c share: the system, and vectors of it.
#ifndef OND_PARTICLES_VISCOUS_STATE_H
#define OND_PARTICLES_VISCOUS_STATE_H

#include "particles/viscous/viscous.h"

// A solid that moves by what it feels: six speeds, about its own origin.
typedef struct OndViscousBody {
    double free[6];    // it would have them after the step if nothing rubbed
    double gain[6][6]; // speeds by what rubs on it
    double speed[6];   // of the last vector
} OndViscousBody;

typedef struct OndViscous {
    OndQuad
        *place; // m; fourth: a_i = mu V^2 over `unit`. Images behind the particles here and in `go`
    OndQuad *go;       // velocities that are tried; fourth: share of the pull along the line
    OndQuad *out;      // what they lose by friction, N
    OndQuad *aim;      // v*; fourth: mass, 0 for who moves as told
    OndQuad *found;    // v; fourth: 1/mass
    OndQuad *left;     // what is left of the system, N s
    OndQuad *mirror;   // of each image: factors of its velocity, and
    OndQuad *behind;   // what the wall's own adds
    float (*block)[6]; // inverse of each particle's own block: xx yy zz xy xz yz
    int room;
    OndViscousBody *body;
    int bodies; // solids there is room for; 0: none is free
    float dt;
    float unit; // of `place`'s fourth value: the largest a_i
} OndViscous;

/// Masses, places, images, each particle's own block, and solids that are free. v* is in `aim`.
void ond_viscous_begin(OndSph *s, float dt);
/// What friction takes of `go`, into `out`. `whole`: walls and solids move; otherwise they do not,
/// as for a difference of velocities.
void ond_viscous_sum(OndSph *s, bool whole);
/// The same of faces of solids alone, as acceleration, to what they push.
void ond_viscous_load(OndSph *s);

#endif
