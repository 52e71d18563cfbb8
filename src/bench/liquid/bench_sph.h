// SPDX-License-Identifier: MIT
// What a step of SPH costs: a dam break at several sizes, with one thread and with all.
#ifndef OND_APP_BENCH_SPH_H
#define OND_APP_BENCH_SPH_H

#include "method/method.h"

#include <ondine/error.h>
#include <stdbool.h>

typedef struct OndBenchRow {
    int particles, threads;
    double ns; ///< per particle and step
    int phase_count;
    const char *const *phase_names;
    double share[OND_PHASES_MAX]; ///< of the step, by phase
    double neighbours;            ///< mean
    double bytes;                 ///< per particle, all told
    double field_bytes;           ///< of which its fields
    double sorted_bytes;          ///< of which follow the particle when it is sorted
} OndBenchRow;

#define OND_BENCH_ROWS 16

/// Fills up to OND_BENCH_ROWS rows and returns how many in `count`. `quick`: the smallest size, few
/// steps.
OndStatus ond_bench_sph(bool quick, OndBenchRow *rows, int *count, OndError *err);

#endif
