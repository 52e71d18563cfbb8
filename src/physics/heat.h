// SPDX-License-Identifier: MIT
// Heat: what one particle holds, and what passes between two.
//
// Temperature and heat are tied by a curve: it rises by the heat capacity, and steeper while the
// material melts, where the latent heat goes in as well:
//
//     H(T) = C T + M clamp(T - solid, 0, liquid - solid)
//
// Pairs conduct with the harmonic mean of their conductivities, so that the flux is right across
// the seam of two materials and nothing passes where one of them insulates [Cleary 1999].
#ifndef OND_PHYSICS_HEAT_H
#define OND_PHYSICS_HEAT_H

#include "physics/law.h"

#include <math.h>
#include <stdbool.h>

typedef struct OndHeatCurve {
    double capacity;      // C of a particle, J/K or in units of another capacity
    double melting;       // M, added to it while it melts
    double solid, liquid; // C: it melts in between; equal: never
} OndHeatCurve;

// Heat at a temperature, from that of 0 C on.
OND_LAW double ond_heat_held(OndHeatCurve c, double temperature)
{
    const double above = temperature - c.solid, range = c.liquid - c.solid;
    const double molten = above < 0.0 ? 0.0 : above < range ? above : range;
    return c.capacity * temperature + c.melting * molten;
}

// Slope of the curve.
OND_LAW double ond_heat_slope(OndHeatCurve c, double temperature)
{
    return temperature >= c.solid && temperature < c.liquid ? c.capacity + c.melting : c.capacity;
}

// The temperature at which H(T) + outside T = heat. With `outside` 0 that is the curve backwards;
// otherwise what a particle comes to that also feeds what is outside, implicitly.
OND_LAW double ond_heat_temperature(OndHeatCurve c, double outside, double heat)
{
    const double slope = c.capacity + outside, range = c.liquid - c.solid;
    const double from = slope * c.solid, to = slope * c.liquid + c.melting * range;
    if (heat <= from) return heat / slope;
    if (heat >= to) return (heat - c.melting * range) / slope;
    return c.solid + (heat - from) / (slope + c.melting);
}

// ---- branches of the curve, for an implicit step

// Heat and slope where melting is taken to go on beyond `liquid`, unless declared over: this part of
// the curve only gets steeper [Casulli and Zanolli 2012].
OND_LAW double ond_heat_sure(OndHeatCurve c, double t, bool molten, double *slope)
{
    *slope = t >= c.solid ? c.capacity + c.melting : c.capacity;
    const double held = c.capacity * t + (t >= c.solid ? c.melting * (t - c.solid) : 0.0);
    if (!molten) return held;
    *slope = c.capacity; // it was beyond `liquid`, and only gets hotter
    return c.capacity * t + c.melting * (c.liquid - c.solid);
}

// The same on the branch where the particle comes to lie with the heat that is due, while its
// neighbours, to which it is bound by `loose`, stay as they are.
OND_LAW double ond_heat_guessed(OndHeatCurve c, double t, double loose, double due, double *slope)
{
    const double guess = ond_heat_temperature(c, loose, due + loose * t);
    *slope = ond_heat_slope(c, guess);
    if (c.melting == 0.0 || guess < c.solid) return c.capacity * t;
    return c.capacity * t + c.melting * (guess < c.liquid ? t - c.solid : c.liquid - c.solid);
}

// ---- pairs

// Harmonic mean of what two particles conduct; 0 when either insulates.
OND_LAW float ond_heat_mean(float a, float b)
{
    return 2.0f * a * b / (a + b + 1e-30f);
}

