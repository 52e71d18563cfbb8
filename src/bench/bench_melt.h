// SPDX-License-Identifier: MIT
// The rows of `ondine bench melt` and `letters`, between the files that measure and those that print.
#ifndef OND_APP_BENCH_MELT_H
#define OND_APP_BENCH_MELT_H

#include "bench/bench.h"
#include "bench/bench_machine.h"

#define OND_MELT_SCENES  12
#define OND_MELTING_ROWS 10

/// What Dagenais 2012 reports, on the hardware of its day.
typedef struct OndThesisRow {
    const char *scene;
    int particles;
    double seconds_per_frame, seconds_per_step, steps_per_frame, rigid_share;
    const char *file; ///< of the scene; NULL: as the row is called
    double spacing;   ///< instead of the scene's, m; 0: the scene's own
} OndThesisRow;
extern const OndThesisRow ond_thesis_table[OND_MELT_SCENES];

typedef struct OndMeltRow {
    char scene[40]; ///< as the row is called, and that it is a stand-in where it is one
    const char *solver;
    OndSceneTimes times;
    const OndThesisRow *thesis; ///< NULL: it has no such scene
} OndMeltRow;

/// A shipped scene where it melts, beside water.
typedef struct OndMeltingRow {
    const char *scene;
    OndSceneTimes times;
    bool moved;            ///< the budget of time ran out before its window, or within
    double particle_steps; ///< particles, summed over steps: a spring adds some
    double asleep;         ///< the same of those that rested
    double solves;         ///< of rigidity, all told
    int iterations_99;     ///< of a step: 99th percentile
    int most_iterations, most_solves;
    double water_us; ///< per particle and step
} OndMeltingRow;

typedef struct OndMelt {
    OndMachine machine;
    OndBenchPlan plan;
    OndMeltRow row[2 * OND_MELT_SCENES];
    int count;
    const char *refused[OND_MELT_SCENES]; ///< rows whose meshes are not there
    int refused_count;
    OndMeltRow scaling[3]; ///< a column, the same in eight times the particles, and in 64 times
    int scaling_count;
    OndMeltingRow melting[OND_MELTING_ROWS];
    int melting_count;
} OndMelt;

// bench_melt_scenes.c
const char *ond_melting_name(int row); ///< NULL ends the list
/// Rows that were asked for by name have their scenes.
OndStatus ond_melting_check(const OndBenchSettings *settings, OndError *err);
/// Measures the rows that are wanted, and prints each unless it is for JSON. Where a scene is not
/// there, a note says so.
OndStatus ond_melting_measure(const OndBenchSettings *settings, OndMeltingRow *rows, int *count,
                              OndError *err);

// bench_melt_scenes_table.c
void ond_melting_print_row(const OndMeltingRow *row, bool first); ///< first: after the columns
void ond_melting_print_end(const OndMeltingRow *rows, int count);
void ond_melting_json(const OndMeltingRow *rows, int count); ///< "melting":[...]

// bench_melt_table.c
/// Why a row is refused, and what to do.
#define OND_MELT_REFUSED                                                                           \
    "%s is not measured: its mesh is not there. `make models` fetches it, and --stand-ins "        \
    "measures "                                                                                    \
    "what stands in for it"
void ond_melt_print_head(const OndMelt *melt);
void ond_melt_print_columns(void); ///< of the scenes
void ond_melt_print_row(const OndMeltRow *row);
/// What the rows say together, and the scaling.
void ond_melt_print_end(const OndMelt *melt);
void ond_melt_json(const OndMelt *melt);

// ---- letters: pairs that look alike

#define OND_LETTERS_RATE 24.0 ///< frames a second of the scenes

/// How far rows of letters are run: what the thesis simulated, in a budget of wall-clock time.
OndBenchPlan ond_letters_plan(const OndBenchSettings *settings, double budget_s);

#define OND_PAIR_ROWS  9
#define OND_PAIR_TIMES 4

/// Letters of one of the pairs, and how high they stood.
typedef struct OndPairRow {
    const char *pair, *letters;
    OndSceneTimes times;
    double height[OND_PAIR_TIMES]; ///< m, at ond_pair_times; NAN: not reached
    double apart; ///< largest difference to the viscous ones, as a share; NAN: none
} OndPairRow;

extern const double ond_pair_times[OND_PAIR_TIMES]; ///< s

const char *ond_pair_name(int row); ///< of the pair; NULL ends the list
const char *ond_pair_file(int row); ///< its scene
/// Measures the rows that are wanted, and prints each unless it is for JSON.
OndStatus ond_pairs_measure(const OndBenchSettings *settings, OndPairRow *rows, int *count,
                            OndError *err);
void ond_pairs_json(const OndPairRow *rows, int count); ///< "pairs":[...]

#endif
