// SPDX-License-Identifier: MIT
// Solids and emitters of a simulation: where they are, how they move, what they feel.
#ifndef ONDINE_SOLIDS_H
#define ONDINE_SOLIDS_H

#include <ondine/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A place and a turn: what stood at p stands at `at` + turned p.
typedef struct OndPlacement {
    double at[3];   ///< m
    double turn[4]; ///< a unit quaternion: w, x, y, z
} OndPlacement;

typedef struct OndSolidView {
    const char *name;       ///< lives as long as the simulation
    bool body;              ///< the fluid moves it; else it moves as told
    double mass;            ///< of a body, kg (2D: kg/m); 0: as told
    OndPlacement placement; ///< from where its shape was written in the scene to where it is now
    double center[3];       ///< of mass of a body, else of its pivot, now, m
    double velocity[3];     ///< of that centre, m/s
    double spin[3];         ///< rad/s
    double force[3];        ///< by the fluid, mean over the last step, N (2D: N/m); 0 before one
    double torque[3];       ///< the same about the centre, N m
} OndSolidView;

OND_API int ond_sim_solid_count(const OndSim *sim);
/// Copies; false when there is none of that number.
OND_API bool ond_sim_solid(const OndSim *sim, int solid, OndSolidView *out);
OND_API int ond_sim_find_solid(const OndSim *sim, const char *name); ///< -1: there is none

/// Whether nothing can be at a point: outside of the domain, inside a solid or nearer than `reach` to one.
/// `solid` (may be NULL) is which; -1: none, or the domain.
OND_API bool ond_sim_blocked(const OndSim *sim, const double at[3], double reach, int *solid);
/// How far one sees from a point towards another before a solid is in the way, as a share of the way; 1:
/// all of it. `solid` (may be NULL) is which; -1: none. Not in 2D, where there is no depth.
OND_API double ond_sim_sight(const OndSim *sim, const double from[3], const double to[3],
                             int *solid);

typedef struct OndEmitterView {
    int fluid;        ///< that it pours
    bool open;        ///< not closed by ond_sim_open_emitter
    bool blocked;     ///< it waits until there is room again
    double center[3]; ///< m
    double speed;     ///< of what comes out, m/s
} OndEmitterView;

OND_API int ond_sim_emitter_count(const OndSim *sim);
OND_API bool ond_sim_emitter_view(const OndSim *sim, int emitter, OndEmitterView *out);

#ifdef __cplusplus
}
#endif
#endif
