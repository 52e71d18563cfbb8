// SPDX-License-Identifier: MIT
// Surface tension as a force at the surface [Brackbill 1992; Morris 2000]:
//
//     f = sigma kappa grad c,      c = sum_j V_j W, the colour field
//
// kappa is the surface's curvature. It comes from how the unit normals n = grad c / |grad c| turn
// from a particle to its neighbours, compared with the way along the surface to them:
//
//     kappa_i = (d - 1) sum_j w_j (n_j - n_i) . x_ji G / sum_j w_j (x_ij^2 - (n_i . x_ij)^2) G
//
// with x_ji = x_j - x_i. Sums over the same neighbours stand above and below, so it is exact on a
// ball although one half of them is missing, and beside walls. The weights w = |grad c| listen to
// those that know best where the surface is.
//
// Mueller 2003's own force, kept for comparison, is -sigma (lap c) n / |n| with n = grad c, where
// |n| is above a threshold.
#ifndef OND_PHYSICS_TENSION_H
#define OND_PHYSICS_TENSION_H

#include "physics/law.h"

#include <math.h>

// A particle counts with the volume it has when squeezed, and with that at rest where its density
// lacks the neighbours beyond the surface.
OND_LAW float ond_colour_volume(float volume, float rest)
{
    return volume < rest ? volume : rest;
}

// What a neighbour adds to grad c, over x_ij; `g` is W'(r) / r.
OND_LAW float ond_colour_slope(float volume, float g)
{
    return volume * g;
}

// What it takes off lap c by Wendland's kernel, without its factor; q = r / h, `rest` is 1 - q within
// the support and 0 beyond, `sides` is d - 1.
OND_LAW float ond_colour_bend(float volume, float q, float rest, float sides)
{
    return volume * rest * rest * (1.0f - 4.0f * q + sides * rest);
}

// ---- curvature

OND_LAW float ond_curvature_weight(float weight, float g)
{
    return -weight * g;
}

// How far normals turn; `mine` and `other` are n_i . x_ij and n_j . x_ij.
OND_LAW float ond_curvature_turn(float weight, float other, float mine)
{
    return weight * (other - mine);
}

// The way along the surface to the neighbour, squared.
OND_LAW float ond_curvature_way(float weight, float r2, float deep)
{
    return weight * (r2 - deep * deep);
}

// Over d - 1, from the two sums; above 0 for a drop.
OND_LAW float ond_curvature(float turn, float way)
{
    return way > 0.0f ? turn / way : 0.0f;
}

// How much of a surface a slope of the colour is: below `faint` it is disorder.
OND_LAW float ond_surface_share(float slope, float faint)
{
    return slope * slope / (slope * slope + faint * faint);
}

// Normals at a depth turn like those of a ball smaller by that: what was seen from inside, at the
// surface; no sharper than `most`.
OND_LAW float ond_curvature_outside(float seen, float depth, float most)
{
    const float there = seen / (1.0f + fmaxf(depth * seen, -0.5f));
    return fminf(fmaxf(there, -most), most);
}

// How bare a particle is, whatever the liquid's density: h |sum grad W| / sum W.
OND_LAW float ond_surface_bare(float h, float slope, float value)
{
    return h * slope / value;
}

// Share of its neighbours that a particle has which is so bare, by two layers of a flat surface, the
// outer and the inner one: on the line through them.
OND_LAW float ond_surface_filled(float bare, float outer_bare, float inner_bare, float outer,
                                 float inner)
{
    const float way = (outer_bare - bare) / (outer_bare - inner_bare);
    return outer + way * (inner - outer);
}

// ---- acceleration, over the normal

// sigma kappa |grad c| of a volume, over the particle's mass.
OND_LAW float ond_tension_push(float tension, float curvature, float slope, float volume,
                               float mass)
{
    return tension * curvature * slope * volume / mass;
}

// Of Mueller's force, over grad c, whose length is `slope`.
OND_LAW float ond_tension_mueller(float tension, float laplacian, float slope, float density)
{
    return -tension * laplacian / (slope * density);
}

#endif
