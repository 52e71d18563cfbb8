// SPDX-License-Identifier: MIT
// What `ondine bench hash` measures, apart from how it is printed: the experiments of Pouchol 2010,
// chapter 2, on all structures of src/space/.
#ifndef OND_APP_BENCH_HASH_H
#define OND_APP_BENCH_HASH_H

#include "bench/bench.h"
#include "space/space.h"

typedef struct OndHashRow {
    const char *figure;
    const char *structure;
    int dimension;
    int objects;
    int questions;   ///< asked; with fewer than the figure's the time is scaled up
    double of;       ///< the figure's number of questions
    double near;     ///< neighbours (or candidates) that a question finds on average
    double cells;    ///< looked at by a question on average; 0: not counted
    double build_ms; ///< to put all objects in
    double query_ms; ///< to answer all questions
    double core_ms;  ///< of all cores together: right even when others use them too
    double bytes;
    uint64_t check; ///< the same for all structures
} OndHashRow;

#define OND_HASH_ROWS_MAX 160

typedef struct OndHashRows {
    OndHashRow row[OND_HASH_ROWS_MAX];
    int count;
    bool quick;
    bool wrong; ///< structures gave different answers
} OndHashRows;

/// A new row, zeroed.
OndHashRow *ond_hash_row(OndHashRows *rows, const char *figure, const char *structure);

/// Processor time so far, of all threads.
double ond_hash_core_ms(void);

/// F2.4 and F2.5: random objects in the plane, and a million short paths.
OndStatus ond_bench_hash_boxes(OndHashRows *rows, OndError *err);
/// F2.6 and F2.7: neighbours of a million random points.
OndStatus ond_bench_hash_points(OndHashRows *rows, OndError *err);
/// F2.8 and F2.9: particles that fall on 2000 spheres.
OndStatus ond_bench_hash_spheres(OndHashRows *rows, OndError *err);

/// Draws the cells that each structure looks at for one question.
OndStatus ond_bench_hash_picture(const char *path, OndError *err);

#endif
