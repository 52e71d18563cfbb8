// SPDX-License-Identifier: MIT
// The register of what a particle carries: a value is one line here. Its number in the table of
// passes, its pointer in OndSph, its field in frames and checkpoints and its place in the re-sorting
// follow.
//
//     NAME, type, member of OndSph, [components], "name", "unit", flags, when it is there
//
// Flags: OND_VALUE_STATE is kept in checkpoints, SHOWN in frames too, TEMP is made anew in each step.
// A line with M instead of X is a value of frames alone that no pass needs: after each step it is
// made by `void ond_sph_make_MEMBER(OndSph *s, double dt)`, in a file of its own.
#ifndef OND_PARTICLES_SPH_VALUES_H
#define OND_PARTICLES_SPH_VALUES_H

#include "base/fields.h"

#define OND_VALUE_STATE OND_FIELD_STATE
#define OND_VALUE_SHOWN (OND_FIELD_STATE | OND_FIELD_FRAME)
#define OND_VALUE_TEMP  OND_FIELD_TEMP

// clang-format off
#define OND_SPH_VALUES(X, M) \
    X(POSITION, float, x, [3], "position", "m", OND_VALUE_SHOWN, true) \
    X(VELOCITY, float, v, [3], "velocity", "m/s", OND_VALUE_SHOWN, true) \
    /* of the last step: leapfrog */ \
    X(ACCELERATION, float, last, [3], "acceleration", "m/s^2", OND_VALUE_STATE, true) \
    X(DENSITY, float, density, , "density", "kg/m^3", OND_VALUE_SHOWN, true) \
    X(TEMPERATURE, float, temperature, , "temperature", "C", OND_VALUE_SHOWN, true) \
    /* what a float cannot hold of it */ \
    X(TEMPERATURE_REST, float, temperature_rest, , "temperature_rest", "C", OND_VALUE_STATE, s->has_heat) \
    X(RIGIDITY, float, rigidity, , "rigidity", "", OND_VALUE_SHOWN, true) \
    X(ID, uint32_t, id, , "id", "", OND_VALUE_SHOWN, true) \
    X(MATERIAL, uint32_t, material, , "material", "", OND_VALUE_SHOWN, true) \
    X(HELD, uint32_t, held, , "held", "", OND_VALUE_STATE, true) \
    /* of solid it belongs to, 0: none (kept by rigid_pieces.c) */ \
    X(PIECE, uint32_t, piece, , "piece", "", OND_VALUE_SHOWN, s->has_rigidity) \
    /* walls that did not push it in the last step */ \
    X(LIFTED, uint32_t, lifted, , "lifted", "", OND_VALUE_STATE, s->has_rigidity) \
    /* of a position in a body what its float leaves out: bodies keep shape */ \
    X(POSITION_REST, float, rest, [3], "position_rest", "m", OND_VALUE_STATE, s->has_rigidity) \
    /* what rigidity gave its velocity in the last step: where the next one's search begins */ \
    X(GIVEN, float, given, [3], "given", "m/s", OND_VALUE_STATE, s->has_rigidity) \
    /* what may sleep (rigid_sleep.c): where it has stayed, for how long, as rigid as that; how near it is to \
       what moves */ \
    X(REST_PLACE, float, rest_place, [3], "rest_place", "m", OND_VALUE_STATE, s->sleeps) \
    X(RESTED, float, rested, , "rested", "s", OND_VALUE_STATE, s->sleeps) \
    X(REST_RIGIDITY, float, rest_rigidity, , "rest_rigidity", "", OND_VALUE_STATE, s->sleeps) \
    /* how much it was squeezed when it fell asleep, as a share */ \
    X(REST_SQUEEZE, float, rest_squeeze, , "rest_squeeze", "", OND_VALUE_STATE, s->sleeps) \
    X(ALERT, uint32_t, alert, , "alert", "", OND_VALUE_STATE, s->sleeps) \
    /* where it was at the start, and how much of the shape there it still carries */ \
    X(ORIGIN, float, origin, [3], "origin", "m", OND_VALUE_SHOWN, s->has_carried) \
    X(CARRIED, float, carried, , "carried", "", OND_VALUE_SHOWN, s->has_carried) \
    X(FACTOR, float, factor, , "density_factor", "", OND_VALUE_STATE, true) \
    X(VISCOSITY, float, viscosity, , "viscosity", "Pa s", OND_VALUE_STATE, s->has_viscosity) \
    /* what implicit viscosity gave in the last step: where the next one's search begins */ \
    X(FRICTION, float, friction, [3], "friction", "m/s^2", OND_VALUE_STATE, s->may_rub) \
    /* how far it must still go to leave the emitter's mouth, which holds it */ \
    X(MOUTH, float, mouth, , "mouth", "m", OND_VALUE_STATE, s->may_rub) \
    X(TENSION, float, tension, , "tension", "N/m", OND_VALUE_STATE, s->has_tension) \
    /* of a liquid that keeps its volume: where the next step's search begins */ \
    X(KEPT_PRESSURE, float, kept_pressure, , "kept_pressure", "Pa", OND_VALUE_STATE, s->keeps_volume) \
    X(PRESSURE, float, pressure, , "pressure", "Pa", OND_VALUE_TEMP | OND_FIELD_FRAME, true) \
    X(FORCE, float, a, [3], "force", "m/s^2", OND_VALUE_TEMP, true) \
    X(VOLUME, float, volume, , "volume", "m^3", OND_VALUE_TEMP, true) \
    /* the end: new ones go above */

