// SPDX-License-Identifier: MIT
// What projection*.c and the solvers share: places and ways as quads, images behind the particles,
// the two sums of physics/incompressible.h over them, and sums over all particles.
#ifndef OND_PARTICLES_PROJECTION_STATE_H
#define OND_PARTICLES_PROJECTION_STATE_H

#include "particles/incompressible/multigrid.h"
#include "particles/sph/sph_solids.h"

// Of a particle beside a face: a neighbour's image behind it.
typedef struct OndFaceImage {
    OndQuad slope; // of W there, along the face, 1/m^4
    uint32_t of;   // neighbour
} OndFaceImage;

typedef struct OndProjection {
    OndQuad *place;  // SPH's, m; fourth: what is pushed with (impulses, directions of the search)
    OndQuad *trial;  // SPH's: ways that this makes, m
    OndQuad *way;    // that particles go in the step, m
    OndQuad *mirror; // of each image: 1, -1 across its wall
    int room;
    double (*body)[6];     // way and turn that the same impulses make of each free solid, m and rad
    double (*gained)[6];   // speeds that they have got in this step already
    int bodies;            // solids there is room for; 0: none is free
    OndFaceImage *image;   // of each row in use (sph_solids.h), one after the other
    uint32_t *image_first; // row -> its first; one more
    uint32_t image_room;
    int image_rows;
    OndPressureGrids *grids; // of `cg`; may be NULL
} OndProjection;

/// Ways that the impulses in the fourth value of places make; free solids' with them.
void ond_projection_push(OndSph *s, OndQuad *way);
/// The same with every particle by itself, also those of pieces (rigid_pressure.c).
void ond_projection_push_each(OndSph *s, OndQuad *way);
/// What ways, and those of free solids by the last push, change of the sum of W.
void ond_projection_crowd(OndSph *s, OndQuad *way, float *sum);
/// The diagonal of both together, of places with inverse masses; in `trial` the slopes of
/// multigrid.h.
void ond_projection_diagonal(OndSph *s);
/// By how much the impulses of neighbours, in the fourth value of places, are larger: sums of W times
/// the difference.
void ond_projection_differ(OndSph *s, float *sum);
/// Adds what solids that move change of the sum of W, to s->crowded; free ones fall, if they do
/// within what is solved.
void ond_projection_walls(OndSph *s, float dt, bool fall);
/// What the impulses found do to free solids, which later solves of the step start from.
void ond_projection_keep_bodies(OndSph *s, float dt);
/// Gives faces what the impulses found pushed with, as acceleration: their solids' loads follow.
void ond_projection_load(OndSph *s, float dt);

/// How far a particle is from an answer: crowded, or pushed farther apart than it must be, though no
/// farther than what pushes it does. Who counts the first alone lets the last step's impulses throw
/// a still pool up. Who has nobody to push off, being held among what is held, is off by nothing that
/// an impulse could mend.
static inline float ond_projection_off(const OndSph *s, int i)
{
    const float r = s->crowded[i], pushed = s->impulse[i] * s->diagonal[i];
    if (!(s->diagonal[i] > 0.0f)) return 0.0f;
    return r > 0.0f ? r : fminf(-r, fmaxf(pushed, 0.0f));
}

/// Images behind the faces of solids, of this step (projection_faces.c).
OndStatus ond_projection_faces(OndSph *s, OndError *err);
/// What those of row k add to the way of its particle, and to what changes of its sum of W.
void ond_projection_push_along(const OndSph *s, int k, OndQuad *way);
float ond_projection_crowd_along(const OndSph *s, int k, const OndQuad *way);
/// What faces make of the diagonal of its particle and of its slope (multigrid.h), which neighbours
/// are in already.
void ond_projection_ease_row(const OndSph *s, int k, float *diagonal, OndQuad *slope);
/// What a face's half-space does to the sum of W of a particle that comes nearer, 1/m^4.
float ond_projection_steepness(const OndSph *s, const OndRowTouch *touch);

// ---- sums over all particles, in blocks

typedef struct OndTotals {
    OndSph *s;
    OndProjection *p;
    double *first, *second, *third; // by block
    float step, back;
    float room; // less than that is none
    double sum[2], most;
} OndTotals;

/// Makes `first`, `second` and `third` of a block, of particles [begin, end).
typedef void OndTotalFn(OndTotals *t, int block, int begin, int end);

OndStatus ond_totals_make(OndSph *s, OndTotals *out, OndError *err);
/// All blocks, then sums of the first two and the largest of the third.
void ond_totals_find(OndTotals *t, OndTotalFn *body);

#endif
