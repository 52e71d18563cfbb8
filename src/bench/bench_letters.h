// SPDX-License-Identifier: MIT
// The pairs of `ondine bench letters`, between the file that measures them and the one that prints
// the tables.
#ifndef OND_BENCH_LETTERS_H
#define OND_BENCH_LETTERS_H

#include "bench/bench.h"

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
