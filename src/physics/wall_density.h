// SPDX-License-Identifier: MIT
// A flat wall as a particle sees it: filled with liquid at rest.
//
// A particle at distance d of a plane lacks the neighbours that would stand behind it. What their
// kernels would sum up to depends on d alone, so it is looked up: the wall is taken as layers of
// the start lattice, half a spacing behind the plane and then one spacing each, averaged along the
// plane. Factors make the sums exact for a lattice half a spacing from the plane, so that a pool at
// rest on a solid is at rest, as it is on a mirror.
//
// Where several planes meet, half-spaces overlap. For a kernel that is a Gaussian, what lies behind
// two planes is a bivariate normal distribution whose correlation is the cosine between the
// normals; that is how much is taken off. Two faces of a shallow crease count once, those of a slot
// twice, and a right angle is exact on the lattice by the choice of the width.
//
// A face that bulges has less behind it than its plane, a hollow one more. To the first order the
// slope at distance d loses the share b d of itself and the sum of W the share b z, z being the
// mean distance of what is behind: b is half the sum of the two curvatures, and both follow from
// moving the edge of the half-space by the face's sag and integrating by parts, for any kernel. As
// 1 / (1 + b z / 2)^2 that is right to 3 % for balls of three spacings and more.
#ifndef OND_PHYSICS_WALL_DENSITY_H
#define OND_PHYSICS_WALL_DENSITY_H

#include "physics/law.h"

#include <math.h>
#include <stdbool.h>

#define OND_WALL_ENTRIES 96

// Sums over the layers behind the plane; z is the distance along the normal, t along one tangent.
enum OndWallSum {
    OND_WALL_VALUE,   // W
    OND_WALL_DEPTH,   // W z
    OND_WALL_SLOPE,   // -G z: the gradient's length
    OND_WALL_WEIGHT,  // -G z^2: weight of the liquid in between, along the normal
    OND_WALL_SQUEEZE, // -G z^2 / (r^2 + 0.01 h^2): artificial viscosity
    OND_WALL_RUB,     // -G t^2 / (r^2 + 0.01 h^2)
    OND_WALL_DRAG,    // lap W z: friction against velocities continued linearly
    OND_WALL_SHEAR,   // -G t^2 z: the same of implicit viscosity, along the wall
    OND_WALL_PRESS,   // -G z^3: and across
    OND_WALL_SUMS
};

typedef struct OndWallTable {
    float per_metre; // entries
    float sum[OND_WALL_ENTRIES + 2][OND_WALL_SUMS];
    float full[OND_WALL_SUMS]; // the same over the whole lattice (z and t alike)
    float width;               // of the Gaussian, for what lies behind two planes, m
    float beyond;              // mean depth of it behind the second one, m
} OndWallTable;

OND_LAW float ond_wall_sum(const OndWallTable *table, int which, float distance)
{
    const float at = fmaxf(distance, 0.0f) * table->per_metre;
    if (!(at < (float)OND_WALL_ENTRIES)) return 0.0f;
    const int k = (int)at;
    const float part = at - (float)k;
    return table->sum[k][which] + part * (table->sum[k + 1][which] - table->sum[k][which]);
}

// Share of a plane at distance `mine` that lies behind another at distance `other`; `cosine` is
// that of the angle between their normals.
OND_LAW float ond_wall_covered(float mine, float other, float cosine, float width)
{
    const float spread = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0025f)) * width;
    return 0.5f * erfcf((other - cosine * mine) / (1.41421356f * spread));
}

// Share of what a plane at distance `z` gives that a face gives which bends away from it; `bend` is
// half the sum of its curvatures, below 0 where it is hollow.
OND_LAW float ond_wall_bent(float bend, float z)
{
    const float wide = fmaxf(1.0f + 0.5f * bend * z, 0.5f);
    return 1.0f / (wide * wide);
}

// ---- forces: the liquid behind has the particle's own pressure, continued by the weight in
// between, and its velocity mirrored, so that it pushes back what comes nearer

// `load` as in pressure.h, `slope` the table's, `weight` what gravity adds behind the wall. There
// pressure is no less than none, unless the liquid pulls (`suction`).
OND_LAW float ond_wall_push(float load, float slope, float weight, bool suction)
{
    const float mine = load * slope, behind = mine + weight;
    return mine + (suction || behind > 0.0f ? behind : 0.0f);
}

// Friction across the wall, for a particle that moves `across` away from it: drag, and artificial
// viscosity for one that comes nearer.
OND_LAW float ond_wall_squeeze(float across, float shear, float squeeze)
{
    return shear * across + (across < 0.0f ? squeeze * across : 0.0f);
}

// What a wall adds to d rho / dt; `edge` is the share of it that is there.
OND_LAW float ond_wall_rate(float mass, float across, float edge, float slope)
{
    return -2.0f * mass * across * edge * slope;
}

// The squared distance of a neighbour's mirror image, for a wall that both see at distances d_i and
// d_j: the same from both sides, so that what one gains the other loses.
OND_LAW float ond_wall_image(float r2, float mine, float other)
{
    return r2 + 4.0f * mine * other;
}

#endif
