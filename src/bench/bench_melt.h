// SPDX-License-Identifier: MIT
// The rows of `ondine bench melt`, between the file that measures and the one that prints.
#ifndef OND_APP_BENCH_MELT_H
#define OND_APP_BENCH_MELT_H

#include "bench/bench.h"
#include "bench/bench_machine.h"

#define OND_MELT_SCENES 11

/// What Dagenais 2012 reports, on the hardware of its day.
typedef struct OndThesisRow {
    const char *scene;
    int particles;
    double seconds_per_frame, seconds_per_step, steps_per_frame, rigid_share;
} OndThesisRow;
extern const OndThesisRow ond_thesis_table[OND_MELT_SCENES];

typedef struct OndMeltRow {
    const char *scene, *solver;
    OndSceneTimes times;
    const OndThesisRow *thesis; ///< NULL: it has no such scene
} OndMeltRow;

typedef struct OndMelt {
    OndMachine machine;
    OndBenchPlan plan;
    OndMeltRow row[2 * OND_MELT_SCENES];
    int count;
    OndMeltRow scaling[2]; ///< a column, and the same in eight times the particles
    int scaling_count;
} OndMelt;

// bench_melt_table.c
void ond_melt_print_head(const OndMelt *melt);
void ond_melt_print_columns(void); ///< of the scenes
void ond_melt_print_row(const OndMeltRow *row);
/// What the rows say together, and the scaling.
void ond_melt_print_end(const OndMelt *melt);
void ond_melt_json(const OndMelt *melt);

#endif
