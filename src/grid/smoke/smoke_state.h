// SPDX-License-Identifier: MIT
// What smoke holds, shared by smoke*.c.
#ifndef OND_GRID_SMOKE_STATE_H
#define OND_GRID_SMOKE_STATE_H

#include "base/fields.h"
#include "grid/advect.h"
#include "grid/smoke/smoke_def.h"
#include "grid/smoke/smoke_sources.h"
#include "grid/smoke/solid_ghosts.h"
#include "grid/solvers/pressure.h"
#include "method/world.h"

typedef enum OndSmokePhase {
    OND_SMOKE_SOLIDS,
    OND_SMOKE_FORCES,
    OND_SMOKE_ADVECT,
    OND_SMOKE_VISCOSITY,
    OND_SMOKE_PROJECT,
    OND_SMOKE_CARRY,
    OND_SMOKE_PHASES
} OndSmokePhase;

typedef struct OndSmoke {
    OndSmokeDef def;
    OndWorld world;
    OndGrid grid;
    OndFields cells;
    float *v[3], *density; // in `cells`
    float *temperature;    // the same, C: for those outside, between steps
    float *warmth;         // the same, K above the air: all that is done here is done with it
    float *work[4];        // lent to the solver for its solves; the last is the temperature
    float *spare;          // NULL unless the trace is rk2 or rk3
    OndPressure *pressure;
    bool open[6];
    bool keeps;               // the sum of the density is put right after it is carried
    bool looked;              // faces know the solids
    double moving;            // 1: a solid did when last looked at
    float air;                // C
    bool warms;               // a wall or a solid has a temperature of its own
    double *sum;              // two a block of rows
    double last_dt;           // that the potential belongs to
    double time;              // s
    OndSmokeSources *sources; // NULL: none
    OndSolidGhosts *ghosts;   // NULL: no solids
    double displaced; // mass that solids have covered in this step, less what they uncovered
    double speed, kinetic;
    double push;          // acceleration that is to come, m/s^2
    double given, pushed; // the largest speed, m/s, and acceleration that it was given so far
    OndProjected projected;
    double phase_ms[OND_SMOKE_PHASES];
} OndSmoke;

// What an array holds, for its values beyond the sides: 0 to 2 are components of the velocity.
enum { OND_SMOKE_DENSITY = 3, OND_SMOKE_WARMTH = 4 };

/// A temperature in C, as the warmth of what has it.
static inline float ond_smoke_warm(const OndSmoke *s, float temperature)
{
    return temperature - s->air;
}
/// Takes over what was written to the temperatures; shows what has become of them.
void ond_smoke_warmth_take(OndSmoke *s);
void ond_smoke_warmth_show(OndSmoke *s);

/// Sets ghosts, and velocities on closed faces.
void ond_smoke_edges(const OndSmoke *s, int what, float *array);

/// Slows component `axis` of what comes in through open sides, as being drawn in from rest does.
void ond_smoke_draw_in(const OndSmoke *s, int axis, float *u, double dt);

/// Open shares of faces, where solids stand now; velocities of those that are closed. What moving
/// solids cover and uncover is seen to.
OndStatus ond_smoke_solids(OndSmoke *s, OndError *err);
/// The same as if nothing had moved: at the start, and when resumed.
OndStatus ond_smoke_look(OndSmoke *s, OndError *err);
/// Whether a solid does that the flow sees.
bool ond_smoke_moves(const OndSmoke *s);
/// How far the nearest solid is from a place, m; below 0 inside.
double ond_smoke_distance(const OndSmoke *s, OndVec at);
/// The middle of a face, m.
OndVec ond_smoke_face(const OndGrid *grid, int axis, int i, int j, int k);
OndHeld ond_smoke_held(const OndSmoke *s);

/// Adds what buoyancy and open sides do in half of `dt`, and confinement in all of it.
void ond_smoke_forces(OndSmoke *s, double dt);
/// Adds what buoyancy, or gravity round a periodic axis, does to a component of the velocity in
/// `dt`. Sets ghosts.
void ond_smoke_rise(OndSmoke *s, int axis, float *u, double dt);
/// The largest acceleration of both now, m/s^2.
double ond_smoke_push(const OndSmoke *s);

/// An implicit step of diffusion: x - rate dt lap x = x before. `scratch` is overwritten.
void ond_smoke_diffuse(const OndSmoke *s, int what, float *x, float *scratch, double rate,
                       double dt);

/// The share of a step's spreading, up to a half, that is done beforehand, explicitly: as much as
/// stays harmless.
double ond_smoke_early(const OndSmoke *s, int what, double rate, double dt);
/// x += way lap x, on open faces or in all cells; `way` in m^2. x has its ghosts; `scratch` is
/// overwritten.
void ond_smoke_spread(const OndSmoke *s, int what, float *x, float *scratch, double way);

// ---- speeds that no flow has

/// The speed that walls and solids give, and what comes in.
double ond_smoke_given(const OndSmoke *s);
/// Notes what drives the flow now; `push` is ond_smoke_push.
void ond_smoke_driven(OndSmoke *s, double push);
/// OND_UNSTABLE when the flow is many times faster than all that drives it, after a step of `dt`.
OndStatus ond_smoke_limits(OndSmoke *s, double dt, OndError *err);

// ---- the parts of a step, in their order

/// Half of the forces; from here on v is the way of the fluid in this step, over dt.
void ond_smoke_leave(OndSmoke *s, double dt);
OndFlow ond_smoke_way(const OndSmoke *s, double dt);
/// The sum of the density, in cells; cells that a solid cuts count with their open share.
double ond_smoke_mass(OndSmoke *s);
/// Density and temperature.
void ond_smoke_carry(OndSmoke *s, double dt);
/// The velocity.
void ond_smoke_advect(OndSmoke *s, double dt);
/// Takes off what maccormack leaves of waves of two cells; `work` still holds what was carried.
void ond_smoke_damp(OndSmoke *s, double dt);
/// Viscosity (forces were before), and readies the flow for the projection.
void ond_smoke_slow(OndSmoke *s, double dt);
OndStatus ond_smoke_project(OndSmoke *s, OndError *err);

#endif
