// SPDX-License-Identifier: MIT
// What `ondine bench smoke` measures, apart from how it is printed.
#ifndef OND_APP_BENCH_SMOKE_H
#define OND_APP_BENCH_SMOKE_H

#include "sim/sim.h"

/// A plume round a sphere, by phase of a step.
typedef struct OndPlumeRow {
    int side;             ///< cells along each axis
    double ms;            ///< of the quickest step, on the wall clock
    double core_ms;       ///< of all cores together: right even when others use them too
    double bytes;         ///< a cell
    OndStepRecord record; ///< of the quickest step
} OndPlumeRow;

/// Steps of the plume at `row->side`, of the method with `keys` more (", advection: cubic" or "").
OndStatus ond_bench_plume(OndPlumeRow *row, const char *keys, int steps, OndError *err);

/// How well a way of carrying does.
typedef struct OndSchemeRow {
    const char *advection, *trace;
    double
        disc_error;   ///< of Zalesak's disc after a turn: mean |difference|, as a share of its area
    double disc_area; ///< cells; 582.207 at the start
    double drift_error; ///< of drifting vortices after a second: root of the mean square, m/s
    double
        cavity_error[2]; ///< of the flow under a lid at Reynolds numbers 100 and 1000: the largest
                         ///< of 14 points of its centre lines, as a share of the lid's speed
    double core_ns;      ///< a cell and step of the plume at 64^3, of all cores together
} OndSchemeRow;

/// `quick`: on coarse grids, for a look at the columns.
OndStatus ond_bench_scheme(OndSchemeRow *row, bool quick, OndError *err);

/// A scene from YAML text, ready to step; the scene stays the caller's to free.
OndSim *ond_bench_smoke_open(const char *text, OndSceneDef *scene, OndError *err);

#endif
