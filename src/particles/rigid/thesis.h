// SPDX-License-Identifier: MIT
// What the thesis's rigidity solver keeps through a step. Only thesis_*.c include this; thesis.c
// says how it works.
//
// All is written in displacements u = x' - x of this step. Positions before the step drop out of
// x*_ij - x_ij, so that nothing is lost to rounding far from the origin, and a neighbour across a
// periodic side needs no other treatment than its source:
//
//     x*_ij - x_ij  =  (1 - s_ij) (l_i - l_j) - (u_i - u_j)          l: the liquid's displacement
#ifndef OND_PARTICLES_THESIS_H
#define OND_PARTICLES_THESIS_H

#include "particles/rigid/rigid.h"

#define OND_THESIS_BLOCK 512 // slots that sum their error together, the same for any thread count

typedef struct OndThesis {
    // of every particle
    int room;
    OndQuad *liquid;     // displacement of the liquid; w: rigidity in this step
    OndQuad *now, *next; // predicted displacement; w: 1 when stabilised
    OndQuad *free;       // the same without walls: dt v + all corrections so far

    // of particles that may be corrected: slots, in order
    int slots;
    OndRelaxSlot *slot;
    OndQuad *aim;  // sum of weight (1 - s_ij) (l_i - l_j) over its pairs
    OndQuad *pull; // sum of weight (u_j - u_i), and in w the weight of stabilised neighbours
    double *scale; // a slot's weights times this are alpha_ij W_ij, up to a factor common to all
    float *best;   // rigidity of its most rigid stabilised neighbour, 0: it has none (before the
                   // iterations: of its most rigid pair)
    float top;     // rigidity of the most rigid pair of all
    float *apart;  // mean distance from where those want it, m
    int *waited;   // iterations that only this distance kept it from being stabilised

    uint32_t pair_room;
    OndRelaxPair *pair;

    int block_room;
    double *error;     // of each block of slots
    float *block_best; // largest `best` among those not stabilised

    int window;      // iterations averaged by the stop rule
    double *history; // errors of the last 2 * window iterations, a ring
} OndThesis;

/// Room for the present particles and their lists; made on first use.
OndStatus ond_thesis_reserve(OndSph *s, OndError *err);

/// Displacement after walls, as the integrator will do it; `met` tells whether there was one.
OndQuad ond_thesis_walls(const OndSph *s, int i, OndQuad free, bool *met);

/// Slots, pairs, weights and aims, from rigidity, neighbour lists and `liquid`.
void ond_thesis_pair_up(OndSph *s);

/// Entry `k` of particle i's list as a pair: the particle it stands for and W, unscaled. False
/// for padding, mirror images, liquid neighbours, and at the kernel's edge.
bool ond_thesis_pair(const OndSph *s, int i, uint32_t k, uint32_t *j, float *w);

/// Where stabilised neighbours alone want slot k to go: the correction. Writes best and apart;
/// returns the size of phi.
double ond_thesis_lean(const OndSph *s, int k, OndQuad *fix);

/// Lets the front go on: who is stabilised after this iteration. False when there is no front.
bool ond_thesis_advance(OndSph *s);

static inline float ond_quad_length(OndQuad q)
{
    return sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
}

#endif
