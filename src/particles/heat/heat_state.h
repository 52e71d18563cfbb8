// SPDX-License-Identifier: MIT
// What the passes of a heat step share. Only heat_*.c include this.
//
// All heat is in units of `unit`, the largest heat capacity of a particle, and conductances have
// the step in them: 1 means that a pair exchanges as much as a particle holds.
#ifndef OND_PARTICLES_HEAT_STATE_H
#define OND_PARTICLES_HEAT_STATE_H

#include "particles/heat/heat.h"
#include "physics/heat.h"

struct OndHeat {
    int room, image_room; // particles and images the arrays are made for
    size_t pair_room;

    OndHeatCurve curve[OND_MATERIALS_MAX];
    double unit;    // J/K
    double per_lap; // 2 d / sum of r^2 lap W on the lattice: makes a linear profile conduct exactly
    float full, ignored, flat; // of the exposed area (loops_heat.c)
    double contact;            // 1 / sum over a full layer of the weights in heat_outside.c

    float *conduct;    // of each particle and image
    float *weight;     // of each pair, beside the neighbour lists
    float *sum;        // of the weights round a particle
    float *area;       // exposed, m^2 (2D: m)
    double *value;     // temperature under way, images included
    double *direction; // of the conjugate gradients, images included
    double *pulled;    // the matrix times `direction`
    double *residual;
    double *flow;             // heat lost to neighbours and to the outside at `value`
    double *capacity;         // slope of the curve at `value`
    double *start;            // heat held before the step; in heat_outside.c what sinks leave
    double *outside, *toward; // conductance to what is outside; times its temperature, plus power
    uint8_t *molten;          // used by the slow and sure iteration (heat_implicit.c)
    double *image_offset;     // of images: temperature = sign times the particle's + offset
    float *image_sign;

    bool sinks;       // something takes heat in this step
    double low, high; // temperatures that cannot be left; infinite where power heats
    double span;      // K: all there is to even out
    double magnitude; // largest temperature, for rounding
    int iterations;   // of the last step
    int solves;       // systems of the last step
};

/// Walls, air and sources: fills `outside` and `toward`, and widens the bounds.
OndStatus ond_heat_outside(OndSph *s, double dt, OndError *err);
void ond_heat_set_up_outside(OndSph *s);

/// The same for solids (heat_solids.c): what touches them, and what they cover from the air.
void ond_heat_feel_solids(OndSph *s, double scale);
void ond_heat_cover_solids(OndSph *s);

#define OND_HEAT_TOUCHES 0.75 // spacings from a wall: up to here a particle touches it
#define OND_HEAT_LETS_GO 1.0  // from here on it does not
#define OND_HEAT_SPREAD  0.8  // one has no more of a wall than 1 over this, however alone

/// Of a particle of the same layer, at a squared distance in spacings.
double ond_heat_layer_weight(const OndSph *s, double distance2);

/// Conductances of all pairs for `dt`, what images stand for, and the flow between particles.
void ond_heat_conductances(OndSph *s, double dt);
/// Images that stand for their particles and nothing else: no heat crosses a wall.
void ond_heat_plain_images(OndSph *s);
/// Brings values over to images: temperatures, or (not `whole`) changes of them.
void ond_heat_images(OndSph *s, double *value, bool whole);

OndStatus ond_heat_implicit(OndSph *s, double dt, OndError *err);
OndStatus ond_heat_pairs(OndSph *s, double dt, OndError *err); // thesis and explicit forms

/// Solves (capacity + conductances) x = residual, adds x to `value`, and keeps `flow` and
/// `residual` up to date. Stops when no particle's residual would change its temperature by more
/// than `limit` K. Returns the iterations, 0 if there was nothing to do; -1 at `most`.
int ond_heat_solve(OndSph *s, double limit, int most, double *sums);

/// The temperature as kept: in two parts, so that small changes are not lost.
static inline double ond_heat_load(const OndSph *s, int i)
{
    return (double)s->temperature[i] + s->temperature_rest[i];
}

static inline void ond_heat_store(OndSph *s, int i, double temperature)
{
    s->temperature[i] = (float)temperature;
    s->temperature_rest[i] = (float)(temperature - s->temperature[i]);
}

#endif
