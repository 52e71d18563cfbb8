// SPDX-License-Identifier: MIT
// Where a liquid takes in air, and how droplets and bubbles move [Ihmsen, Akinci, Akinci, Teschner
// 2012, "Unified spray, foam and air bubbles for particle-based fluids"].
//
// Three potentials of a liquid particle i say how much air it mixes in:
//
//     trapped air   sum_j |v_ij| (1 - v_ij . x_ij / (|v_ij| |x_ij|)) w(|x_ij|)    neighbours close in
//     crest         sum_j (1 - n_i . n_j) w(|x_ij|), of those j that lie below i's surface
//     motion        v_i^2 / 2
//
// with w falling evenly from 1 to 0 at the reach of the neighbour lists and n the normals of the
// surface. Both sums are divided by what a full neighbourhood sums w up to, so that they mean the
// same at any reach and spacing: the first is then a speed.
#ifndef OND_PHYSICS_FOAM_H
#define OND_PHYSICS_FOAM_H

#include "physics/law.h"

#include <math.h>

// w: 1 where the neighbour is, 0 from the reach on.
OND_LAW float ond_foam_weight(float r, float inv_reach)
{
    return fmaxf(1.0f - r * inv_reach, 0.0f);
}

// What all of w sums up to in a liquid that is everywhere, by the reach in spacings.
OND_LAW float ond_foam_full(float reach, int dimension)
{
    const float third = 1.04719755f; // pi / 3
    return third * (dimension == 2 ? reach * reach : reach * reach * reach);
}

// How many neighbours there are then.
OND_LAW float ond_foam_neighbours(float reach, int dimension)
{
    return (dimension == 2 ? 3.0f : 4.0f) * ond_foam_full(reach, dimension);
}

// A neighbour's part of trapped air: `speed` of v_ij, `along` v_ij . x_ij / |x_ij|.
OND_LAW float ond_foam_trapped(float speed, float along, float weight)
{
    return (speed - along) * weight;
}

// A neighbour's part of a crest: `both` is n_i . n_j, `own` n_j . n_j (0 for one inside the liquid,
// which has no normal), `below` (x_j - x_i) . n_i.
OND_LAW float ond_foam_crest(float both, float own, float below, float weight)
{
    return below < 0.0f ? (own - both) * weight : 0.0f;
}

// From 0 at `least` to 1 at `most` and above.
OND_LAW float ond_foam_share(float potential, float least, float most)
{
    return fminf(fmaxf((potential - least) / (most - least), 0.0f), 1.0f);
}

// A velocity that is dragged towards another: `kept` is what is left of the difference.
OND_LAW float ond_foam_drag(float v, float towards, float kept)
{
    return towards + (v - towards) * kept;
}

#endif
