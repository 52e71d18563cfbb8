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

// Harmonic mean of what two particles conduct; 0 when either insulates.
OND_LAW float ond_heat_mean(float a, float b)
{
    return 2.0f * a * b / (a + b + 1e-30f);
}

// Two resistances in a row: through the surface (W/(m^2 K)), then through `depth` of the material.
OND_LAW double ond_heat_through(double surface, double conductivity, double depth)
{
    const double inner = conductivity / depth;
    return surface > 0.0 && inner > 0.0 ? surface * inner / (surface + inner) : 0.0;
}

// The thesis's exchange with one neighbour, implicit in the two alone [Dagenais 2012, after eq.
// 3.8]: `mine` and `other` are k V lap W dt with the volume of the particle and of the neighbour.
OND_LAW double ond_heat_pair(double temperature, double neighbour, double mine, double other)
{
    return temperature + other * (neighbour - temperature) / (1.0 + mine + other);
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
