// SPDX-License-Identifier: MIT
// How fast a flow can be that still is one: by what has driven it so far.
//
//     given     at the start, by walls, solids and fans, and where as much as comes in has to pass
//               the narrowest cross-section that the grid has had so far
//     buoyancy  what rises all the way gains sqrt(2 a H)
//     gravity   along a periodic axis nothing stops it: g t
//
// Whirls and bends are faster than that, but not many times.
#include "base/parallel.h"
#include "grid/smoke/smoke_state.h"

#include <stdio.h>

#define FAST_GIVEN 10 // times what is given,
#define FAST_RISE  5  // times what buoyancy gives, which is an upper bound already,
#define FAST_FALL  2  // and times a free fall: beyond their sum a speed is no flow's

static double length(const float v[3])
{
    return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

// The open faces across an axis in one layer, in faces.
static double open_layer(const OndSmoke *s, int axis, int layer)
{
    const OndGrid *const g = &s->grid;
    const uint8_t *const open = ond_pressure_open(s->pressure, axis);
    const int b = axis == 0 ? 1 : 0, c = 3 - axis - b; // along rows where it can
    double sum = 0.0;
    for (int k = 0; k < g->n[c]; ++k)
        for (int j = 0; j < g->n[b]; ++j) {
            int at[3];
            at[axis] = layer, at[b] = j, at[c] = k;
            sum += open[ond_grid_at(g, at[0], at[1], at[2])];
        }
    return sum / 255.0;
}

// Of all layers that are not shut, m^2 (2D: m).
static double narrowest(const OndSmoke *s)
{
    const OndGrid *const g = &s->grid;
    double least = INFINITY;
    for (int a = 0; a < ond_grid_axes(g); ++a)
        for (int layer = 0; layer <= g->n[a]; ++layer) {
            const double open = open_layer(s, a, layer);
            if (open > 0.0) least = fmin(least, open);
        }
    return least * pow(g->h, ond_grid_axes(g) - 1);
}

// What comes in through sides and from sources, m^3/s (2D: m^2/s).
static double inflow(const OndSmoke *s)
{
    const OndVec wide = ond_sub(s->world.box.max, s->world.box.min);
    const bool deep = s->grid.deep;
    double sum = 0.0;
    for (int side = 0; side < 2 * ond_grid_axes(&s->grid); ++side) {
        const int a = side / 2, b = (a + 1) % 3, c = (a + 2) % 3;
        const double area =
            (b < 2 || deep ? ond_axis(wide, b) : 1.0) * (c < 2 || deep ? ond_axis(wide, c) : 1.0);
        sum += fabs((double)s->world.side[side].velocity[a]) * area;
    }
    for (int k = 0; k < s->world.source_count; ++k)
        sum += fabs(s->world.source[k].flow);
    return sum;
}

// By solids, walls, and what has to pass the narrowest place as solids stand now.
double ond_smoke_given(const OndSmoke *s)
{
    const double volume = inflow(s);
    double most = s->world.solid_speed;
    for (int side = 0; side < 2 * ond_grid_axes(&s->grid); ++side)
        most = fmax(most, length(s->world.side[side].velocity));
    return volume > 0.0 ? fmax(most, volume / narrowest(s)) : most;
}

static double fastest_flow(const OndSmoke *s)
{
    const OndGrid *const g = &s->grid;
    double high2 = 0.0, fall2 = 0.0;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        const double pull = s->world.gravity[a], wide = g->n[a] * g->h;
        if (pull != 0.0) high2 += wide * wide;
        if (g->periodic[a]) fall2 += pull * pull;
    }
    return FAST_GIVEN * s->given + FAST_RISE * sqrt(2.0 * s->pushed * sqrt(high2)) +
           FAST_FALL * sqrt(fall2) * s->time;
}

void ond_smoke_driven(OndSmoke *s, double push)
{
    s->pushed = fmax(s->pushed, push);
    s->given = fmax(s->given, ond_smoke_sources_speed(s));
    if (s->time == 0.0) s->given = fmax(s->given, s->speed);
}

// Less than a cell a step is no burst, however little drives it.
OndStatus ond_smoke_limits(OndSmoke *s, double dt, OndError *err)
{
    s->given = fmax(s->given, ond_smoke_sources_speed(s)); // one may just have begun
    const double cap = fastest_flow(s);
    char confined[96] = "";
    if (!isfinite(s->kinetic)) return ond_fail(err, OND_UNSTABLE, "a velocity has become infinite");
    if (s->speed <= cap || s->speed * dt <= s->grid.h) return OND_OK;
    if (s->def.confinement > 0.0)
        snprintf(confined, sizeof confined, "less `confinement` (now %g), ", s->def.confinement);
    return ond_fail(err, OND_UNSTABLE,
                    "the fluid moves at %.3g m/s, and nothing in the scene can drive it beyond "
                    "%.3g m/s: the flow has burst. Try %sa smaller `courant` (now %g), "
                    "%smore `viscosity` (now %g)",
                    s->speed, cap, confined, s->def.courant,
                    s->def.advection != OND_ADVECT_LINEAR ? "`advection: linear`, or " : "or ",
                    s->def.viscosity);
}