// Scratch: it has no memory of its own, and lives within a step, from the first pass that writes it
// to the last that reads it. NAME, type, member of OndSph, [components], when it is there.
#define OND_SPH_SCRATCH(X) \
    X(SUM, float, sum_w,, true)              /* of the kernel over the neighbours */ \
    X(RATE, float, rate,, true)              /* d rho / dt */ \
    X(WEIGHT, float, weight,, true)          /* of the pressure's symmetric form */ \
    X(LOAD, float, load,, true) \
    X(SCALE, float, scale,, true) \
    X(NORMAL, float, normal, [3], s->has_tension)       /* of the surface (only with tension), */ \
    X(BEND, float, bend,, s->has_tension)              /* how much it bends, */ \
    X(DROP, uint32_t, drop,, s->has_tension)           /* what hangs together, */ \
    X(PULL, float, pull, [3], s->has_tension)           /* gradient, weight and curvature where the force acts */ \
    X(SURFACE_DELTA, float, surface_delta,, s->has_tension) \
    X(SEEN, float, seen,, s->has_tension) \
    X(TURN, float, turn,, true)                /* share of the artificial viscosity that is felt, */ \
    X(CLOSE, float, close,, true)              /* and what it comes from */ \
    X(SMOOTHED, float, smoothed, [3], true)   /* velocity with its neighbours' (XSPH) */ \
    X(LEAD, float, lead,, s->has_rigidity)              /* of the links between what is rigid */ \
    X(LINK_SCALE, float, link_scale,, s->has_rigidity) \
    X(RUB, float, rub, [3], s->has_rigidity)             /* what friction between pieces changes velocities by */ \
    X(ALARM, uint32_t, alarm,, s->sleeps)              /* what neighbours hear of what moves */ \
    X(IMPULSE, float, impulse,, s->keeps_volume)        /* of liquids that keep their volume (projection.h): what is sought, */ \
    X(CROWDED, float, crowded,, s->keeps_volume)        /* what is left, */ \
    X(ANSWER, float, answer,, s->keeps_volume)          /* and what those would change; */ \
    X(DIAGONAL, float, diagonal,, s->keeps_volume) \
    X(EASE, float, ease,, s->keeps_volume)              /* 1 / diagonal of who is pushed, else 0 */ \
    X(INVERSE_MASS, float, inverse_mass,, s->keeps_volume) \
    X(REST_ROOM, float, rest_room,, s->keeps_volume)    /* volume at rest */ \
    /* velocity and temperature before the step, for one that is refused memory late */ \
    X(BEFORE, float, before, [3], s->has_rigidity || s->world.solids) \
    X(WARMTH, float, warmth, [2], s->has_heat && (s->has_rigidity || s->world.solids)) \
    X(MARKS, float, marks, [2], true)         /* of those that the start packs */
// clang-format on

#endif