OND_LAW double ond_heat_diffusivity(double a, double b)
{
    return a > 0.0 && b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

// What i loses to j, and j gains; K_ij is the mean of what they conduct times lap W.
OND_LAW double ond_heat_lost(double conductance, double mine, double other)
{
    return conductance * (mine - other);
}

// ---- the outside

// Two resistances in a row: through the surface (W/(m^2 K)), then through `depth` of the material.
OND_LAW double ond_heat_through(double surface, double conductivity, double depth)
{
    const double inner = conductivity / depth;
    return surface > 0.0 && inner > 0.0 ? surface * inner / (surface + inner) : 0.0;
}

// How much a particle belongs to the layer at a wall, so many spacings away: all of it up to
// `touches`, nothing from `lets_go` on.
OND_LAW double ond_heat_touching(double d, double touches, double lets_go)
{
    return d < touches ? 1.0 : d < lets_go ? (lets_go - d) / (lets_go - touches) : 0.0;
}

// Weight of another one of that layer, by its squared distance over the reach's.
OND_LAW double ond_heat_layer(double q2)
{
    return q2 < 1.0 ? (1.0 - q2) * (1.0 - q2) : 0.0;
}

// Area of the wall that is a particle's own: less where others crowd, but one has no more of it than
// 1 / `least`, however alone. `area` is that of a spacing.
OND_LAW double ond_heat_wall_share(double touching, double area, double crowd, double least)
{
    return touching * area / fmax(least, crowd);
}

// What passes there through `depth` of the material, for each degree; `scale` is dt in the units of
// heat.
OND_LAW double ond_heat_wall(double scale, double conductivity, double share, double depth)
{
    return scale * conductivity * share / depth;
}

// ---- other forms, for comparison: what a neighbour adds to a temperature in dt

// dT_i/dt = k sum V_j (T_j - T_i) lap W [Dagenais 2012 eq. 3.4; Solenthaler 2007; Chang 2009]
OND_LAW double ond_heat_solenthaler(double k, double volume, double mine, double other,
                                    double laplacian, double dt)
{
    return k * volume * (other - mine) * laplacian * dt;
}

// dT_i/dt = k sum V_j 4 rho_i / (rho_i + rho_j) (T_i - T_j) x_ij . grad W / (r^2 + 0.01 h^2)
// [Paiva 2006]. `g` is W'(r) / r; `dense` the densities' quotient.
OND_LAW double ond_heat_paiva_slope(double r, double h, double g)
{
    return r * r * g / (r * r + 0.01 * h * h);
}

OND_LAW double ond_heat_paiva_dense(float mine, float other)
{
    return 4.0 * mine / (mine + other);
}

OND_LAW double ond_heat_paiva(double k, double volume, double dense, double mine, double other,
                              double slope, double dt)
{
    return k * volume * dense * (mine - other) * slope * dt;
}

// dT_i/dt = k sum V_j grad T_j . grad W,  grad T_i = sum V_j (T_j - T_i) grad W [Stora 1999]; `d` is
// a component of x_ij, `slopes` is grad T_j . grad W.
OND_LAW double ond_heat_stora_gradient(double volume, double mine, double other, double g, double d)
{
    return volume * (other - mine) * g * d;
}

OND_LAW double ond_heat_stora(double k, double volume, double slopes, double dt)
{
    return k * volume * slopes * dt;
}

// The thesis's exchange with one neighbour, implicit in the two alone [Dagenais 2012, after eq.
// 3.8]: `mine` and `other` are k V lap W dt with the volume of the particle and of the neighbour.
OND_LAW double ond_heat_pair(double temperature, double neighbour, double mine, double other)
{
    return temperature + other * (neighbour - temperature) / (1.0 + mine + other);
}

// ---- the surface

// How much a neighbour at q = r / h counts on its side.
OND_LAW float ond_heat_beside(float q)
{
    const float a = q < 1.0f ? 1.0f - q : 0.0f;
    return a * a * a;
}

// Exposed area of a particle in units of spacing^(d - 1). `missing` is, for each direction -x +x -y
// +y -z +z, the share of neighbours that a full surrounding would have there: up to `ignored` it is
// disorder, from OND_HEAT_BARE on a bare side (a slope still has some neighbours in each
// direction). Bare sides add up as a vector, which is right for planes along the lattice and
// across it, and rounds edges; a sheet or a drop that is bare on both sides counts both.
#define OND_HEAT_BARE 0.75f

OND_LAW float ond_heat_exposed(const float missing[6], int dimension, float ignored)
{
    const float scale = 1.0f / (OND_HEAT_BARE - ignored);
    float square = 0.0f, both = 0.0f;
    for (int a = 0; a < dimension; ++a) {
        const float low = fminf(fmaxf((missing[2 * a] - ignored) * scale, 0.0f), 1.0f);
        const float high = fminf(fmaxf((missing[2 * a + 1] - ignored) * scale, 0.0f), 1.0f);
        square += (high - low) * (high - low);
        both += fminf(low, high);
    }
    return sqrtf(square) + 2.0f * both;
}

#endif
