// SPDX-License-Identifier: MIT
// The one way to use several cores.
//
// Work on [0, count) is cut into blocks of `grain`; threads claim blocks, so a slow block does not
// idle the rest. How blocks fall to threads differs from run to run, so a body must write only
// what belongs to its own range; sums go block by block into an array that is added up in order
// (ond_sum_blocks). That is what makes results the same bits for any number of threads.
#ifndef OND_BASE_PARALLEL_H
#define OND_BASE_PARALLEL_H

#include <ondine/host.h> // ond_threads

typedef void OndRangeFn(int first, int last, int worker, void *context);

/// Returns when all of [0, count) is done. `worker` is in [0, ond_threads()) and is not shared by
/// two calls that run at the same time: index per-thread scratch with it.
void ond_parallel_for(int count, int grain, OndRangeFn *body, void *context);

/// Fixed cut of a range for sums: the same blocks whatever the number of threads.
#define OND_SUM_BLOCK 2048
static inline int ond_sum_block_count(int count)
{
    return (count + OND_SUM_BLOCK - 1) / OND_SUM_BLOCK;
}

#endif
