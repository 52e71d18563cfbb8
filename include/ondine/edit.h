// SPDX-License-Identifier: MIT
// Changes while it runs: particles come and go, emitters open and close, things are pushed, moved,
// heated and cooled, gravity and materials become others.
//
// Everything here is kept by checkpoints: who saves after a change and resumes goes on with the same
// bits. Views (fields.h) become invalid. What a simulation cannot do, or its method does not hear, is
// OND_BAD_VALUE with a sentence, and nothing is changed then; nor is it after any other failure.
#ifndef ONDINE_EDIT_H
#define ONDINE_EDIT_H

#include <ondine/solids.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A part of space. Numbers are finite; a box whose max is below its min holds nothing. In 2D
/// nothing lies outside by its z.
typedef struct OndRegion {
    bool everywhere;
    double center[3], radius; ///< a ball, where the radius is above 0, m
    double min[3], max[3];    ///< else a box, m
} OndRegion;

OND_API OndRegion ond_everywhere(void);
OND_API OndRegion ond_ball(double x, double y, double z, double radius);
OND_API OndRegion ond_box(double x0, double y0, double z0, double x1, double y1, double z1);

// ---- particles

/// Particles to add; arrays are copied.
typedef struct OndNewParticles {
    int count;
    const float *position;    ///< x y z of each, m
    const float *velocity;    ///< x y z of each, m/s; NULL: at rest
    const float *temperature; ///< C; NULL: the fluid's at its start
    int fluid;                ///< number of their fluid
} OndNewParticles;

/// They should be a spacing apart from each other and from those that are there: what overlaps
/// bursts. Those inside a solid or outside of the domain are refused.
OND_API OndStatus ond_sim_add_particles(OndSim *sim, const OndNewParticles *particles,
                                        OndError *err);
/// Takes out particles by their places in the arrays as they are now, in any order, the same one twice
/// if need be. Others move up, so places that were kept are wrong afterwards.
OND_API OndStatus ond_sim_remove_particles(OndSim *sim, const int *index, int count, OndError *err);
/// Takes out what is in a region; `removed` (may be NULL) is how many that were.
OND_API OndStatus ond_sim_remove_region(OndSim *sim, const OndRegion *region, int *removed,
                                        OndError *err);

// ---- pushing, heating and cooling

/// Adds to the velocity of particles or cells in a region, m/s. An acceleration a over a step of dt
/// is a push by a dt.
OND_API OndStatus ond_sim_push_region(OndSim *sim, const OndRegion *region,
                                      const double velocity[3], OndError *err);
/// Pushes particles or cells in a region away from a point, by `rate` (1/s) times the way from there;
/// below 0 towards it.
OND_API OndStatus ond_sim_push_from(OndSim *sim, const OndRegion *region, const double from[3],
                                    double rate, OndError *err);
/// Adds to the velocity of single particles, by their places in the arrays as they are now: x y z of
/// each, m/s (in 2D z counts for nothing).
OND_API OndStatus ond_sim_push_particles(OndSim *sim, const int *index, const float *velocity,
                                         int count, OndError *err);
/// Adds to the temperature of particles or cells in a region, K; below 0 cools. Refused where the
/// method computes nothing by temperatures (grains, `stam`).
OND_API OndStatus ond_sim_heat_region(OndSim *sim, const OndRegion *region, double kelvin,
                                      OndError *err);
/// Takes those temperatures a `share` (0 to 1) of the way towards `celsius`.
OND_API OndStatus ond_sim_warm_region(OndSim *sim, const OndRegion *region, double celsius,
                                      double share, OndError *err);
/// Takes what cells carry (the field `density`: smoke, ink) a `share` of the way towards a density.
/// Methods on grids alone.
OND_API OndStatus ond_sim_fill_region(OndSim *sim, const OndRegion *region, double density,
                                      double share, OndError *err);

// ---- solids

/// An impulse, N s (2D: per metre), on a body that the fluid moves, at a point of the world (NULL:
/// at its centre of mass).
OND_API OndStatus ond_sim_push_solid(OndSim *sim, int solid, const double impulse[3],
                                     const double at[3], OndError *err);
/// Puts a body elsewhere at once, with a velocity of its centre (m/s) and a spin (rad/s); NULL: at
/// rest. Refused where particles are inside it then, or its centre outside of the domain.
OND_API OndStatus ond_sim_place_body(OndSim *sim, int solid, const OndPlacement *at,
                                     const double velocity[3], const double spin[3], OndError *err);
/// Leads a solid that moves as told, from where it is, evenly to a placement within `seconds`; there
/// it rests. What the scene says of its motion is forgotten. So that nothing is passed through it
/// takes its time: `seconds` is above 0.
OND_API OndStatus ond_sim_move_solid(OndSim *sim, int solid, const OndPlacement *to, double seconds,
                                     OndError *err);
/// The temperature of a solid that heats or cools by contact, C.
OND_API OndStatus ond_sim_set_solid_temperature(OndSim *sim, int solid, double celsius,
                                                OndError *err);

// ---- emitters, heat, gravity, materials

/// Opens or closes an emitter. What would have come meanwhile is lost; a closed one also stays closed
/// when the scene's `from` comes.
OND_API OndStatus ond_sim_open_emitter(OndSim *sim, int emitter, bool open, OndError *err);

/// Moves a heat source of the scene by so much from where the scene has it, m.
OND_API OndStatus ond_sim_move_heat(OndSim *sim, int heat, const double by[3], OndError *err);
/// "power" (W), "temperature" (C) or "transfer" (W/(m^3 K)) of a heat source; power 0
/// turns it off, and transfer 0 one that has a transfer, whose power does not count.
OND_API OndStatus ond_sim_set_heat(OndSim *sim, int heat, const char *key, double value,
                                   OndError *err);
/// "temperature" (C) or "exchange" (W/(m^2 K)) of the air of a scene that has some.
OND_API OndStatus ond_sim_set_air(OndSim *sim, const char *key, double value, OndError *err);

/// m/s^2; each component at most 1e6, and z 0 in 2D.
OND_API OndStatus ond_sim_set_gravity(OndSim *sim, const double gravity[3], OndError *err);
/// One of a fluid's values: "viscosity", "tension", "conductivity", "specific_heat", "latent_heat",
/// "T_solid", "T_liquid", "rigidity", in the scene's units. What the simulation was not built for
/// (tension where no fluid had any) is refused.
OND_API OndStatus ond_sim_set_fluid(OndSim *sim, int fluid, const char *key, double value,
                                    OndError *err);

#ifdef __cplusplus
}
#endif
#endif
