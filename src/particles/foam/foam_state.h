// SPDX-License-Identifier: MIT
// What foam*.c share.
#ifndef OND_PARTICLES_FOAM_STATE_H
#define OND_PARTICLES_FOAM_STATE_H

#include "base/vec.h"
#include "particles/foam/foam.h"

#define OND_FOAM_GRAIN  256 // particles a worker claims at a time
#define OND_FOAM_RADIUS 0.1 // spacings: how near to a solid one may come

// ---- how much foams (foam_seeds.c); chosen by eye on dam breaks and jets at 20 mm

// Shares of the speed that foams most, which is that of a fall from the liquid's height.
#define OND_FOAM_SLOWEST       0.2f // below this nothing foams
#define OND_FOAM_FAST          0.7f // from here on as much as can be
#define OND_FOAM_TRAPPED_LEAST 0.04f
#define OND_FOAM_TRAPPED_MOST  0.25f

#define OND_FOAM_CREST_LEAST 0.12f // of a flat surface 0
#define OND_FOAM_CREST_MOST  0.35f
#define OND_FOAM_OUTWARD     0.6f  // cosine between a crest's motion and its normal, at least
#define OND_FOAM_FACE        0.12f // length of the normal from which on a particle is at the surface

#define OND_FOAM_BY_TRAPPED 1.5f // new ones on each spacing of a particle's way
#define OND_FOAM_BY_CREST   1.5f
#define OND_FOAM_WIDE       0.75f // radius of the cylinder that they begin in, spacings
#define OND_FOAM_SPREAD     0.5f  // of the speed at which neighbours close in, across that way

struct OndFoam {
    const OndWorld *world;
    OndFoamDef def;
    const float *wall_at;
    OndFields particles;
    // arrays of the fields, bound anew whenever they move
    float *x[3], *v[3], *age, *life;
    uint32_t *kind, *id;
    OndBox stray;   // from beyond this nothing comes back
    double next;    // id of the next one
    double breaths; // calls that made some: the key of random numbers
    double pending; // s that no such call has covered yet
    double speed;   // that foams most, m/s
    double fastest; // of them, m/s
    double refused; // that found no room
    // of the liquid's particles: scratch
    float *trapped, *normal[3];
    int *seeds;
    int room;
};

double ond_foam_lifetime(const OndFoam *foam); // of foam, s
void ond_foam_bind(OndFoam *foam);
void ond_foam_close_gaps(OndFoam *foam); // those whose life is below 0 are gone
OndStatus ond_foam_seed(OndFoam *foam, const OndFoamLiquid *liquid, double dt, OndError *err);
void ond_foam_follow(OndFoam *foam, const OndFoamLiquid *liquid, double dt);

#endif
