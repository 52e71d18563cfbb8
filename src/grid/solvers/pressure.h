// SPDX-License-Identifier: MIT
// Making a staggered flow free of divergence, with any of the solvers.
//
//     solve  div(w grad phi) = div(w u + (1 - w) u_solid) - gain,   then   u -= grad phi
//
// where w is the open share of each face and `gain` what sources bring. Faces that are closed
// altogether keep the velocity that stands on them; where a moving solid covers a part of a face,
// `OndHeld` tells how fast it is.
#ifndef OND_GRID_PRESSURE_H
#define OND_GRID_PRESSURE_H

#include "grid/layout.h"

typedef struct OndPressure OndPressure;

/// `open[s]`: pressure is 0 beyond side s. `potential` keeps the last solution, where the next one
/// starts from; `work` lends the solver its arrays, free between projections. All are arrays of the
/// grid and stay the caller's. A solver that does not exist is an error that names those that do.
OndPressure *ond_pressure_create(const OndGrid *grid, const char *solver, const bool open[6],
                                 float *potential, float *const work[4], OndError *err);
void ond_pressure_destroy(OndPressure *pressure);

/// All faces inside are open again; then ond_pressure_close narrows some, and ond_pressure_ready
/// makes the system. Faces of closed sides are 0, of open ones 1.
void ond_pressure_reset(OndPressure *pressure);
void ond_pressure_close(OndPressure *pressure, int axis, int i, int j, int k, double open);
OndStatus ond_pressure_ready(OndPressure *pressure, OndError *err);

/// Open shares of the lower faces across an axis, 255 for all.
const uint8_t *ond_pressure_open(const OndPressure *pressure, int axis);

typedef struct OndProjected {
    int iterations;
    bool converged;
    double residual; ///< of the system, relative
} OndProjected;

/// Velocity of the closed part of a face across its axis.
typedef struct OndHeld {
    float (*at)(const void *own, int axis, int i, int j, int k); ///< NULL: all stand still
    const void *own;
} OndHeld;

/// u -= factor grad of the last potential, on open faces, for one component or (axis -1) all.
void ond_pressure_push(OndPressure *pressure, int axis, float *const u[3], double factor);

/// Fluid that comes into being in a cell, 1/s; below 0 it goes.
typedef struct OndGain {
    size_t at;
    float rate;
} OndGain;
/// What projections count with from now on; the list stays the caller's. Cells in solids get none.
void ond_pressure_gains(OndPressure *pressure, const OndGain *gain, int count);

/// Above 0 where a cell has an open face: there is fluid.
const float *ond_pressure_fluid(const OndPressure *pressure);

/// `u` is changed.
OndStatus ond_pressure_project(OndPressure *pressure, float *const u[3], OndHeld held,
                               double tolerance, int iterations, OndProjected *out, OndError *err);

size_t ond_pressure_bytes(const OndPressure *pressure);

#endif
